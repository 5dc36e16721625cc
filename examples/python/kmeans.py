"""Clusters by k-means: Lloyd's algorithm, a round of which is one kernel.

Each point finds its nearest centre and is added to that cluster at once: a reduction with `argmin`, and updates at
places that it says.
"""

import numpy as np

import trellis as tr

assign = tr.compile("""
tensor X(n, d)
tensor centre(k, d)
tensor choice(n): i64
tensor total(k, d)
tensor members(k): i64
loops {
  total .= 0; members .= 0
  for i {
    choice(i) = argmin(c)(sum(j)((X(i,j) - centre(c,j))^2))
    for j { total(choice(i), j) += X(i,j) }
    members(choice(i)) += 1
  }
}
""")


def kmeans(points, clusters, rounds=100):
    """Which cluster each of `points` (n x d) is in, and the centres (clusters x d), which the first points begin as."""
    points = np.asarray(points, float)
    centres, choice = points[:clusters].copy(), None
    for _ in range(rounds):
        found = assign.run(X=points, centre=centres)
        if np.array_equal(found.choice, choice):
            break
        choice, some = found.choice, found.members > 0
        centres[some] = found.total[some] / found.members[some, None]
    return choice, centres


if __name__ == "__main__":
    choice, centres = kmeans([[1, 1], [1, 2], [2, 1], [2, 2], [8, 8], [8, 9], [9, 8], [9, 9]], 2)
    print("clusters", *choice, "centres", *centres.ravel())
