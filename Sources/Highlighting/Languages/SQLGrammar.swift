import Bytes

extension Grammar {
    /// The reserved words of SQL, and the words of PostgreSQL, MySQL, and SQLite that are seldom
    /// names.
    static let sql = Grammar(
        words: words([
            .keyword: "abort absolute access add after aggregate all alter always analyze and "
                + "any as asc assertion asymmetric at atomic authorization autoincrement avg "
                + "before begin between both by cache call called cascade cascaded case cast "
                + "chain check checkpoint close cluster coalesce collate collation column "
                + "comment commit committed conflict constraint constraints continue "
                + "conversion convert copy count create cross cube current current_date "
                + "current_role current_time current_timestamp current_user cursor cycle "
                + "database day deallocate declare default deferrable deferred definer delete "
                + "delimiter desc describe distinct do domain drop each else elsif encoding "
                + "end escape every except exception excluding exclusive execute exists "
                + "explain extension external extract fetch filter final first following for "
                + "force foreign found from full function generated get global go goto grant "
                + "granted group grouping handler having hold hour identity if ignore ilike "
                + "immediate immutable implicit in including increment index inherits "
                + "initially inner inout input insensitive insert instead intersect into "
                + "invoker is isnull isolation join key language large last lateral leading "
                + "left level like limit listen load local localtime localtimestamp lock loop "
                + "lower match materialized max maxvalue merge method min minute minvalue mod "
                + "mode modify month move names national natural new next no none not nothing "
                + "notify notnull null nullif of off offset oids old on only open operator "
                + "option or order ordinality out outer output over overlaps overriding owner "
                + "parameter partial partition path position preceding precision prepare "
                + "preserve primary prior privileges procedure public range read recheck "
                + "recursive ref references reindex release rename repeatable replace reset "
                + "restart restrict result return returning returns revoke right role "
                + "rollback rollup row rows rule savepoint schema scroll second security "
                + "select sequence serializable session session_user set setof share show "
                + "similar simple some stable start statement static statistics stdin stdout "
                + "storage strict subscription substring sum symmetric sysid system table "
                + "temp template temporary then ties timezone to trailing transaction "
                + "transform trigger trim true truncate trusted false type unbounded "
                + "uncommitted under union unique unknown until update upper usage user using "
                + "vacuum validate valid values variadic verbose version view volatile when "
                + "where while window with within without work write year zone",
            .type: "array bigint bigserial binary bit blob boolean bool bytea char character "
                + "date datetime dec decimal double enum float int int2 int4 int8 integer "
                + "interval json jsonb mediumint money numeric real serial smallint text time "
                + "timestamp timestamptz tinyint uuid varbinary varchar varying xml",
        ]),
        ignoresCase: true, nameParts: "$", hasCalls: true, hasMembers: true,
        lineComments: ["--"], blockComment: ("/*", "*/", true),
        strings: [
            .quoted(
                "'", prefixes: ["", "E", "e", "B", "b", "X", "x", "N", "n"], escape: .doubled,
                isMultiline: true),
            .quoted("\"", escape: .doubled, isMultiline: true),
            .quoted("`", escape: .doubled, kind: .plain),
        ],
        operators: "+-*/%=<>!&|^~?@#")
}
