#pragma once
// Formats by what a declaration says of them.

#include <optional>
#include <string>

#include "engine/format/format.hpp"
#include "engine/format/scalar.hpp"

namespace trellis::python {

struct Declared {
  format::Format format;
  std::optional<format::Value> fill;  ///< that the text says
};
/// What is said of a tensor with so many dimensions, as `{dense, compressed(wide)} @ (1, 0)`, `csr fill inf` or
/// `bcsr(2, 2)` say it; remembered. Throws Refused.
Declared declared(const std::string& text, int rank);

/// The words behind the type: of `f32 csc` csc.
std::string without_type(const std::string& attributes);
/// `f32 csc` says a type, `csc` none.
bool says_type(const std::string& attributes);

/// Its format alone.
format::Format format_named(const std::string& text, int rank);

}  // namespace trellis::python
