# Stages: the page, the server with the page inside, and a small image that runs it without root.
# Each stage runs one script, so that `scripts/check-image` can run the same steps outside Docker.

FROM node:20-bookworm-slim AS page
WORKDIR /src
COPY client/web client/web
COPY scripts/build-page scripts/build-page
RUN scripts/build-page

FROM rust:1.95-bookworm AS server
WORKDIR /src
COPY Cargo.toml Cargo.lock rustfmt.toml ./
COPY shared shared
COPY server server
COPY client client
COPY migrations migrations
COPY scripts/build-release scripts/build-release
COPY --from=page /src/client/web/dist client/web/dist
RUN scripts/build-release

FROM debian:bookworm-slim
RUN useradd --system --uid 10001 --home-dir /data --create-home sprint
COPY --from=server /src/target/release/sprint-server /usr/local/bin/sprint-server
USER sprint
VOLUME /data
ENV SPRINT_LISTEN=0.0.0.0:8080 \
    SPRINT_STATE_DIR=/data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["sprint-server", "healthcheck", "--listen", "127.0.0.1:8080"]
ENTRYPOINT ["sprint-server"]
CMD ["serve"]
