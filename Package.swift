// swift-tools-version: 6.2
import PackageDescription

/// `make fuzz` builds every module with libFuzzer's counters, and libFuzzer's driver besides.
let isFuzzing = Context.environment["BUILD_FUZZERS"] != nil

let settings: [SwiftSetting] =
    [
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
    + (isFuzzing ? [.unsafeFlags(["-sanitize=fuzzer,address", "-enable-testing"])] : [])

/// A module that calls `.rounded()` without importing Glibc needs libm named.
let libm: [LinkerSetting] = [.linkedLibrary("m")]

/// Packed relocations, one copy of functions with equal instructions, a part of libstdc++ in place
/// of all of it, and no exported symbols: megabytes less to read at the start, and to keep in memory.
let small: [LinkerSetting] = [
    .unsafeFlags([
        "-use-ld=lld", "-Xlinker", "--icf=all",
        "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs",
        "-L\(Context.packageDirectory)/Sources/Linking",
        "-Xlinker", "--version-script=\(Context.packageDirectory)/Sources/Linking/exports.map",
    ])
]

let package = Package(
    name: "Titlecard",
    products: [
        // What is run: a supervisor without Pango, which starts the other.
        .executable(name: "titlecard", targets: ["Supervisor"]),
        .executable(name: "titlecard-worker", targets: ["titlecard"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    ],
    targets: [
        .systemLibrary(
            name: "CPango", pkgConfig: "pangocairo",
            providers: [.apt(["libpango1.0-dev", "libcairo2-dev"])]),
        .systemLibrary(
            name: "CDeflate", pkgConfig: "libdeflate", providers: [.apt(["libdeflate-dev"])]),
        .systemLibrary(name: "CWebP", pkgConfig: "libwebp", providers: [.apt(["libwebp-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["libz-dev"])]),
        .systemLibrary(name: "CEpoll"),
        .systemLibrary(
            name: "CGLib", pkgConfig: "glib-2.0", providers: [.apt(["libglib2.0-dev"])]),
        .systemLibrary(name: "CMalloc"),
        .systemLibrary(name: "CProcess"),
        // What a handler of a signal does must not allocate, which no Swift promises.
        .target(name: "CStacks"),

        .target(name: "Bytes", swiftSettings: settings),
        .target(name: "Highlighting", dependencies: ["Bytes"], swiftSettings: settings),
        .target(
            name: "Motion", dependencies: ["Bytes"], swiftSettings: settings, linkerSettings: libm),
        .target(name: "Raster", dependencies: ["Motion"], swiftSettings: settings),
        .target(
            name: "Typesetting", dependencies: ["Bytes", "CPango", "CWebP", "Motion", "Raster"],
            swiftSettings: settings),
        .target(
            name: "Encoders",
            dependencies: ["Bytes", "CDeflate", "CWebP", "CZlib", "Motion", "Raster"],
            swiftSettings: settings, linkerSettings: libm),
        .target(
            name: "HTTP",
            dependencies: [
                "Bytes", "CEpoll", .product(name: "HeapModule", package: "swift-collections"),
            ],
            swiftSettings: settings),
        .target(
            name: "Rendering",
            dependencies: [
                "Bytes", "CMalloc", "Encoders", "Highlighting", "Motion", "Processes", "Raster",
                "Supervision", "Typesetting",
            ],
            swiftSettings: settings),
        .target(
            name: "Lists",
            dependencies: ["Bytes", "CGLib", "Encoders", "HTTP", "Motion", "Rendering"],
            swiftSettings: settings),
        .target(
            name: "Service",
            dependencies: [
                "Bytes", "CGLib", "Encoders", "HTTP", "Lists", "Motion", "Raster", "Rendering",
                "Typesetting",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),
        .target(name: "Processes", dependencies: ["CProcess"], swiftSettings: settings),
        .target(name: "Supervision", dependencies: ["CProcess"], swiftSettings: settings),
        .executableTarget(
            name: "Supervisor", dependencies: ["CProcess", "Processes", "Supervision"],
            swiftSettings: settings, linkerSettings: small),
        .executableTarget(
            name: "titlecard",
            dependencies: [
                "Bytes", "CDeflate", "CProcess", "CStacks", "Encoders", "HTTP", "Lists", "Motion",
                "Processes", "Raster", "Rendering", "Service", "Supervision", "Typesetting",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings, linkerSettings: small),

        .target(name: "BarePango", dependencies: ["CPango"], path: "Benchmarks/BarePango"),
        .executableTarget(
            name: "rendering-benchmark",
            dependencies: [
                "BarePango", "Bytes", "Encoders", "Motion", "Raster", "Rendering", "Typesetting",
            ],
            path: "Benchmarks/Rendering", swiftSettings: settings),

        .target(
            name: "EffectInvariants", dependencies: ["Bytes", "Motion", "Rendering", "Sampling"],
            path: "Tests/EffectInvariants", swiftSettings: settings),
        .target(name: "Sampling", path: "Tests/Sampling", swiftSettings: settings),
        .testTarget(
            name: "MotionTests", dependencies: ["Bytes", "EffectInvariants", "Motion", "Sampling"],
            exclude: ["Vectors"],
            swiftSettings: settings),
        .testTarget(
            name: "TypesettingTests",
            dependencies: ["Bytes", "CPango", "Motion", "Raster", "Typesetting"],
            swiftSettings: settings),
        .testTarget(
            name: "EncodersTests",
            dependencies: ["Bytes", "CZlib", "Encoders", "Motion", "Raster"],
            exclude: ["Snapshots"], swiftSettings: settings),
        .testTarget(
            name: "RasterTests",
            dependencies: [
                "Bytes", "CPango", "Encoders", "Motion", "Raster", "Rendering", "Sampling",
                "Typesetting",
            ],
            swiftSettings: settings),
        .testTarget(name: "BytesTests", dependencies: ["Bytes"], swiftSettings: settings),
        // The tokens of files, for the tests that compare them with another lexer's.
        .executableTarget(
            name: "code-tokens", dependencies: ["Highlighting"], path: "Tests/CodeTokens",
            swiftSettings: settings),
        // The cues of files, for the tests that compare them with other readers'.
        .executableTarget(
            name: "caption-cues", dependencies: ["Motion", "Rendering", "Typesetting"],
            path: "Tests/CaptionCues", swiftSettings: settings),
        .testTarget(
            name: "HighlightingTests", dependencies: ["Bytes", "Highlighting"],
            swiftSettings: settings),
        .testTarget(name: "HTTPTests", dependencies: ["Bytes", "HTTP"], swiftSettings: settings),
        .testTarget(
            name: "ListsTests",
            dependencies: ["Bytes", "Encoders", "Lists", "Motion", "Rendering"],
            swiftSettings: settings),
        .testTarget(name: "ProcessesTests", dependencies: ["Processes"], swiftSettings: settings),
        .testTarget(
            name: "SupervisionTests", dependencies: ["Supervision", "Supervisor"],
            swiftSettings: settings),
        .testTarget(
            name: "RenderingTests",
            dependencies: [
                "Bytes", "EffectInvariants", "Encoders", "Highlighting", "Motion", "Raster",
                "Rendering", "Sampling", "Typesetting",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "CommandLineTests",
            dependencies: ["Bytes", "Encoders", "Motion", "Rendering", "titlecard"],
            swiftSettings: settings),
        .testTarget(
            name: "ServiceTests",
            dependencies: [
                "Bytes", "Encoders", "HTTP", "Motion", "Raster", "Rendering", "Service",
                "Typesetting",
            ],
            swiftSettings: settings),

        // What fuzzers feed to the modules; `FuzzingTests` runs it over `Fuzzing/Corpus`.
        .target(
            name: "Fuzzing",
            dependencies: [
                "Bytes", "Encoders", "HTTP", "Highlighting", "Lists", "Motion", "Rendering",
                "Service", "Typesetting",
            ],
            path: "Fuzzing", exclude: ["Corpus", "Driver", "Words", "leaks", "run"],
            swiftSettings: settings),
        .testTarget(name: "FuzzingTests", dependencies: ["Fuzzing"], swiftSettings: settings),

        // The service with an effect and a format more, which shows what it costs to add them.
        .target(
            name: "Extension", dependencies: ["Bytes", "Encoders", "Motion", "Rendering"],
            path: "Tests/Extension/Catalog", swiftSettings: settings),
        .executableTarget(
            name: "extended-titlecard",
            dependencies: ["Extension", "HTTP", "Rendering", "Service", "Typesetting"],
            path: "Tests/Extension/Server", swiftSettings: settings),
        .testTarget(
            name: "ExtensionTests",
            dependencies: [
                "Bytes", "EffectInvariants", "Encoders", "Extension", "HTTP", "Motion", "Rendering",
                "Service",
                "Typesetting", "titlecard",
            ],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)

if isFuzzing {
    // libFuzzer, which only the sanitizer's build has, with the targets of `Fuzzing`.
    package.targets.append(
        .executableTarget(
            name: "fuzz", dependencies: ["Fuzzing"], path: "Fuzzing/Driver",
            swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])],
            linkerSettings: [.unsafeFlags(["-use-ld=lld", "-sanitize=fuzzer,address"])]))
}
