#pragma once
// A dependence in words: which iteration touches which element, and which other one needs it to.

#include "engine/schedule/certificate.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::schedule {

/// `at n=2: iteration i=1 reads x(0), which iteration i=0 writes`.
std::string to_string(const Violation& violation);
text::Instance to_instance(const Violation& violation);
/// `x(i-1) is read after x(i) is written`: what a reader of the loops needs to know about the dependence.
std::string describe(const Dependence& dependence);

}  // namespace trellis::schedule
