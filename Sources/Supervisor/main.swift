import Glibc
import Processes

// `titlecard`: starts the program that does the work, and for `serve` watches over it.

let arguments = Arguments()
guard let program = WorkerProgram.path() else {
    SupervisorLog.say("error: \(WorkerProgram.name) is neither beside this program nor in libexec")
    exit(71)
}
guard arguments.needSupervisor else {
    execv(program, CommandLine.unsafeArgv)
    SupervisorLog.say("error: cannot run \(program): \(String(cString: strerror(errno)))")
    exit(71)
}
guard let supervisor = Supervisor(program) else {
    SupervisorLog().write(.error, "cannot supervise: \(String(cString: strerror(errno)))")
    exit(71)
}
supervisor.run().end()
