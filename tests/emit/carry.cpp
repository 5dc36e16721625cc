// Positions that go on from one fiber to the next.

#include "engine/emit/carry.hpp"

#include <doctest/doctest.h>

using namespace trellis;
using namespace trellis::emit;

namespace {

c::Expr at(const char* array, const char* index) { return c::expr(c::Index{c::token(array), c::token(index)}); }
c::Expr behind(const char* array, const char* index) {
  return c::expr(c::Index{c::token(array), c::binary("+", c::token(index), c::number(1))});
}
c::Stmt counted(const char* variable, c::Expr first, c::Expr end, std::vector<c::Stmt> body) {
  return c::stmt(c::For{variable, std::move(first), c::binary("<", c::token(variable), std::move(end)), std::string(variable) + "++",
                        c::stmt(c::Block{std::move(body)})});
}
c::Stmt add(const char* target, c::Expr value) { return c::stmt(c::Assignment{c::token(target), "+=", std::move(value)}); }
c::Stmt when(const char* condition, c::Stmt then) { return c::stmt(c::If{c::token(condition), c::stmt(c::Block{{std::move(then)}}), {}}); }

/// for (p = pos[q]; p < pos[q + 1]; p++)
c::Stmt walk(std::vector<c::Stmt> body, const char* q = "i", const char* p = "p") { return counted(p, at("pos", q), behind("pos", q), std::move(body)); }
c::Stmt sum() { return add("s", at("A", "p")); }
c::Stmt rows(std::vector<c::Stmt> body) { return counted("i", c::number(0), c::token("n"), std::move(body)); }

std::string carried_form(std::vector<c::Stmt> statements) {
  const c::Stmt body = c::carrying_positions(c::stmt(c::Block{std::move(statements)}), {"pos", "rows"});
  return c::print({{"static void", "f", {}, body}}).characters;
}
bool carries(std::vector<c::Stmt> statements) { return carried_form(std::move(statements)).find("for (; p < pos[") != std::string::npos; }

}  // namespace

TEST_CASE("a walk of every row in turn looks up only where rows end") {
  CHECK(carried_form({rows({walk({sum()})})}) == R"(static void f(void) {
  {
    int64_t p = pos[0];
    for (int64_t i = 0; i < n; i++) {
      for (; p < pos[i + 1]; p++) {
        s += A[p];
      }
    }
  }
}
)");
  // Only rows that are there are stored: their entries count the rows.
  const std::string stored = carried_form({counted("q", at("rows", "0"), at("rows", "1"), {walk({sum()}, "q")})});
  CHECK(stored.find("int64_t p = pos[rows[0]];") != std::string::npos);
}

TEST_CASE("a walk that may leave a row out, or end early, begins where its row does") {
  CHECK(carries({rows({add("t", c::number(1)), walk({sum()}), when("s > 9", c::stmt(c::Continue{}))})}));
  CHECK(carries({rows({walk({when("A[p] == 0", c::stmt(c::Continue{})), sum()}), when("s > 9", c::stmt(c::Break{}))})}));
  CHECK_FALSE(carries({rows({when("mask[i]", walk({sum()}))})}));
  CHECK_FALSE(carries({rows({when("t > 9", c::stmt(c::Continue{})), walk({sum()})})}));
  CHECK_FALSE(carries({rows({walk({sum(), when("s > 9", c::stmt(c::Break{}))})})}));
  CHECK_FALSE(carries({rows({walk({sum(), when("s > 9", c::stmt(c::Goto{"next"}))}), c::stmt(c::Label{"next"})})}));
  CHECK_FALSE(carries({counted("i", c::number(1), c::token("n"), {walk({sum()})})}));
  CHECK_FALSE(carries({rows({counted("p", at("growing", "i"), behind("growing", "i"), {sum()})})}));
}

TEST_CASE("loops that a pragma governs keep their form") {
  const c::Stmt pragma = c::stmt(c::Pragma{"omp parallel for"});
  CHECK_FALSE(carries({pragma, rows({walk({sum()})})}));
  CHECK_FALSE(carries({rows({c::stmt(c::Pragma{"omp simd"}), walk({sum()})})}));
}

TEST_CASE("a position stays in its loop where another one has its name, or where entries have loops of their own") {
  CHECK_FALSE(carries({rows({walk({sum()}), walk({sum()})})}));
  CHECK_FALSE(carries({rows({walk({sum(), counted("k", c::number(0), c::token("r"), {sum()})})})}));
  const std::string two = carried_form({rows({walk({sum()}), walk({add("t", at("A", "q"))}, "i", "q")})});
  CHECK(two.find("int64_t p = pos[0];\n    int64_t q = pos[0];") != std::string::npos);
}
