// A fault of the engine ends the command, not the session.
#include "engine/session/fault.hpp"

#include <doctest/doctest.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "engine/session/session.hpp"
#include "engine/text/cancel.hpp"
#include "tests/environment.hpp"
#include "tests/programs.hpp"

namespace trellis::session {
namespace {

/// The path in "`trellis run PATH` shows it again".
std::string kept_file(const text::Diagnostic& fault) {
  const std::string& said = fault.notes.back().message;
  const std::size_t begin = said.find("/"), end = said.find('`', begin);
  return said.substr(begin, end - begin);
}

Reply last_reply(Session& session, const std::string& entry) {
  Reply last;
  session.enter("test", entry, [&](const Reply& reply) { last = reply; });
  return last;
}

TEST_CASE("a fault in a command leaves all as it was, and keeps the program with the command") {
  Session session({});
  session.enter("test", "tensor x(3)\nfill_with x [1, 2, 3]\n", [](const Reply&) {});
  const int actions = session.state().last_action();
  const testing::Environment asked("TRELLIS_FAULT", "fill_with");
  const Reply reply = last_reply(session, "fill_with x [4, 5, 6]");
  CHECK(reply.exit == Exit::fault);
  REQUIRE(reply.diagnostics.all().size() == 1);
  const text::Diagnostic& said = reply.diagnostics.all().front();
  CHECK(said.code == "E0510");
  CHECK(said.message == "a fault in Trellis ended `fill_with`");
  CHECK(session.state().last_action() == actions);
  CHECK(session.state().data.held("x")->get_flat(0).real == 1);
  const std::string path = kept_file(said);
  const std::string program = testing::read(path);
  CHECK(program.find("tensor x(3)") != std::string::npos);
  CHECK(program.find("fill_with x [1, 2, 3]") < program.find("fill_with x [4, 5, 6]"));
  std::filesystem::remove(path);
}

TEST_CASE("what does not fail goes on after a fault") {
  Session session({});
  {
    const testing::Environment asked("TRELLIS_FAULT", "print");
    const Reply reply = last_reply(session, "tensor x(2): f64 fill 1\nprint x");
    CHECK(reply.exit == Exit::fault);
    std::filesystem::remove(kept_file(reply.diagnostics.all().front()));
  }
  CHECK(last_reply(session, "print x").ok());
}

TEST_CASE("contained work: exceptions are faults, cancelling is not, and scopes are left") {
  CHECK(!contained([] {}));
  CHECK(contained([] { throw std::out_of_range("map::at"); })->what == "map::at");
  CHECK_THROWS_AS(contained([] { throw text::Cancelled{}; }), text::Cancelled);
  CHECK(contained([] {
          CHECK(contained([] { throw std::logic_error("inner"); }));
          throw std::logic_error("outer");
        })->what == "outer");
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
/// The test program's own handlers, for afterwards.
class Handlers {
 public:
  Handlers() {
    for (std::size_t k = 0; k < before_.size(); ++k) sigaction(signals[k], nullptr, &before_[k]);
    contain_signals();
  }
  ~Handlers() {
    for (std::size_t k = 0; k < before_.size(); ++k) sigaction(signals[k], &before_[k], nullptr);
  }
  Handlers(const Handlers&) = delete;
  Handlers& operator=(const Handlers&) = delete;

 private:
  static constexpr std::array signals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  std::array<struct sigaction, 5> before_{};
};

/// Deep enough to fill any stack; `depth` keeps it from becoming a loop.
int deep(volatile int* depth) {
  volatile char room[4096] = {};
  *depth = *depth + 1;
  const int below = *depth < 100'000'000 ? deep(depth) : 0;
  return below + room[*depth % 4096];
}

TEST_CASE("contained work: signals are faults, also when the stack is full, and scopes are left") {
  const Handlers handlers;
  text::Cancel outer, inner;
  const text::CancelScope scope(outer);
  const auto fault = contained([&] {
    const text::CancelScope within(inner);
    inner.request();
    std::raise(SIGSEGV);
  });
  REQUIRE(fault);
  CHECK(fault->what.rfind("SIGSEGV", 0) == 0);
  CHECK_NOTHROW(text::stop_if_cancelled());
  volatile int depth = 0;
  const auto full = contained([&] { deep(&depth); });
  REQUIRE(full);
  CHECK(full->what.rfind("SIGSEGV", 0) == 0);
  CHECK(contained([] { std::abort(); })->what.rfind("SIGABRT", 0) == 0);
}
#endif

}  // namespace
}  // namespace trellis::session
