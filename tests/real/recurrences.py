#!/usr/bin/env python3
"""Factorises real matrices in every loop order and format: recurrences.py TRELLIS DATA [PART].

Cholesky, and LU with both of its solves, from the same equations as on dense matrices; `check` compares each kernel with the
reference evaluator. DATA is a folder with `matrix/`. PART of a line that is printed chooses programs.
"""
import itertools
import sys

from trellis import Folder, find, finish, verdict

FORMATS = ("csr", "csc", "dcsr", "coo")

CHOLESKY = """
tensor A(n, n): {format}
tensor L(n, n): {format}
load A "{matrix}"
L(i,j) = (A(i,j) - sum(k)(L(i,k) * L(j,k))) / L(j,j) : k < j < i
L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2))             : k < i
order {order}
run
check
"""

LU = """
tensor A(n, n): {format}
tensor L(n, n): {format}
tensor U(n, n): {format}
tensor b(n)
tensor y(n)
tensor x(n)
load A "{matrix}"
random b seed 2 density 1
kernel factor {{
  U(i,j) = A(i,j) - sum(k)(L(i,k) * U(k,j))            : k < i <= j
  L(i,j) = (A(i,j) - sum(k)(L(i,k) * U(k,j))) / U(j,j) : k < j < i
  order {order}
}}
kernel forward  {{ y(i) = b(i) - sum(j)(L(i,j) * y(j)) : j < i; order {forward} }}
kernel backward {{ x(i) = (y(i) - sum(j)(U(i,j) * x(j))) / U(i,i) : j > i; order {backward} }}
run
check
"""

PROBLEMS = {"1138_bus": ("Cholesky", CHOLESKY, 1), "nasa1824": ("Cholesky", CHOLESKY, 1), "bcsstk16": ("Cholesky", CHOLESKY, 1),
            "orsirr_1": ("LU and solves", LU, 3), "arc130": ("LU and solves", LU, 3)}


def factorise(trellis, equations, kernels, matrix, form, order):
    """Runs and checks one program; returns what went wrong, or nothing, and the seconds."""
    solve = "i j" if order.index("i") < order.index("j") else "j i"
    program = equations.format(format=form, matrix=matrix, order=" ".join(order), forward=solve,
                               backward=solve.replace("i", "i-").replace("j", "j-"))
    try:
        with Folder(trellis) as folder:
            said, seconds = folder.run(program, timeout=3600)
        return "" if said.count("agrees with the reference") == kernels else said, seconds
    except RuntimeError as error:
        return str(error), 0


def main(trellis, data, part=""):
    for name, (title, equations, kernels) in PROBLEMS.items():
        matrix = find(data, "matrix", name)
        for form, order in itertools.product(FORMATS, itertools.permutations("ijk")):
            what = f"{title} {name} {form} {' '.join(order)}"
            if part in what:
                verdict(what, *factorise(trellis, equations, kernels, matrix, form, order))
    return finish()


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__.strip())
    sys.exit(main(*sys.argv[1:]))
