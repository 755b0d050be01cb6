"""Directories of `--effects`."""

import json


def directory(path, **files):
    """Writes files, each an effect or text, and returns the directory."""
    path.mkdir(exist_ok=True)
    for name, content in files.items():
        text = content if isinstance(content, str) else json.dumps(content)
        (path / f"{name}.json").write_text(text)
    return path
