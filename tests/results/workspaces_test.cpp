// Which workspaces results in sparse formats need, and the loops with them.
#include <doctest/doctest.h>

#include <array>

#include "engine/compile.hpp"
#include "engine/lang/parse.hpp"
#include "engine/results/insert_workspaces.hpp"
#include "tests/results/loops_written.hpp"

namespace trellis::results {
namespace {

const std::string product = "tensor A(n, n); tensor B(n, n); tensor C(n, n)\nC(i,j) = A(i,k)*B(k,j)\norder ";
const std::string factors =
    "tensor A(n, n); tensor L(n, n); tensor U(n, n)\n"
    "U(i,j) = A(i,j) - sum(k)(L(i,k)*U(k,j)) : k < i, i <= j\n"
    "L(i,j) = (A(i,j) - sum(k)(L(i,k)*U(k,j)))/U(j,j) : k < j < i\norder ";

/// The lines behind the loops: how each result is written.
std::string ways(const std::string& text) { return text.substr(text.rfind("}\n") + 2); }

TEST_CASE("dense results need nothing, and their loops stay the very same") {
  text::Sources sources;
  text::Diagnostics diagnostics;
  const int number = sources.add("test", product + "i j k");
  const auto program = lang::resolve(lang::parse(sources, number, diagnostics), diagnostics).value();
  const Compilation c = compile(program, program.kernels.front(), diagnostics);
  math::Solver solver(lang::size_assumptions(program));
  CHECK(insert_workspaces(c.loops, c.kernel, program, solver, diagnostics)->loops.same(c.loops));
  CHECK(c.written.empty());
}

TEST_CASE("a product by rows collects a row") {
  CHECK(written(product + "i k j", {{"C", "csr"}}) == R"(forall i in 0:n {
  tensor C_w(n): bytemap f64
  C_w .= 0
  forall k in 0:n reduces C_w {
    forall j in 0:n {
      C_w(j) += A(i,k)*B(k,j)
    }
  }
  for j in 0:n {
    C(i,j) = C_w(j)
  }
}
C: each C(i,:) is collected in C_w(n): bytemap, then appended, because C(0,0) is written at i=0, k=1, j=0 after C(0,1)
)");
}

TEST_CASE("a product by inner products collects an element") {
  CHECK(written(product + "i j k", {{"C", "csr"}}) == R"(forall i in 0:n {
  forall j in 0:n {
    tensor C_w: f64
    C_w = 0
    forall k in 0:n reduces C_w {
      C_w += A(i,k)*B(k,j)
    }
    C(i,j) = C_w
  }
}
C: each element is collected in C_w, then appended, because C(0,0) is written again at i=0, j=0, k=1
)");
}

TEST_CASE("a product by outer products collects everything") {
  CHECK(written(product + "k i j", {{"C", "csr"}}) == R"(tensor C_w(n, n): {dense, hashed} f64
C_w .= 0
forall k in 0:n reduces C_w {
  forall i in 0:n {
    forall j in 0:n {
      C_w(i,j) += A(i,k)*B(k,j)
    }
  }
}
for i in 0:n {
  for j in 0:n {
    C(i,j) = C_w(i,j)
  }
}
C: all of it is collected in C_w(n, n): {dense, hashed}, then appended, because C(0,0) is written at k=1, i=0, j=0 after C(1,0)
)");
}

TEST_CASE("an elementwise product is appended as it is computed") {
  CHECK(written("tensor A(n, n); tensor B(n, n); tensor C(n, n)\nC(i,j) = A(i,j)*B(i,j)\norder i j", {{"C", "csr"}}) ==
        "forall i in 0:n {\n  forall j in 0:n {\n    C(i,j) = A(i,j)*B(i,j)\n  }\n}\nC: each entry is appended as it "
        "is computed\n");
}

TEST_CASE("a single update of an element appends it") {
  CHECK(written("tensor A(n, n); tensor C(n, n)\nloops {\n  C .= 0\n  for i, j { C(i,j) += A(i,j) }\n}",
                {{"C", "dcsr"}}, {"C"}) ==
        "C .= 0\nfor i in 0:n {\n  for j in 0:n {\n    C(i,j) = A(i,j)\n  }\n}\nC: each entry is appended as it is "
        "computed\n");
}

TEST_CASE("Cholesky in every order, by rows and by columns") {
  const std::string appended = "L: each entry is appended as it is computed\n";
  const std::map<std::string, std::array<std::string, 2>> orders = {
      {"i j k", {"", "L(3,0) is written at i=3, j=0 after L(2,1)"}},
      {"i k j", {"", "L(3,0) is written at i=3, k=0 after L(2,1)"}},
      {"j i k", {"L(1,1) is written at j=1 after L(2,0)", ""}},
      {"j k i", {"L(1,1) is written at j=1 after L(2,0)", ""}},
      {"k i j", {"L(1,1) is written at k=1 after L(2,0)", ""}},
      {"k j i", {"L(1,1) is written at k=1 after L(2,0)", ""}}};
  for (const auto& [order, reasons] : orders)
    for (int f = 0; f < 2; ++f) {
      CAPTURE(order);
      const std::string text = written(cholesky + order, {{"L", f ? "csc" : "csr"}});
      if (reasons[f].empty()) CHECK(ways(text) == appended);
      else CHECK(ways(text).ends_with("then appended, because " + reasons[f] + "\n"));
    }
}

TEST_CASE("what is collected is stored as the loops read it, and brought into order behind them") {
  CHECK(written(cholesky + "k j i", {{"L", "csr"}}) == R"(tensor L_w(n, n): {dense, bytemap} @ (1, 0) f64
L_w .= 0
tensor tL1(n, n): f64
forall i in 0:n {
  forall j in 0:i {
    tL1(i,j) = 0
  }
}
tensor tL2(n): f64
forall i in 0:n {
  tL2(i) = 0
}
for k in 0:n {
  L_w(k,k) = sqrt(A(k,k) - tL2(k))
  forall i in k + 1:n {
    L_w(i,k) = (A(i,k) - tL1(i,k))/L_w(k,k)
    tL2(i) += L_w(i,k)^2
  }
  forall j in k + 1:n {
    forall i in j + 1:n {
      tL1(i,j) += L_w(i,k)*L_w(j,k)
    }
  }
}
tensor L_w2(n, n): {dense, hashed} f64
L_w2 .= 0
forall k in 0:n {
  forall i in 0:n {
    L_w2(i,k) = L_w(i,k)
  }
}
for i in 0:n {
  for k in 0:n {
    L(i,k) = L_w2(i,k)
  }
}
L: all of it is collected in L_w(n, n): {dense, bytemap} @ (1, 0), then L_w2(n, n): {dense, hashed}, then appended, because L(1,1) is written at k=1 after L(2,0)
)");
}

TEST_CASE("both factors of LU are appended to by rows") {
  CHECK(ways(written(factors + "i k j", {{"L", "csr"}, {"U", "csr"}})) ==
        "L: each entry is appended as it is computed\nU: each entry is appended as it is computed\n");
  CHECK(ways(written(factors + "k i j", {{"L", "csc"}, {"U", "csr"}})) ==
        "U: each entry is appended as it is computed\nL: each entry is appended as it is computed\n");
}

TEST_CASE("a matrix is transposed by counting, or sorted in a hash table where entries of a fiber do not rise") {
  CHECK(ways(written("tensor A(n, m); tensor B(m, n)\nB(j,i) = A(i,j)\norder i j", {{"B", "csr"}})) ==
        "B: entries are counted, fiber by fiber, and then put where they belong, because B(0,1) is written at i=1, j=0 "
        "after B(1,0)\n");
  CHECK(ways(written("tensor A(n, m); tensor B(m, n)\nB(j,i) = A(i,j)\norder i- j", {{"B", "csr"}})) ==
        "B: all of it is collected in B_w(m, n): {dense, hashed}, then appended, because B(0,0) is written at i=0, j=0 "
        "after B(1,1)\n");
}

TEST_CASE("what a result held stays where nothing writes it") {
  const std::string scaling = "tensor A(n, n); tensor C(n, n)\nloops { for i, j in 0:i { C(i,j) = 2*A(i,j) } }";
  CHECK(written(scaling, {{"C", "csr"}}, {"C"}) == R"(tensor C_old(n, n): {dense, hashed} f64
C_old .= 0
forall i in 0:n {
  forall j in 0:n {
    C_old(i,j) = C(i,j)
  }
}
C .= 0
for i in 0:n {
  tensor C_w(n): bytemap f64
  C_w .= 0
  forall j in 0:n {
    C_w(j) = C_old(i,j)
  }
  for j in 0:i {
    C_w(j) = 2*A(i,j)
  }
  for j in 0:n {
    C(i,j) = C_w(j)
  }
}
C: what it held is copied to C_old(n, n): {dense, hashed}, then C_w(n): bytemap, and each entry is appended as it is computed of that
)");
  CHECK(ways(written(scaling, {{"C", "csr"}})) == "C: each entry is appended as it is computed\n");
}

TEST_CASE("what a result held is of no use where everything is overwritten") {
  CHECK(written("tensor x(n); tensor y(n)\nloops { for i { y(i) = 2*x(i) } }", {{"y", "csf"}}, {"y"}) ==
        "y .= 0\nfor i in 0:n {\n  y(i) = 2*x(i)\n}\ny: each entry is appended as it is computed\n");
  CHECK(ways(written("tensor x(n); tensor y(n)\nloops { for i { y(i) = y(i) + x(i) } }", {{"y", "csf"}}, {"y"})) ==
        "y: what it held is copied to y_old(n): hashed, and each entry is appended as it is computed of that\n");
}

TEST_CASE("a loop that goes on until it is done collects what it writes") {
  const std::string text = written(
      "tensor N(n): bool; tensor F(n): bool; tensor A(n, n): bool\nloops {\n  F(0) = true\n"
      "  while any(i)(F(i)) { N .= false; for j, k { if F(j) && A(j,k) { N(k) ||= true } }\n  F .= false; for k { if "
      "N(k) { F(k) = true } } }\n}",
      {{"F", "csf"}, {"N", "csf"}});
  CHECK(ways(text) ==
        "F: all of it is collected in F_w(n): bytemap, then appended, because F is reset while the loops write it\n"
        "N: all of it is collected in N_w(n): bytemap, then appended, because N is reset while the loops write it\n");
}

TEST_CASE("a temporary in a format that only appends is stored in another") {
  CHECK(ways(written("tensor A(n, n); tensor y(n)\nloops {\n  tensor t(n)\n  for i { t .= 0; for j { t(j) += A(i,j) }; "
                     "for j { y(j) += t(j) } }\n}",
                     {{"t", "csf"}})) == "t: stored as bytemap, because it is a temporary\n");
}

TEST_CASE("a requested workspace is used where it fits") {
  using Workspace = lang::Schedule::Workspace;
  const Workspace row{"w", "C", {1}, Workspace::Kind::hash, {}}, column{"w", "C", {0}, Workspace::Kind::bytemap, {}},
      all{"w", "C", {0, 1}, Workspace::Kind::dense, {}};
  CHECK(
      ways(written(product + "i j k", {{"C", "csr"}}, {}, {row})) ==
      "C: each C(i,:) is collected in w(n): hashed, then appended, because C(0,0) is written again at i=0, j=0, k=1\n");
  CHECK(ways(written(product + "k i j", {{"C", "csr"}}, {}, {all})) ==
        "C: all of it is collected in w(n, n): dense, then appended, because C(0,0) is written at k=1, i=0, j=0 after "
        "C(1,0)\n");
  CHECK(written(product + "k i j", {{"C", "csr"}}, {}, {row}) ==
        "E0146 the loops do not finish C(i,:) before they begin the next\nC(0,0) is written at k=1, i=0, j=0 after "
        "C(1,0)\n"
        "`workspace w for C(:,:)` always fits\n");
  CHECK(written(product + "j i k", {{"C", "csr"}}, {}, {column}) ==
        "E0146 the loops do not finish C(:,j) before they begin the next\nits format, csr, stores other dimensions "
        "innermost\n"
        "`workspace w for C(:,:)` always fits\n");
}

}  // namespace
}  // namespace trellis::results
