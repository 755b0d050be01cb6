"""The Debian package of the binary under test."""

import os
import subprocess

from service import BINARY, REPOSITORY, by_proof

BUILD = REPOSITORY / "deploy/debian/build"


def build(folder):
    """Makes the package in a folder, and returns its path."""
    # Packing takes longer than all else.
    fast = by_proof({"DPKG_DEB_COMPRESSOR_TYPE": "gzip", "DPKG_DEB_COMPRESSOR_LEVEL": "1"}, {})
    subprocess.run([BUILD, BINARY, folder], check=True, env={**os.environ, **fast})
    [package] = folder.glob("*.deb")
    return package


def field(package, name):
    """A field of the package's description."""
    return subprocess.run(["dpkg-deb", "-f", package, name], check=True, capture_output=True, text=True).stdout.strip()


def names(relation):
    """The names of packages in a field such as Depends."""
    return {each.split()[0] for each in relation.split(",")}
