// Work that would not end for a long time, cancelled by another thread: what was asked for answers E0506, and the
// session goes on. Nothing depends on when the other thread speaks: it repeats itself until somebody has heard.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "engine/session/report/report.hpp"
#include "engine/tensor/load.hpp"
#include "engine/tensor/random.hpp"
#include "tests/environment.hpp"
#include "tests/folder.hpp"
#include "tests/session/transcript.hpp"

namespace trellis::testing {
namespace {

/// Interrupts every 10 ms, from its own thread, while it lives.
class Impatient {
 public:
  explicit Impatient(const session::Session& session)
      : thread_([this, &session] {
          while (!heard_) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
            session.interrupt();
          }
        }) {}
  ~Impatient() {
    heard_ = true;
    thread_.join();
  }

 private:
  std::atomic<bool> heard_{false};
  std::thread thread_;
};

Answer cancelled(Transcript& t, const std::string& entry) {
  const Impatient other(t.session());
  return t.enter({entry});
}

void check_cancelled(Transcript& t, const std::string& entry) {
  CAPTURE(entry);
  const Answer answer = cancelled(t, entry);
  CHECK(answer.exit == session::Exit::interrupted);
  CHECK(contains(answer.codes, "E0506"));
  // It is usable afterwards.
  const Answer after = t.enter({"kernel later { later(i) = 2*i : i < 3 }", "run later", "print later"});
  CHECK(after.ok());
  CHECK(contains(after.output, "later = [0 2 4]"));
  t.enter({"undo 2"});
}

/// No run of it ends; nor do its reference and any of its orders.
const std::string endless = "param n = 30000; tensor a(n); s = sum(i,j,k)(a(i) * a(j) * a(k)); order i j k";

}  // namespace

TEST_CASE("cancel: kernels of both back ends, and times of them") {
  Transcript t;
  REQUIRE(t.enter({endless}).ok());
  for (const char* command : {"run jit", "run native", "time jit", "time native", "time 1000000 jit"})
    check_cancelled(t, command);
}

TEST_CASE("cancel: the reference evaluator") {
  Transcript t;
  // What loops over entries do at once it does element by element.
  REQUIRE(t.enter({"tensor A(31000, 31000): csr; s = sum(i,j)(A(i,j))", "run"}).ok());
  check_cancelled(t, "check");
}

TEST_CASE("cancel: orders, measured or not") {
  Transcript t;
  REQUIRE(t.enter({"param n = 30000; tensor x(n); T(a,b) = sum(c,d,e,f)(x(c)*x(d)*x(e)*x(f)*x(a)*x(b)) : a < n, b < n"})
              .ok());
  check_cancelled(t, "orders down");
  Transcript measured;
  REQUIRE(measured.enter({endless}).ok());
  const Answer answer = cancelled(measured, "orders time");
  CHECK(answer.exit == session::Exit::interrupted);
  if (answer.codes.empty())
    CHECK(contains(answer.output, "6 of 6 orders are legal; medians with jit; stopped, 6 are left\n"));
  else CHECK(answer.codes == "E0506");  // while they were judged
}

TEST_CASE("cancel: big tensors that are generated") {
  session::Options options;
  options.data_limit = std::size_t{1} << 40;
  Transcript t(options);
  REQUIRE(t.enter({"tensor A(3000000, 3000000): csr"}).ok());
  check_cancelled(t, "random A density 0.0001");
  CHECK(t.value("A") == "csr 3000000 x 3000000, 0 entries");
}

TEST_CASE("cancel: readers of files and generators ask, and stop where they are") {
  const Folder folder;
  std::ofstream file(folder / "big.tns");
  for (int k = 1; k <= 20000; ++k) file << k << " 1.5\n";
  file.close();
  for (const int patience : {1, 3}) {
    int asked = 0;
    text::Diagnostics diagnostics;
    CHECK(!tensor::read_contents(
        {folder / "big.tns", {}, std::size_t{1} << 30, {}, [&] { return ++asked >= patience; }}, diagnostics));
    CHECK(asked == patience);
    REQUIRE(diagnostics.all().size() == 1);
    CHECK(diagnostics.all()[0].code == "E0506");
  }
  for (const tensor::RandomKind kind : {tensor::RandomKind::general, tensor::RandomKind::positive_definite}) {
    auto matrix = tensor::Tensor::create(format::ScalarType::f64, {500, 500}, format::Format::dense(2),
                                         format::Value::of(format::ScalarType::f64, 0));
    REQUIRE(matrix);
    int asked = 0;
    text::Diagnostics diagnostics;
    tensor::RandomOptions options;
    options.kind = kind;
    options.cancelled = [&] { return ++asked == 2; };
    CHECK(!tensor::fill_random(*matrix, options, {}, diagnostics));
    CHECK(asked == 2);
    CHECK(diagnostics.all().at(0).code == "E0506");
  }
}

TEST_CASE("cancel: the C compiler, with the programs that it has started") {
  const Folder folder;
  const std::string compiler = folder / "cc";
  std::ofstream(compiler) << "#!/bin/sh\ncase \"$1\" in --version) echo slow 1; exit 0;; esac\necho $$ > "
                          << folder / "started"
                          << "\nsleep 100000\n";
  std::filesystem::permissions(compiler, std::filesystem::perms::owner_all);
  Transcript t;
  REQUIRE(t.enter({"tensor x(3); y(i) = x(i) + 41.5", "print x"}).ok());
  {
    const Environment cc("CC", compiler);
    const Answer answer = cancelled(t, "run native");
    CHECK(answer.exit == session::Exit::interrupted);
    CHECK(contains(answer.codes, "E0506"));
  }
  CHECK(t.enter({"run native"}).ok());
  CHECK(t.value("y") == "[41.5 41.5 41.5]");
}

TEST_CASE("cancel: analysis, placement and lowering ask, and what is kept stays right") {
  const std::string program =
      "param n = 6; tensor A(n,n); tensor L(n,n); L(i,j) = (A(i,j) - sum(k)(L(i,k) * L(j,k))) / L(j,j) : k < j < i\n"
      "L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2)) : k < i";
  Transcript whole;
  REQUIRE(whole.enter({program}).ok());
  const std::string c = whole.enter({"show c"}).output, orders = whole.enter({"orders"}).output;
  // The end is wished for from some moment on; then nothing is wished for, and all is as if nothing had been. What is
  // wished for before an entry begins is forgotten, and a short entry may be over before the other thread gets its
  // turn: what counts is what is left when it was in time, at the beginning and later and later.
  const auto interrupted_after = [](Transcript& t, std::chrono::microseconds patience) {
    std::atomic<bool> started{false}, over{false};
    std::thread other([&] {
      started = true;
      std::this_thread::sleep_for(patience);
      while (!over) t.session().interrupt();
    });
    while (!started) std::this_thread::yield();
    const Answer answer = t.enter({"orders"});
    over = true;
    other.join();
    const bool cancelled = contains(answer.codes, "E0506");
    CHECK(answer.ok() != cancelled);
    return cancelled;
  };
  std::optional<Transcript> t;
  bool in_time = false;
  for (int tries = 0; tries < 1000 && !in_time; ++tries) {
    t.emplace();
    REQUIRE(t->enter({program}).ok());
    in_time = interrupted_after(*t, std::chrono::microseconds(0));
  }
  CHECK(in_time);
  for (std::chrono::microseconds patience(50); interrupted_after(*t, patience);) patience *= 2;
  CHECK(t->enter({"orders"}).output == orders);
  CHECK(t->enter({"show c"}).output == c);
}

TEST_CASE("cancel: one session is interrupted, the other neither waits nor hears of it") {
  Transcript busy, idle;
  REQUIRE(busy.enter({endless}).ok());
  REQUIRE(idle.enter({"y(i) = 2*i : i < 3", "run"}).ok());
  Answer ended;
  std::thread works([&] { ended = busy.enter({"run"}); });
  double least_ms = 1e9;
  for (int k = 0; k < 10; ++k) {
    const auto start = std::chrono::steady_clock::now();
    CHECK(idle.enter({"run", "print y"}).ok());
    least_ms =
        std::min(least_ms, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  CHECK(least_ms < 50);
  idle.session().interrupt();
  CHECK(idle.say("run").exit == session::Exit::interrupted);
  CHECK(idle.enter({"run"}).ok());
  {
    const Impatient other(busy.session());
    works.join();
  }
  CHECK(ended.exit == session::Exit::interrupted);
}

TEST_CASE("cancel: what a session does itself has the time that kernels have") {
  session::Options options;
  options.limits.seconds = 0.3;
  Transcript t(options);
  REQUIRE(t.enter({"tensor s", "loops { while s < 1 { s = 0 } }"}).ok());
  for (const std::string command : {"count", "lattice step", "quiz", "run", "check"}) {
    const auto start = std::chrono::steady_clock::now();
    const Answer answer = t.enter({command});
    CAPTURE(command);
    CAPTURE(answer.output);
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
    // A quiz follows the loops for a number of steps, which a fast machine has time for; then it has other things to
    // ask.
    CHECK((!answer.ok() || command == "quiz"));
    CHECK(answer.exit != session::Exit::interrupted);
    CHECK(!contains(answer.codes, "E0506"));
  }
  CHECK(t.enter({"count"}).codes == "E0504");
  CHECK(t.enter({"kernel later { later(i) = 2*i : i < 3 }", "run later"}).ok());
}

TEST_CASE("cancel: a report of what never ends leaves out what takes too long") {
  session::Options options;
  options.limits.seconds = 0.8;
  Transcript t(options);
  REQUIRE(t.say("tensor s\nloops { while s < 1 { s = 0 } }").ok());
  const auto start = std::chrono::steady_clock::now();
  const auto model = session::report_model(t.session().state());
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
  CHECK(model["kernels"].size() == 1);
}

TEST_CASE("cancel: what comes before an entry is no wish to end it") {
  Transcript t;
  t.session().interrupt();
  CHECK(t.enter({"y(i) = 2*i : i < 3", "run"}).ok());
  CHECK(t.value("y") == "[0 2 4]");
}

}  // namespace trellis::testing
