"""Pictures as arrays of red, green and blue, and how far apart two of them are."""

import io

import numpy
from PIL import Image
from playwright.sync_api import Error


def screenshot(page, **options):
    """The PNG that a browser shows of a page.

    One of some ten thousand times Chromium cannot read its own picture on a busy machine, and can the next time.
    """
    for attempt in range(3):
        try:
            return page.screenshot(**options)
        except Error as error:
            if attempt == 2 or "Unable to capture screenshot" not in str(error):
                raise


def pixels(png, ground="white"):
    """height × width × 3, transparent pixels on a ground."""
    picture = Image.open(io.BytesIO(png)).convert("RGBA")
    ground = Image.new("RGBA", picture.size, ground)
    return numpy.asarray(Image.alpha_composite(ground, picture).convert("RGB")).astype(float)


def ink(picture, background):
    """For every pixel the sum of |pixel − background| over its channels."""
    return numpy.abs(picture - background).sum(axis=2)


def sum_within(inked, box):
    """The ink in a box (left, top, right, bottom), widened to whole pixels."""
    left, top, right, bottom = (max(0, int(edge)) for edge in (box[0], box[1], numpy.ceil(box[2]), numpy.ceil(box[3])))
    return inked[top:bottom, left:right].sum()


def mean_difference(first, second, background):
    """Over the pixels that either inks; 0 where none does."""
    either = (ink(first, background) > 0) | (ink(second, background) > 0)
    return numpy.abs(first - second)[either].mean() if either.any() else 0


def worst_block(first, second, side=8):
    """The largest difference between the means of any block of so many pixels a side."""
    height, width = (length // side * side for length in first.shape[:2])

    def means(picture):
        return picture[:height, :width].reshape(height // side, side, width // side, side, 3).mean(axis=(1, 3))

    return numpy.abs(means(first) - means(second)).max(initial=0)
