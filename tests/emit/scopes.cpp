// The parts that the emitter's components write with, alone: scopes, and memory that may be refused.

#include <doctest/doctest.h>

#include "engine/emit/context.hpp"
#include "engine/emit/memory.hpp"

namespace emit = trellis::emit;
namespace c = trellis::emit::c;
namespace flow = trellis::flow;

namespace {

struct Written {
  flow::Flow flow;
  emit::Names names;
  emit::Prelude prelude{emit::Prelude::Threads::many};
  emit::Shared shared;
  emit::Expressions expressions{flow, names, prelude, shared};
  emit::Context out{flow, names, prelude, expressions};
  emit::Memory memory{out};

  void hoist(const std::string& name) { memory.hoist("double", name, c::call("allocate", {c::token("n")})); }
  std::string printed(const c::Stmt& body) { return c::print({{"void", "f", {}, body}}).characters; }
};

}  // namespace

TEST_CASE("a variable lives to the end of its scope, and hides none around it") {
  Written p;
  CHECK(p.out.bind("i") == "i");
  p.out.open();
  CHECK(p.out.bind("i") == "i_");
  CHECK(p.names.variable("i") == "i_");
  p.out.close_plain();
  CHECK(p.names.variable("i") == "i");
  p.out.scoped(true, [&] { CHECK(p.out.bind("j") == "j"); });
  p.out.scoped(false, [&] { CHECK(p.out.bind("j") == "j_"); });
  CHECK(p.names.variable("j") == "j");
}

TEST_CASE("a kernel that is refused one of its arrays frees all of them and returns") {
  Written p;
  CHECK_FALSE(p.memory.can_fail());
  CHECK(p.printed(p.memory.body({})) == "void f(void) {\n}\n");
  p.hoist("v");
  p.hoist("w");
  p.hoist("v");
  CHECK(p.memory.can_fail());
  CHECK(p.printed(p.memory.body({})) == R"(void f(void) {
  double *restrict v = allocate(n);
  double *restrict w = allocate(n);
  if (!v || !w) {
    free(v);
    free(w);
    return 1;
  }
  free(v);
  free(w);
  return 0;
}
)");
}

TEST_CASE("a thread that is refused memory skips its iterations, and one that runs out of it goes on to the next") {
  Written p;
  CHECK(p.printed(p.memory.give_up()) == "void f(void) {\n  return 1;\n}\n");
  const emit::Room room = p.memory.apart([&] { p.hoist("w"); });
  CHECK_FALSE(p.memory.can_fail());
  p.memory.allocate(room);
  p.memory.name_landing("i");
  p.memory.begin_iteration(true);
  p.out.add(p.memory.give_up());
  p.memory.end_iteration(true);
  p.memory.release(room);
  CHECK(p.printed(p.memory.body(p.out.statements())) == R"(void f(void) {
  int refused = 0;
  double *restrict w = allocate(n);
  const int ready = w != 0;
  if (!ready) {
    refused = 1;
  }
  if (!ready) {
    continue;
  }
  {
    refused = 1;
    goto next_i;
  }
  next_i:;
  free(w);
  return refused;
}
)");
}
