// swift-tools-version: 6.0

import PackageDescription

// A package of its own, so that building Titlecard fetches nothing of it. Its folder must not have
// the name of the package that it needs.
let package = Package(
    name: "hummingbird-hello",
    platforms: [.macOS(.v14)],
    dependencies: [
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", exact: "2.28.1")
    ],
    targets: [
        .executableTarget(
            name: "hummingbird-hello",
            dependencies: [.product(name: "Hummingbird", package: "hummingbird")],
            path: "Sources/HummingbirdHello")
    ]
)
