# Image of the checker: docker run --rm -v "$PWD:/code" puppet-analyzer check
FROM rust:1.95-bookworm AS build
WORKDIR /source
COPY . .
# Builds as release/build.sh does, for the platform on which the image is built.
RUN host=$(rustc -vV | sed -n 's/^host: //p') && \
    RUSTFLAGS='-C target-feature=+crt-static' cargo build --locked --release --target "$host" -p puppet-analyzer && \
    install -m 755 "target/$host/release/puppet-analyzer" /puppet-analyzer

FROM scratch
COPY --from=build /puppet-analyzer /puppet-analyzer
WORKDIR /code
ENTRYPOINT ["/puppet-analyzer"]
CMD ["check"]
