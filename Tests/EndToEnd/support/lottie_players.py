"""Two players that have nothing in common: rlottie, which knows whole frames only, and ThorVG."""

import numpy
import thorvg_python
from rlottie_python import LottieAnimation

ENGINE = thorvg_python.Engine()


class RLottie:
    name = "rlottie"

    def __init__(self, text):
        self.animation = LottieAnimation.from_data(data=text)
        assert self.animation.animation_p, "rlottie cannot read the file"
        self.width, self.height = self.animation.lottie_animation_get_size()

    def pixels(self, frame):
        buffer = self.animation.lottie_animation_render(frame_num=frame)
        bgra = numpy.frombuffer(buffer, numpy.uint8).reshape(self.height, self.width, 4)
        return on_white(bgra[..., [2, 1, 0, 3]])


class ThorVG:
    name = "ThorVG"

    def __init__(self, text):
        self.animation = thorvg_python.Animation(ENGINE)
        picture = self.animation.get_picture()
        result = picture.load_data(text.encode(), "lottie", None, True)
        assert result == thorvg_python.Result.SUCCESS, "ThorVG cannot read the file"
        _, width, height = picture.get_size()
        self.width, self.height = round(width), round(height)
        self.canvas = thorvg_python.SwCanvas(ENGINE)
        self.canvas.set_target(self.width, self.height, cs=thorvg_python.Colorspace.ABGR8888)
        self.canvas.add(picture)

    def pixels(self, frame):
        self.animation.set_frame(frame)
        self.canvas.update()
        self.canvas.draw(True)
        self.canvas.sync()
        rgba = numpy.frombuffer(bytes(self.canvas.buffer_arr), numpy.uint8).reshape(self.height, self.width, 4)
        return on_white(rgba)


PLAYERS = (RLottie, ThorVG)


def on_white(premultiplied):
    """height × width × 3 of red, green and blue."""
    colors = premultiplied.astype(float)
    return colors[..., :3] + 255 - colors[..., 3:]
