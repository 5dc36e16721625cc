#pragma once
// What is looked at: the session's selection, which the console sets as well. What is done here is seen at once, and
// told to the session.

#include <optional>
#include <string>
#include <vector>

#include "gui/comparison.hpp"

namespace trellis::gui {

/// "c:12".
std::string name_of(const text::NodeId& node);
std::optional<text::NodeId> node_named(std::string_view name);

class Selected {
 public:
  explicit Selected(Comparison& sides) : sides_(&sides) {}

  /// Null when the program of that side has none.
  const session::KernelView* kernel(char side = 'A') const;
  /// That was chosen; empty: the program's own choice.
  const std::string& kernel_name() const { return kernel_; }
  const std::vector<text::NodeId>& pins() const { return pins_; }
  int passes = 0;  ///< how far `window pass forth` and `back` have gone

  void look_at(const std::string& kernel);
  void pin(std::vector<text::NodeId> nodes);
  /// `element V 1 0`, `position A 1 3`, `nothing`. False: it is none of them.
  bool select(const std::string& words);
  /// Another program, or what was looked at before; the session is not told.
  void set(std::string kernel, std::vector<text::NodeId> pins) { kernel_ = std::move(kernel), pins_ = std::move(pins); }

  struct Stepped {
    const char* replay;
    std::size_t step = 0;
  };
  /// Takes over what a command such as `step`, `pin` or `select` has made of the session's selection. What is older
  /// than what was told to it does not count. The result is where a replay of the session has gone.
  std::optional<Stepped> follow();

 private:
  Comparison* sides_;
  std::string kernel_;
  std::vector<text::NodeId> pins_;
  std::uint64_t seen_ = 0;   ///< version of the snapshot whose selection was looked at last
  session::Selection last_;  ///< as it was then
};

}  // namespace trellis::gui
