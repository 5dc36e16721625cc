"""Numerical programs of examples/python beside NumPy and SciPy."""

import numpy as np
import pytest
import scipy.ndimage
import scipy.sparse as sp

from test_graphs import example


@pytest.mark.parametrize("n", [1, 7, 200])
def test_conjugate_gradients(rng, n):
    A = sp.random(n, n, density=0.1, format="csr", random_state=1)
    A = sp.csr_matrix(A @ A.T + sp.eye(n))
    b = rng.random(n)
    x = example("conjugate_gradients").conjugate_gradients(A, b)
    assert np.allclose(x, np.linalg.solve(A.toarray(), b), atol=1e-8)


def test_kmeans(rng):
    centres = np.array([[0.0, 0, 0], [10, 0, 0], [0, 10, 10]])
    truth = rng.integers(3, size=300)
    truth[:3] = 0, 1, 2
    points = centres[truth] + rng.standard_normal((300, 3))
    choice, found = example("kmeans").kmeans(points, 3)
    assert np.array_equal(choice, truth)
    assert np.allclose(found, [points[truth == c].mean(0) for c in range(3)])


@pytest.mark.parametrize("shape", [(1, 1), (5, 9), (40, 30)])
def test_edges(rng, shape):
    image = rng.integers(256, size=shape).astype(np.uint8)
    across, down = (scipy.ndimage.sobel(image.astype(float), axis, mode="constant") for axis in (1, 0))
    assert np.array_equal(example("edges").edges(image, 250.0), across**2 + down**2 > 250.0**2)


def score(top, bottom):
    return sum(-2 if "-" in pair else 1 if pair[0] == pair[1] else -1 for pair in zip(top, bottom, strict=True))


def best(a, b):
    """The table's last element, a row at a time."""
    row = [-2 * j for j in range(len(b) + 1)]
    for i, letter in enumerate(a, 1):
        new = [-2 * i]
        for j, other in enumerate(b, 1):
            new.append(max(row[j - 1] + (1 if letter == other else -1), row[j] - 2, new[-1] - 2))
        row = new
    return row[-1]


@pytest.mark.parametrize("n, m", [(0, 3), (1, 1), (20, 25), (60, 40)])
def test_alignment(rng, n, m):
    a, b = ("".join(rng.choice(list("ACGT"), size)) for size in (n, m))
    found, top, bottom = example("alignment").align(a, b)
    assert found == best(a, b) == score(top, bottom)
    assert top.replace("-", "") == a and bottom.replace("-", "") == b


def test_factorise(rng):
    sparse = pytest.importorskip("sparse")
    parts = [rng.random((size, 3)) * (rng.random((size, 3)) < 0.5) for size in (8, 9, 10)]
    X = np.einsum("ir,kr,lr->ikl", *parts)
    found = example("factorise").factorise(sparse.COO.from_numpy(X), 3, rounds=400)
    assert np.linalg.norm(np.einsum("ir,kr,lr->ikl", *found) - X) < 1e-3 * np.linalg.norm(X)


def test_ratings(rng):
    ratings = sp.csr_matrix(np.where(rng.random((20, 15)) < 0.3, rng.integers(1, 6, (20, 15)), 0).astype(float))
    known = ratings.toarray() != 0
    random = np.random.default_rng(1)
    U, V = random.random((20, 2)), random.random((15, 2))
    for _ in range(30):
        E = np.where(known, ratings.toarray() - U @ V.T, 0)
        U, V = U + 0.02 * E @ V, V + 0.02 * E.T @ U
    found = example("ratings").factorise(ratings, 2, rounds=30)
    assert np.allclose(found[0], U) and np.allclose(found[1], V)
