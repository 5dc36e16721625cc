// The sparse kernels of `trellis bench defaults`.
#include "tests/bench/contest.hpp"
#include "tests/bench/defaults_cases.hpp"

namespace trellis::bench {

std::string param(const std::string& name, std::int64_t usually, std::int64_t small) {
  return "param " + name + " = " + std::to_string(sized(usually, small)) + "\n";
}

std::string density(std::int64_t n, double per_row) {
  return only_small() ? "0.3" : std::to_string(per_row / static_cast<double>(n));
}

/// A product as our results are: SciPy leaves the entries of a row in the order in which it met them.
static InPython in_order(const std::string& product) {
  return {"SciPy, rows sorted", "in_order(" + product + ")", "def in_order(C):\n C.sort_indices()\n return C"};
}

std::vector<DefaultsCase> sparse_defaults(const std::string& matrix, const std::string& name) {
  const std::string inputs = "tensor A(n, n): csr\n" + matrix;
  std::vector<DefaultsCase> all;
  const auto add = [&](DefaultsCase one) {
    one.name += ", " + name;
    one.inputs = inputs + one.inputs;
    all.push_back(std::move(one));
  };
  add({"SpMV",
       "tensor x(n)\nrandom x seed 2\n",
       "y(i) = A(i,j) * x(j)\n",
       {{"i j", "tensor y(n)\ny(i) = A(i,j) * x(j)\norder i j\n"},
        {"i j, four rows at once", "tensor y(n)\ny(i) = A(i,j) * x(j)\norder i j\nsplit i into io ii 4\n"}},
       {"SciPy", "A @ x"}});
  add({"SpMM",
       "param r = 16\ntensor D(n, r)\nrandom D seed 2\n",
       "Y(i,k) = A(i,j) * D(j,k)\n",
       {{"i j k", "tensor Y(n, r)\nY(i,k) = A(i,j) * D(j,k)\norder i j k\n"},
        {"i j k, vectors", "tensor Y(n, r)\nY(i,k) = A(i,j) * D(j,k)\norder i j k\nvectorize k\n"},
        {"i k j", "tensor Y(n, r)\nY(i,k) = A(i,j) * D(j,k)\norder i k j\n"}},
       {"SciPy", "A @ D"}});
  add({"SDDMM",
       "param r = 16\ntensor D(n, r)\ntensor E(n, r)\nrandom D seed 2\nrandom E seed 3\n",
       "C(i,j) = A(i,j) * sum(k)(E(i,k) * D(j,k))\n",
       {{"i j k, csr", "tensor C(n, n): csr\nC(i,j) = A(i,j) * sum(k)(E(i,k) * D(j,k))\norder i j k\n"},
        {"i j k, csr, k unrolled",
         "tensor C(n, n): csr\nC(i,j) = A(i,j) * sum(k)(E(i,k) * D(j,k))\norder i j k\nunroll k 8\n"}},
       {"SciPy", "A.data * np.einsum('ek,ek->e', E[I], D[A.indices])",
        "I = np.repeat(np.arange(A.shape[0]), np.diff(A.indptr))"}});
  const std::string square = "tensor C(n, n): csr\nC(i,k) = A(i,j) * A(j,k)\norder i j k\n";
  add({"SpGEMM",
       "",
       "C(i,k) = A(i,j) * A(j,k)\n",
       {{"i j k, csr", square},
        {"i j k, csr, bytemap", square + "workspace w for C(i,:) bytemap\n"},
        {"i j k, csr, hash", square + "workspace w for C(i,:) hash\n"}},
       in_order("A @ A")});
  add({"triangles",
       "tensor L(n, n): csr\nkernel lower { L(i,j) = A(i,j) : j < i; order i j }\n",
       "t = L(i,j) * L(i,k) * L(j,k)\n",
       {{"i j k", "tensor t\nt = L(i,j) * L(i,k) * L(j,k)\norder i j k\n"},
        {"by marked rows",
         "tensor t\ntensor w(n)\nloops { t = 0; for i {\n for k { w(k) = L(i,k) }\n"
         " for j { for k { t += L(i,j) * L(j,k) * w(k) } }\n for k { if L(i,k) != 0 { w(k) = 0 } }\n} }\n"}},
       {"SciPy", "(L @ L).multiply(L).sum()"}});
  const std::string sum = "tensor C(n, n): csr\nC(i,j) = A(i,j) + A(j,i)\norder i j\n";
  const std::string turned = "tensor T(n, n): csr\nkernel turn { T(i,j) = A(j,i); order j i }\n";
  add({"A + A'",
       "",
       "C(i,j) = A(i,j) + A(j,i)\n",
       {{"i j, a hashed copy", sum + "workspace W for A(:,:) hash\n"},
        {"A' first", "tensor C(n, n): csr\n" + turned + "kernel add { C(i,j) = A(i,j) + T(i,j); order i j }\n"}},
       {"SciPy", "A + A.T"}});
  const std::string coarse =
      param("m", 2000, 7) + "tensor P(n, m): csr\nrandom P seed 5 density " + density(2000, 1) + "\n";
  add({"P'AP",
       coarse,
       "R(k,l) = P(i,k) * A(i,j) * P(j,l)\n",
       {{"AP, then P'",
         "tensor Q(n, m): csr\ntensor T(m, n): csr\ntensor R(m, m): csr\n"
         "kernel right { Q(i,l) = A(i,j) * P(j,l); order i j l }\nkernel turn { T(k,i) = P(i,k); order i k }\n"
         "kernel left { R(k,l) = T(k,i) * Q(i,l); order k i l }\n"},
        {"AP, then P', R dense",
         "tensor Q(n, m): csr\ntensor R(m, m)\nkernel right { Q(i,l) = A(i,j) * P(j,l); order i j l }\n"
         "kernel left { R(k,l) = P(i,k) * Q(i,l); order i k l }\n"}},
       in_order("P.T @ A @ P")});
  add({"A'A",
       "",
       "C(j,k) = A(i,j) * A(i,k)\n",
       {{"A' first", "tensor C(n, n): csr\n" + turned + "kernel multiply { C(j,k) = T(j,i) * A(i,k); order j i k }\n"}},
       in_order("A.T @ A")});
  const std::string few = param("m", 2000, 7);
  add({"columns by a list",
       few + "tensor q(m): i64 injective range(0, n)\nrandom q seed 6\n",
       "Z(i,b) = A(i,q(b))\n",
       {{"marks of columns",
         "tensor Z(n, m): csr\ntensor at(n): i64\nloops { for b { at(q(b)) = b + 1 }\n"
         "  for i { for j { if A(i,j) != 0 { if at(j) > 0 { Z(i, at(j) - 1) = A(i,j) } } } } }\n"}},
       {"SciPy", "A[:, q]"}});
  add({"rows by a list",
       few + "tensor p(m): i64 range(0, n)\nrandom p seed 6\n",
       "Z(a,j) = A(p(a),j)\n",
       {{"a j, csr", "tensor Z(m, n): csr\nZ(a,j) = A(p(a),j)\norder a j\n"}},
       {"SciPy", "A[p]"}});
  const std::string masked = "C(i,j) = M(i,j) ? sum(k)(A(i,k) * A(k,j)) : 0\n";
  add({"masked product",
       "tensor M(n, n): {dense, compressed, pattern} bool\nrandom M seed 7 density " + density(20'000, 5) + "\n",
       masked,
       {{"i k j, csr", "tensor C(n, n): csr\n" + masked + "order i k j\n"},
        {"i j k, csr", "tensor C(n, n): csr\n" + masked + "order i j k\n"},
        {"i j k, csr, a copy",
         "tensor C(n, n): csr\ntensor T(n, n): csr\nkernel turn { T(i,j) = A(j,i); order j i }\n"
         "kernel multiply { C(i,j) = M(i,j) ? sum(k)(A(i,k) * T(j,k)) : 0; order i j k }\n"}},
       {"SciPy", "(A @ A).multiply(N)", "N = sp.csr_matrix((np.ones(len(M_0)), (M_0, M_1)), shape=A.shape)"}});
  add({"PageRank step",
       "param d = 0.85\ntensor x(n)\ntensor out(n)\nrandom x seed 2\nrandom out seed 3 range 1:9\n",
       "y(i) = (1-d)/n + d * sum(j)(A(i,j) * x(j) / out(j))\n",
       {{"i j", "tensor y(n)\ny(i) = (1-d)/n + d * sum(j)(A(i,j) * x(j) / out(j))\norder i j\n"},
        {"quotients first",
         "tensor y(n)\ntensor z(n)\nkernel divide { z(j) = x(j) / out(j); order j }\n"
         "kernel step { y(i) = (1-d)/n + d * sum(j)(A(i,j) * z(j)); order i j }\n"}},
       {"SciPy", "0.15 / len(x) + 0.85 * (A @ (x / out))"}});
  return all;
}

}  // namespace trellis::bench
