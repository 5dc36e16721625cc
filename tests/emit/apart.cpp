// Functions of parallel regions: what they take from around them, and what of it may be changed by others.
#include "engine/emit/apart.hpp"

#include <doctest/doctest.h>

namespace trellis::emit::testing {
namespace {

c::Stmt set(const char* target, const char* op, const char* value) {
  return c::stmt(c::Assignment{c::token(target), op, c::token(value)});
}
c::Stmt element(const char* array, const char* op, const char* value) {
  return c::stmt(c::Assignment{c::expr(c::Index{c::token(array), c::token("i")}), op, c::token(value)});
}
c::Stmt pragma(const char* text) { return c::stmt(c::Pragma{text}); }
c::Stmt constant(const char* name, const char* value) {
  return c::stmt(c::Declaration{"const int64_t", name, {}, c::token(value)});
}

std::vector<c::Stmt> region(const char* clauses, std::vector<c::Stmt> body) {
  const c::Expr more = c::binary("<", c::token("i"), c::token("n"));
  const c::Stmt loop = c::stmt(c::For{"i", c::number(0), more, "i++", c::stmt(c::Block{std::move(body)})});
  return {pragma(clauses), c::stmt(c::Block{{pragma("omp for nowait"), loop}})};
}

std::string apart(std::vector<c::Stmt> statements) {
  const c::Function kernel = {"static void",
                              "f",
                              {"int64_t n", "const double *restrict x", "double *restrict y", "int32_t *fault"},
                              c::stmt(c::Block{std::move(statements)})};
  int number = 0;
  return c::print(c::with_regions_apart(kernel,
                                        [&](const std::string& i) { return "f_over_" + i + std::to_string(++number); }))
      .characters;
}

std::string heads(const std::string& text) { return text.substr(0, text.find('{')); }

}  // namespace

TEST_CASE("a region takes what it mentions: arrays as they are, scalars by value") {
  std::vector<c::Stmt> all = {constant("m", "n"), constant("unused", "n")};
  for (const c::Stmt& s : region("omp parallel", {element("y", "=", "m")})) all.push_back(s);
  CHECK(apart(all) == R"(static void f_over_i1(int64_t n, double *restrict y, int64_t m) {
  #pragma omp for nowait
  for (int64_t i = 0; i < n; i++) {
    y[i] = m;
  }
}

static void f(int64_t n, const double *restrict x, double *restrict y, int32_t *fault) {
  const int64_t m = n;
  const int64_t unused = n;
  #pragma omp parallel
  f_over_i1(n, y, m);
}
)");
}

TEST_CASE("what a region declares itself is not taken, though something around has the name") {
  std::vector<c::Stmt> all = {constant("m", "n")};
  for (const c::Stmt& s : region("omp parallel", {constant("m", "1"), element("y", "=", "m")})) all.push_back(s);
  CHECK(heads(apart(all)) == "static void f_over_i1(int64_t n, double *restrict y) ");
  std::vector<c::Stmt> before = {constant("m", "n")};
  for (const c::Stmt& s : region("omp parallel", {element("y", "=", "m"), constant("m", "1"), element("y", "=", "m")}))
    before.push_back(s);
  CHECK(heads(apart(before)) == "static void f_over_i1(int64_t n, double *restrict y, int64_t m) ");
}

TEST_CASE("arrays that threads update together, or wait for, are not restrict") {
  CHECK(heads(apart(region("omp parallel", {pragma("omp atomic"), element("y", "+=", "1"), element("x", "=", "1")}))) ==
        "static void f_over_i1(int64_t n, const double *restrict x, double *y) ");
  const c::Stmt wait = c::stmt(c::Evaluate{c::call("await", {c::token("x")})});
  CHECK(heads(apart(region("omp parallel", {wait, element("y", "+=", "1")}))) ==
        "static void f_over_i1(int64_t n, const double *restrict x, double *y) ");
}

TEST_CASE("a scalar that threads reduce is a local variable of each") {
  std::vector<c::Stmt> all = {c::stmt(c::Declaration{"double", "s", {}, c::number(0)})};
  for (const c::Stmt& s : region("omp parallel reduction(+:s)", {set("s", "+=", "n")})) all.push_back(s);
  const std::string text = apart(all);
  CHECK(heads(text) == "static void f_over_i1(int64_t n, double *s_part) ");
  CHECK(text.find("{\n  double s = *s_part;\n") != std::string::npos);
  CHECK(text.find("  *s_part = s;\n}") != std::string::npos);
  CHECK(text.find("f_over_i1(n, &s);") != std::string::npos);
}

}  // namespace trellis::emit::testing
