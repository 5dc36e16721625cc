"""A global alignment of two words: Needleman and Wunsch's recurrence, and the way back through its table.

The equations say what each element is; the compiler finds an order in which all is there before it is read, and `why`
proves it: look at `table.why("j i")`. The way back depends on what it finds, so it is a loop program.
"""

import numpy as np

import trellis as tr

table = tr.compile("""
tensor a(n): u8
tensor b(m): u8
tensor H(n+1, m+1): i32
H(i,0) = -2*i
H(0,j) = -2*j : 1 <= j
H(i,j) = max(H(i-1,j-1) + (a(i-1) == b(j-1) ? 1 : -1), H(i-1,j) - 2, H(i,j-1) - 2) : 1 <= i, 1 <= j
""")
back = tr.compile("""
tensor a(n): u8
tensor b(m): u8
tensor H(n+1, m+1): i32
tensor top(n+m): u8
tensor bottom(n+m): u8
tensor i: i64
tensor j: i64
tensor length: i64
loops {
  i = n; j = m; length = 0
  while i > 0 || j > 0 {
    top(length) = '-'; bottom(length) = '-'
    if i > 0 && j > 0 && H(i,j) == H(i-1,j-1) + (a(i-1) == b(j-1) ? 1 : -1) {
      i -= 1; j -= 1; top(length) = a(i); bottom(length) = b(j)
    } else if i > 0 && H(i,j) == H(i-1,j) - 2 { i -= 1; top(length) = a(i) } else { j -= 1; bottom(length) = b(j) }
    length += 1
  }
}
""")


def align(a, b):
    """The score (1 for equal letters, -1 for others, -2 for a gap's letter) and both words with their gaps."""
    a, b = (np.frombuffer(word.encode("ascii"), np.uint8) for word in (a, b))
    H = table.run(a=a, b=b)
    way = back.run(a=a, b=b, H=H)
    top, bottom = (letters[:way.length][::-1].tobytes().decode("ascii") for letters in (way.top, way.bottom))
    return int(H[-1, -1]), top, bottom


if __name__ == "__main__":
    print(*align("GATTACA", "GCATGCA"), sep="\n")
