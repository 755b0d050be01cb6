import ArgumentParser

/// `titlecard completion`: prints the script by which a shell completes command lines.
struct Completion: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print a script that completes names and values in bash, zsh, or fish.",
        discussion: """
            In ~/.bashrc: source <(titlecard completion bash)

            In ~/.zshrc, after compinit: source <(titlecard completion zsh)

            In ~/.config/fish/config.fish: titlecard completion fish | source
            """)

    @Argument(help: "The shell.")
    var shell: Shell

    func run() throws {
        try StandardStreams.print(shell.script)
    }
}

/// `titlecard complete`: what the scripts ask.
struct Complete: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the words that can stand in place of the last one.", shouldDisplay: false)

    @Argument(parsing: .captureForPassthrough)
    var words: [String] = []

    func run() throws {
        let given = CommandArguments.after(Self._commandName).map(\.text)
        let words = given.first == "--" ? Array(given.dropFirst()) : given
        let lines = WordCompletion(words).lines
        if !lines.isEmpty { try StandardStreams.print(lines.joined(separator: "\n")) }
    }
}

/// A shell with its script.
///
/// All three hand the words up to the cursor to `titlecard complete`, which prints a word a line, with a
/// tab and a few words about it, or `:files` where the shell is to complete the names of files.
enum Shell: String, CaseIterable, ExpressibleByArgument {
    case bash, zsh, fish

    fileprivate var script: String {
        switch self {
        case .bash:
            #"""
            _titlecard() {
                local words=() found word last='' prefix=''
                for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
                    # Bash takes --name=value apart, and keeps backslashes.
                    if [[ $last == --* && ($word == = || $last == *=) ]]; then
                        last+=$word
                        words[-1]=$last
                        prefix=${last%%=*}=
                    else
                        last=${word//\\/}
                        words+=("$last")
                        prefix=''
                    fi
                done
                COMPREPLY=()
                mapfile -t found < <("$1" complete -- "${words[@]}" 2> /dev/null)
                if [[ ${found[0]-} == :files ]]; then
                    compopt -o default 2> /dev/null
                    return
                fi
                for word in "${found[@]%%$'\t'*}"; do
                    word=${word#"$prefix"}
                    [[ $word != *[![:alnum:],._-]* ]] || printf -v word %q "$word"
                    COMPREPLY+=("$word")
                done
            }
            complete -F _titlecard titlecard
            """#
        case .zsh:
            #"""
            #compdef titlecard
            _titlecard() {
                local -a found described
                local line
                found=("${(@f)$("$words[1]" complete -- "${(@Q)words[2,CURRENT]}" 2> /dev/null)}")
                if [[ $found[1] == :files ]]; then
                    [[ $words[CURRENT] == --*=* ]] && compset -P '*='
                    _files
                    return
                fi
                [[ -n $found[1] ]] || return 1
                for line in "${found[@]}"; do
                    described+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
                done
                _describe titlecard described
            }
            if [[ $funcstack[1] == _titlecard ]]; then
                _titlecard "$@"
            else
                compdef _titlecard titlecard
            fi
            """#
        case .fish:
            #"""
            function __titlecard_complete
                set -l words (commandline -opc)
                set -l program $words[1]
                set -e words[1]
                set -l word (commandline -ct)
                set -l found ($program complete -- $words "$word" 2> /dev/null)
                if test "$found[1]" = :files
                    set -l parts (string match -r -- '^(--[^=]*=|)(.*)$' "$word")
                    __fish_complete_path "$parts[3]" | string replace -r -- '^' "$parts[2]"
                else if set -q found[1]
                    printf '%s\n' $found
                end
            end
            complete -c titlecard -f -a '(__titlecard_complete)'
            """#
        }
    }
}
