# What follows from the lines of a list: docs/operations.md, Files in bulk, says what they mean.

# A path in its shortest form, so that equal ones are the same.
def shortest: split("/") | map(select(. != "" and . != ".")) | join("/");

# The path of a line's file, and the request: an object in `json`, or a query or URL in `rest`. Nothing for other lines.
def parsed:
    if test("\\A[ \t\r]*\\{") then
        (fromjson? | objects | select(.output | type == "string") | {output, json: .})
    else
        capture("\\A[ \t\r]*(?<output>[^ \t\r?#][^ \t\r?]*)(?<separator>\\?|[ \t\r]+)(?<rest>.*)")
    end
    | .output |= shortest;

# The lines of the input, each with its number from 1 as `number`; null for those that name no file.
def entries:
    [inputs] | to_entries[] | .key as $index | .value | first((parsed | .number = $index + 1), null);

# A path with a word before its extension.
def variant($word):
    capture("\\A(?<folder>(.*/)?)(?<name>.[^/]*?)(?<extension>(\\.[^./]*)?)\\z")
    | "\(.folder)\(.name)-\($word)\(.extension)";

# A query, or a URL with one, without a parameter.
def without($name): gsub("(?<start>\\A|[?&]|&amp;)\($name)=[^& \t\r]*(&(amp;)?)?"; .start);

# An entry whose parameter has another value. Nothing for a URL that takes no such parameter.
def with($name; $value):
    if .json then
        .json[$name] = $value
    else
        .rest |= without($name)
        | if .separator == "?" then
            .rest |= "\($name)=\($value)&\(.)"
        else
            select(.rest | test("\\A[^?]*/render[.a-z]*\\?")) | .rest |= sub("\\?"; "?\($name)=\($value)&")
        end
    end;

# An entry as an SVG.
def as_svg:
    if .json then
        .json.format = "svg"
    else
        .rest |= without("format")
        | if .separator == "?" then . else
            .rest |= sub("\\A(?<path>[^?]*/(render|r/[^?.#]*))\\.[a-z.]+"; "\(.path).svg")
        end
    end;

# An entry as a line.
def line: if .json then .json + {output} | tojson else .output + .separator + .rest end;

# The lines of entries that a filter changes; blank ones for those that it leaves out. So numbers stay.
def lines(filter): first((values | filter | line), "");

def is_image: .output | test("\\.(svg|gif|png|apng|webp)\\z");

def is_svg: .output | endswith(".svg");

# The list of SVGs that `pictures` reads: each is named by the number of its line. Lines at fault are left out.
# Argument: `faulty`, a file with their numbers.
def samples(filter):
    $ARGS.named.faulty[0] as $faulty
    | entries
    | lines(
        select(is_image and (.number as $number | $faulty | index($number) | not))
        | .output = "\(.number).svg"
        | as_svg
        | filter);

# What a sample says of a picture, by the number of its line; the samples are the input.
def pictures:
    reduce inputs as $line ({}; .[input_filename | sub(".*/"; "") | rtrimstr(".svg")] += $line + "\n")
    | map_values(
        (capture("width=\"(?<width>[^\"]*)\" height=\"(?<height>[^\"]*)\"") // {})
        + {
            isDark: test("@media\\(prefers-color-scheme:dark\\)"),
            title: (capture("<title>(?<text>[^<]*)</title>").text // "")
        });

# Whether an entry has colours of its own for the dark, in which it can be drawn.
def has_both($auto; $dark): $auto["\(.number)"].isDark and $dark["\(.number)"] != null;

# The list of the files for one scheme, of the lines with colours for both, without those that the list has itself.
# Arguments: `scheme`, and the files `auto` and `dark` with pictures.
def schemes:
    $ARGS.named as {$scheme, auto: [$auto], dark: [$dark]}
    | [entries]
    | (reduce .[].output? as $output ({}; if $output then .[$output] = true else . end)) as $taken
    | .[]
    | lines(
        select(has_both($auto; $dark) and ($scheme == "dark" or is_svg))
        | .output |= variant($scheme)
        | select($taken[.output] | not)
        | with("scheme"; $scheme));

# The markup of each image. Arguments: `directory`, that of the files, and the files `auto`, `light`, and `dark` with
# pictures. There is no size where light and dark have two.
def markup:
    $ARGS.named as {$directory, auto: [$auto], light: [$light], dark: [$dark]}
    | def unescaped:
        gsub("&lt;"; "<") | gsub("&gt;"; ">") | gsub("&quot;"; "\"") | gsub("&#39;|&apos;"; "'") | gsub("&amp;"; "&");
    def address: "\($directory)/\(.)" | shortest | split("/") | map(@uri) | join("/") | @html;
    def size: " width=\"\(.width)\" height=\"\(.height)\"";
    def image($picture; $size):
        ($picture.title | unescaped | gsub("\\s+"; " ") | @html) as $alt
        | "<img src=\"\(address)\" alt=\"\($alt)\"\($size)>";
    entries
    | values
    | $auto["\(.number)"] as $picture
    | select($picture)
    | if has_both($auto; $dark) then
        ($dark["\(.number)"] | size) as $size
        | (if ($light["\(.number)"] | size) == $size then $size else "" end) as $size
        | (if is_svg then .output | variant("light") else .output end) as $source
        | "<picture>\n"
        + "  <source media=\"(prefers-color-scheme: dark)\" srcset=\"\(.output | variant("dark") | address)\">\n"
        + "  \($source | image($picture; $size))\n</picture>"
    else
        .output | image($picture; $picture | size)
    end;

# The paths of the input in the workspace. Argument: `directory`, that of the files.
def files: inputs | "\($ARGS.named.directory)/\(.)" | shortest;

# The numbers of the lines that messages find fault with.
def faulty: [inputs | capture("\\Aerror: -:(?<number>[0-9]+): ").number | tonumber];

# A value within a command to the runner, such as ::error::.
def escaped: gsub("%"; "%25") | gsub("\r"; "%0D") | gsub("\n"; "%0A");

# A command to the runner that shows an error. Argument: `message`.
def failure: "::error::\($ARGS.named.message | escaped)";

# Messages of the program, with the list by its name. Argument: `manifest`, its path.
def messages: inputs | sub("\\A(?<kind>error|warning): -:(?=[0-9]+: )"; "\(.kind): \($ARGS.named.manifest):");

# Commands to the runner that show messages beside their lines of the list. Argument: `manifest`, its path.
def annotations:
    ($ARGS.named.manifest | escaped | gsub(":"; "%3A") | gsub(","; "%2C")) as $file
    | [inputs | capture("\\A(?<kind>error|warning): -:(?<number>[0-9]+): (?<message>.*)")]
    | map([(.number | tonumber), .kind, .message])
    | unique[]
    | "::\(.[1]) file=\($file),line=\(.[0])::\(.[2] | escaped)";

# The summary of a run. Arguments: `files`, the paths that changed, and `markup`, as text; `check`.
def summary:
    def listing: "<pre>\(sub("\n+\\z"; "") | @html)</pre>";
    $ARGS.named as {$files, $markup, $check}
    | ($files | split("\n") | map(select(. != "")) | length) as $count
    | (if $check == "true" then "would change" else "changed" end) as $verb
    | "### Titlecard",
    "",
    "\($count) file\(if $count == 1 then "" else "s" end) \($verb).",
    (if $count > 0 then "", ($files | listing) else empty end),
    (if $markup != "" then "", "The markup:", "", ($markup | listing) else empty end);
