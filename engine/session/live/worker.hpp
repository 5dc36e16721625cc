#pragma once
// A session on a thread of its own. Requests go in with versions that rise; snapshots and answers come out. Of
// revisions only the latest counts: one that comes ends the waves of those before it. Commands are carried out in their
// order, each to its end.
//
//   Worker worker({}, {.snapshot = [&](auto snapshot) { … }});   // called on the worker's thread: hand it over, return
//   worker.open("viterbi.tr", text);                             // 1: read, compiled, explained, ran
//   worker.revise("viterbi.tr", newer);                          // 2: what is left of 1 is dropped
//   worker.enter("run native");                                  // 3: an answer, then a snapshot
//   worker.ask([](Session& session) { … });                      // 4: in its turn, but waits for no wave
//
// isl's objects never leave the thread; it made them, and it frees them.

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "engine/session/fault.hpp"
#include "engine/session/live/follow.hpp"
#include "engine/session/live/lent.hpp"

namespace trellis::session {

/// What a command said.
struct Answer {
  std::uint64_t version = 0;
  std::string command;
  Exit exit = Exit::success;
  std::string output;    ///< as on standard output
  std::string messages;  ///< as in a terminal without colours
  text::Diagnostics diagnostics;
  /// Of the entry's statements so far, this one last, as values that windows draw. They may hold objects of isl, which
  /// they bring back to the worker's thread: read them on any thread, but keep no part of them longer than the whole.
  std::vector<std::shared_ptr<const Reply>> replies;
};

/// Who hears what a worker has to say. Each may be empty. They are called on its thread, and must not wait for it.
struct Listener {
  std::function<void(std::shared_ptr<const Snapshot>)> snapshot = {};
  std::function<void(const Answer&)> answer = {};
  std::function<void(std::uint64_t version, const Progress&)> progress = {};
};

class Worker {
 public:
  explicit Worker(Options options, Listener listener = {}, Wishes wishes = {});
  /// What is under way ends, what waits is dropped.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // From any thread. The result is the request's version.
  /// Another program than before: nothing is left of that one, neither tensors nor measurements, and what it does ends.
  std::uint64_t open(std::string name, std::string content);
  std::uint64_t revise(std::string name, std::string content);
  std::uint64_t enter(std::string entry);
  std::uint64_t select(Selection selection);
  /// A question that changes nothing, such as what an order would do: in its turn after what was asked for before, but
  /// between two kernels of the waves that follow, not after them. It is called on the worker's thread and hands over
  /// what it finds; `cancel` ends it as soon as it looks, a later request does not.
  std::uint64_t ask(std::function<void(Session&)> question);
  /// Ends what is under way in this worker, in no other; what waits goes on.
  void cancel();

  /// The last one that was published, or null.
  std::shared_ptr<const Snapshot> latest() const;
  /// Blocks until nothing waits and nothing is under way.
  void finish() const;

 private:
  struct Revision {
    std::string name, content;
    bool opens = false;  ///< in a session of its own
  };
  struct Entry {
    std::string text;
  };
  struct Question {
    std::function<void(Session&)> ask;
  };
  using What = std::variant<Revision, Entry, Selection, Question>;
  struct Request {
    std::uint64_t version = 0;
    What what;
  };

  void work();
  std::optional<Request> next();
  void begin_session();
  void carry_out(Request request);
  void carry_out(Request& request, const Waves& waves);
  void carry_out(std::uint64_t version, const Entry& entry);
  void answer(std::uint64_t version, const Fault& fault);
  void select(std::uint64_t version, Selection selection);
  void answer(const Question& question);
  void answer_questions();
  void end_waves();
  template <class One>
  std::uint64_t replace(One one);
  std::uint64_t add(What what);
  void publish(const Snapshot& snapshot);

  const Listener listener_;
  const Wishes wishes_;
  const Options options_;
  std::unique_ptr<Session> session_;    // of the worker's thread, which also frees it
  std::unique_ptr<Follower> follower_;  // likewise
  const text::Cancel cancel_;           ///< of each session
  Lent lent_;                           ///< replies

  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::deque<Request> waiting_;  ///< at most one revision, and one selection
  std::uint64_t version_ = 0;
  bool ending_ = false;
  enum class Doing { nothing, command, revising, waves, question } doing_ = Doing::nothing;
  bool outdated_ = false;  ///< the waves that a question has interrupted are no longer wanted
  std::shared_ptr<const Snapshot> latest_;
  std::thread thread_;
};

}  // namespace trellis::session
