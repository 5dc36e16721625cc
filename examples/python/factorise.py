"""A sparse tensor as a sum of few outer products (CP): alternating least squares around the MTTKRP kernel.

    X(i,k,l) ~ sum over r of A(i,r) B(k,r) C(l,r)

The product that dominates is one equation for each mode, over the tensor as a tree (csf): the matrix of all
B(k,r) C(l,r) is never formed.
"""

import numpy as np

import trellis as tr

MODES = [tr.compile(f"M({mode},r) = X(i,k,l) * P({p},r) * Q({q},r)", X="csf")
         for mode, p, q in (("i", "k", "l"), ("k", "i", "l"), ("l", "i", "k"))]


def factorise(X, rank, rounds=50, seed=1):
    """Three factors (a dimension's size x rank each) of an order-3 tensor, a COO of PyData's `sparse` or an ndarray."""
    X = tr.asarray(X, format="csf")
    random = np.random.default_rng(seed)
    factors = [random.random((size, rank)) for size in X.shape]
    for _ in range(rounds):
        for mode, product in enumerate(MODES):
            p, q = (f for other, f in enumerate(factors) if other != mode)
            factors[mode] = np.linalg.lstsq((p.T @ p) * (q.T @ q), product.run(X=X, P=p, Q=q).T, rcond=None)[0].T
    return factors


if __name__ == "__main__":
    i, k, l = np.ogrid[1:4, 1:5, 1:3]
    X = (i * k * l * (i % 2)).astype(float)  # of rank 1, half of it zeros
    A, B, C = factorise(X, 1, rounds=5)
    print("error below 1e-12:", abs(np.einsum("ir,kr,lr->ikl", A, B, C) - X).max() < 1e-12)
