// Entries that are fetched before a walk comes to them.

#include "engine/emit/stream.hpp"

#include <doctest/doctest.h>

using namespace trellis;
using namespace trellis::emit;

namespace {

c::Expr element(const char* array, const char* at) { return c::expr(c::Index{c::token(array), c::token(at)}); }
c::Stmt added(const char* target, c::Expr value) { return c::stmt(c::Assignment{c::token(target), "+=", std::move(value)}); }
c::Stmt gathered() { return added("s", c::binary("*", element("A", "p"), c::expr(c::Index{c::token("x"), element("crd", "p")}))); }
/// for (; p < pos[i + 1]; p++), or from `first` on
c::Stmt walked(std::vector<c::Stmt> body, std::optional<c::Expr> first = {}, const char* array = "pos") {
  const c::Expr end = c::expr(c::Index{c::token(array), c::binary("+", c::token("i"), c::number(1))});
  return c::stmt(c::For{"p", std::move(first), c::binary("<", c::token("p"), end), "p++", c::stmt(c::Block{std::move(body)})});
}
c::Stmt in_rows(std::vector<c::Stmt> body, c::Expr end = c::token("n")) {
  return c::stmt(c::For{"i", c::number(0), c::binary("<", c::token("i"), std::move(end)), "i++", c::stmt(c::Block{std::move(body)})});
}
std::string streamed(c::Stmt rows) {
  const c::Stmt body = c::streaming_entries(c::stmt(c::Block{{std::move(rows)}}), {"pos", "rows"}, [] { return std::string("stream"); });
  return c::print({{"static void", "f", {}, body}}).characters;
}
bool streams(c::Stmt rows) { return streamed(std::move(rows)).find("stream(") != std::string::npos; }

}  // namespace

TEST_CASE("each array that a carried walk reads at its position is streamed, and counted by where the last row ends") {
  CHECK(streamed(in_rows({walked({gathered(), added("t", element("A", "p"))})})) == R"(static void f(void) {
  for (int64_t i = 0; i < n; i++) {
    stream(&A[p + 512], pos[n]);
    stream(&crd[p + 512], pos[n]);
    for (; p < pos[i + 1]; p++) {
      s += A[p] * x[crd[p]];
      t += A[p];
    }
  }
}
)");
  CHECK(streamed(in_rows({walked({gathered()})}, element("rows", "1"))).find("stream(&A[p + 512], pos[rows[1]]);") != std::string::npos);
}

TEST_CASE("walks that begin anew, of what is not known to stay, or in loops without a plain end are not streamed") {
  CHECK_FALSE(streams(in_rows({walked({gathered()}, element("pos", "i"))})));
  CHECK_FALSE(streams(in_rows({walked({gathered()}, {}, "growing")})));
  CHECK_FALSE(streams(in_rows({walked({gathered()})}, c::call("end", {}))));
  CHECK_FALSE(streams(in_rows({walked({added("count", c::number(1))})})));
}
