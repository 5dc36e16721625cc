#pragma once
// `order i/96 j- i`: the loops that a schedule command names, tiles and directions among them.

#include <functional>
#include <optional>

#include "engine/lang/resolve/resolve.hpp"

namespace trellis::lang::resolving {

/// Of tiles, and of whatever else a step takes a number for.
constexpr std::int64_t largest_factor = 1 << 20;

struct WrittenLoop {
  LoopName name;
  text::Span span;
};

/// `j`, `j-`, `j/96` or `j-/96`, from the word `next` on, which is a loop's name; `next` is behind it afterwards. E0156
/// where the size of a tile is none.
std::optional<WrittenLoop> loop_at(Resolution& resolution, const std::vector<syntax::Word>& words, std::size_t& next);

struct WrittenOrder {
  Order order;
  text::Span span;
  std::vector<text::Span> loop_spans;
};

/// As the command writes it. E0321, E0157 where a loop stands twice, or tiles do not go around what is smaller, E0322
/// where no loop is named. `is_loop` says whether a word is the name of one, and reports where it is not.
std::optional<WrittenOrder> order_of(Resolution& resolution, const syntax::Command& command,
                                     const std::function<bool(const syntax::Word&)>& is_loop);

}  // namespace trellis::lang::resolving
