import Extension
import HTTP
import Rendering
import Service
import Typesetting

// `extended-titlecard serve --port N --public DIR`: the service with an effect and a format that
// only tests know.

func option(_ name: String) -> String? {
    CommandLine.arguments.firstIndex(of: name).flatMap { index in
        CommandLine.arguments.dropFirst(index + 1).first
    }
}

var settings = ServiceSettings()
settings.rendering.schema = .extended
// Large random pictures take their time on a busy machine.
settings.rendering.deadline = .seconds(600)
settings.publicDirectory = option("--public") ?? "Public"
let drain = DrainSignal()
let application = try Application(
    settings: settings, catalog: FontCatalog(), drain: drain)
let server = Server(
    on: .host("127.0.0.1", port: option("--port").flatMap(UInt16.init) ?? 8080), loops: 1,
    limits: settings.http, drain: drain, statistics: ServerStatistics(), handler: application)
try server.start()
server.wait()
