#include "engine/flow/levels.hpp"
#include "engine/flow/reader.hpp"

namespace trellis::flow {

/// `[i]`, `[i checked]`, `[pA]`, `[pA…]`, `[pA at j]`.
struct Reader::Bracket {
  std::string name = {};  ///< that stands alone, or before `at`
  bool several = false, at = false, checked = false;
  std::optional<Expr> coordinate = {};  ///< none: `[pA…]`
};

std::vector<Reader::Bracket> Reader::brackets() {
  std::vector<Bracket> all;
  while (accept("[")) {
    Bracket b;
    if (peek().kind == Token::Kind::name && (is("]", 1) || is("at", 1) || is("…", 1))) b.name = peek().text;
    if (is("…", 1)) {
      take(), take();
      b.several = true;
    } else if (is("at", 1)) {
      take(), take();
      b.at = true;
      b.coordinate = expr();
    } else {
      // A position of another name need not be a variable.
      const auto known = names_.find(b.name);
      if (b.name.empty() || known == names_.end() || !known->second.position) b.coordinate = expr();
      else b.coordinate = trellis::flow::name(take().text);
      b.checked = accept("checked");
    }
    expect("]");
    all.push_back(std::move(b));
  }
  return all;
}

Position Reader::position(const std::string& tensor, int levels) {
  const std::vector<Bracket> all = brackets();
  int level = levels - static_cast<int>(all.size());
  // Below entries of the level itself: a part of those that are at one coordinate.
  const bool part = level < 0 && all.size() == 1 && all.front().several;
  if (level < 0 && !part) fail("`" + tensor + "` has fewer levels");
  if (level > 0 && all.empty()) fail("`" + tensor + "` needs the position of an element");
  const Tensor& t = known_tensor(tensor);
  Position at = root();
  for (const Bracket& b : all) {
    const bool first = &b == &all.front();
    const auto known = names_.find(b.name);
    // A variable is an entry of a level with gaps, too: a position that is computed.
    const bool computed = known != names_.end() && level > 0 && !facts_of(t, level).dense();
    const bool entry =
        computed || (known != names_.end() && known->second.position && (level > 0 || !facts_of(t, 0).dense()));
    if (first && b.at) at = Position(PositionNode{Within{tensor, level, b.name, *b.coordinate}});
    else if (first && (b.several || (entry && !b.checked))) at = Position(PositionNode{At{b.name, b.several}});
    else if ((first && level > 0) || !b.coordinate || b.at) fail("this is no position in `" + tensor + "`");
    else
      at = Position(
          PositionNode{Direct{tensor, level, at, *b.coordinate, b.checked ? std::optional(Site{}) : std::nullopt}});
    ++level;
  }
  return at;
}

Position Reader::below(const std::string& tensor, int level) {
  return accept("below") ? position(tensor, level) : root();
}

int Reader::level_of(const std::string& tensor) {
  const int levels = levels_of(known_tensor(tensor));
  expect(".");
  const std::int64_t level = number("a level, from 1");
  if (level < 1 || level > levels) fail("`" + tensor + "` has no level " + std::to_string(level));
  return static_cast<int>(level - 1);
}

/// `A.2 below [i]`
std::string Reader::place(int& level, Position& parent) {
  const std::string tensor = name("a tensor's name");
  level = level_of(tensor);
  parent = below(tensor, level);
  return tensor;
}

}  // namespace trellis::flow
