#pragma once
// What the palette offers: everything that can be done by a name, as the command that does it.

#include <optional>
#include <string>
#include <vector>

#include "gui/app.hpp"
#include "gui/icons.hpp"

namespace trellis::gui {

struct Offer {
  std::string
      group;  ///< "layout", "theme", "pane", "kernel", "tensor", "order", "example", "recent", "action", "command"
  std::string label;  ///< what is searched first, and read out
  std::string detail = {};
  std::string command;  ///< that it asks for
  std::string chord = {};
  Icon icon = Icon::prompt;
  std::optional<Verdict> verdict = {};  ///< of an order
  bool chosen = false;                  ///< that is how it is now
  std::string types = {};               ///< not carried out: this is put in the field, to be gone on with
};

/// In the order in which they show while nothing is typed.
std::vector<Offer> offers_of(App& app);

struct Ranked {
  std::size_t offer = 0;
  std::vector<std::uint32_t> lit;  ///< bytes of the label that fit
};
/// Those of the group ("": of all) that fit the query, best first.
std::vector<Ranked> ranked(const std::vector<Offer>& offers, const std::string& group, const std::string& query);

}  // namespace trellis::gui
