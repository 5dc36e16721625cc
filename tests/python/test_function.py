"""trellis.function: functions of Python as definitions of the language."""

import math

import numpy as np
import pytest
import scipy.sparse as sp

import trellis as tr

SCALE = 3


@tr.function
def soft(x):
    """Towards 0 by a half."""
    return max(abs(x) - 0.5, 0.0)


def plain(x, y):
    z = x * SCALE
    if y > 0:
        z += y
    else:
        z -= 2
    return z / (1 + y**2)


def early(x):
    if x < 0:
        return -x
    if 0 <= x < 1:
        return x // 2.0
    return x % 2


def counts(x):
    steps = 0.0
    while abs(x) > 1:
        x = x / 2
        steps += 1
    return steps + x


@pytest.mark.parametrize("f", [plain, early, counts])
def test_agrees_with_python(f):
    one = tr.function(f)
    many = 1 + (f is plain)
    rng = np.random.default_rng(1)
    operands = [rng.normal(size=50) * 3 for _ in range(many)]
    reads = ", ".join("xy"[k] + "(i)" for k in range(many))
    program = tr.compile(f"r(i) = {f.__name__}({reads})", functions=[one])
    assert np.allclose(program(*operands), [f(*values) for values in zip(*operands)], rtol=1e-13)
    assert one(*[o[0] for o in operands]) == f(*[o[0] for o in operands])


def test_integers_divide_as_in_python():
    @tr.function
    def share(x, y):
        return x / y

    program = tr.compile("r(i) = share(x(i), y(i))", functions=[share])
    assert np.array_equal(program(np.array([1, 7]), np.array([2, 2])), [0.5, 3.5])

    @tr.function
    def parts(x, y):
        return x // y * 10 + x % y

    program = tr.compile("r(i) = parts(x(i), y(i))", functions=[parts])
    x, y = np.array([7, -7, 8]), np.array([2, 2, -3])
    assert np.array_equal(program(x, y), x // y * 10 + x % y)


def test_properties_let_loops_leave_out_what_is_not_stored():
    @tr.function(commutative=True, annihilator=0)
    def both(x, y):
        return x * y / (1.0 + abs(x * y))

    A = sp.random(30, 30, 0.2, "csr", random_state=1)
    program = tr.compile("C(i,j) = both(A(i,j), B(i,j))", functions=[both])
    result = program(A, A)
    assert sp.issparse(result) and result.nnz == A.nnz
    dense = A.toarray() ** 2
    assert np.allclose(result.toarray(), dense / (1 + dense))


def test_a_property_that_does_not_hold():
    @tr.function(commutative=True)
    def minus(x, y):
        return x - y

    with pytest.raises(tr.Error) as caught:
        tr.compile("r(i) = minus(x(i), 1.0)", functions=[minus])(np.ones(2))
    assert caught.value.code == "E0238"


def helper(x):
    return x + 1


def test_functions_that_call_functions():
    @tr.function
    def outer(x):
        return helper(x) * 2

    assert np.array_equal(tr.compile("r(i) = outer(x(i))", functions=[outer])(np.arange(3.0)), [2, 4, 6])


def test_places_stay_those_of_the_text():
    with pytest.raises(tr.Error) as caught:
        tr.compile("r(i) = soft(x(i)", functions=[tr.function(helper)])
    assert caught.value.place[0] == 1


def listed(x):
    return [x]


def looped(x):
    for k in range(3):
        x += k
    return x


def strange(x):
    return math.gamma(x)


def nothing(x):
    x += 1


def amid(x):
    while x > 0:
        return x
    return 0


@pytest.mark.parametrize("f, says", [(listed, "line"), (looped, "while"), (strange, "gamma"), (nothing, "return"),
                                     (amid, "at the end")])
def test_what_the_language_cannot_say(f, says):
    with pytest.raises(tr.Error) as caught:
        tr.function(f)
    assert caught.value.code == "E0710" and says in str(caught.value)
    assert caught.value.fixes


def test_what_means_something_else():
    def least(x, y):
        return min(x, y) if x == x else y

    tr.compile("r(i) = least(x(i), x(i))", functions=[least])

    class Odd(float):
        def __mul__(self, other):
            return 7.0

    odd = Odd(2.0)

    def other(x):
        return odd * x

    with pytest.raises(tr.Error) as caught:
        tr.compile("r(i) = other(x(i))", functions=[other])
    assert caught.value.code == "E0711"
