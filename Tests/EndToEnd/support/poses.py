"""Poses: what stands still in a scene, two keyframes that say the same."""

LONG = 10  # seconds, between the keyframes of which nothing changes


def standing(**pose):
    """The parameters of a glyph that holds a pose for long."""
    return dict(
        effect="custom",
        duration=LONG,
        keyframes=[pose, dict(pose, offset=0.9999)],
        easing="linear",
    )
