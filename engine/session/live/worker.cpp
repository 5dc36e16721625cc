#include "engine/session/live/worker.hpp"

#include <algorithm>
#include <csignal>
#include <utility>

namespace trellis::session {

Worker::Worker(Options options, Listener listener, Wishes wishes)
    : listener_(std::move(listener)), wishes_(wishes), options_(std::move(options)) {
  begin_session();
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

void Worker::begin_session() {
  {
    const std::lock_guard hold(mutex_);
    latest_.reset();
  }
  follower_.reset();
  session_ = std::make_unique<Session>(options_);
  session_->state().cancel = session_->state().options.limits.cancel = cancel_;
  follower_ = std::make_unique<Follower>(*session_);
}

std::uint64_t Worker::open(std::string name, std::string content) {
  const std::lock_guard hold(mutex_);
  if (doing_ == Doing::revising || doing_ == Doing::command) cancel_.request();
  end_waves();
  return replace(Revision{std::move(name), std::move(content), true});
}

std::uint64_t Worker::revise(std::string name, std::string content) {
  const std::lock_guard hold(mutex_);
  if (doing_ == Doing::revising) cancel_.request();
  end_waves();
  const bool opens = std::ranges::any_of(waiting_, [](const Request& r) {
    const auto* waits = std::get_if<Revision>(&r.what);
    return waits && waits->opens;
  });
  return replace(Revision{std::move(name), std::move(content), opens});
}

// The text before it has to be read, and is: only its waves end, which follow the command.
std::uint64_t Worker::enter(std::string entry) {
  const std::lock_guard hold(mutex_);
  end_waves();
  return add(Entry{std::move(entry)});
}

std::uint64_t Worker::ask(std::function<void(Session&)> question) {
  const std::lock_guard hold(mutex_);
  return add(Question{std::move(question)});
}

void Worker::end_waves() {
  if (doing_ == Doing::waves) cancel_.request();
  if (doing_ == Doing::question) outdated_ = true;
}

std::uint64_t Worker::select(Selection selection) {
  const std::lock_guard hold(mutex_);
  return replace(std::move(selection));
}

// What is said of a text that is no longer there helps nobody; what a command does may be wanted all the same.
template <class One>
std::uint64_t Worker::replace(One one) {
  std::erase_if(waiting_, [](const Request& r) { return std::holds_alternative<One>(r.what); });
  return add(std::move(one));
}

std::uint64_t Worker::add(What what) {
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
  lent_.free_returned();
  std::unique_lock hold(mutex_);
  doing_ = Doing::nothing;
  changed_.notify_all();
  changed_.wait(hold, [&] { return ending_ || !waiting_.empty(); });
  if (ending_) return std::nullopt;
  Request request = std::move(waiting_.front());
  waiting_.pop_front();
  cancel_.clear();
  outdated_ = false;
  doing_ = std::visit(
      text::overloaded{[](const Revision&) { return Doing::revising; }, [](const Entry&) { return Doing::command; },
                       [](const Selection&) { return Doing::waves; }, [](const Question&) { return Doing::question; }},
      request.what);
  return request;
}

void Worker::work() {
  while (auto request = next()) carry_out(std::move(*request));
  lent_.free_returned();
  follower_.reset();
  session_.reset();
}

void Worker::carry_out(Request request) {
  if (const auto* revision = std::get_if<Revision>(&request.what); revision && revision->opens) begin_session();
  session_->state().progress = [&](const Progress& how_far) {
    if (listener_.progress) listener_.progress(request.version, how_far);
  };
  const Waves waves{[this](const Snapshot& snapshot) { publish(snapshot); }, [this] { answer_questions(); }};
  if (const auto fault = contained([&] { carry_out(request, waves); })) answer(request.version, *fault);
  session_->state().progress = nullptr;
}

void Worker::carry_out(Request& request, const Waves& waves) {
  std::visit(text::overloaded{[&](Revision& revision) {
                                follower_->revise(request.version, revision.name, std::move(revision.content), wishes_,
                                                  waves);
                              },
                              [&](Entry& entry) {
                                carry_out(request.version, entry);
                                follower_->refresh(request.version, wishes_, waves);
                              },
                              [&](Selection& selection) { select(request.version, std::move(selection)); },
                              [&](Question& question) { answer(question); }},
             request.what);
}

// Commands answer for themselves: this is of what follows a text or a selection.
void Worker::answer(std::uint64_t version, const Fault& fault) {
  if (!listener_.answer) return;
  text::Diagnostics diagnostics;
  report_fault(fault, session_->state(), {"the explorer", "", {}}, diagnostics);
  Answer answer{version, "statement", Exit::fault, "", "", diagnostics, {}};
  for (const text::Diagnostic& d : diagnostics.all())
    answer.messages += text::render(d, session_->sources(), text::Colour::off);
  listener_.answer(answer);
}

// What it fails at offers no fixes: nobody has seen the error.
void Worker::answer(const Question& question) try {
  State& state = session_->state();
  const text::CancelScope scope(state.cancel);
  const Offer offer = state.offer;
  question.ask(*session_);
  state.offer = offer;
} catch (const text::Cancelled&) {
  // Whoever asked has cancelled it.
}

/// Those whose turn it is, while waves are under way. What has come meanwhile ends the waves, and not the question.
void Worker::answer_questions() {
  std::unique_lock hold(mutex_);
  while (!cancel_.requested() && !waiting_.empty() && std::holds_alternative<Question>(waiting_.front().what)) {
    const Request request = std::move(waiting_.front());
    waiting_.pop_front();
    doing_ = Doing::question;
    hold.unlock();
    answer(std::get<Question>(request.what));
    hold.lock();
    doing_ = Doing::waves;
    if (outdated_) cancel_.request();
  }
}

// All else is as it was shown last.
void Worker::select(std::uint64_t version, Selection selection) {
  session_->state().focus.selection = selection;
  const auto shown = latest();
  if (!shown) return;
  Snapshot snapshot = *shown;
  snapshot.version = version;
  snapshot.selection = std::move(selection);
  publish(snapshot);
}

void Worker::carry_out(std::uint64_t version, const Entry& entry) {
  std::vector<std::shared_ptr<const Reply>> replies;
  session_->answer("console", entry.text, [&](const Reply& reply) {
    follower_->hear(reply);
    if (!listener_.answer) return;
    replies.push_back(lent_.lend(reply));
    Answer answer{version, reply.command,     reply.exit, output_of(reply, Elision::when_large),
                  "",      reply.diagnostics, replies};
    for (const text::Diagnostic& d : reply.diagnostics.all())
      answer.messages += text::render(d, session_->sources(), text::Colour::off);
    listener_.answer(answer);
  });
  // The command's end is not the end of what is shown of it, unless something else waits.
  const std::lock_guard hold(mutex_);
  doing_ = Doing::waves;
  const auto is_question = [](const Request& r) { return std::holds_alternative<Question>(r.what); };
  if (std::ranges::all_of(waiting_, is_question) && !ending_) cancel_.clear();
  else cancel_.request();
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
