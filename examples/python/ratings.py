"""A factorisation of ratings, by gradient descent: dense products are formed only where a rating is stored (SDDMM).

    E(i,j) = R(i,j) - sum over k of U(i,k) V(j,k), where R stores something

The rating that guards the sum makes E sparse, with an entry where R has one. The updates read E by rows: that of V
scatters, which the order `i j k` says.
"""

import numpy as np

import trellis as tr

errors = tr.compile("E(i,j) = R(i,j) != 0 ? R(i,j) - sum(k)(U(i,k) * V(j,k)) : 0", R="csr", E="csr")
users = tr.compile("N(i,k) = U(i,k) + rate * sum(j)(E(i,j) * V(j,k))", E="csr")
items = tr.compile("N(j,k) = V(j,k) + rate * sum(i)(E(i,j) * U(i,k))", E="csr")


def factorise(ratings, rank, rate=0.02, rounds=200, seed=1):
    """U (users x rank) and V (items x rank) whose product is near the stored elements of `ratings`, a csr matrix."""
    random = np.random.default_rng(seed)
    U, V = (random.random((size, rank)) for size in ratings.shape)
    for _ in range(rounds):
        E = errors.run(R=ratings, U=U, V=V)
        U, V = users.run(U=U, V=V, E=E, rate=rate), items.run(U=U, V=V, E=E, rate=rate)
    return U, V


if __name__ == "__main__":
    import scipy.sparse as sp

    ratings = sp.csr_matrix(np.outer([1.0, 2, 3, 4], [1.0, 0, 2]))
    U, V = factorise(ratings, 1)
    print("ratings", *np.round(U @ V[0]).astype(int), "without", *np.round(U @ V[1], 1))
