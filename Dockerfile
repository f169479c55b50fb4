# The checker as an image: docker run --rm -v "$PWD:/code" puppet-analyzer check
FROM rust:1.95-bookworm AS build
WORKDIR /source
COPY . .
# As release/build.sh does it, for the kind of machine that the image is built on.
RUN host=$(rustc -vV | sed -n 's/^host: //p') && \
    RUSTFLAGS='-C target-feature=+crt-static' cargo build --locked --release --target "$host" -p puppet-analyzer && \
    install -m 755 "target/$host/release/puppet-analyzer" /puppet-analyzer

FROM scratch
COPY --from=build /puppet-analyzer /puppet-analyzer
WORKDIR /code
ENTRYPOINT ["/puppet-analyzer"]
CMD ["check"]
