"""Other people's renderers of SVGs: each makes a PNG."""

import subprocess

import cairosvg
import resvg_py


def librsvg(svg):
    return subprocess.run(["rsvg-convert"], input=svg, check=True, capture_output=True).stdout


RENDERERS = {
    "librsvg": librsvg,
    "resvg": lambda svg: bytes(resvg_py.svg_to_bytes(svg_string=svg.decode())),
    "CairoSVG": lambda svg: cairosvg.svg2png(bytestring=svg),
}
