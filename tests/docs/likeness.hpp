#pragma once
// Whether a command printed what a page shows under it. Both are lines; what differs from run to run is left out of the
// comparison: any time (`1.2 ms`) and any rate (`3 GB/s`) equals any other, `…` stands for the rest of its line, and a
// line that is `…` alone for any number of lines. `took 0.7 s`, which stands under what took long, may be there or not.
// Blanks at the end of a line do not matter, nor how many stand around a time.

#include <string>
#include <vector>

namespace trellis::testing {

bool alike(const std::vector<std::string>& shown, const std::vector<std::string>& printed);

}  // namespace trellis::testing
