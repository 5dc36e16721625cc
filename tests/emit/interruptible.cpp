// Where kernels look whether they are asked to end.

#include "engine/emit/interruptible.hpp"

#include <doctest/doctest.h>

using namespace trellis;
using namespace trellis::emit;

namespace {

c::Stmt runs(const char* function, const char* argument) {
  return c::stmt(c::Evaluate{c::call(function, {c::token(argument)})});
}

c::Stmt loop_of(const std::string& i, const char* end, std::vector<c::Stmt> body) {
  const c::Expr more = c::binary("<", c::token(i), c::token(end));
  return c::stmt(c::For{i, c::number(0), more, i + "++", c::stmt(c::Block{std::move(body)})});
}

std::string kernel_of(std::vector<c::Stmt> statements) {
  const c::Stmt body = c::interruptible(c::stmt(c::Block{std::move(statements)}));
  return c::print({{"static void", "f", {}, body}}).characters;
}

}  // namespace

TEST_CASE("the two outermost loops that have loops in them look; inner ones go in blocks, or not at all") {
  CHECK(kernel_of(
            {loop_of("i", "n", {loop_of("j", "n", {loop_of("k", "n", {loop_of("l", "n", {runs("use", "l")})})})})}) ==
        R"(static void f(void) {
  for (int64_t i = 0; i < n; i++) {
    if (*(const volatile int32_t *)fault == 13) {
      goto leave;
    }
    for (int64_t j = 0; j < n; j++) {
      if (*(const volatile int32_t *)fault == 13) {
        goto leave;
      }
      for (int64_t k = 0; k < n; k++) {
        for (int64_t l = 0; l < n; l++) {
          use(l);
        }
      }
    }
  }
  leave:;
}
)");
}

TEST_CASE("a loop with nothing but work in it keeps the form that compilers know") {
  CHECK(kernel_of({loop_of("i", "n", {runs("use", "i")})}) == R"(static void f(void) {
  for (int64_t i_block = 0; i_block < n; i_block += 262144) {
    if (*(const volatile int32_t *)fault == 13) {
      goto leave;
    }
    const int64_t i_stop = n - i_block > 262144 ? i_block + 262144 : n;
    for (int64_t i = i_block; i < i_stop; i++) {
      use(i);
    }
  }
  leave:;
}
)");
}

TEST_CASE("what ends by more than its bound, or whose bound moves, is no loop of blocks") {
  const c::Stmt more = c::stmt(c::Declaration{"int64_t", "n", {}, c::number(1)});
  for (const std::string& text : {kernel_of({more, loop_of("i", "n", {runs("use", "i")})}),
                                  kernel_of({loop_of("i", "m", {runs("use", "i"), c::stmt(c::Break{})})})}) {
    CAPTURE(text);
    CHECK(text.find("_block") == std::string::npos);
    CHECK(text.find("goto leave") != std::string::npos);
  }
}

TEST_CASE("a loop of few iterations does not count as one of the two") {
  const std::string text = kernel_of({loop_of("i", "1", {loop_of("j", "n", {runs("use", "j")})})});
  CHECK(text.find("j_block") != std::string::npos);
}

TEST_CASE("threads do nothing more, and what waits for others is left alone; both are left behind their loop") {
  const c::Stmt pragma = c::stmt(c::Pragma{"omp parallel"});
  const auto region = [](std::vector<c::Stmt> body) {
    return c::stmt(c::Block{{c::stmt(c::Pragma{"omp for nowait"}), loop_of("i", "n", std::move(body))}});
  };
  const std::string skips = kernel_of({pragma, region({loop_of("j", "n", {runs("use", "j")})}), runs("use", "n")});
  CHECK(skips.find("continue;") < skips.find("for (int64_t j"));
  CHECK(skips.find("goto leave") < skips.find("use(n)"));
  const std::string waits = kernel_of({pragma, region({loop_of("j", "n", {runs("await", "j")}), runs("finish", "i")}),
                                       runs("free", "i_over"), runs("use", "n")});
  CHECK(waits.find("continue;") == std::string::npos);
  CHECK(waits.find("free(i_over)") < waits.find("goto leave"));
}

TEST_CASE("what was there before the first loop is freed whenever a kernel is left") {
  const auto memory = [](const char* name) {
    return c::stmt(c::Declaration{"double *", name, {}, c::call("allocate", {c::token("n")})});
  };
  const std::string text = kernel_of({memory("w"), loop_of("i", "n", {runs("use", "i")}), memory("v"),
                                      loop_of("j", "n", {runs("use", "j")}), runs("free", "v"), runs("free", "w")});
  CHECK(text.find("free(v)") < text.find("leave:"));
  CHECK(text.find("leave:") < text.find("free(w)"));
}
