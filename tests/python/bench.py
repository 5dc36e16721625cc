"""Times of calls beside SciPy's: by hand, `PYTHONPATH=build/python python3 tests/python/bench.py`."""

import subprocess
import sys
import time

import numpy as np
import scipy.sparse as sp

import trellis as tr


def median_us(work, seconds=0.4):
    """Of at least 30 runs, in microseconds."""
    times, end = [], time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 30:
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return 1e6 * sorted(times)[len(times) // 2]


def import_ms(module):
    program = f"import time; t = time.perf_counter(); import {module}; print(1e3 * (time.perf_counter() - t))"
    return sorted(float(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout)
                  for _ in range(5))[2]


def matrix(entries, per_row=10):
    n = max(1, entries // per_row)
    rng = np.random.default_rng(1)
    rows, columns = rng.integers(n, size=entries), rng.integers(n, size=entries)
    made = sp.csr_matrix((rng.random(entries), (rows, columns)), shape=(n, n))
    made.sum_duplicates()
    return made


def line(what, ours, theirs):
    print(f"{what:<34} {ours:>10.1f} us  SciPy {theirs:>10.1f} us  ratio {ours / theirs:.2f}")


def main():
    numpy = import_ms("numpy")
    print(f"import: numpy {numpy:.0f} ms, trellis {import_ms('numpy, trellis') - numpy:.0f} ms more, "
          f"scipy.sparse {import_ms('numpy, scipy.sparse') - numpy:.0f} ms more")
    spmv = tr.compile("y(i) = A(i,j) * x(j)", A="csr", tier="native")
    empty = sp.csr_matrix((1, 1))
    print(f"a call without entries: {median_us(lambda: spmv(empty, np.ones(1))):.2f} us")
    for entries in (1000, 20000, 1000000):
        A = matrix(entries)
        x = np.ones(A.shape[1])
        assert np.allclose(spmv(A, x), A @ x)
        line(f"A x, {A.nnz} entries", median_us(lambda: spmv(A, x)), median_us(lambda: A @ x))
    A = matrix(1000)
    x, lazy = np.ones(A.shape[1]), tr.lazy(A)
    line("A x lazily, 1000 entries", median_us(lambda: (lazy @ x).compute()), median_us(lambda: A @ x))
    start = time.perf_counter()
    ((lazy @ lazy) * lazy).sum().compute()
    print(f"the first sum((A B) A): {1e3 * (time.perf_counter() - start):.1f} ms")
    gram = tr.compile("C(i,k) = A(i,j) * B(j,k)", A="csr", B="csr", tier="native")
    add = tr.compile("C(i,j) = A(i,j) + B(i,j)", A="csr", B="csr", tier="native")
    for entries in (1000, 20000, 200000):
        A, B = matrix(entries), matrix(entries).T.tocsr()
        assert np.allclose((gram(A, B) - A @ B).data, 0)
        line(f"A B, {A.nnz} entries each", median_us(lambda: gram(A, B)), median_us(lambda: A @ B))
        line(f"A + B, {A.nnz} entries each", median_us(lambda: add(A, B)), median_us(lambda: A + B))


if __name__ == "__main__":
    main()
