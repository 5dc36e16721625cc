#pragma once
// What a view reads: values alone. A view is `draw(const Scene&, Ui&, Rect)`, one file each in views/; it changes
// nothing but what it keeps in Ui::memory, and asks for everything else by commands.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/explore/lockstep.hpp"
#include "engine/session/live/disassembly.hpp"
#include "engine/session/live/drawn.hpp"
#include "engine/session/live/snapshot.hpp"
#include "engine/session/live/verdict.hpp"
#include "engine/session/live/worker.hpp"
#include "engine/session/live/zoomed.hpp"
#include "engine/session/typing/complete.hpp"
#include "gui/ui.hpp"

namespace trellis::gui {

class Editor;
struct Console;
struct Lessons;
struct Settings;

/// How many steps have been taken of each replay.
struct Steps {
  std::size_t execution = 0, placement = 0, lattice = 0;
  /// Of that replay: "execution", "placement", "lattice".
  std::size_t& of(std::string_view replay) {
    return replay == "placement" ? placement : replay == "lattice" ? lattice : execution;
  }
  std::size_t of(std::string_view replay) const { return Steps(*this).of(replay); }
  bool operator==(const Steps&) const = default;
};

/// What an order would be, that somebody only looks at.
struct Previewed {
  std::string order;  ///< as asked: "i k j", "forward: i k j"
  bool legal = false;
  text::Diagnostic diagnostic;  ///< else why it is not; its spans in the program hold
  std::optional<explore::Extent> extent;
  std::string loops = {}, c = {};  ///< what would be compiled, where it is legal
};

/// Null where there is none (yet).
const session::Recorded* execution_of(const session::KernelView* kernel);
/// How many steps a replay has: "execution", "placement", "lattice".
std::size_t length_of(const session::KernelView* kernel, std::string_view replay);

struct Scene {
  std::shared_ptr<const session::Snapshot> snapshot;  ///< never null
  const session::KernelView* kernel = nullptr;        ///< that is looked at; null when the program has none
  session::KernelVerdict verdict = {};                ///< of that kernel, hidden while one is asked to predict it
  Steps steps;
  session::Selection selection;
  bool stale = false;     ///< the text is newer than what is shown
  bool predict = false;   ///< verdicts, and what comes next, are hidden
  bool poisoned = false;  ///< an illegal order is run all the same: what is undefined shows as `?`
  char side = 'A';        ///< of a comparison
  int passes = 0;         ///< how far `window pass forth` and `back` have gone, which those who show stages follow
  const std::vector<session::Message>* messages = nullptr;  ///< the newest ones, those of a text that is refused too
  bool busy = false;                                        ///< commands or waves are under way
  std::optional<session::Progress> progress;
  std::optional<double> running_for = {};          ///< seconds since the commands began that are under way
  std::shared_ptr<const session::Snapshot> other;  ///< of the other side of a comparison; null: there is none
  char stepped_side = 'A';                         ///< the side that is stepped; the other follows
  std::shared_ptr<const explore::Counterparts> counterparts = {};  ///< of this side's steps; null: nothing is compared
  std::size_t other_at = 0;                                        ///< how many steps the other side has done
  bool playing = false;
  const std::map<std::string, std::shared_ptr<const session::Reply>>* replies =
      nullptr;                            ///< by command: the last "suggest"
  std::vector<std::string> indices = {};  ///< of the kernel, in the order in which they have their hues
  // The two that are written in.
  Editor* editor = nullptr;
  Console* console = nullptr;
  const Settings* settings = nullptr;
  const Lessons* lessons = nullptr;
  std::shared_ptr<const Previewed> preview = {};  ///< while an order is looked at (`window preview i k j`), and known
  /// What may be typed behind that text; null while the worker has not said. Empty: nobody can be asked.
  std::function<const session::Completion*(const std::string&)> complete = {};
  /// Machine code of the kernel, which is compiled for who asks; null while it is. Empty: nobody can be asked.
  std::function<std::shared_ptr<const session::Listing>()> machine_code = {};

  /// A matrix in the order for zooming into it, which is made for who asks; null while it is.
  std::function<std::shared_ptr<const session::ZoomedInto>(const tensor::Tensor&)> zoomed = {};

  // Shorthands; null where there is nothing (yet).
  const session::CompiledView* compiled() const { return kernel ? kernel->compiled.get() : nullptr; }
  const session::ExplainedView* explained() const { return kernel ? kernel->explained.get() : nullptr; }
  const session::DrawnView* drawn() const { return kernel ? kernel->drawn.get() : nullptr; }
  const session::Recorded* execution() const { return execution_of(kernel); }
  /// What the verdict says about the order; empty where it is about something else, or not known.
  std::optional<bool> legal() const;
  /// That step, of those that are done here, is to come on the other side; false also when nobody can tell.
  bool done_here_alone(std::size_t step) const;
  /// The number of an index among the kernel's variables, for its hue; -1: it is none.
  int index_number(const std::string& variable) const;
};

/// In the order of the program, which stays when loops are reordered: a hue is a name.
std::vector<std::string> indices_of(const session::ExplainedView* explained);

/// The hue of an index, wherever it is named; ink for what is none.
Colour colour_of_index(const Scene& scene, const Theme& theme, const std::string& variable);

}  // namespace trellis::gui
