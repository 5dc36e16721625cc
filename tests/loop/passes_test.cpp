// Each normalising pass alone: loops before, loops after.

#include "engine/loop/drop_implied_guards.hpp"
#include "engine/loop/guard_reductions.hpp"
#include "engine/loop/hoist_guards.hpp"
#include "engine/loop/inline_single_iterations.hpp"
#include "engine/loop/join_guards.hpp"
#include "engine/loop/merge_blocks.hpp"
#include "engine/loop/simplify_expressions.hpp"
#include "engine/loop/split_bounds.hpp"
#include "tests/loop/notation.hpp"

using namespace trellis;
using namespace trellis::loop;
using namespace trellis::loop::testing;

namespace {

using Solving = Stmt (*)(const Stmt&, math::Solver&);

void check(Stmt (*pass)(const Stmt&), const std::string& before, const std::string& after) {
  CHECK(to_string(pass(loops(before))) == to_string(loops(after)));
}
void check(Solving pass, const std::string& before, const std::string& after) {
  const Stmt result = pass(loops(before), solver());
  CHECK(verify(result, world()) == "");
  CHECK(to_string(result) == to_string(loops(after)));
}
/// Nothing to do: the very same handle comes back.
void check_kept(Solving pass, const std::string& notation) {
  const Stmt before = loops(notation);
  CHECK(pass(before, solver()).same(before));
}

Stmt drop(const Stmt& stmt, math::Solver& with) { return merge_blocks(drop_implied_guards(stmt, with)); }
Stmt split(const Stmt& stmt, math::Solver& with) { return merge_blocks(split_bounds(stmt, with)); }

}  // namespace

TEST_CASE("simplify_expressions") {
  auto same = [](const std::string& before, const std::string& after) {
    INFO(before);
    check(simplify_expressions, before, after);
  };
  same("s = 2 + 3", "s = 5");
  same("s = x(0)*1", "s = x(0)");
  same("s = -(-x(0))", "s = x(0)");
  same("s = x(0) - 0", "s = x(0)");
  same("s = x(0) + 0", "s = x(0) + 0");  // -0.0 + 0 is 0.0
  same("s = x(0)*0", "s = x(0)*0");      // inf * 0 is nan
  same("p(0) = p(1) + 0", "p(0) = p(1)");
  same("p(0) = p(1)*0", "p(0) = 0");
  same("s = min(x(0), x(0))", "s = x(0)");
  same("p(0) = min(min(p(1), 3), 5)", "p(0) = min(p(1), 3)");
  same("p(0) = 1/0", "p(0) = 1/0");  // a fault stays one
  same("for i in 0+0:n+1-1 { x(i+1-1) = y(2*i-i) }", "for i in 0:n { x(i) = y(i) }");
  same("for i in 0:n { x(0+i*1) = 1 }", "for i in 0:n { x(i) = 1 }");
  same("for i in min(n, n):max(0, max(n, 3)) { s = 1 }", "for i in n:max(n, 3) { s = 1 }");
  same("if true && F(0) { s = 1 }", "if F(0) { s = 1 }");
  same("if F(0) || false { s = 1 }", "if F(0) { s = 1 }");
  same("if F(p(0)) && false { s = 1 }", "if F(p(0)) && false { s = 1 }");  // the index may be a fault
  same("if !!F(0) { s = 1 }", "if F(0) { s = 1 }");
  same("if !(p(0) < p(1)) { s = 1 }", "if p(0) >= p(1) { s = 1 }");
  same("if !(x(0) < x(1)) { s = 1 }", "if !(x(0) < x(1)) { s = 1 }");  // nan
  same("for i in 0:n { if i + 1 < i + 3 { s = 1 } }", "for i in 0:n { if true { s = 1 } }");
  same("for i in 0:n { if abs(i - 2) <= 1 { s = 1 } }", "for i in 0:n { if i - 2 <= 1 && -1 <= i - 2 { s = 1 } }");
  same("for i in 0:n { if abs(p(i)) <= 1 { s = 1 } }",
       "for i in 0:n { if abs(p(i)) <= 1 { s = 1 } }");  // data may wrap
  same("s = true ? x(0) : y(0)", "s = x(0)");
  same("s = F(0) ? x(0) : x(0)", "s = x(0)");
  same("F(0) = F(1) ? true : false", "F(0) = F(1)");
  same("p(0) = F(1) ? 1 : 0", "p(0) = F(1) ? 1 : 0");
}

TEST_CASE("drop_implied_guards") {
  check(drop, "for j in 0:m { for i in 0:j { if i < j { s = 1 } } }", "for j in 0:m { for i in 0:j { s = 1 } }");
  check(drop, "for j in 0:n { if j >= 0 && F(j) { s = 1 } }", "for j in 0:n { if F(j) { s = 1 } }");
  check(drop, "for j in 0:n { x(j) = j == n ? 1 : y(j) }", "for j in 0:n { x(j) = y(j) }");
  check(drop, "for i in 0:n { for k in 0:min(i, n) { s += 1 } }", "for i in 0:n { for k in 0:i { s += 1 } }");
  check(drop, "for i in max(0, n - m):n { if i >= 0 { s = 1 } }", "for i in max(0, n - m):n { s = 1 }");
  check(drop, "for i in 0:min(max(n, 6), 6) { s = 1 }", "for i in 0:6 { s = 1 }");
  check(drop, "for i in 0:max(n, 6) { if i >= 0 { s = 1 } }", "for i in 0:max(n, 6) { s = 1 }");
  check(drop, "let k = n + 1 { if k > n { s = 1 } else { s = 2 } }", "let k = n + 1 { s = 1 }");
  check_kept(drop, "for i in 0:n { if i < m { s = 1 } }");
  check(drop, "for i in 0:n { for j in n:i { s = 1 } }", "");
}

TEST_CASE("hoist_guards") {
  const Solving hoist = [](const Stmt& s, math::Solver& with) {
    return merge_blocks(drop(hoist_guards(s, with), with));
  };
  check(hoist, "for i in 0:n { for j in 0:n { if j < i { A(i,j) = 1 } } }",
        "for i in 0:n { for j in 0:i { A(i,j) = 1 } }");
  check(hoist, "for j in 0:n { for i in 0:n { if j < i { A(i,j) = 1 } } }",
        "for j in 0:n { for i in j+1:n { A(i,j) = 1 } }");
  check(hoist, "for i in 0:n { for j in 0:n { if F(j) && i < m { s = 1 } } }",
        "for i in 0:min(n, m) { for j in 0:n { if F(j) { s = 1 } } }");
  check(hoist, "for i in 0:n { for j in 0:n { if j < i { s = 1 }; if j <= i { s = 2 } } }",
        "for i in 0:n { for j in 0:i+1 { if j < i { s = 1 }; s = 2 } }");
  check(hoist, "for i in 0:n { if 2*i < n { x(2*i) = 1 } }", "for i in 0:(n + 1)/2 { x(2*i) = 1 }");
  check(hoist, "for i in 0:n { for j in 0:n { if i/4 == j/4 { A(i,j) = 1 } } }",
        "for i in 0:n { for j in 4*(i/4):min(n, 4*(i/4) + 4) { A(i,j) = 1 } }");
  check(hoist, "for i in 0:n { for j in -9:n { if i/4 <= (2 - j)/3 { s = 1 } } }",  // rounds down below 0 as well
        "for i in 0:n { for j in -9:min(n, -3*(i/4) + 3) { s = 1 } }");
  check(hoist, "for j in 0:n { for i in 0:n { if j/2 == i { A(i,j) = 1 } } }",
        "for j in 0:n { for i in j/2:j/2 + 1 { A(i,j) = 1 } }");
  check(hoist, "for j in 0:n { if 2*(j/4) < m { x(j) = 1 } }", "for j in 0:min(n, 4*((m + 1)/2)) { x(j) = 1 }");
  check_kept([](const Stmt& s, math::Solver& with) { return hoist_guards(s, with); },
             "for j in 0:n { if j/4 < 4611686018427387904 + m { x(j) = 1 } }");  // four times that is no i64
  check(hoist, "for i down in 0:n { if i > 0 { x(i) = 1 } }", "for i down in 1:n { x(i) = 1 }");
  check_kept([](const Stmt& s, math::Solver& with) { return hoist_guards(s, with); },
             "for i in 0:n { if F(p(i)) && i < m { s = 1 } }");  // what may be a fault still happens
  check_kept([](const Stmt& s, math::Solver& with) { return hoist_guards(s, with); },
             "for i in 0:n { s += 1; if i < m { s = 1 } }");
}

TEST_CASE("guard_reductions") {
  const auto guard = [](const Stmt& s) { return merge_blocks(guard_reductions(s, world())); };
  const auto guards = [&](const std::string& before, const std::string& after) {
    INFO(before);
    const Stmt result = guard(loops(before));
    CHECK(verify(result, world()) == "");
    CHECK(to_string(result) == to_string(merge_blocks(loops(after))));
  };
  const auto keeps = [&](const std::string& notation) { guards(notation, notation); };
  const std::string t = "tensor t: f64; ", sum = "t = 0; for j in 0:n { t += A(i,j)*x(j) }; ";
  const auto row = [](const std::string& body) { return "for i in 0:n { " + body + " }"; };
  // The condition, what is left of it where more is known, and which part of it can be asked.
  guards(row(t + sum + "y(i) = F(i) ? t : 0"), row(t + "if F(i) { " + sum + "}; y(i) = F(i) ? t : 0"));
  guards(row(t + sum + "y(i) = F(i) ? 0 : t"), row(t + "if !F(i) { " + sum + "}; y(i) = F(i) ? 0 : t"));
  guards(row(t + sum + "y(i) = F(i) ? x(i) > 0 ? t : 1 : 0"),
         row(t + "if F(i) && x(i) > 0 { " + sum + "}; y(i) = F(i) ? x(i) > 0 ? t : 1 : 0"));
  guards(row(t + sum + "F(i) = F(i) || z(i) > 0 || t > 0"),
         row(t + "if !F(i) && !(z(i) > 0) { " + sum + "}; F(i) = F(i) || z(i) > 0 || t > 0"));
  guards(row(t + sum + "F(i) = !(F(i) && z(i) > 0) && t > 0"),
         row(t + "if !(F(i) && z(i) > 0) { " + sum + "}; F(i) = !(F(i) && z(i) > 0) && t > 0"));
  guards(row(t + sum + "for k in 0:n { B(i,k) = F(k) && F(i) ? t : 0 }"),
         row(t + "if F(i) { " + sum + "}; for k in 0:n { B(i,k) = F(k) && F(i) ? t : 0 }"));
  guards(row(t + sum + "if F(i) { y(i) = t }"), row(t + "if F(i) { " + sum + "}; if F(i) { y(i) = t }"));
  guards(row(t + sum + "y(i) = F(p(i)) ? t : 0"), row(t + "if F(p(i)) { " + sum + "}; y(i) = F(p(i)) ? t : 0"));
  guards(row(t + sum + "y(i) = F(i) ? t + t : z(i) > 0 ? 1 : 0"),
         row(t + "if F(i) { " + sum + "}; y(i) = F(i) ? t + t : z(i) > 0 ? 1 : 0"));
  keeps(row(t + sum + "y(i) = t"));
  keeps(row(t + sum + "y(i) = F(i) ? t : -t"));
  keeps(row(t + sum + "y(i) = F(i) ? t : 0; z(i) = t"));
  keeps(row(t + sum + "y(i) = t > 0 ? t : 0"));
  keeps(row(t + sum + "for k in 0:n { B(i,k) = F(k) ? t : 0 }"));
  keeps(row(t + sum + "for k in 0:n { B(i,k) = F(p(i)) ? t : 0 }"));  // where n is 0, nobody asks
  keeps(row("tensor u: bool; u = F(i); " + t + sum +
            "for k in 0:n { B(i,k) = u ? t : 0 }"));  // nor has anybody to know u
  keeps(row(t + sum + "y(i) = i > 0 ? t : 0"));       // placement knows of it
  keeps(row(t + "if F(i) { " + sum + "}; y(i) = F(i) ? t : 0"));
  // What the condition reads stays as it is; else the sum comes later, where that is no other one.
  guards(row(t + sum + "F(i) = x(i) > 0; y(i) = F(i) ? t : 0"),
         row(t + "F(i) = x(i) > 0; if F(i) { " + sum + "}; y(i) = F(i) ? t : 0"));
  keeps(row(t + sum + "F(i) = x(i) > 0; x(i) = 1; y(i) = F(i) ? t : 0"));
  keeps(row(t + sum + "for k in 0:n { y(k) = F(k) && F(i) ? t : 0; F(k) = true }"));
  guards(row(t + sum + "F(i) = F(i) && t > 0"), row(t + "if F(i) { " + sum + "}; F(i) = F(i) && t > 0"));
  // Loops that compute other things as well.
  const std::string u = "tensor u: f64; ";
  guards(row(t + u + "t = 0; u = 0; for j in 0:n { t += A(i,j); u += B(i,j) }; y(i) = F(i) ? t : u"),
         row(t + u +
             "if F(i) { t = 0; for j in 0:n { t += A(i,j) } }; if !F(i) { u = 0; "
             "for j in 0:n { u += B(i,j) } };" +
             "y(i) = F(i) ? t : u"));
  guards(row(t + u + "t = 0; u = 0; for j in 0:n { t += A(i,j); u += B(i,j) }; y(i) = F(i) ? t/u : 0"),
         row(t + u + "if F(i) { t = 0; u = 0; for j in 0:n { t += A(i,j); u += B(i,j) } }; y(i) = F(i) ? t/u : 0"));
  guards(row(t + "t = 0; for j in 0:n { t += A(i,j)*x(j); z(i) += B(i,j) }; y(i) = F(i) ? t : 0"),
         row(t + "for j in 0:n { z(i) += B(i,j) };"
                 "if F(i) { t = 0; "
                 "for j in 0:n { t += A(i,j)*x(j) } }; y(i) = F(i) ? t : 0"));
  guards(row(t + "t = 0; for j in 0:n { t += A(i,j)*x(j); z(i) += A(i,j) }; y(i) = F(i) ? t : 0"),
         row(t + "if F(i) { t = 0 }; for j in 0:n { if F(i) { t += A(i,j)*x(j) }; z(i) += A(i,j) }; "
                 "y(i) = F(i) ? t : 0"));
  guards(row(t + u + "t = 0; u = 0; for j in 0:n { t += A(i,j)*x(j); u += A(i,j) }; y(i) = u > 0 ? t : 0"),
         row(t + u +
             "u = 0; for j in 0:n { u += A(i,j) };"
             "if u > 0 { t = 0; "
             "for j in 0:n { t += A(i,j)*x(j) } }; y(i) = u > 0 ? t : 0"));
  guards(row(t + u + "u = 0; for k in 0:n { u += B(i,k) }; t = 0; for j in 0:n { t += A(i,j)*u }; y(i) = F(i) ? t : 0"),
         row(t + u +
             "if F(i) { u = 0; for k in 0:n { u += B(i,k) }; t = 0; "
             "for j in 0:n { t += A(i,j)*u } }; y(i) = F(i) ? t : 0"));
  // Arrays: each element where it is computed.
  const auto array = [](const std::string& from, const std::string& update, const std::string& read) {
    return "tensor t(n): f64; for i in 0:n { " + from + " }; for j in 0:n { for i in 0:n { " + update + " } };" +
           "for k in 0:n { y(k) = " + read + " }";
  };
  const std::string asked = "if 0 <= i && i < n && F(i) ";
  guards(array("t(i) = 0", "t(i) += A(i,j)", "F(k) ? t(k) : 0"),
         array(asked + "{ t(i) = 0 }", asked + "{ t(i) += A(i,j) }", "F(k) ? t(k) : 0"));
  keeps(array("t(i) = 0", "t(i) += A(i,j)", "F(k) ? t(p(k)) : 0"));
}

TEST_CASE("join_guards") {
  const auto joins = [](const std::string& before, const std::string& after) {
    INFO(before);
    const Stmt result = merge_blocks(join_guards(loops(before), world()));
    CHECK(verify(result, world()) == "");
    CHECK(to_string(result) == to_string(merge_blocks(loops(after))));
  };
  const auto keeps = [&](const std::string& notation) { joins(notation, notation); };
  const std::string t = "tensor t: f64; ", sum = "t = 0; for j in 0:n { t += A(i,j)*x(j) }";
  const auto row = [](const std::string& body) { return "for i in 0:n { " + body + " }"; };
  joins(row(t + "if F(i) { " + sum + " }; y(i) = F(i) ? t : 0"),
        row("if F(i) { " + t + sum + "; y(i) = t } else { y(i) = 0 }"));
  joins(row(t + "if !F(i) { " + sum + " }; y(i) = F(i) ? 7 : t"),
        row("if !F(i) { " + t + sum + "; y(i) = t } else { y(i) = 7 }"));
  joins(row(t + "if F(i) { " + sum + " }; F(i) = F(i) && t > 0"),
        row("if F(i) { " + t + sum + "; F(i) = t > 0 } else { F(i) = false }"));
  // Part by part where it holds, as a whole where it does not.
  joins(row(t + "if F(i) && x(i) > 0 { " + sum + " }; y(i) = F(i) ? x(i) > 0 ? t : 1 : 0"),
        row(t + "if F(i) && x(i) > 0 { " + sum + " }; y(i) = F(i) ? x(i) > 0 ? t : 1 : 0"));
  joins(row(t + "if F(i) && x(i) > 0 { " + sum + " }; y(i) = F(i) && x(i) > 0 ? t : 0"),
        row("if F(i) && x(i) > 0 { " + t + sum + "; y(i) = t } else { y(i) = 0 }"));
  // Somebody else needs the scalar, or asks something else, or is not right behind.
  joins(row(t + "t = 1; if F(i) { " + sum + " }; y(i) = F(i) ? t : 0"),
        row(t + "t = 1; if F(i) { " + sum + "; y(i) = t } else { y(i) = 0 }"));
  keeps(row(t + "t = 1; if F(i) { " + sum + " }; y(i) = F(p(i)) ? t : 0"));
  keeps(row(t + "if F(i) { " + sum + " }; z(i) = 1; y(i) = F(i) ? t : 0"));
  keeps(row(t + "if F(i) { " + sum + "; F(i) = false }; y(i) = F(i) ? t : 0"));
  // What is sparse tells branches apart by itself.
  const lang::Program sparse = declared("tensor F(n): bool compressed; tensor y(n)");
  text::Diagnostics diagnostics;
  const auto stmt = read("for i in 0:n { tensor t: f64; if F(i) { t = 1 }; y(i) = F(i) ? t : 0 }", sparse, diagnostics);
  REQUIRE(stmt);
  CHECK(join_guards(*stmt, sparse).same(*stmt));
}

TEST_CASE("split_bounds") {
  const Solving tidy = [](const Stmt& s, math::Solver& with) {
    return merge_blocks(inline_single_iterations(split(s, with), with));
  };
  check(split, "for i in 0:n { if i < m { s = 1 } else { s = 2 } }",
        "for i in 0:min(n, m) { s = 1 }; for i in m:n { s = 2 }");
  check(split, "for i down in 0:n { if i < m { s = 1 } else { s = 2 } }",
        "for i down in m:n { s = 2 }; for i down in 0:min(n, m) { s = 1 }");
  check(tidy, "for i in 0:n { for j in 0:n { if j < i { A(i,j) = 1 }; if j == i { A(i,i) = 2 } } }",
        "for i in 0:n { for j in 0:i { A(i,j) = 1 }; A(i,i) = 2 }");
  check(tidy, "for i in 0:n { x(i) = i == 0 ? 1 : x(i-1) }", "if 0 < n { x(0) = 1 }; for i in 1:n { x(i) = x(i-1) }");
  check(tidy, "for i in 0:n { s += i/2 < m ? x(i) : 0 }", "for i in 0:min(n, 2*m) { s += x(i) }");
  const std::string heavy = "for i in 0:n { if i == 0 { s = 1 }; for j in 0:n { A(i,j) = s } }";
  check(split, heavy, heavy);  // would repeat the inner loop
  const std::string together = "for i in 0:n parallel { if i < m { x(i) = 1 }; y(i) = 2 }";
  check(split, together, together);
}

TEST_CASE("inline_single_iterations") {
  auto inlined = [](const Stmt& s, math::Solver& with) { return merge_blocks(inline_single_iterations(s, with)); };
  check(inlined, "for i in 0:n { for j in i:i+1 { A(i,j) = x(j+1) } }", "for i in 0:n { A(i,i) = x(i+1) }");
  check(inlined, "for j in 0:min(1, n) { x(j) = 1 }", "if 0 < n { x(0) = 1 }");
  check(inlined, "for j in max(0, n - 1):n { x(j) = 1 }", "if 0 <= n - 1 { x(n-1) = 1 }");
  const std::string two = "for j in 0:2 { s += 1 }";
  check(inlined, two, two);
}

TEST_CASE("merge_blocks") {
  check(merge_blocks, "if F(0) { s = 1 }; if F(0) { s = 2 }", "if F(0) { s = 1; s = 2 }");
  check(merge_blocks, "if F(0) { F(0) = false }; if F(0) { s = 2 }", "if F(0) { F(0) = false }; if F(0) { s = 2 }");
  check(merge_blocks, "if F(0) { if F(1) { s = 1 } }", "if F(0) && F(1) { s = 1 }");
  check(merge_blocks, "if F(0) { } else { s = 1 }", "if !F(0) { s = 1 }");
  check(merge_blocks, "if F(0) { } ; for i in 0:n { }; s = 1", "s = 1");
  check(merge_blocks, "if F(p(0)) { }", "if F(p(0)) { }");
  const Stmt body = loops("tensor t: f64; t = 1; s = t");
  CHECK(to_string(merge_blocks(block({body, body}))) ==
        "tensor t_2: f64\nt_2 = 1\ns = t_2\ntensor t: f64\nt = 1\ns = t\n");
}
