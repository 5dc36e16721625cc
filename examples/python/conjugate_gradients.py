"""Conjugate gradients on a sparse matrix: the whole iteration, with its scalars and its end, is one kernel.

Superscripts are steps, of vectors and of numbers; `until` ends them. One buffer for each vector is enough, which
nobody had to say: look at `solve.c`.
"""

import numpy as np
import scipy.sparse as sp

import trellis as tr

solve = tr.compile("""
param tolerance = 1e-10
param most = 10000
x[-1](i) = 0
r[-1](i) = b(i)
p[-1](i) = b(i)
rs[-1]   = sum(i)(b(i)^2)
q[t](i)  = A(i,j) * p[t-1](j) : t < most
alpha[t] = rs[t-1] / sum(i)(p[t-1](i) * q[t](i))
x[t](i)  = x[t-1](i) + alpha[t] * p[t-1](i)
r[t](i)  = r[t-1](i) - alpha[t] * q[t](i)
rs[t]    = sum(i)(r[t](i)^2)
p[t](i)  = r[t](i) + rs[t] / rs[t-1] * p[t-1](i)
until rs[t] < tolerance^2
""", A="csr")


def conjugate_gradients(A, b, tolerance=1e-10):
    """x with A x = b and |b - A x| < tolerance; A is symmetric and positive definite, b not 0."""
    return solve.run(A=A, b=b, tolerance=tolerance).x


if __name__ == "__main__":
    rod = sp.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(5, 5), format="csr")
    print("x", " ".join(f"{x:.3f}" for x in conjugate_gradients(rod, np.ones(5))))
