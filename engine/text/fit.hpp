#pragma once
// Text for a page of so many columns: what is wider is made to fit, so that no terminal breaks a line where it likes.
//
//   ✗ i j k  L(i,j) needs its own row complete, which it is not      ✗ i j k  L(i,j) needs its own
//   ✓ j k i  legal    1.0×                                      =>            row complete, which it
//                                                                             is not
//                                                                    ✓ j k i  legal    1.0×
//
// Control sequences that only colour stay and take no room. Width counts what is seen, never bytes.

#include <span>
#include <string>
#include <string_view>

#include "engine/text/diagnostic.hpp"

namespace trellis::text {

struct Page {
  int columns = 0;                  ///< 0: as wide as the text is
  std::string_view ellipsis = "…";  ///< where something was cut
  std::string_view program = {};  ///< the file that is run as it stands, where fixes are written; empty: they are typed
  int fixes_before = 0;           ///< how many that run has shown: they are numbered over all of its messages
};

enum class Overflow {
  /// Grids: what is beyond the edge is left out.
  cut,
  /// Tables and programs: a line goes on in the next one, under its last cell or its second one; cells are two blanks
  /// apart. Drawings, which have lines of strokes alone, are cut.
  flow,
  /// The same, and paragraphs that are too wide are filled anew; what is indented is no paragraph.
  prose,
};

/// Every line of the text, on the page. Text that fits comes back as it is.
std::string fit(std::string_view text, const Page& page, Overflow overflow);

/// How many columns a line takes.
int width_of(std::string_view line);

/// The fixes that `render` shows: the first few.
std::span<const Fix> shown_fixes(const Diagnostic& diagnostic);

/// `render` of diagnostic.hpp, on the page.
std::string render(const Diagnostic& diagnostic, const Sources& sources, Colour colour, const Page& page);

}  // namespace trellis::text
