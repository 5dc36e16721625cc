#pragma once
// What a kernel does when a result that it appends to is full.

namespace trellis::emit {

/// It says so and goes on for nothing, or asks whoever holds the tensor for more room
/// (docs/design/interface.md#growth).
enum class Growth { none, asked };

}  // namespace trellis::emit
