"""Where a picture changes: Sobel's operator and a threshold, in one pass over the pixels.

Two stencils, their size and the comparison are one equation, in words: no picture in between is stored. A picture that
is declared `pad` reads as 0 outside, so nothing is said about borders; look at `sobel.c`, which has none inside either.
"""

import numpy as np

import trellis as tr

sobel = tr.compile("""
param threshold = 100.0
tensor image(h, w): u8 pad
tensor edge(h, w): bool
def p(y, x) = i32(image(y, x))
def across(y, x) = p(y-1,x+1) + 2*p(y,x+1) + p(y+1,x+1) - p(y-1,x-1) - 2*p(y,x-1) - p(y+1,x-1)
def down(y, x)   = p(y+1,x-1) + 2*p(y+1,x) + p(y+1,x+1) - p(y-1,x-1) - 2*p(y-1,x) - p(y-1,x+1)
edge(y,x) = f64(across(y,x)^2 + down(y,x)^2) > threshold^2
order y x
""")


def edges(image, threshold=100.0):
    """True where the gradient of a grey picture (height x width, uint8) is longer than `threshold`."""
    return sobel.run(image=image, threshold=threshold)


if __name__ == "__main__":
    picture = np.zeros((8, 10), np.uint8)
    picture[2:6, 3:8] = 90
    for row in np.where(edges(picture), "#", "."):
        print("".join(row))
