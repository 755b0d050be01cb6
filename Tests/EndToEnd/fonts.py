"""A private set of fonts, which a test may change while a service uses it."""

import pathlib
import shutil
import subprocess

from fontTools.ttLib import TTFont

# The file of each family that is copied.
FILES = {
    "DejaVu Sans": "DejaVuSans.ttf",
    "Liberation Serif": "LiberationSerif-Regular.ttf",
    "Noto Sans Runic": "NotoSansRunic-Regular.ttf",
    "Noto Sans Devanagari": "NotoSansDevanagari-Regular.ttf",
    "Noto Sans Thai": "NotoSansThai-Regular.ttf",
}
CONFIGURATION = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>{directory}</dir>
  <cachedir>{cache}</cachedir>
  <include ignore_missing="yes">/etc/fonts/conf.d</include>
</fontconfig>
"""


def path(family):
    """The file of a family that is installed."""
    outcome = subprocess.run(
        ["fc-list", f":family={family}", "-f", "%{file}\n"], capture_output=True, text=True, check=True
    )
    [found] = [file for file in outcome.stdout.split() if pathlib.Path(file).name == FILES[family]]
    return pathlib.Path(found)


class FontSet:
    """Copies of some families in a directory, and a configuration of fontconfig that knows no others."""

    def __init__(self, folder, families=tuple(FILES)):
        self.directory = folder / "fonts"
        self.configuration = folder / "fonts.conf"
        self.directory.mkdir()
        (folder / "cache").mkdir()
        self.configuration.write_text(CONFIGURATION.format(directory=self.directory, cache=folder / "cache"))
        self.environment = {"FONTCONFIG_FILE": str(self.configuration)}
        for family in families:
            self.add(family)

    def add(self, family):
        shutil.copy(path(family), self.directory)

    def add_as(self, name, family):
        """A copy of a family under another name."""
        font = TTFont(path(family))
        for record in font["name"].names:
            if record.nameID in (1, 16):
                record.string = name
        font.save(self.directory / f"{name}.ttf")

    def remove(self, family):
        (self.directory / FILES[family]).unlink()
