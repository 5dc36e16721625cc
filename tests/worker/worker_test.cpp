// Requests in, snapshots and answers out, while other threads look on. Built alone under ThreadSanitizer (preset
// `tsan`).
#include "engine/session/live/worker.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <future>
#include <map>

namespace trellis::session {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// What a worker says, kept for whoever asks.
class Heard {
 public:
  Listener listener() {
    return {.snapshot = [this](std::shared_ptr<const Snapshot> one) { add(snapshots_, std::move(one)); },
            .answer = [this](const Answer& one) { add(answers_, one); }};
  }
  std::vector<std::shared_ptr<const Snapshot>> snapshots() const { return copy(snapshots_); }
  std::vector<Answer> answers() const { return copy(answers_); }
  void forget() {
    const std::lock_guard hold(mutex_);
    snapshots_.clear();
    answers_.clear();
  }
  std::shared_ptr<const Snapshot> wave(std::uint64_t version, Wave wave) const {
    for (const auto& one : snapshots())
      if (one->version == version && one->wave == wave) return one;
    return nullptr;
  }
  /// False when it does not come within seconds.
  template <class Condition>
  bool wait(Condition&& condition) const {
    std::unique_lock hold(mutex_);
    return changed_.wait_for(hold, std::chrono::seconds(60), [&] { return condition(snapshots_, answers_); });
  }

 private:
  template <class T>
  void add(std::vector<T>& to, T one) {
    const std::lock_guard hold(mutex_);
    to.push_back(std::move(one));
    changed_.notify_all();
  }
  template <class T>
  std::vector<T> copy(const std::vector<T>& from) const {
    const std::lock_guard hold(mutex_);
    return from;
  }
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::vector<std::shared_ptr<const Snapshot>> snapshots_;
  std::vector<Answer> answers_;
};

const std::string product =
    "param n = 4; tensor A(n, n): csr; tensor x(n)\nrandom A seed 1\nrandom x seed 2\ny(i) = A(i,j) * x(j)\norder i "
    "j\n";
const std::string illegal =
    "param n = 4; tensor V(n, n)\nrandom V seed 1\nW(i,j) = V(i,j) + W(i+1,j-1) : 1 <= j, i+1 < n\norder i j\n";
const std::string endless = "param n = 30000; tensor a(n)\ns = sum(i,j,k)(a(i) * a(j) * a(k))\norder i j k\n";

}  // namespace

TEST_CASE("worker: a revision arrives in five waves") {
  Heard heard;
  Worker worker({}, heard.listener());
  const auto version = worker.revise("product.tr", product);
  worker.finish();
  std::vector<Wave> waves;
  for (const auto& one : heard.snapshots()) {
    CHECK(one->version == version);
    CHECK(one->accepted);
    waves.push_back(one->wave);
  }
  CHECK(waves == std::vector{Wave::read, Wave::compiled, Wave::explained, Wave::drawn, Wave::ran});
  const auto last = worker.latest();
  const KernelView* main = last->kernel("main");
  REQUIRE(main);
  REQUIRE(main->compiled);
  CHECK(main->compiled->compilation.analysis == nullptr);
  CHECK(main->compiled->c.characters.find("y[i]") != std::string::npos);
  CHECK(main->compiled->lattice.characters.find("A(i,j)") != std::string::npos);
  REQUIRE(main->explained);
  CHECK(main->explained->orders.orders.size() == 2);
  REQUIRE(main->explained->execution);
  CHECK(main->explained->execution->compilation->analysis == nullptr);
  CHECK(!main->explained->execution->trace.steps.empty());
  REQUIRE(main->ran);
  REQUIRE(main->ran->check);
  CHECK(!main->ran->check->first);
  CHECK(last->text->characters == product);
  CHECK(std::ranges::any_of(last->text->spans, [&](const text::TextSpan& span) {
    return product.substr(span.begin, span.end - span.begin) == "y(i) = A(i,j) * x(j)";
  }));
  CHECK(last->tensors.at("y").value->count() == 4);
}

TEST_CASE("worker: waves share what did not change") {
  Heard heard;
  Worker worker({}, heard.listener());
  const std::string two =
      "param n = 3; tensor x(n)\nfill_with x [1, 2, 3]\nkernel a { y(i) = 2 * x(i) }\nkernel b { z(i) = 3 * x(i) }\n";
  const auto first = worker.revise("two.tr", two);
  worker.finish();
  const auto second = worker.revise("two.tr", two + "kernel c { w(i) = 4 * x(i) }\n");
  worker.finish();
  const auto before = heard.wave(first, Wave::ran), after = heard.wave(second, Wave::ran);
  REQUIRE(before);
  REQUIRE(after);
  for (const char* name : {"a", "b"}) {
    CHECK(before->kernel(name)->compiled == after->kernel(name)->compiled);
    CHECK(before->kernel(name)->ran == after->kernel(name)->ran);
  }
  CHECK(after->kernel("c")->ran);
}

TEST_CASE("worker: messages name their kernels, and a wrong text keeps the last program") {
  Heard heard;
  Worker worker({}, heard.listener());
  worker.revise("illegal.tr", illegal);
  worker.finish();
  auto last = worker.latest();
  REQUIRE(last->accepted);
  REQUIRE(!last->messages.empty());
  CHECK(std::ranges::any_of(last->messages, [](const Message& m) {
    return m.kernel == "main" && m.diagnostic.severity == text::Severity::error;
  }));
  CHECK(last->kernel("main")->compiled == nullptr);
  const auto wrong = worker.revise("illegal.tr", "y(i = 2");
  worker.finish();
  last = worker.latest();
  CHECK(last->version == wrong);
  CHECK_FALSE(last->accepted);
  CHECK(last->messages.front().diagnostic.code.starts_with("E00"));
  CHECK(last->sources.content(last->source) == "y(i = 2");
  REQUIRE(last->program);
  CHECK(last->program->tensor("V"));
}

TEST_CASE("worker: of revisions the latest counts, and commands are all carried out") {
  Heard heard;
  Worker worker({}, heard.listener());
  std::uint64_t last = 0;
  for (int k = 0; k < 20; ++k) {
    last = worker.revise("product.tr", product + "z" + std::to_string(k) + "(i) = x(i)\n");
    if (k % 7 == 0) worker.enter("print x");
  }
  worker.finish();
  std::uint64_t version = 0;
  for (const auto& one : heard.snapshots()) {
    CHECK(one->version >= version);
    version = one->version;
  }
  CHECK(heard.wave(last, Wave::ran));
  CHECK(worker.latest()->program->tensor("z19"));
  CHECK(heard.answers().size() == 3);
}

TEST_CASE("worker: a command can be cancelled, and its worker goes on") {
  Heard heard;
  Worker worker({}, heard.listener(), {.run = false});
  worker.revise("endless.tr", endless);
  const auto running = worker.enter("run");
  REQUIRE(heard.wait([&](const auto& snapshots, const auto&) { return !snapshots.empty(); }));
  while (heard.answers().empty()) {
    worker.cancel();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  CHECK(heard.answers().front().version == running);
  CHECK(heard.answers().front().exit == Exit::interrupted);
  worker.enter("show equations");
  worker.finish();
  CHECK(heard.answers().back().exit == Exit::success);
}

TEST_CASE("worker: one runs an endless kernel, the other answers, and ends its own alone") {
  Heard busy_heard, idle_heard;
  Worker busy({}, busy_heard.listener(), {.run = false}), idle({}, idle_heard.listener());
  busy.revise("endless.tr", endless);
  idle.revise("product.tr", product);
  idle.finish();
  busy.enter("run");
  double least = 1e9;
  for (int k = 0; k < 5; ++k) {
    const auto start = Clock::now();
    const auto version = idle.enter("print y");
    REQUIRE(idle_heard.wait([&](const auto&, const auto& answers) {
      return std::ranges::any_of(answers, [&](const Answer& a) { return a.version == version; });
    }));
    least = std::min(least, milliseconds_since(start));
  }
  CHECK(least < 50);
  idle.revise("endless.tr", endless);
  const auto running = idle.enter("run");
  while (idle_heard.answers().back().version != running) {
    idle.cancel();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  CHECK(idle_heard.answers().back().exit == Exit::interrupted);
  CHECK(busy_heard.answers().empty());
  // Its end does not wait for the kernel's.
}

TEST_CASE("worker: a question waits for no wave, and later requests do not end it") {
  Heard heard;
  Worker worker({}, heard.listener());
  std::string program = "param n = 30000; tensor a(n)\n";
  for (const char* name : {"p", "q", "r", "s"})
    program += std::string("kernel ") + name + " { " + name + "s = sum(i,j,k)(a(i) * a(j) * a(k)) }\n";
  const auto first = worker.revise("endless.tr", program);
  REQUIRE(heard.wait(
      [&](const auto& snapshots, const auto&) { return !snapshots.empty() && snapshots.back()->wave == Wave::drawn; }));
  std::promise<std::size_t> kernels, later;
  const auto version = worker.ask([&](Session& session) {
    text::Diagnostics ignored;
    kernels.set_value(session.state().program(ignored)->kernels.size());
  });
  CHECK(version > first);
  CHECK(kernels.get_future().get() == 4);
  CHECK_FALSE(heard.wave(first, Wave::ran));  // kernels that never end are still given their time
  std::promise<void> revised;
  worker.ask([&, wait = revised.get_future().share()](Session& session) {
    wait.wait();
    text::stop_if_cancelled();
    text::Diagnostics ignored;
    later.set_value(session.state().program(ignored)->kernels.size());
  });
  const auto second = worker.revise("endless.tr", product);
  revised.set_value();
  CHECK(later.get_future().get() == 4);
  worker.finish();
  CHECK_FALSE(heard.wave(first, Wave::ran));
  CHECK(heard.wave(second, Wave::ran));
}

TEST_CASE("worker: answers carry replies, which are freed on the worker's thread or after it") {
  Heard heard;
  auto worker = std::make_unique<Worker>(Options{}, heard.listener());
  worker->revise("product.tr", product);
  worker->enter("show graph\nwhy j i");
  worker->finish();
  std::vector<Answer> answers = heard.answers();
  REQUIRE(answers.size() == 2);
  CHECK(answers[0].replies.size() == 1);
  REQUIRE(answers[1].replies.size() == 2);
  CHECK(answers[0].replies[0] == answers[1].replies[0]);
  CHECK(std::get<Shown>(answers[1].replies[0]->result).stage == "graph");
  CHECK(std::get<WhyAnswered>(answers[1].replies[1]->result).why.legal);
  const std::weak_ptr<const place::Analysis> analysis = std::get<Shown>(answers[0].replies[0]->result).analysis;
  worker = nullptr;
  CHECK_FALSE(analysis.expired());
  answers.clear();
  heard.forget();
  CHECK(analysis.expired());
}

TEST_CASE("worker: what is selected is in every snapshot after it") {
  Heard heard;
  Worker worker({}, heard.listener());
  worker.revise("product.tr", product);
  Selection selection;
  selection.kernel = "main";
  selection.instance = {{"i", 1}, {"j", 2}};
  selection.element = Selection::Element{"A", {1, 2}};
  const auto version = worker.select(selection);
  worker.finish();
  CHECK(worker.latest()->version == version);
  CHECK(worker.latest()->selection == selection);
  CHECK(worker.latest()->kernel("main")->compiled);
}

TEST_CASE("worker: snapshots may be read and dropped anywhere while the next ones are made") {
  Worker worker({});
  std::atomic<bool> done{false};
  std::size_t characters = 0;
  std::thread reader([&] {
    while (!done) {
      const auto snapshot = worker.latest();
      if (!snapshot) continue;
      for (const KernelView& kernel : snapshot->kernels)
        if (kernel.compiled)
          characters += kernel.compiled->c.characters.size() + kernel.compiled->compilation.lattices.size();
      for (const Message& message : snapshot->messages)
        characters += text::render(message.diagnostic, snapshot->sources, text::Colour::off).size();
      for (const auto& [name, tensor] : snapshot->tensors)
        if (tensor.value && tensor.value->dense())
          characters += static_cast<std::size_t>(tensor.value->get_flat(0).as_double() != 0);
    }
  });
  for (int k = 0; k < 10; ++k) {
    worker.revise("product.tr", k % 3 == 0 ? illegal : product + "z(i) = " + std::to_string(k) + " * x(i)\n");
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  worker.finish();
  done = true;
  reader.join();
  CHECK(characters > 0);
}

}  // namespace trellis::session
