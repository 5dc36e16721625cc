#include "gui/document.hpp"

#include <chrono>
#include <filesystem>

#include "engine/loop/print.hpp"
#include "engine/session/command/ask.hpp"

namespace trellis::gui {
namespace {

/// What is not known yet of a kernel is what was last known of the one of that name.
session::Snapshot with_what_was_known(const session::Snapshot& next, const session::Snapshot& before) {
  session::Snapshot merged = next;
  for (session::KernelView& kernel : merged.kernels) {
    const session::KernelView* old = before.kernel(kernel.name);
    if (!old) continue;
    const bool settled = next.wave == session::Wave::ran, drawn = next.wave >= session::Wave::drawn;
    if (!kernel.compiled && !settled) kernel.compiled = old->compiled;
    // Pictures are of one execution: both change together.
    if (!drawn && old->drawn) kernel.explained = old->explained, kernel.drawn = old->drawn;
    if (!kernel.explained && !settled) kernel.explained = old->explained;
    if (!kernel.ran && !settled) kernel.ran = old->ran;
  }
  return merged;
}

session::Listener listener(const auto& heard, const std::function<void()>& wake) {
  return {.snapshot =
              [heard, wake](std::shared_ptr<const session::Snapshot> one) {
                {
                  const std::lock_guard hold(heard->mutex);
                  heard->snapshots.push_back(std::move(one));
                }
                wake();
              },
          .answer =
              [heard, wake](const session::Answer& one) {
                {
                  const std::lock_guard hold(heard->mutex);
                  heard->answers.push_back(one);
                }
                wake();
              },
          .progress =
              [heard, wake](std::uint64_t, const session::Progress& one) {
                {
                  const std::lock_guard hold(heard->mutex);
                  heard->progress = one;
                }
                wake();
              }};
}

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

Document::Document(session::Options options, std::function<void()> wake)
    : shown_(std::make_shared<session::Snapshot>()),
      wake_(wake),
      options_(options),
      worker_(std::move(options), listener(heard_, wake)) {}

void Document::open(std::string path, std::string text, std::string name) {
  path_ = std::move(path);
  name_ = std::move(name);
  saved_ = text;
  editor_.reset(std::move(text));
  opens_ = true;
  meanwhile_version_ = 0, shows_meanwhile_ = false;
  shown_ = std::make_shared<session::Snapshot>();
  wanted_preview_.clear(), previewed_.reset();
}

std::string Document::name() const {
  if (!name_.empty()) return name_;
  return path_.empty() ? "untitled.tr" : std::filesystem::path(path_).filename().string();
}

void Document::recover(std::string path, std::string text) {
  open(std::move(path), {});
  editor_.reset(std::move(text));
}

std::uint64_t Document::enter(const std::string& command) {
  ++commands_under_way_;
  return entered_version_ = worker_.enter(command);
}

void Document::update(double now) {
  if (editor_dirty()) {
    sent_revision_ = editor_.revision();
    sent_version_ = opens_ ? worker_.open(name(), editor_.text()) : worker_.revise(name(), editor_.text());
    if (std::exchange(opens_, false)) opened_version_ = sent_version_;
    sent_at_ = seconds_now();
    behind_since_ = now;
    to_c_.reset();
    if (commands_under_way_ > 0) compile_meanwhile();
  }
  std::deque<std::shared_ptr<const session::Snapshot>> snapshots, meanwhile;
  {
    const std::lock_guard hold(heard_->mutex);
    snapshots.swap(heard_->snapshots);
    meanwhile.swap(heard_->meanwhile);
    for (session::Answer& answer : heard_->answers) answers_.push_back(std::move(answer)), --commands_under_way_;
    heard_->answers.clear();
    progress_ = heard_->progress;
    if (commands_under_way_ <= 0) heard_->progress.reset(), progress_.reset();
  }
  if (commands_under_way_ <= 0) running_since_.reset();
  else if (!running_since_) running_since_ = now;
  for (auto& snapshot : snapshots) {
    // Of the text before, which the session has only now come to.
    if (snapshot->version < sent_version_ && shows_meanwhile_) continue;
    if (snapshot->version >= sent_version_) meanwhile_version_ = 0, shows_meanwhile_ = false;
    show(std::move(snapshot));
  }
  show_meanwhile(std::move(meanwhile));
  ask_for_preview();
}

void Document::compile_meanwhile() {
  if (!meanwhile_)
    meanwhile_ = std::make_unique<session::Worker>(
        options_,
        session::Listener{.snapshot =
                              [heard = heard_, wake = wake_](std::shared_ptr<const session::Snapshot> one) {
                                {
                                  const std::lock_guard hold(heard->mutex);
                                  heard->meanwhile.push_back(std::move(one));
                                }
                                wake();
                              }},
        session::Wishes{.run = false});
  meanwhile_version_ = meanwhile_->open(name(), editor_.text());
}

// As if the session had answered; what it says itself takes the place of this.
void Document::show_meanwhile(std::deque<std::shared_ptr<const session::Snapshot>> snapshots) {
  for (const auto& snapshot : snapshots) {
    if (meanwhile_version_ == 0 || snapshot->version != meanwhile_version_) continue;
    session::Snapshot as_answered = *snapshot;
    as_answered.version = sent_version_;
    as_answered.selection = shown_->selection;
    shows_meanwhile_ = true;
    show(std::make_shared<const session::Snapshot>(std::move(as_answered)));
  }
}

void Document::show(std::shared_ptr<const session::Snapshot> next) {
  if (next->version < opened_version_) return;
  const bool newest = next->version >= sent_version_;
  const bool compiled = !next->accepted || next->wave >= session::Wave::compiled;
  if (newest && compiled && !to_c_) to_c_ = (seconds_now() - sent_at_) * 1000;
  if (newest && (!next->accepted || next->wave >= session::Wave::drawn)) behind_since_.reset();
  shown_ = std::make_shared<session::Snapshot>(with_what_was_known(*next, *shown_));
}

void Document::complete(const std::string& text) {
  if (completing_ == text) return;
  completing_ = text;
  {
    const std::lock_guard hold(heard_->mutex);
    ++heard_->completions_asked;
  }
  worker_.ask([text, heard = heard_, wake = wake_](session::Session& session) {
    session::Completion completion = session::complete(session.state(), text, text.size());
    {
      const std::lock_guard hold(heard->mutex);
      heard->completion.emplace(text, std::move(completion));
      --heard->completions_asked;
    }
    wake();
  });
}

namespace {

/// The kernel that a preview is about: "forward: i k j" names it, "i k j" alone the usual one.
std::optional<lang::Kernel> kernel_of_preview(session::State& state, const std::string& order) {
  text::Diagnostics ignored;
  const lang::Program* program = state.program(ignored);
  const std::size_t colon = order.find(':');
  const lang::Kernel* kernel =
      program ? program->kernel(colon == std::string::npos ? "main" : order.substr(0, colon)) : nullptr;
  return kernel ? std::optional(*kernel) : std::nullopt;
}

/// What would be compiled; nothing where the rest of the schedule does not fit the order.
void compile_preview(session::State& state, lang::Kernel kernel, const lang::Order& order, Previewed& preview) {
  kernel.schedule.order = order;
  text::Diagnostics ignored;
  const session::Offer offer = state.offer;  // what is tried out offers nothing
  const auto compilation = state.compilation(kernel, ignored);
  state.offer = offer;
  if (!compilation) return;
  preview.loops = loop::print(compilation->loops).characters;
  preview.c = compilation->module.shown.characters;
}

Previewed previewed_in(session::Session& session, const std::string& order) {
  Previewed preview{order, false, {}, {}};
  session::State& state = session.state();
  const session::Reply reply = session::ask(state, "why " + order);
  const auto* answer = std::get_if<session::WhyAnswered>(&reply.result);
  if (!answer) {
    if (!reply.diagnostics.empty()) preview.diagnostic = reply.diagnostics.all().front();
    return preview;
  }
  preview.legal = answer->why.legal;
  preview.diagnostic = answer->diagnostic;
  preview.extent = answer->why.extent;
  if (preview.legal)
    if (const auto kernel = kernel_of_preview(state, order))
      compile_preview(state, *kernel, answer->why.order, preview);
  // Where the question was written is nothing to show.
  for (text::Note& note : preview.diagnostic.notes)
    if (note.span.known() && state.sources.slice({note.span.source, 0, 4}) == "why ") note.span = {};
  return preview;
}

}  // namespace

// One question at a time: while the pointer runs over many orders, only the last one counts.
void Document::ask_for_preview() {
  if (!asked_preview_.empty()) {
    const std::lock_guard hold(heard_->mutex);
    if (!heard_->previewed) return;
    previewed_ = std::exchange(heard_->previewed, {});
    asked_preview_.clear();
  }
  const bool known = previewed_ && previewed_->order == wanted_preview_ && preview_version_ == shown_->version;
  if (wanted_preview_.empty() || known) return;
  asked_preview_ = wanted_preview_;
  preview_version_ = shown_->version;
  worker_.ask([order = wanted_preview_, heard = heard_, wake = wake_](session::Session& session) {
    auto preview = std::make_shared<const Previewed>(previewed_in(session, order));
    {
      const std::lock_guard hold(heard->mutex);
      heard->previewed = std::move(preview);
    }
    wake();
  });
}

bool Document::completing() const {
  const std::lock_guard hold(heard_->mutex);
  return heard_->completions_asked > 0;
}

const session::Completion* Document::completion(const std::string& text) {
  {
    const std::lock_guard hold(heard_->mutex);
    if (heard_->completion) completion_ = std::exchange(heard_->completion, {});
  }
  return completion_ && completion_->first == text ? &completion_->second : nullptr;
}

std::vector<session::Answer> Document::take_answers() { return std::exchange(answers_, {}); }

}  // namespace trellis::gui
