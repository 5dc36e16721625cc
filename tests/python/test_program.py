"""Programs: orders, reasons, C, reports, errors, limits, tiers."""

import os
import resource
import threading
import time

import numpy as np
import pytest
import scipy.sparse as sp

import trellis as tr

A = sp.random(40, 30, density=0.2, format="csr", random_state=1)
X = np.linspace(0, 1, 30)
SPMV = "y(i) = A(i,j) * x(j)"
PREFIX = "tensor x(n)\ntensor s(n)\ns(i) = (i > 0 ? s(i-1) : 0) + x(i)"


def test_a_program_says_what_it_takes_and_gives():
    program = tr.compile(SPMV, A="csr")
    assert program.operands == ("A", "x") and program.results == ("y",)
    assert repr(program) == "<trellis.Program 'y(i) = A(i,j) * x(j)': A, x -> y>"
    with pytest.raises(TypeError, match="operand x is missing"):
        program(A)
    with pytest.raises(TypeError, match="takes 2 operands"):
        program.run(A, X, X)
    with pytest.raises(TypeError, match="given twice"):
        program.run(A, X, A=A)


def test_operands_by_name():
    program = tr.compile(SPMV)
    assert np.allclose(program.run(x=X, A=A), A @ X)
    assert np.allclose(program(x=X, A=A), A @ X)


def test_sizes_that_disagree_are_told_with_the_programs_words():
    program = tr.compile(SPMV)
    with pytest.raises(tr.Error) as refused:
        program(A, X[:-1])
    assert refused.value.code == "E0613"
    assert "argument x is 29" in str(refused.value)
    program(A, X)
    with pytest.raises(tr.Error, match="argument x is 28"):
        program(A, X[:-2])


def test_sizes_may_change_from_call_to_call():
    program = tr.compile(SPMV)
    for n in (1, 5, 30, 0):
        assert np.allclose(program(A[:, :n], X[:n]), A[:, :n] @ X[:n])


def test_errors_have_code_place_and_fixes():
    with pytest.raises(tr.Error) as refused:
        tr.compile("y(i) = A(i,j * x(j)")
    assert refused.value.place[0] == 1 and refused.value.code.startswith("E0")
    with pytest.raises(tr.Error) as refused:
        tr.compile(PREFIX, order="i-")
    assert refused.value.code == "E0101"
    assert refused.value.instance and "order i" in refused.value.fixes
    assert isinstance(refused.value, ValueError)
    with pytest.raises(tr.Error) as refused:
        tr.compile(SPMV, B="csr")
    assert refused.value.code == "E0605"
    for text, code in ("", "E0604"), ("y(i) = A[i]", "E0306"), ("y(i) = x(i) : i <", "E0010"):
        with pytest.raises(tr.Error) as refused:
            tr.compile(text)
        assert refused.value.code == code and "next:" not in str(refused.value)
    with pytest.raises(tr.Error) as refused:
        tr.compile(SPMV)(A, X.astype(np.float32))
    assert refused.value.code == "E0220" and refused.value.place == (1, 17)


def test_orders_and_why():
    program = tr.compile("C(i,j) = A(i,k) * B(k,j)", A="csr")
    orders = program.orders(A, np.ones((30, 20)))
    assert orders.total == 6 and orders[orders.present]["legal"]
    assert orders.legal[0] == orders.orders[0]["order"] and orders.orders[0]["cost"] == 1
    assert "i k j" in repr(orders)
    why = program.why()
    assert why and "for all sizes" in why.certificate
    prefix = tr.compile(PREFIX)
    backwards = prefix.why("i-")
    assert not backwards and backwards.instance and "order i" in backwards.fixes
    assert np.allclose(program.run(A, np.ones((30, 20)), order="k i j"), A @ np.ones((30, 20)))


def test_c_and_report():
    program = tr.compile(SPMV, A="csr")
    assert "A_pos" in program.c and program.c in program.source
    report = program.report(A, X)
    assert report.html.startswith("<!") and "A(i,j)" in report.html
    for shown in (program, program.orders(), program.why(), report, tr.asarray(A)):
        assert shown._repr_html_().lstrip().startswith("<")
    with pytest.raises(tr.Error) as refused:
        program(A, X[:3])
    assert "E0613" in refused.value._repr_html_()


def test_a_keyword_has_the_operand_laid_out_anew():
    program = tr.compile(SPMV, A="csc")
    assert np.allclose(program(A, X), A @ X)
    assert "laid out as csc" in program.copies[0]
    assert "A_pos[j" in program.c


def test_declared_tensors_take_the_operands_format():
    program = tr.compile("tensor A(n, m): csr\ntensor x(m)\n" + SPMV)
    for form in ("csr", "csc", "coo"):
        assert np.allclose(program(A.asformat(form), X), A @ X)
    with pytest.raises(tr.Error, match="declared as f64"):
        program(A.astype(np.float32), X)


def test_schedules():
    program = tr.compile("y(i) = 2 * x(i)", schedule="unroll i 4")
    assert np.allclose(program(X), 2 * X)
    threads = tr.compile("y(i) = 2 * x(i)", schedule="parallel i", threads=2, tier="native")
    assert np.allclose(threads(X), 2 * X)


def test_parameters():
    program = tr.compile("param w = 0.5\nparam k = 2\ny(i) = w * x(i) + k")
    assert np.allclose(program(X), X / 2 + 2)
    assert np.allclose(program.run(X, w=3.0), 3 * X + 2)
    assert np.allclose(program.run(X, k=7), X / 2 + 7)


def test_what_functions_read_is_an_operand():
    program = tr.compile("def norm(i) = sqrt(sum(k)(A(i,k)^2))\nB(i,k) = A(i,k) / norm(i) + s", B="dense")
    assert program.operands == ("A", "s")
    D = np.arange(1.0, 7).reshape(2, 3)
    assert np.allclose(program.run(A=D, s=1.0), D / np.linalg.norm(D, axis=1)[:, None] + 1)
    alone = tr.compile("def p(y, x) = image(y, x)\ndef twice(y, x) = 2 * p(y, x)\ne(i,j) = twice(i,j)")
    assert alone.operands == ("image",)
    assert np.allclose(alone(D), 2 * D)


def test_a_parameter_is_a_number():
    with pytest.raises(TypeError, match="no operand z, and a parameter is a number"):
        tr.compile(SPMV).run(A, X, z=X)


def test_index_tensors_are_checked_when_they_are_used():
    gather = tr.compile("y(i) = x(p(i))")
    assert np.array_equal(gather(X, np.array([2, 0, 1])), X[[2, 0, 1]])
    with pytest.raises(tr.Fault) as fault:
        gather(X, np.array([2, 99]))
    assert fault.value.code == "E0502" and "out of range" in str(fault.value)
    promised = tr.compile("tensor p(q): i64 sorted\ntensor x(n)\ny(i) = x(p(i))")
    with pytest.raises(tr.Error) as refused:
        promised.run(p=np.array([2, 1]), x=X)
    assert refused.value.code == "E0416"


def test_a_child_process_has_limits():
    program = tr.compile(SPMV)
    assert np.allclose(program.run(A, X, isolate=True), A @ X)
    assert np.allclose(program.run(A, X, timeout=5), A @ X)
    slow = tr.compile("s = sum(i,j,k)(sqrt(x(i) + x(j) + x(k)))")
    with pytest.raises(tr.Fault) as fault:
        slow.run(np.ones(20000), timeout=0.2)
    assert fault.value.code == "E0504"


def seconds_apart(program, *operands, **options):
    """CPU seconds of the child process of one call, the least of three."""

    def once():
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        program.run(*operands, isolate=True, **options)
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before

    return min(once() for _ in range(3))


def test_a_child_process_runs_native_code():
    square, text = np.ones((250, 250)), "C(i,k) = A(i,j) * A(j,k)"
    native, jit = tr.compile(text, tier="native"), tr.compile(text, tier="jit")
    assert np.all(native.run(square, isolate=True) == 250)
    assert seconds_apart(native, square) < seconds_apart(jit, square) / 2


def test_results_may_go_on_from_what_there_is():
    program = tr.compile("tensor y(n)\nloops { for i { y(i) += x(i) } }")
    assert np.allclose(program(X), X)
    start = np.ones(30)
    assert np.allclose(program.run(X, y=start), 1 + X)
    assert np.all(start == 1)


def test_native_code_takes_over():
    waits = tr.compile(SPMV, tier="native")
    assert np.allclose(waits(A, X), A @ X) and waits.kernels()[0]["native"]
    jit = tr.compile(SPMV, tier="jit")
    for _ in range(5):
        jit(A, X)
    assert not jit.kernels()[0]["native"]
    auto = tr.compile(SPMV + " + 0 * A(i,0)")
    deadline = time.monotonic() + 60
    while not auto.kernels()[0]["native"] and time.monotonic() < deadline:
        assert np.allclose(auto(A, X), A @ X)
        time.sleep(0.01)
    assert auto.kernels()[0]["native"]


def test_threads_share_a_program():
    program = tr.compile("C(i,k) = A(i,j) * B(j,k)")
    B = sp.random(30, 25, density=0.2, format="csr", random_state=2)
    forms = [(A.asformat(a), B.asformat(b)) for a in ("csr", "csc", "coo") for b in ("csr", "csc")]
    expected = (A @ B).toarray()
    wrong = []

    def work():
        for a, b in forms:
            result = program(a, b)
            if not np.allclose(result.toarray() if sp.issparse(result) else result, expected):
                wrong.append((a.format, b.format))

    workers = [threading.Thread(target=work) for _ in range(4)]
    for one in workers:
        one.start()
    for one in workers:
        one.join()
    assert not wrong


def test_a_child_after_fork_computes():
    program = tr.compile(SPMV)
    program(A, X)
    child = os.fork()
    if child == 0:
        right = np.allclose(program(A, X), A @ X) and np.allclose(tr.compile("y(i) = 3 * x(i)")(X), 3 * X)
        os._exit(0 if right else 1)
    assert os.waitpid(child, 0)[1] == 0


@pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""), reason="the sanitizer keeps what is freed")
def test_calls_keep_no_memory():
    multiply = tr.compile("C(i,k) = A(i,j) * B(j,k)", tier="jit")
    B = A.T.tocsr()

    def resident():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")

    for _ in range(200):
        multiply(A, B)
    before = resident()
    for _ in range(3000):
        multiply(A, B)
    assert resident() - before < 8 << 20


def test_min_plus_with_another_fill():
    inf = np.inf
    D = np.array([[0, 3, inf], [inf, 0, 4], [1, inf, 0]])
    S = tr.asarray(D, format="csr")
    paths = tr.compile("P(i,k) = min(j)(D(i,j) + D(j,k))")
    assert np.array_equal(paths(S), (D[:, :, None] + D[None]).min(1))


def test_a_number_is_an_operand_of_rank_0():
    # What is compiled before any operand is known must not pass for what takes a number.
    program = tr.compile("param n = 3\ns = sum(i)(sqrt(i * x)) : 0 <= i < n", tier="jit")
    for number in (1.0, np.float64(1), np.array(1.0)):
        assert program(number) == program.run(x=number) == 1 + np.sqrt(2)


def test_a_recurrence_reads_what_it_defines():
    solve = tr.compile("x(i) = (b(i) - sum(j)(A(i,j) * x(j))) / A(i,i) : j < i", A="csr")
    assert solve.operands == ("b", "A") and solve.results == ("x",)
    A = sp.csr_matrix([[2.0, 0.0], [1.0, 4.0]])
    assert np.array_equal(solve(np.array([2.0, 9.0]), A), [1, 2])
    chain = tr.compile("y(i) = x(i) + 1; x(i) = 2 * a(i)")
    assert chain.operands == ("a",)
