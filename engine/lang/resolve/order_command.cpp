#include "engine/lang/resolve/order_command.hpp"

#include <algorithm>

namespace trellis::lang::resolving {
namespace {

bool is_symbol(const syntax::Word& word, std::string_view text) {
  return word.kind == syntax::Word::Kind::symbol && word.text == text;
}

bool repeats(Resolution& resolution, const Order& order, const WrittenLoop& loop) {
  const bool again = std::ranges::find(order, loop.name.name, &LoopName::name) != order.end();
  if (again) resolution.error("E0321", loop.span, loop.name.name + " stands twice in this order");
  return again;
}

/// A loop over tiles goes around the loop over the values of one, and a coarser one around a finer one.
bool stands_inside(Resolution& resolution, const Order& order, const WrittenLoop& loop) {
  const auto tile = tile_of(loop.name.name);
  if (!tile) return false;
  for (const LoopName& outer : order) {
    if (variable_of(outer.name) != tile->variable) continue;
    const auto around = tile_of(outer.name);
    if (around && around->size > tile->size) continue;
    resolution.error(
        "E0157", loop.span,
        around ? "tiles of " + std::to_string(tile->size) + " do not fit into tiles of " + std::to_string(around->size)
               : "the tiles of " + tile->variable + " have to be outside of the loop over " + tile->variable,
        "coarse tiles first, then finer ones, then the variable: order " + tile->variable + "/96 " + tile->variable +
            "/8 " + tile->variable);
    return true;
  }
  return false;
}

}  // namespace

std::optional<WrittenLoop> loop_at(Resolution& resolution, const std::vector<syntax::Word>& words, std::size_t& next) {
  const syntax::Word& word = words[next];
  WrittenLoop loop{{word.text, false}, word.span};
  const auto follows = [&](std::string_view symbol) {
    return next < words.size() && words[next].joined && is_symbol(words[next], symbol);
  };
  const auto take = [&] { loop.span = text::cover(loop.span, words[next++].span); };
  ++next;
  if (follows("-")) {
    loop.name.descending = true;
    ++next;  // messages point at the name
  }
  if (!follows("/")) return loop;
  take();
  text::Span size = loop.span;
  std::string written;
  while (next < words.size() && words[next].joined && !is_symbol(words[next], ",")) {
    written += words[next].text;
    size = written.size() == words[next].text.size() ? words[next].span : text::cover(size, words[next].span);
    take();
  }
  loop.name.name += "/" + written;
  if (const auto tile = tile_of(loop.name.name); tile && tile->size <= largest_factor) {
    loop.name.name = tile_text(tile->variable, tile->size);
    return loop;
  }
  resolution.error("E0156", size,
                   written.empty() ? "how many values of " + word.text + " are a tile?"
                                   : "a tile cannot have " + written + " values of " + word.text,
                   "a whole number from 1 to 1048576, as in order " + word.text + "/96 " + word.text);
  return std::nullopt;
}

std::optional<WrittenOrder> order_of(Resolution& resolution, const syntax::Command& command,
                                     const std::function<bool(const syntax::Word&)>& is_loop) {
  WrittenOrder written{{}, command.name.span, {}};
  for (std::size_t next = 0; next < command.words.size();) {
    const syntax::Word& word = command.words[next];
    written.span = text::cover(written.span, word.span);
    if (is_symbol(word, ",")) {
      ++next;
      continue;
    }
    if (!is_loop(word)) return std::nullopt;
    const auto loop = loop_at(resolution, command.words, next);
    if (!loop || repeats(resolution, written.order, *loop) || stands_inside(resolution, written.order, *loop))
      return std::nullopt;
    written.order.push_back(loop->name);
    written.loop_spans.push_back(loop->span);
    written.span = text::cover(written.span, loop->span);
  }
  if (!written.order.empty()) return written;
  resolution.error("E0322", written.span, "order names no loop", "as in order i j");
  return std::nullopt;
}

}  // namespace trellis::lang::resolving
