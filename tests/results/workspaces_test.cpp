// Which workspaces results in sparse formats need, and the loops with them.
#include <doctest/doctest.h>

#include <array>
#include <map>
#include <set>

#include "engine/compile.hpp"
#include "engine/lang/parse.hpp"
#include "engine/loop/print.hpp"
#include "engine/loop/read.hpp"
#include "engine/results/apply_masks.hpp"
#include "engine/results/insert_workspaces.hpp"
#include "engine/results/stored_masks.hpp"

namespace trellis::results {
namespace {

using Formats = std::map<std::string, std::string>;

/// The loops of a program for dense tensors once some have a named format, and below them how each result is written.
std::string written(const std::string& source, const Formats& formats, const std::set<std::string>& inherited = {},
                    const std::vector<lang::Schedule::Workspace>& workspaces = {},
                    const std::vector<lang::Schedule::Mask>& masks = {}) {
  text::Sources sources;
  text::Diagnostics diagnostics;
  const int number = sources.add("test", source);
  auto program = lang::resolve(lang::parse(sources, number, diagnostics), diagnostics);
  REQUIRE(program);
  Compilation c = compile(*program, program->kernels.front(), diagnostics);
  for (const auto& d : diagnostics.all())
    if (d.severity == text::Severity::error) FAIL_CHECK(text::render(d, sources, text::Colour::off));
  REQUIRE(c.loops);
  for (lang::TensorInfo& tensor : program->tensors)
    if (const auto wanted = formats.find(tensor.name); wanted != formats.end()) {
      tensor.format = format::Format::named(wanted->second, static_cast<int>(tensor.shape.size())).value();
    }
  const auto store = [&](const auto& self, const loop::Stmt& stmt) -> loop::Stmt {
    const auto* d = stmt.as<loop::Declare>();
    if (!d || !formats.contains(d->tensor.name))
      return loop::map_children(
          stmt, [&](const loop::Stmt& s) { return self(self, s); }, [](const loop::Expr& e) { return e; });
    lang::TensorInfo tensor = d->tensor;
    tensor.format = format::Format::named(formats.at(tensor.name), static_cast<int>(tensor.shape.size())).value();
    return loop::Stmt(loop::StmtNode{loop::Declare{std::move(tensor)}, {}}, {}, stmt.id());
  };
  c.loops = store(store, c.loops);
  c.kernel.inherited = inherited;
  c.kernel.schedule.workspaces = workspaces;
  math::Solver solver(lang::size_assumptions(*program));
  text::Diagnostics refusals;
  c.kernel.schedule.masks = masks;
  const StoredMasks seen = stored_masks(c.loops, c.kernel, *program);
  *program = seen.seen;
  const auto insertion =
      insert_workspaces(apply_masks(c.loops, seen.kernel, *program), seen.kernel, *program, solver, refusals);
  std::string result;
  for (const auto& d : refusals.all()) {
    result += d.code + " " + d.message + "\n";
    for (const auto& note : d.notes) result += note.message + "\n";
  }
  if (!insertion) return result;
  CHECK(loop::verify(insertion->loops, *program) == "");
  result += loop::to_string(loop::without_notes(insertion->loops));
  for (const Written& w : insertion->written) result += to_string(w, *program) + "\n";
  return result;
}

const std::string product = "tensor A(n, n); tensor B(n, n); tensor C(n, n)\nC(i,j) = A(i,k)*B(k,j)\norder ";
const std::string cholesky =
    "tensor A(n, n); tensor L(n, n)\n"
    "L(i,j) = (A(i,j) - sum(k)(L(i,k)*L(j,k))) / L(j,j) : k < j < i\n"
    "L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2)) : k < i\norder ";

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

TEST_CASE("a mask guards what an element is computed with") {
  const std::string masked = "tensor M(n, n): bool\n" + cholesky;
  CHECK(written(masked + "i j k", {{"L", "csr"}}, {}, {}, {{"L", "M", {}}}) == R"(for i in 0:n {
  tensor tL2: f64
  tL2 = 0
  for j in 0:i {
    if M(i,j) {
      tensor tL1: f64
      tL1 = 0
      forall k in 0:j reduces tL1 {
        tL1 += L(i,k)*L(j,k)
      }
      L(i,j) = (A(i,j) - tL1)/L(j,j)
      tL2 += L(i,j)^2
    }
  }
  if M(i,i) {
    L(i,i) = sqrt(A(i,i) - tL2)
  }
}
L: each entry is appended as it is computed
)");
  CHECK(written(masked + "i k j", {{"L", "csr"}}, {}, {}, {{"L", "M", {}}}) == R"(for i in 0:n {
  tensor tL1(n): f64
  forall j in 0:i {
    if M(i,j) {
      tL1(j) = 0
    }
  }
  tensor tL2: f64
  tL2 = 0
  for k in 0:i {
    if M(i,k) {
      L(i,k) = (A(i,k) - tL1(k))/L(k,k)
      forall j in k + 1:i {
        tL1(j) += L(i,k)*L(j,k)
      }
      tL2 += L(i,k)^2
    }
  }
  if M(i,i) {
    L(i,i) = sqrt(A(i,i) - tL2)
  }
}
L: each entry is appended as it is computed
)");
}

TEST_CASE("a mask leaves out whole sums, and an automatic one nothing") {
  const std::string sampled =
      "tensor M(n, n); tensor A(n, n); tensor B(n, n); tensor C(n, n)\nC(i,j) = A(i,k)*B(j,k)\norder i j k";
  CHECK(written(sampled, {{"C", "dcsr"}, {"M", "csr"}}, {}, {}, {{"C", "M", {}}}) == R"(forall i in 0:n {
  forall j in 0:n {
    if M(i,j) {
      tensor C_w: f64
      C_w = 0
      forall k in 0:n reduces C_w {
        C_w += A(i,k)*B(j,k)
      }
      C(i,j) = C_w
    }
  }
}
C: each element is collected in C_w, then appended, because C(0,0) is written again at i=0, j=0, k=1
)");
  CHECK(written(sampled, {{"C", "csr"}}, {}, {}, {{"C", {}, {}}}) == written(sampled, {{"C", "csr"}}));
}

TEST_CASE("a mask in the result's own layout lends it its entries") {
  const std::string sampled =
      "tensor M(n, n); tensor A(n, n); tensor B(n, n); tensor C(n, n)\nC(i,j) = A(i,k)*B(j,k)\norder i j k";
  CHECK(written(sampled, {{"C", "csr"}, {"M", "csr"}}, {}, {}, {{"C", "M", {}}}) == R"(forall i in 0:n {
  forall j in 0:n {
    if M(i,j) {
      forall k in 0:n reduces C {
        C(i,j) += A(i,k)*B(j,k)
      }
    }
  }
}
C: its entries are those of mask M, which it shares
)");
}

TEST_CASE("a loop that would look a result up goes by the mask that it walks") {
  const std::string masked = "tensor R(n, n): bool; tensor K(n, n): bool\n" + cholesky;
  const std::vector<lang::Schedule::Mask> both = {{"L", "R", {}}, {"L", "K", {}}};
  const Formats formats = {{"L", "csc"}, {"R", "csr"}, {"K", "csc"}};
  const std::string found = written(masked + "j k i", formats, {}, {}, both);
  CHECK(found.find(R"( {
    if R(j,k) {
      forall i in j + 1:n {
        tL1(i) += L(i,k)*L(j,k))") != std::string::npos);
  CHECK(found.find("L: its entries are those of mask K, which it shares\n") != std::string::npos);
}

TEST_CASE("of two masks that is taken which the loops walk") {
  const std::string masked = "tensor R(n, n): bool; tensor K(n, n): bool\n" + cholesky;
  const std::vector<lang::Schedule::Mask> both = {{"L", "R", {}}, {"L", "K", {}}};
  const Formats formats = {{"L", "csr"}, {"R", "csr"}, {"K", "csc"}};
  CHECK(written(masked + "i j k", formats, {}, {}, both).find("if R(i,j)") != std::string::npos);
  CHECK(written(masked + "j k i", formats, {}, {}, both).find("if K(i,j)") != std::string::npos);
}

}  // namespace
}  // namespace trellis::results
