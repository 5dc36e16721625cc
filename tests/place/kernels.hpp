#pragma once
// Kernels from source text, analysed, for the tests of placement.

#include <string>

#include "engine/place/place.hpp"

namespace trellis::place {

/// The analysis of the first kernel; fails the test, showing the diagnostics, when there is none.
Analysis analysed(const std::string& source);

/// The codes and instances of what is wrong with the first kernel.
text::Diagnostics problems(const std::string& source);

/// Legal orders of the kernel's variables, `ijk, jik`; all directions when asked, with `-` after descending names.
enum class Directions { ascending, all };
std::string legal_orders(const std::string& source, Directions directions = Directions::ascending);

/// The nest in the loop notation; the failure's reason when there is none.
std::string nest(const std::string& source, const std::string& order);

Failure failure(const std::string& source, const std::string& order);

}  // namespace trellis::place
