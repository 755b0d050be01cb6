"""How well colours are told apart (WCAG 2.2)."""


def channels(color):
    """Red, green, and blue of `#rrggbb`, 0 to 255."""
    return [int(color[start : start + 2], 16) for start in (1, 3, 5)]


def luminance(color):
    """The relative luminance, 0 to 1."""
    parts = [part / 255 for part in channels(color)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    """The contrast ratio of two colours, 1 to 21."""
    dark, light = sorted([luminance(one), luminance(other)])
    return (light + 0.05) / (dark + 0.05)
