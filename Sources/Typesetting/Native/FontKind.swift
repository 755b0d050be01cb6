import Bytes

/// Families that look alike, and the families that stand in for the missing ones.
///
/// People know the families from Google Fonts. To add a family, write it into the kind whose
/// stand-ins come nearest to it; `docs/api.md` has a table of the kinds.
struct FontKind {
    /// The nearest first. The installed ones stand in for the others.
    let standIns: [String]
    /// With commas between them.
    private let families: String

    /// The kind of each family, by its name in small letters.
    static let kinds: [ByteString: FontKind] = {
        var kinds: [ByteString: FontKind] = [:]
        for kind in all {
            for family in kind.families.pieces(separatedBy: ",") {
                kinds[FontCatalog.key(String(family.trimmingSpaces))] = kind
            }
        }
        return kinds
    }()

    private static let all: [FontKind] = [
        // Sans serif.
        FontKind(
            standIns: ["Inter", "Open Sans", "Roboto", "Lato"],
            families: """
                Albert Sans, Alegreya Sans, Archivo, Arimo, Asap, Assistant, \
                Atkinson Hyperlegible, Barlow, Bricolage Grotesque, Cabin, Cantarell, Catamaran, \
                Chivo, Encode Sans, Familjen Grotesk, Fira Sans, Funnel Sans, Geist, \
                Hanken Grotesk, Heebo, Hind, Host Grotesk, IBM Plex Sans, Instrument Sans, Inter, \
                Inter Tight, Karla, Lato, Libre Franklin, Maven Pro, Merriweather Sans, Mukta, \
                Mulish, Noto Sans, Nunito Sans, Onest, Open Sans, Overpass, Oxygen, PT Sans, \
                Public Sans, Reddit Sans, Roboto, Roboto Flex, Rubik, Sarabun, Schibsted Grotesk, \
                Signika, Source Sans 3, Source Sans Pro, Titillium Web, Ubuntu, Ubuntu Sans, \
                Work Sans, Yantramanav, Ysabeau
                """),
        // Geometric sans serif.
        FontKind(
            standIns: ["Manrope", "League Spartan", "Inter"],
            families: """
                Aldrich, Audiowide, Be Vietnam Pro, Bruno Ace, Chakra Petch, Didact Gothic, \
                DM Sans, Electrolize, Epilogue, Exo, Exo 2, Figtree, Gantari, Goldman, \
                Golos Text, Gothic A1, Iceland, Josefin Sans, Jost, Jura, Kanit, Kumbh Sans, \
                League Spartan, Lexend, Lexend Deca, Manrope, Michroma, Montserrat, \
                Montserrat Alternates, Nova Square, Orbitron, Outfit, Oxanium, Play, \
                Plus Jakarta Sans, Poppins, Prompt, Quantico, Questrial, Raleway, Readex Pro, \
                Red Hat Display, Red Hat Text, Rethink Sans, Russo One, Saira, Sen, Share Tech, \
                Sofia Sans, Sora, Space Grotesk, Spartan, Syncopate, Syne, Tektur, Tomorrow, \
                Turret Road, Unbounded, Urbanist, Wallpoet, Wix Madefor Display, Zen Dots
                """),
        // Rounded sans serif.
        FontKind(
            standIns: ["Quicksand", "Comfortaa"],
            families: """
                Baloo 2, Comfortaa, Dongle, Dosis, Fredoka, Fredoka One, Grandstander, Jua, \
                Kodchasan, M PLUS Rounded 1c, Nunito, Quicksand, Righteous, Sniglet, Varela Round
                """),
        // Narrow sans serif.
        FontKind(
            standIns: ["Roboto Condensed", "Open Sans Condensed", "Yanone Kaffeesatz"],
            families: """
                Advent Pro, Antonio, Archivo Narrow, Asap Condensed, Barlow Condensed, \
                Barlow Semi Condensed, Cabin Condensed, Encode Sans Condensed, \
                Fira Sans Condensed, Fira Sans Extra Condensed, Fjalla One, \
                IBM Plex Sans Condensed, Khand, Open Sans Condensed, Oswald, Pathway Gothic One, \
                Pragati Narrow, PT Sans Narrow, Rajdhani, Roboto Condensed, Saira Condensed, \
                Sofia Sans Condensed, Teko, Ubuntu Condensed, Yanone Kaffeesatz
                """),
        // Poster: heavy, and many of them with capitals only.
        FontKind(
            standIns: ["Bebas Neue", "League Spartan"],
            families: """
                Anton, Archivo Black, Bangers, Bebas Neue, Big Shoulders Display, Black Ops One, \
                Bowlby One, Bungee, Bungee Inline, Bungee Shade, Carter One, Changa One, Chango, \
                Climate Crisis, Concert One, Creepster, Faster One, Fugaz One, Knewave, \
                League Gothic, Lilita One, Luckiest Guy, Monoton, Oi, Passion One, Paytone One, \
                Rammetto One, Rubik Mono One, Rubik Wet Paint, Sigmar One, Six Caps, Squada One, \
                Staatliches, Titan One
                """),
        // Serif.
        FontKind(
            standIns: ["Vollkorn", "EB Garamond"],
            families: """
                Abril Fatface, Alegreya, Alike, Amiri, Bodoni Moda, Bree Serif, DM Serif Display, \
                DM Serif Text, Domine, Frank Ruhl Libre, Fraunces, Gelasio, Gloock, \
                IBM Plex Serif, Instrument Serif, Libre Baskerville, Libre Bodoni, \
                Libre Caslon Text, Literata, Lora, Martel, Merriweather, Neuton, Newsreader, \
                Noticia Text, Noto Serif, Playfair, Playfair Display, Prata, PT Serif, \
                Source Serif 4, Source Serif Pro, Spectral, Tinos, Unna, Vollkorn, Yeseva One, \
                Young Serif
                """),
        // Old-style serif.
        FontKind(
            standIns: ["EB Garamond", "Vollkorn"],
            families: """
                Bellefair, Cardo, Cinzel, Cinzel Decorative, Cormorant, Cormorant Garamond, \
                Cormorant Infant, Cormorant SC, Crimson Pro, Crimson Text, EB Garamond, Forum, \
                Gilda Display, IM Fell English, IM Fell English SC, Italiana, Marcellus, \
                Old Standard TT, Philosopher, Quattrocento, Rosarivo, Sorts Mill Goudy
                """),
        // Slab serif.
        FontKind(
            standIns: ["Roboto Slab", "DejaVu Serif"],
            families: """
                Aleo, Alfa Slab One, Antic Slab, Arvo, BioRhyme, Bitter, Crete Round, Glegoo, \
                Hepta Slab, Josefin Slab, Kreon, Patua One, Podkova, Roboto Serif, Roboto Slab, \
                Rokkitt, Sanchez, Slabo 27px, Solway, Ultra, Zilla Slab
                """),
        // Monospaced.
        FontKind(
            standIns: ["JetBrains Mono", "Fira Code", "DejaVu Sans Mono"],
            families: """
                Anonymous Pro, Azeret Mono, B612 Mono, Cascadia Code, Cascadia Mono, Chivo Mono, \
                Courier Prime, Cousine, Cutive, Cutive Mono, DM Mono, Fira Code, Fira Mono, \
                Geist Mono, Hack, IBM Plex Mono, Inconsolata, JetBrains Mono, Kode Mono, Lekton, \
                M PLUS 1 Code, Martian Mono, Noto Sans Mono, Nova Mono, Overpass Mono, \
                Oxygen Mono, PT Mono, Red Hat Mono, Reddit Mono, Roboto Mono, Share Tech Mono, \
                Source Code Pro, Space Mono, Special Elite, Spline Sans Mono, Syne Mono, \
                Ubuntu Mono, Ubuntu Sans Mono, Victor Mono, Xanh Mono
                """),
        // Script.
        FontKind(
            standIns: ["Lobster Two", "Leckerli One", "Dancing Script"],
            families: """
                Berkshire Swash, Courgette, Lobster, Lobster Two, Merienda, Molle, Niconne, \
                Norican, Oleo Script, Playball, Sofia
                """),
        // Round script.
        FontKind(
            standIns: ["Leckerli One", "Kaushan Script", "Lobster Two"],
            families: """
                Chewy, Cookie, Galada, Grand Hotel, Leckerli One, Lily Script One, Pacifico, \
                Pattaya, Sansita, Sansita Swashed
                """),
        // Brush script.
        FontKind(
            standIns: ["Kaushan Script", "Dancing Script"],
            families: """
                Bad Script, Damion, Kaushan Script, Marck Script, Mr Dafoe, Permanent Marker, \
                Rock Salt, Satisfy, Sedgwick Ave, Yellowtail, Yesteryear
                """),
        // Formal script.
        FontKind(
            standIns: ["Dancing Script", "Kaushan Script"],
            families: """
                Alex Brush, Allura, Cedarville Cursive, Dancing Script, Great Vibes, \
                Homemade Apple, Italianno, Kristi, La Belle Aurore, Mr De Haviland, \
                Mrs Saint Delafield, Parisienne, Petit Formal Script, Pinyon Script, Qwigley, \
                Rouge Script, Sacramento, Tangerine, WindSong, Zeyada
                """),
        // Handwriting.
        FontKind(
            standIns: ["Comic Neue", "Dancing Script"],
            families: """
                Amatic SC, Architects Daughter, Balsamiq Sans, Boogaloo, Caveat, Caveat Brush, \
                Comic Neue, Comic Relief, Coming Soon, Covered By Your Grace, Delius, \
                Gloria Hallelujah, Gochi Hand, Handlee, Indie Flower, Just Another Hand, Kalam, \
                Mali, Neucha, Pangolin, Patrick Hand, Reenie Beanie, Schoolbell, \
                Shadows Into Light, Shadows Into Light Two, Short Stack
                """),
        // Pixels, as wide as high.
        FontKind(
            standIns: ["Px IBM CGA"],
            families: """
                Press Start 2P, Silkscreen, Sixtyfour, Workbench
                """),
        // Pixels.
        FontKind(
            standIns: ["Px IBM VGA8"],
            families: """
                DotGothic16, Doto, Handjet, Jersey 10, Jersey 15, Jersey 20, Jersey 25, Micro 5, \
                Pixelify Sans, Tiny5, VT323
                """),
    ]
}
