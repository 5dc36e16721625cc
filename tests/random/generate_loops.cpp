#include "tests/random/generate_loops.hpp"

namespace trellis::randomised {
namespace {

using Names = std::vector<std::string>;

/// A statement around others: its parts may be cut away one by one.
Tree around(std::string open, std::vector<Tree> body) { return {open + " {\n", std::move(body), "\n", "\n}"}; }

class LoopsGenerator {
 public:
  explicit LoopsGenerator(Dice& dice) : dice_(dice) {}

  Draft run() {
    type_ = dice_.pick(Names{"f64", "f64", "f64", "f32", "i64", "i32", "i16", "u8"});
    for (const char* shape : {"A(n, n)", "X(n, n)", "b(n)", "Y(n)", "Z(n)", "s"})
      draft_.declarations.push_back(std::string("tensor ") + shape + ": " + type_);
    for (const char* mask : {"m(n)", "M(n, n)"})
      draft_.declarations.push_back(std::string("tensor ") + mask + ": bool");
    draft_.declarations.push_back("tensor p(n): i64");
    draft_.actions = block(0, 1 + dice_.below(3));
    return draft_;
  }

 private:
  bool floating() const { return type_[0] == 'f'; }

  std::vector<Tree> block(int depth, int count) {
    std::vector<Tree> result;
    while (std::ssize(result) < count) statement(depth, result);
    return result;
  }

  void statement(int depth, std::vector<Tree>& into) {
    const int kind = dice_.below(100);
    if (depth == 0 || (depth < 3 && kind < 30)) return into.push_back(loop(depth));
    if (kind < 42) return into.push_back(branch(depth));
    if (kind < 48 && depth < 3) return into.push_back(let(depth));
    if (kind < 53 && depth < 3) return counted_while(depth, into);
    if (kind < 60 && depth < 3) return temporary(depth, into);
    if (kind < 64) return into.push_back(leaf(dice_.pick(Names{"Y", "Z", "s"}) + " .= " + constant()));
    into.push_back(assignment());
  }

  Tree loop(int depth) {
    const std::string name(1, "ijk"[indices_.size() % 3]);
    std::string head = "for " + name + (dice_.chance(20) ? " down" : "");
    Names ranges{"0:n", "0:n", "0:n", "1:n", "0:n-1"};
    if (!indices_.empty()) {
      const std::string outer = dice_.pick(indices_);
      ranges.insert(ranges.end(), {"0:" + outer, outer + ":n", outer + "+1:n", "0:" + outer + "+1"});
    }
    head += " in " + dice_.pick(ranges);
    if (dice_.chance(15)) {
      Names ended{"s"};
      if (!indices_.empty())
        ended.insert(ended.end(), {element("Y", {dice_.pick(indices_)}), element("Z", {dice_.pick(indices_)})});
      head += " until " + dice_.pick(ended) + dice_.pick(Names{" > ", " == ", " < ", " != "}) + constant();
    }
    indices_.push_back(name);
    Tree result = around(head, block(depth + 1, 1 + dice_.below(3)));
    indices_.pop_back();
    return result;
  }

  Tree branch(int depth) {
    std::string condition;
    const std::string i = dice_.pick(indices_), j = dice_.pick(indices_);
    switch (dice_.below(7)) {
      case 5: condition = element("M", {i, j}); break;
      case 6: condition = element("m", {i}) + dice_.pick(Names{"", " && " + element("M", {j, i})}); break;
      case 0: condition = i + dice_.pick(Names{" < ", " <= ", " == ", " != "}) + j; break;
      case 1: condition = "(" + i + " + " + j + ") % 2 == 0"; break;
      case 2: condition = i + " > 0 && " + element("b", {i + "-1"}) + " > 1"; break;
      default: condition = value(1) + dice_.pick(Names{" < ", " >= ", " == "}) + value(1); break;
    }
    Tree result = around("if " + condition, block(depth + 1, 1 + dice_.below(2)));
    if (dice_.chance(35)) {
      result.close = "\n} else {\n";
      Tree otherwise{"", block(depth + 1, 1), "\n", "\n}"};
      return Tree{"", {std::move(result), std::move(otherwise)}, "", ""};
    }
    return result;
  }

  Tree let(int depth) {
    const std::string name = "v" + std::to_string(fresh_++);
    const std::string bound = value(2);
    locals_.push_back(name);
    Tree result = around("let " + name + " = " + bound, block(depth + 1, 1 + dice_.below(2)));
    locals_.pop_back();
    return result;
  }

  /// A `while` that ends, whatever its body does.
  void counted_while(int depth, std::vector<Tree>& into) {
    const std::string name = "t" + std::to_string(fresh_++);
    into.push_back(leaf("tensor " + name + ": i64"));
    into.push_back(leaf(name + " = " + std::to_string(dice_.below(3))));
    std::string condition = name + " > 0";
    if (dice_.chance(30)) condition += " && any(q)(Z(q) < 3)";
    else if (dice_.chance(30)) condition += " && " + value(1) + " < 3";
    std::vector<Tree> body = block(depth + 1, 1 + dice_.below(2));
    Tree loop{"while " + condition + " {\n" + name + " -= 1\n", std::move(body), "\n", "\n}"};
    into.push_back(std::move(loop));
  }

  void temporary(int depth, std::vector<Tree>& into) {
    const std::string name = "w" + std::to_string(fresh_++);
    const bool row = dice_.chance(60);
    into.push_back(
        leaf("tensor " + name + (row ? "(n): " : ": ") + type_ + (!row && dice_.chance(40) ? " sparse" : "")));
    into.push_back(leaf(name + " .= " + constant()));
    auto& kind = row ? rows_ : scalars_;
    kind.push_back(name);
    for (Tree& inner : block(depth + 1, 1 + dice_.below(3))) into.push_back(std::move(inner));
    kind.pop_back();
  }

  Tree assignment() {
    Names targets;
    auto some = [&](const std::string& name, int rank) {
      std::vector<std::string> at;
      for (int d = 0; d < rank; ++d) at.push_back(index());
      targets.push_back(element(name, at));
    };
    some("X", 2), some("Y", 1), some("Z", 1), some("s", 0);
    for (const std::string& row : rows_) some(row, 1), some(row, 1);
    for (const std::string& scalar : scalars_) some(scalar, 0), some(scalar, 0);
    const std::string target = dice_.pick(targets);
    if (dice_.chance(12)) return leaf(target + " = " + written_update(target));
    if (dice_.chance(6)) return leaf(target + " = " + constant());
    Names updates{"=", "=", "+=", "+=", "-=", "min=", "max="};
    if (!floating()) updates.insert(updates.end(), {"&=", "|=", "xor="});
    return Tree{target + " " + dice_.pick(updates) + " ", {leaf(value(3))}, "", ""};
  }

  /// An update that is written as an assignment, or nearly one.
  std::string written_update(const std::string& target) {
    const std::string e = value(2);
    switch (dice_.below(6)) {
      case 0: return e + " + " + target;
      case 1: return target + " - " + e;
      case 2: return constant() + " - " + e + " + " + target;
      case 3: return dice_.pick(Names{"min", "max"}) + "(" + target + ", " + e + ")";
      case 4: return e + " - " + target;
      default: return target + " + " + e;
    }
  }

  std::string element(const std::string& name, const Names& at) {
    std::string text = name;
    for (std::size_t d = 0; d < at.size(); ++d) text += (d ? "," : "(") + at[d];
    return at.empty() ? text : text + ")";
  }

  /// Mostly in range; what is not must be a fault everywhere.
  std::string index() {
    const std::string i = dice_.pick(indices_);
    if (dice_.chance(10)) return "p(" + i + ")";
    if (dice_.chance(6)) return "n-1-" + i;
    if (dice_.chance(5)) return "(" + i + "+1) % n";
    return i;
  }

  std::string constant() { return std::to_string(dice_.below(4)); }

  std::string value(int depth) {
    if (depth > 1 && dice_.chance(60)) {
      const std::string a = value(depth - 1), b = value(depth - 1);
      switch (dice_.below(6)) {
        case 0: return "(" + a + " - " + b + ")";
        case 1: return dice_.pick(Names{"min", "max"}) + "(" + a + ", " + b + ")";
        case 2: return "(" + a + " < " + b + " ? " + a + " : " + value(1) + ")";
        case 3: return a + " * " + constant();
        default: return "(" + a + " + " + b + ")";
      }
    }
    if (depth > 1 && dice_.chance(12)) {
      const std::string name = "r" + std::to_string(fresh_++);
      return dice_.pick(Names{"sum", "max", "min"}) + "(" + name + ")(" + element("A", {index(), name}) + ")";
    }
    switch (dice_.below(9)) {
      case 0: return constant();
      case 1: return element("A", {index(), index()});
      case 2: return element("X", {index(), index()});
      case 3: return element("Y", {index()});
      case 4: return "s";
      case 5:
        if (!locals_.empty()) return dice_.pick(locals_);
        break;
      case 6:
        if (!rows_.empty()) return element(dice_.pick(rows_), {index()});
        break;
      case 7:
        if (!scalars_.empty()) return dice_.pick(scalars_);
        break;
      default: break;
    }
    return element(dice_.pick(Names{"b", "Z"}), {index()});
  }

  Dice& dice_;
  Draft draft_;
  std::string type_;
  Names indices_, locals_, rows_, scalars_;
  int fresh_ = 0;
};

}  // namespace

Draft generate_loops(Dice& dice) { return LoopsGenerator(dice).run(); }

}  // namespace trellis::randomised
