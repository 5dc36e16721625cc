"""Ctrl-C ends a kernel that runs in this process, and nothing else."""

import os
import signal
import threading
import time

import numpy as np
import pytest
import scipy.sparse as sp

import trellis as tr


@pytest.fixture(autouse=True)
def python_handles_ctrl_c():
    """Where a shell starts the tests in the background, it has Ctrl-C ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def interrupted_after(work, delay=0.3):
    """How long after Ctrl-C the work has ended, in seconds."""
    sent = []

    def send():
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(delay, send)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            work()
    finally:
        timer.join()
    return time.perf_counter() - sent[0]


@pytest.mark.parametrize("tier", ["jit", "native"])
def test_ctrl_c_ends_a_call_and_the_session_goes_on(tier, rng):
    product = tr.compile("C(i,j) = A(i,k) * B(k,j)", tier=tier, order="i j k")
    long = np.broadcast_to(1.0, (6000, 6000)).copy()
    small = rng.random((5, 5))
    product(small, small)  # compiled
    for _ in range(2):
        assert interrupted_after(lambda: product(long, long)) < 0.5
        assert np.allclose(product(small, small), small @ small)


def test_an_outermost_loop_of_one_iteration_is_no_obstacle():
    rows = tr.compile("s(i) = sum(j, k)(sqrt(A(i,j) + v(k)))", order="i j k", tier="jit")
    assert interrupted_after(lambda: rows(np.ones((1, 200000)), np.ones(200000))) < 0.5
    assert np.allclose(rows(np.zeros((1, 3)), np.ones(4)), 12)


def test_a_single_loop_is_left():
    total = tr.compile("param n = 3\ns = sum(i)(sqrt(i * 1.0)) : 0 <= i < n", tier="jit")
    assert interrupted_after(lambda: total.run(n=10**11)) < 0.5
    assert np.isclose(total.run(), 1 + np.sqrt(2))


def test_ctrl_c_before_the_kernel_begins_is_not_lost():
    # A number that no kernel in the cache has: it is compiled, and Ctrl-C comes meanwhile.
    total = tr.compile(f"param n = 3\ns = sum(i)(sqrt(i * {time.time()})) : 0 <= i < n", tier="native")
    assert interrupted_after(lambda: total.run(n=10**11), delay=0.02) < 30


def test_steps_and_loop_programs_are_left():
    steps = tr.compile("param n = 1000000000000\nx[-1] = 1.0\nx[t] = x[t-1] * 0.5 + 1 : t < n\n", tier="jit")
    assert interrupted_after(steps) < 0.5


def test_sparse_results_are_left_without_a_trace():
    product = tr.compile("C(i,j) = A(i,k) * B(k,j)", tier="jit")
    n, per_row = 20000, 400
    rng = np.random.default_rng(1)
    rows = np.arange(n + 1, dtype=np.int32) * per_row
    columns = np.sort(rng.integers(0, n // per_row, (n, per_row)) + np.arange(per_row) * (n // per_row), axis=1)
    A = sp.csr_matrix((np.ones(n * per_row), columns.ravel().astype(np.int32), rows), shape=(n, n))
    small = sp.random(30, 30, density=0.3, format="csr", random_state=2)
    product(small, small)
    assert interrupted_after(lambda: product(A, A)) < 0.5
    assert np.allclose(product(small, small).toarray(), (small @ small).toarray())


def test_the_handler_that_stood_before_stands_again():
    mine = lambda *_: None
    before = signal.signal(signal.SIGINT, mine)
    try:
        tr.compile("y(i) = a(i)")(np.ones(3))
        assert signal.getsignal(signal.SIGINT) is mine
        hits = []
        signal.signal(signal.SIGINT, lambda *_: hits.append(1))
        os.kill(os.getpid(), signal.SIGINT)
        assert hits == [1]
    finally:
        signal.signal(signal.SIGINT, before)
