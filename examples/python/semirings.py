"""One question over three semirings: who is reached, how short, how reliably?

    y(i) = x(i) + sum over j of A(i,j) * x(j), where (+, *) is (or, and), (min, +) or (max, *)

Repeated until nothing changes, the step gives what all paths together say. Where the matrix stores nothing the step has
nothing to do in any of them: look at `.c` of each, a loop over the stored entries.
"""

import numpy as np

import trellis as tr

STEPS = {
    "reached": tr.compile("y(i) = x(i) || any(j)(A(i,j) && x(j))", A="csr"),
    "nearest": tr.compile("y(i) = min(x(i), min(j)(A(i,j) > 0 ? A(i,j) + x(j) : inf))", A="csr"),
    "likeliest": tr.compile("y(i) = max(x(i), max(j)(A(i,j) * x(j)))", A="csr"),
}
BEGIN = {"reached": (False, True), "nearest": (np.inf, 0.0), "likeliest": (0.0, 1.0)}


def closure(edges, start, question):
    """What the best path from `start` gives at each vertex; edges[i, j] belongs to the edge from j to i.

    "reached": whether there is one, edges are true; "nearest": its length, edges > 0; "likeliest": the product of its
    edges, 0 < edges <= 1.
    """
    nothing, one = BEGIN[question]
    new = np.full(edges.shape[0], nothing)
    new[start] = one
    old = None
    while not np.array_equal(old, new):
        old, new = new, STEPS[question].run(A=edges, x=new)
    return new


if __name__ == "__main__":
    import scipy.sparse as sp

    likely = sp.csr_matrix([[0, 0, 0, 0], [0.5, 0, 0.9, 0], [0.8, 0, 0, 0], [0, 0, 0, 0]])
    print("reached", *closure(likely > 0, 0, "reached"))
    print("nearest", *closure(likely, 0, "nearest"))
    print("likeliest", *closure(likely, 0, "likeliest").round(2))
