#pragma once
// What libraries of flat arrays and of tensors have in common.

#include <string>

#include "engine/emit/entry.hpp"
#include "engine/emit/library.hpp"

namespace trellis::emit {

/// A C name for the function that is wished to be called so.
std::string function_name(const std::string& wished);
std::string upper_case(std::string text);
/// A value of the example, with all its digits; `otherwise` where the request knows none.
std::string parameter_text(const LibraryRequest& request, const std::string& name, double otherwise);
/// The kernel and the function behind the interface, as a source that includes its header.
std::string source_of(const Callable& callable, const std::string& kernel, const std::string& stem);
/// Of that function, with the order of what it takes.
std::string declaration_of_call(const Callable& callable);

}  // namespace trellis::emit
