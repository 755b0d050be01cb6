# syntax=docker/dockerfile:1

# The builder's Debian release is the runtime's: Pango is a shared library.
FROM swift:6.3.1-bookworm AS builder
# hadolint ignore=DL3008
RUN apt-get update -qq \
    && apt-get install -y -qq --no-install-recommends \
        libcairo2-dev libdeflate-dev libpango1.0-dev libwebp-dev libz-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /titlecard
COPY Package.swift ./
COPY Sources Sources
COPY Tests Tests
COPY Benchmarks Benchmarks
COPY Fuzzing Fuzzing
RUN swift build -c release --static-swift-stdlib -debug-info-format none --product titlecard-worker \
    && swift build -c release --static-swift-stdlib -debug-info-format none --product titlecard \
    && strip .build/release/titlecard .build/release/titlecard-worker

FROM debian:12.12-slim
# The list of its fonts in deploy/: fonts, or fonts-slim, without those of Chinese, Japanese, and Korean.
ARG FONTS=fonts
# Packages for videos: ffmpeg, or none.
ARG VIDEO=
# hadolint ignore=DL3008
RUN --mount=type=bind,source=deploy,target=/tmp/deploy \
    apt-get update -qq \
    && xargs apt-get install -y -qq --no-install-recommends \
        libpangocairo-1.0-0 libpangoft2-1.0-0 libcairo2 libdeflate0 libicu72 libwebp7 zlib1g \
        fontconfig ${VIDEO:+"$VIDEO"} < "/tmp/deploy/$FONTS" \
    && rm -rf /var/lib/apt/lists/* \
    && fc-cache -f \
    && mkdir -p /usr/local/share/titlecard/fonts \
    && useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin titlecard
COPY --from=builder /titlecard/.build/release/titlecard /titlecard/.build/release/titlecard-worker \
    /usr/local/bin/
COPY Public /usr/local/share/titlecard/Public
# What Debian's packages say of their licences is in /usr/share/doc.
COPY LICENSE NOTICE /usr/local/share/doc/titlecard/
RUN --mount=type=bind,source=deploy,target=/tmp/deploy \
    sh /tmp/deploy/make-sbom "$(titlecard --version)" > /usr/local/share/titlecard/sbom.cdx.json
# deploy/release/images adds the version, the commit, and the repository.
LABEL org.opencontainers.image.title=Titlecard \
    org.opencontainers.image.description="Animated text as SVG, GIF, APNG, WebP, Lottie, or PNG" \
    org.opencontainers.image.licenses=MIT \
    org.opencontainers.image.base.name=docker.io/library/debian:12.12-slim
ENV TITLECARD_HOST=0.0.0.0 \
    TITLECARD_PORT=8080 \
    TITLECARD_PUBLIC=/usr/local/share/titlecard/Public \
    TITLECARD_FONTS=/usr/local/share/titlecard/fonts
# Titlecard's own, as a number: orchestrators check that it is not root.
USER 10001
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s --retries=3 \
    CMD ["titlecard", "health"]
ENTRYPOINT ["titlecard"]
CMD ["serve"]
