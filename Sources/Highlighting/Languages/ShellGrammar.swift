import Bytes

extension Grammar {
    /// The shells that follow POSIX, with the additions of Bash.
    static let shell = Grammar(
        words: words([
            .keyword: "if then else elif fi case esac for select while until do done in "
                + "function return break continue time",
            .function: "alias bg bind builtin caller cd command compgen complete declare dirs "
                + "disown echo enable eval exec exit export false fc fg getopts hash help "
                + "history jobs kill let local logout popd printf pushd pwd read readonly set "
                + "shift shopt source suspend test times trap true type typeset ulimit umask "
                + "unalias unset wait",
        ]),
        hasCalls: false, hasMembers: false, lineComments: ["#"],
        strings: [
            .quoted("\"", prefixes: ["", "$"], isMultiline: true, shellCode),
            .quoted("'", prefixes: ["$"], isMultiline: true),
            .quoted("'", escape: .none, isMultiline: true),
        ],
        operators: "=[]{}()<>!", punctuation: ";|&", traits: [.shell])

    private static let shellCode = [
        StringForm.Interpolation(open: "$(", brackets: ("(", ")")),
        StringForm.Interpolation(open: "${", brackets: ("{", "}")),
    ]
}
