"""PageRank by power iteration: one compiled step, called until ranks settle.

The matrix is SciPy's, borrowed: nothing of it is copied. Look at `step.orders(...)`: columns outermost would be slower.
"""

import numpy as np
import scipy.sparse as sp

import trellis as tr


def pagerank(links, damping=0.85, tolerance=1e-12):
    """Ranks of pages; links[i, j] = 1 where page j links to page i."""
    n = links.shape[0]
    outgoing = np.asarray(links.sum(0)).ravel()
    step = tr.compile("param d = 0.85\nr(i) = (1 - d) * b(i) + d * sum(j)(A(i,j) * (w(j) * x(j)))", A="csr")
    base, weight = np.full(n, 1 / n), 1 / np.maximum(outgoing, 1)
    ranks = base
    while True:
        new = step.run(b=base, A=links, w=weight, x=ranks, d=damping)
        new += (1 - new.sum()) / n  # what pages without links lose
        if np.abs(new - ranks).sum() < tolerance:
            return new
        ranks = new


if __name__ == "__main__":
    links = sp.csr_matrix(np.array([[0, 0, 1, 0], [1, 0, 0, 0], [1, 1, 0, 1], [0, 0, 0, 0]], float))
    ranks = pagerank(links)
    print("ranks", " ".join(f"{rank:.4f}" for rank in ranks))
