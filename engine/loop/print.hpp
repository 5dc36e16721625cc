#pragma once
// Loops in the notation of stmt.hpp, which `loops { … }` reads back (read.hpp). Each statement has a span with its
// number; notes appear as comments.

#include <string>

#include "engine/loop/stmt.hpp"
#include "engine/text/text.hpp"

namespace trellis::loop {

/// `stage` is what the spans name: `placement` for a nest before normalisation, `loops` after it.
/// A block at the top prints its statements without braces.
text::Text print(const Stmt& stmt, text::Stage stage = text::Stage::loops);

/// The characters alone, for tests and messages.
std::string to_string(const Stmt& stmt);

/// `tensor w(n): f32`, with the attributes that differ from a dense tensor filled with 0, and always the type.
std::string to_string(const lang::TensorInfo& tensor);

}  // namespace trellis::loop
