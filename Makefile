# The two commands that matter: `make serve` and `make test`. Both install what is missing.

# No debug information: it takes a twentieth of the time, and the image and the package have none either.
SWIFT_BUILD := swift build -c release --static-swift-stdlib -debug-info-format none
BINARY := .build/release/titlecard
HELLO := Benchmarks/Hummingbird/Hello
VENV := .venv
TOOLS := .build/tools
CADDY := .build/caddy
DOCKER := .build/docker
PYTEST := $(VENV)/bin/python -m pytest -q

# The seconds that each fuzzer of `make fuzz` runs.
FUZZ_SECONDS ?= 60
# The number of the commit, by which the tests take members of long lists; others for each.
COMMIT := $(shell git rev-list --count HEAD 2>/dev/null || echo 0)
export TEST_SAMPLE ?= $(COMMIT)
# How many of the next commits `make ahead` tests.
COMMITS ?= 10
FUZZERS := $(patsubst Fuzzing/Corpus/%,fuzz-%,$(wildcard Fuzzing/Corpus/*))
SANITIZERS := sanitize-address sanitize-thread

.PHONY: deps deb-deps dist-deps test-deps build extension serve test proof ahead unit-test-build unit-test end-to-end-test \
	cluster-test fuzz $(FUZZERS) sanitize $(SANITIZERS) vectors lint docs docc bench bench-deps soak hostile gallery deb dist clean

# The fonts of the image, which deploy/fonts lists.
FONTS := $(shell cat deploy/fonts)

# The libraries of the service: Pango, cairo, libdeflate, libwebp, zlib, ICU, and its fonts.
deps:
	@deploy/install-packages libcairo2-dev libdeflate-dev libicu72 libpango1.0-dev libwebp-dev \
		libz-dev $(FONTS)

# What makes the Debian package.
deb-deps:
	@deploy/install-packages debhelper dpkg-dev python3

# What makes the archives of `make dist`.
dist-deps:
	@deploy/install-packages binutils icu-devtools patchelf python3

# The tools of the tests: browsers, decoders, a load balancer, a C compiler, Python, what checks, reads, and runs the
# Debian package, and what a runner of GitHub has; kubectl and promtool in TOOLS, caddy in CADDY; clients of the Model
# Context Protocol, of which only one can be in an environment.
test-deps: deps deb-deps dist-deps $(TOOLS) $(CADDY)
	@deploy/install-packages chromium firefox-esr gir1.2-webkit2-4.1 python3-gi python3-gi-cairo xvfb xauth \
		nginx python3 python3-icu python3-markdown-it python3-venv curl \
		ffmpeg mpv gifsicle imagemagick libgif7 libwebpdemux2 webp librsvg2-bin gcc node-typescript \
		fontconfig fonts-dejavu fonts-noto-core fonts-liberation \
		lintian shellcheck man-db zsh fish systemd systemd-container mmdebstrap strace scour \
		parallel unzip git jq libdevmapper1.02.1
	@test -x $(VENV)/bin/python || python3 -m venv $(VENV)
	@$(VENV)/bin/pip install --quiet --disable-pip-version-check \
		-r Tests/EndToEnd/requirements.txt
# Of this package only its copy of DOMPurify is wanted.
	@$(VENV)/bin/pip install --quiet --disable-pip-version-check --no-deps nicegui==3.18.0
	@for version in 1 2; do \
		environment=.build/mcp-$$version; \
		test -x $$environment/bin/python || python3 -m venv $$environment; \
		$$environment/bin/pip install --quiet --disable-pip-version-check -r Tests/EndToEnd/mcp-$$version.txt; \
	done

# Unpacked rather than installed: Debian's kubectl is where other vendors' is too, and prometheus, caddy, and Docker would
# start servers.
$(TOOLS): | deb-deps
	@deploy/unpack-packages $@ kubernetes-client prometheus

$(CADDY): | deb-deps
	@deploy/unpack-packages $@ caddy

$(DOCKER):
	@deploy/unpack-packages $@ docker.io containerd runc

build: deps
	$(SWIFT_BUILD) --product titlecard-worker
	$(SWIFT_BUILD) --product titlecard

# The service with what only tests know. Built as the server is, so that nearly all of it is there.
extension:
	$(SWIFT_BUILD) --product extended-titlecard

serve: build
	$(BINARY) serve

# A Debian package in .build.
deb: build deb-deps
	deploy/debian/build $(BINARY)

# The archives that run from any folder, in .build/dist.
dist: build dist-deps
	deploy/dist/build $(BINARY)

# Thousands of lines tell what passes: only the failures and the sum are shown.
define UNIT_TESTS
swift test --skip-build >.build/unit-tests.log 2>&1 \
	|| { grep -v '^[◇✔]' .build/unit-tests.log; exit 1; }
@tail -n 1 .build/unit-tests.log
endef

# The tools of the end-to-end tests are fetched while the unit tests are compiled.
test: export TEST_BINARY := $(BINARY)
test: deps
	@$(MAKE) --no-print-directory --jobs 2 unit-test-build test-deps
	@$(MAKE) --no-print-directory build
	$(UNIT_TESTS)
	$(END_TO_END)

unit-test-build: deps
	swift build --build-tests

unit-test: unit-test-build
	$(UNIT_TESTS)

# All cases of the tests, of which `make test` takes a sample.
proof: export TEST_PROOF := 1
proof: $(DOCKER) unit-test end-to-end-test

# The cases of the next COMMITS commits together, all at 30: what they would find is found now.
ahead: export TEST_SAMPLE := $(shell expr $(COMMIT) + 1)-$(shell expr $(COMMIT) + $(COMMITS))
ahead: end-to-end-test

# Three tests at a time, for each waits now and then; neighbours in one process, which share its servers and browsers,
# until one has nothing left. What measures time or memory afterwards, with nothing beside it.
define END_TO_END
$(PYTEST) -n 3 --dist worksteal --durations 20 -m "not alone"
$(PYTEST) --durations 5 -m alone $$(grep -rl --include='test_*.py' mark.alone Tests/EndToEnd)
endef

end-to-end-test: export TEST_BINARY := $(BINARY)
end-to-end-test: test-deps build
	$(END_TO_END)

# Four replicas behind nginx: the whole load and every loss.
cluster-test: export TEST_PROOF := 1
cluster-test: export TEST_BINARY := $(BINARY)
cluster-test: test-deps build
	$(PYTEST) -rA Tests/EndToEnd/deploy/test_cluster.py Tests/EndToEnd/deploy/test_cluster_drills.py
	$(VENV)/bin/python Benchmarks/fairness.py $(BINARY)

# One after another; the first that finds something ends it, with the input in .build/fuzz/findings.
fuzz: $(FUZZERS)

$(FUZZERS): deps
	@Fuzzing/run $@ $(FUZZ_SECONDS)

# The tests with AddressSanitizer and ThreadSanitizer.
sanitize: $(SANITIZERS)

$(SANITIZERS): test-deps
	@Tests/Sanitizers/run $(@:sanitize-%=%)

# The effects' arithmetic as test vectors; each run writes the same.
vectors:
	python3 Tests/Reference/vectors.py Tests/MotionTests/Vectors

lint: build
	swift format lint --strict --recursive Package.swift Sources Tests Benchmarks Fuzzing
	@deploy/install-packages binutils python3 python3-markdown-it
	Tests/Lint/check-programs $(dir $(BINARY))
	Tests/Lint/check-strings
	Tests/Lint/check-queues
	Tests/Lint/check-imports
	Tests/Lint/structure --check
	docs/make-tables $(BINARY) --check
	docs/make-gallery $(BINARY) --check
	docs/make-site $(BINARY) --check
	docs/make-docc $(dir $(BINARY))
	deploy/helm/make-chart --check

# The tables of parameters in docs/, from the catalogues, and the documentation's pages in Public/docs.
docs: build
	@deploy/install-packages python3 python3-markdown-it
	docs/make-tables $(BINARY)
	docs/make-site $(BINARY)

# A documentation archive of each module that has a page, in .build/docc.
docc: build
	docs/make-docc $(dir $(BINARY))

# The tools of the benchmarks: the servers and encoders to compare with, and a load generator.
bench-deps: test-deps
	@deploy/install-packages wrk
	@$(VENV)/bin/pip install --quiet --disable-pip-version-check -r Benchmarks/requirements.txt
	@$(SWIFT_BUILD) --package-path $(HELLO)

bench: build bench-deps
	$(SWIFT_BUILD) --product rendering-benchmark
	.build/release/rendering-benchmark
	@python3 Benchmarks/startup.py $(BINARY)
	@python3 Benchmarks/sizes.py $(BINARY)
	@$(VENV)/bin/python Benchmarks/peers.py $(BINARY)
	@$(VENV)/bin/python Benchmarks/formats.py $(BINARY)
	@$(VENV)/bin/python Benchmarks/page_load.py $(BINARY)
	python3 Benchmarks/overload.py $(BINARY)
	python3 Benchmarks/throughput.py $(BINARY)
	python3 Benchmarks/capacity.py $(BINARY)
	python3 Benchmarks/batch.py $(BINARY)

# Ten minutes of abuse beside normal traffic.
soak: build
	@deploy/install-packages python3
	python3 Benchmarks/soak.py $(BINARY)

# Requests that did harm once, and random ones, beside a normal client whose times are judged.
hostile: build
	@deploy/install-packages python3
	python3 Tests/EndToEnd/support/hostile.py $(BINARY)

# The documentation's pictures, from the addresses beside them.
gallery: build
	@deploy/install-packages python3
	docs/make-gallery $(BINARY)

clean:
	rm -rf .build .build-* $(HELLO)/.build $(VENV)
