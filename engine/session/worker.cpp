#include "engine/session/worker.hpp"

#include <csignal>
#include <utility>

namespace trellis::session {

Worker::Worker(Options options, Listener listener, Wishes wishes)
    : listener_(std::move(listener)),
      wishes_(wishes),
      session_(std::make_unique<Session>(std::move(options))),
      follower_(std::make_unique<Follower>(*session_)),
      cancel_(session_->state().cancel) {
  // Signals are for the main thread.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { work(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Worker::~Worker() {
  {
    const std::lock_guard hold(mutex_);
    ending_ = true;
    waiting_.clear();
    cancel_.request();
  }
  changed_.notify_all();
  thread_.join();
}

std::uint64_t Worker::revise(std::string name, std::string content) {
  const std::lock_guard hold(mutex_);
  if (doing_ == Doing::revising || doing_ == Doing::waves) cancel_.request();
  return replace(Revision{std::move(name), std::move(content)});
}

// The text before it has to be read, and is: only its waves end, which follow the command.
std::uint64_t Worker::enter(std::string entry) {
  const std::lock_guard hold(mutex_);
  if (doing_ == Doing::waves) cancel_.request();
  return add(Entry{std::move(entry)});
}

std::uint64_t Worker::select(Selection selection) {
  const std::lock_guard hold(mutex_);
  return replace(std::move(selection));
}

// What is said of a text that is no longer there helps nobody; what a command does may be wanted all the same.
template <class What>
std::uint64_t Worker::replace(What what) {
  std::erase_if(waiting_, [](const Request& r) { return std::holds_alternative<What>(r.what); });
  return add(std::move(what));
}

std::uint64_t Worker::add(std::variant<Revision, Entry, Selection> what) {
  waiting_.push_back({++version_, std::move(what)});
  changed_.notify_all();
  return version_;
}

void Worker::cancel() {
  const std::lock_guard hold(mutex_);
  if (doing_ != Doing::nothing) cancel_.request();
}

std::shared_ptr<const Snapshot> Worker::latest() const {
  const std::lock_guard hold(mutex_);
  return latest_;
}

void Worker::finish() const {
  std::unique_lock hold(mutex_);
  changed_.wait(hold, [&] { return waiting_.empty() && doing_ == Doing::nothing; });
}

// What ended the work before is no wish to end this one.
std::optional<Worker::Request> Worker::next() {
  std::unique_lock hold(mutex_);
  doing_ = Doing::nothing;
  changed_.notify_all();
  changed_.wait(hold, [&] { return ending_ || !waiting_.empty(); });
  if (ending_) return std::nullopt;
  Request request = std::move(waiting_.front());
  waiting_.pop_front();
  cancel_.clear();
  doing_ = std::holds_alternative<Revision>(request.what) ? Doing::revising
           : std::holds_alternative<Entry>(request.what)  ? Doing::command
                                                          : Doing::waves;
  return request;
}

void Worker::work() {
  while (auto request = next()) carry_out(std::move(*request));
  follower_.reset();
  session_.reset();
}

void Worker::carry_out(Request request) {
  session_->state().progress = [&](const Progress& how_far) {
    if (listener_.progress) listener_.progress(request.version, how_far);
  };
  const auto publish_each = [this](const Snapshot& snapshot) { publish(snapshot); };
  if (auto* revision = std::get_if<Revision>(&request.what)) {
    follower_->revise(request.version, revision->name, std::move(revision->content), wishes_, publish_each);
  } else if (auto* selection = std::get_if<Selection>(&request.what)) {
    select(request.version, std::move(*selection));
  } else {
    carry_out(request.version, std::get<Entry>(request.what));
    follower_->refresh(request.version, wishes_, publish_each);
  }
  session_->state().progress = nullptr;
}

// All else is as it was shown last.
void Worker::select(std::uint64_t version, Selection selection) {
  session_->state().selection = selection;
  const auto shown = latest();
  if (!shown) return;
  Snapshot snapshot = *shown;
  snapshot.version = version;
  snapshot.selection = std::move(selection);
  publish(snapshot);
}

void Worker::carry_out(std::uint64_t version, const Entry& entry) {
  session_->answer("console", entry.text, [&](const Reply& reply) {
    follower_->hear(reply);
    if (!listener_.answer) return;
    Answer answer{version, reply.command, reply.exit, output_of(reply), "", reply.diagnostics};
    for (const text::Diagnostic& d : reply.diagnostics.all())
      answer.messages += text::render(d, session_->sources(), text::Colour::off);
    listener_.answer(answer);
  });
  // The command's end is not the end of what is shown of it, unless something else waits.
  const std::lock_guard hold(mutex_);
  doing_ = Doing::waves;
  if (waiting_.empty() && !ending_)
    cancel_.clear();
  else
    cancel_.request();
}

void Worker::publish(const Snapshot& snapshot) {
  auto shared = std::make_shared<const Snapshot>(snapshot);
  {
    const std::lock_guard hold(mutex_);
    doing_ = Doing::waves;  // the text has been read
    latest_ = shared;
  }
  if (listener_.snapshot) listener_.snapshot(std::move(shared));
}

}  // namespace trellis::session
