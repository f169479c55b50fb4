# The checker as an image: docker run --rm -v "$PWD:/code" puppet-analyzer check
FROM rust:1.95-bookworm AS build
WORKDIR /source
COPY . .
RUN RUSTFLAGS='-C target-feature=+crt-static' cargo build --locked --release --target x86_64-unknown-linux-gnu -p puppet-analyzer

FROM scratch
COPY --from=build /source/target/x86_64-unknown-linux-gnu/release/puppet-analyzer /puppet-analyzer
WORKDIR /code
ENTRYPOINT ["/puppet-analyzer"]
CMD ["check"]
