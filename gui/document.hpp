#pragma once
// A program that is open: its text with undo, the worker that compiles it, and what is shown of it. While something new
// is on its way, what was last known stays, marked as stale, so that no pane is ever blank.

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/session/live/worker.hpp"
#include "engine/session/typing/complete.hpp"
#include "gui/editor.hpp"
#include "gui/scene.hpp"

namespace trellis::gui {

class Document {
 public:
  /// `wake` is called from the worker's thread when there is something new to draw.
  Document(session::Options options, std::function<void()> wake);

  /// Another program, without undo back to the one before, of which nothing is left. An example has a name, but no
  /// path to be saved at.
  void open(std::string path, std::string text, std::string name = {});
  const std::string& path() const { return path_; }
  std::string name() const;  ///< for people: "viterbi.tr"
  Editor& editor() { return editor_; }
  const Editor& editor() const { return editor_; }
  bool modified() const { return editor_.text() != saved_; }
  void saved(std::string path) { path_ = std::move(path), saved_ = editor_.text(), name_.clear(); }
  /// A text that was never saved takes the place of this one.
  void recover(std::string path, std::string text);

  /// A command of the session, carried out in its turn.
  std::uint64_t enter(const std::string& command);
  void select(session::Selection selection) { selected_version_ = worker_.select(std::move(selection)); }
  /// What is shown holds the last one.
  bool selected() const { return shown_->version >= selected_version_; }
  void cancel() { worker_.cancel(); }
  session::Worker& worker() { return worker_; }

  /// Once a frame: hands the text over if it changed, and takes what the worker has said since.
  void update(double now);
  const session::Snapshot& snapshot() const { return *shown_; }
  std::shared_ptr<const session::Snapshot> shared_snapshot() const { return shown_; }
  /// Since then: a text is waiting to be shown; empty: what is shown is up to date.
  std::optional<double> behind_since() const { return behind_since_; }
  /// Since then: commands are under way.
  std::optional<double> running_since() const { return running_since_; }
  bool busy() const { return commands_under_way_ > 0 || behind_since_.has_value(); }
  /// The worker has said all that it has to say about the text and the selection as they are, and about what the
  /// commands have changed.
  bool idle() const {
    return !busy() && selected() && shown_->version >= entered_version_ &&
           (shown_->wave == session::Wave::ran || !shown_->accepted) && !editor_dirty() && !completing() &&
           asked_preview_.empty() && !machine_code_.under_way() && !zooming_.under_way();
  }
  std::optional<session::Progress> progress() const { return progress_; }
  std::vector<session::Answer> take_answers();
  /// It is about the program that is open, not about one before it.
  bool holds(const session::Answer& answer) const { return answer.version >= opened_version_; }
  /// Asks what may be typed next behind that text, unless it was asked last.
  void complete(const std::string& text);
  /// The answer; null while it is not known.
  const session::Completion* completion(const std::string& text);
  /// Null while it is being made.
  std::shared_ptr<const session::Listing> machine_code(const std::shared_ptr<const session::CompiledView>& kernel) {
    return machine_code_.of(kernel);
  }
  /// The same of a matrix, in the order for zooming into it.
  std::shared_ptr<const session::ZoomedInto> zoomed_into(const tensor::Tensor& matrix) { return zooming_.of({matrix}); }
  /// Somebody looks at an order, "i k j" or "forward: i k j", to see whether it is legal; "": nobody does any more.
  void preview(const std::string& order) { wanted_preview_ = order; }
  /// Null until the answer is there.
  std::shared_ptr<const Previewed> previewed() const {
    return previewed_ && previewed_->order == wanted_preview_ ? previewed_ : nullptr;
  }
  /// From the last change of the text to the C of it, in milliseconds.
  std::optional<double> last_to_c() const { return to_c_; }

 private:
  void ask_for_preview();
  bool completing() const;  ///< a question about what may be typed next has no answer yet
  bool editor_dirty() const { return sent_revision_ != editor_.revision(); }
  void show(std::shared_ptr<const session::Snapshot> next);
  void compile_meanwhile();
  void show_meanwhile(std::deque<std::shared_ptr<const session::Snapshot>> snapshots);

  std::string path_, saved_, name_;
  Editor editor_;
  std::uint64_t sent_revision_ = 0;     ///< of the editor
  std::uint64_t sent_version_ = 0;      ///< of the worker's request that holds it
  bool opens_ = false;                  ///< the text that is sent next is another program
  std::uint64_t opened_version_ = 0;    ///< of the request that opened it: what is older is of another program
  std::uint64_t entered_version_ = 0;   ///< of the last command's
  std::uint64_t selected_version_ = 0;  ///< of the last selection's
  double sent_at_ = 0;
  std::optional<double> behind_since_, running_since_, to_c_;
  int commands_under_way_ = 0;
  std::shared_ptr<const session::Snapshot> shown_;
  std::optional<session::Progress> progress_;

  struct Heard {
    std::mutex mutex;
    std::deque<std::shared_ptr<const session::Snapshot>> snapshots, meanwhile;
    std::vector<session::Answer> answers;
    std::optional<session::Progress> progress;
    std::optional<std::pair<std::string, session::Completion>> completion;  ///< of that text
    int completions_asked = 0;                                              ///< and not answered
    std::shared_ptr<const Previewed> previewed;
  };
  std::function<void()> wake_;
  std::string completing_;
  std::string wanted_preview_, asked_preview_;  ///< the latter is under way; empty: none is
  std::uint64_t preview_version_ = 0;           ///< of the snapshot that it was about
  std::shared_ptr<const Previewed> previewed_;
  std::optional<std::pair<std::string, session::Completion>> completion_;
  std::shared_ptr<Heard> heard_ = std::make_shared<Heard>();
  std::vector<session::Answer> answers_;
  session::Disassembly machine_code_{session::listing_of, wake_};
  session::Zooming zooming_{session::zoomed_into, wake_};
  const session::Options options_;
  std::uint64_t meanwhile_version_ = 0;  ///< of the other worker's request that holds the text; 0: none does
  bool shows_meanwhile_ = false;         ///< what is shown is newer than what the session has come to
  session::Worker worker_;               // last: its thread ends before what it calls
  /// While the session carries out a command, the text is compiled in one that runs nothing. Null: never yet.
  std::unique_ptr<session::Worker> meanwhile_;
};

}  // namespace trellis::gui
