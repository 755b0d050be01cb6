"""What a Lottie file must hold to: the specification (1.0), and what both players take."""

import json


def faults_of(text):
    """What in a file is not as it must be."""
    decimals = []
    file = json.loads(text, parse_float=lambda digits: decimals.append(digits) or float(digits))
    if any("e" in digits.lower() or len(digits.partition(".")[2]) > 4 for digits in decimals):
        yield "a number is too long"
    assets = {asset["id"]: asset for asset in file["assets"]}
    if (file["fr"], file["ip"], file["ver"]) != (100, 0, 10000) or not file["v"] or file["op"] <= 0:
        yield "the head"
    if not all(isinstance(file[name], int) and file[name] > 0 for name in ("w", "h")):
        yield "the canvas"
    if len(assets) != len(file["assets"]):
        yield "two assets have one name"
    if any(not marker["cm"] or marker["tm"] < 0 or marker["dr"] < 0 for marker in file["markers"]):
        yield "a marker"
    used = set()
    for layers in (file["layers"], *(asset["layers"] for asset in file["assets"] if "layers" in asset)):
        for layer in layers:
            used.add(layer.get("refId"))
            yield from faults_of_layer(layer, assets, file["op"])
        mattes = [(layer.get("td"), layer.get("tt")) for layer in layers]
        # A matte is the layer above the one that it cuts out.
        if any((td == 1) != (tt == 1) for (td, _), (_, tt) in zip(mattes, [*mattes[1:], (None, None)])):
            yield "a matte"
    if set(assets) != used - {None}:
        yield f"assets {set(assets) ^ used - {None}} are unused or unknown"


def faults_of_layer(layer, assets, end):
    asset = assets.get(layer.get("refId"))
    if not 0 <= layer["ip"] <= end < layer["op"] or layer["st"] != 0 or layer["ddd"] != 0:
        yield "a layer's times"
    match layer["ty"]:
        case 0 if "layers" in asset and all(isinstance(layer[side], int) and layer[side] > 0 for side in "wh"):
            pass
        case 2 if asset["e"] == 1 and asset["p"].startswith("data:image/png;base64,"):
            pass
        case 4:
            yield from faults_of_shapes(layer["shapes"])
        case kind:
            yield f"a layer of type {kind}"
    if ("masksProperties" in layer) != layer.get("hasMask", False):
        yield "a layer's masks"
    for mask in layer.get("masksProperties", []):
        if (mask["mode"], mask["inv"], mask["o"], mask["x"]) != ("a", False, dict(a=0, k=100), dict(a=0, k=0)):
            yield "a mask"
        if layer["ty"] != 0:
            yield "a mask"
        yield from faults_of_boxes(mask["pt"])
    for name, value in layer["ks"].items():
        if name == "p" and value.get("s"):
            yield from faults_of_property("x", value["x"])
            yield from faults_of_property("y", value["y"])
        else:
            yield from faults_of_property(name, value)


def faults_of_shapes(shapes):
    """Paths with a fill, a stroke, or a fill below a stroke; or groups of these.

    Paths of a stroke may have a trim path each, in a group of their own, and be open where there is no fill.
    """
    kinds = [shape["ty"] for shape in shapes]
    if set(kinds) == {"gr"}:
        for shape in shapes:
            yield from faults_of_shapes(contents(shape))
        return
    count = next(number for number, kind in enumerate(kinds) if kind not in ("sh", "rc", "gr"))
    paths, paints = shapes[:count], shapes[count:]
    if kinds[count:] not in (["fl"], ["gf"], ["st"], ["gs"], ["st", "fl"]):
        yield f"shapes {kinds}"
    for paint in paints:
        yield from faults_of_paint(paint)
    if kinds[count] in ("st", "gs"):
        trimmed = [contents(path) for path in paths if path["ty"] == "gr"]
        if any([shape["ty"] for shape in pair] != ["sh", "tm"] for pair in trimmed):
            yield "a trimmed path"
        for _, trim in trimmed:
            if (trim["s"], trim["o"], trim["m"]) != (dict(a=0, k=0), dict(a=0, k=0), 1):
                yield "a trim path"
            yield from faults_of_property("e", trim["e"])
        paths = [path for path in paths if path["ty"] != "gr"] + [path for path, _ in trimmed]
    for shape in paths:
        yield from faults_of_path(shape, may_be_open=kinds[count:] == ["st"])


def faults_of_path(shape, may_be_open):
    if shape["ty"] == "rc":
        sides = shape["s"]["k"]
        # Of numbers with two decimals.
        if not 0 <= 2 * shape["r"]["k"] <= min(sides) + 0.02 or {shape[name]["a"] for name in "psr"} != {0}:
            yield "a rectangle"
        return
    path = shape["ks"]["k"] if shape["ty"] == "sh" else None
    ends = [True, False] if may_be_open else [True]
    if not path or path["c"] not in ends or not 1 < len(path["v"]) == len(path["i"]) == len(path["o"]):
        yield "a path"


def faults_of_paint(paint):
    if paint["ty"] in ("fl", "gf"):
        if paint["r"] not in (1, 2):
            yield "a fill"
    else:
        if paint["lc"] not in (1, 2) or paint["lj"] != 2:
            yield "a stroke"
        yield from faults_of_property("w", paint["w"])
    if paint["ty"] in ("fl", "st"):
        yield from faults_of_property("c", paint["c"])
    else:
        yield from faults_of_gradient(paint)
    yield from faults_of_property("o", paint["o"])


def faults_of_gradient(paint):
    count, values = paint["g"]["p"], paint["g"]["k"]["k"]
    colors, alphas = values[: 4 * count], values[4 * count :]
    if paint["t"] != 1 or count < 2 or len(colors) != 4 * count or len(alphas) not in (0, 2 * count):
        yield "a gradient"
    if not all(0 <= value <= 1 for value in values) or any(alpha < 1 for alpha in alphas[1::2]) != bool(alphas):
        yield "a gradient's stops"
    # rlottie takes alpha from the stops at the same offsets, and none from stops at one offset.
    if any(a >= b for a, b in zip(colors[::4], colors[4::4])) or alphas and alphas[::2] != colors[::4]:
        yield "a gradient's offsets"
    for name in "se":
        yield from faults_of_property("p", paint[name])
    if paint["s"] == paint["e"]:
        yield "a gradient without a direction"


def contents(group):
    *shapes, transform = group["it"]
    assert transform == {"ty": "tr", "o": dict(a=0, k=100)}, "a group does not end with its transform"
    return shapes


def faults_of_boxes(value):
    keys = value["k"] if value["a"] else [dict(t=0, s=[value["k"]])]
    if any(a["t"] >= b["t"] or a["h"] != 1 for a, b in zip(keys, keys[1:])):
        yield "boxes do not jump"
    for key in keys:
        [box] = key["s"]
        if box["c"] is not True or [len(box[name]) for name in "vio"] != [4] * 3:
            yield "a box"


def faults_of_property(name, value):
    if value["a"] == 0:
        if isinstance(value["k"], list) != (name in "apsc"):
            yield f"a still {name}"
        if name == "c" and not all(0 <= share <= 1 for share in value["k"]):
            yield "a colour"
        return
    keys = value["k"]
    if len(keys) < 2 or any(a["t"] >= b["t"] for a, b in zip(keys, keys[1:])):
        yield f"keyframes of {name} do not rise"
    if set(keys[-1]) != {"t", "s"}:
        yield f"the last keyframe of {name} leads on"
    for key in keys[:-1]:
        eased = set(key) == {"t", "s", "i", "o"} and all(0 <= key[handle]["x"] <= 1 for handle in "io")
        if not (eased or set(key) == {"t", "s", "h"} and key["h"] == 1):
            yield f"a keyframe of {name}: {key}"
    if name in "oe" and not all(0 <= key["s"][0] <= 100 for key in keys):
        yield "an opacity, or the end of a trim path"
    if name == "c" and not all(len(key["s"]) == 3 and 0 <= min(key["s"]) <= max(key["s"]) <= 1 for key in keys):
        yield "a colour"
