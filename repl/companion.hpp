#pragma once
// Programs that belong to this one and lie beside it, such as `trellis-bench`: they bring libraries that the prompt
// need not wait for.

#include <string>
#include <vector>

namespace trellis::repl {

/// Becomes `trellis-NAME`, from the folder that this program is in. Returns only when that is impossible, with a
/// sentence that says why.
std::string exec_companion(const std::string& name, const std::vector<std::string>& arguments);

}  // namespace trellis::repl
