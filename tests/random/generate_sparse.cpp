#include "tests/random/generate_sparse.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace trellis::randomised {
namespace {

using Names = std::vector<std::string>;

/// What may stand in one dimension of an access, and what it needs.
struct Index {
  std::string text;
  std::string extent;
  Names conditions;     ///< under which it is in range; none: always
  bool faults = false;  ///< elsewhere, and is not merely out of range
};

struct Operand {
  std::string name;
  Names extents;
  bool truths = false;
  bool pads = false;
};

/// What is known where an expression stands.
struct Scope {
  Names free, reduced;
  Names unused;  ///< variables that nothing binds yet
  std::vector<std::string>* constraints = nullptr;
  int depth = 0;  ///< of reductions

  Names all() const {
    Names names = free;
    names.insert(names.end(), reduced.begin(), reduced.end());
    return names;
  }
};

class Generator {
 public:
  Generator(Dice& dice, const SparseWishes& wishes) : dice_(dice), wishes_(wishes) {}

  Draft run() {
    values_ = dice_.pick(std::vector<Values>{Values::numbers, Values::numbers, Values::numbers, Values::numbers,
                                             Values::numbers, Values::distances, Values::truths});
    if (values_ == Values::truths) type_ = "bool";
    else if (values_ == Values::distances) type_ = dice_.pick(Names{"f64", "f64", "f32"});
    else type_ = dice_.pick(Names{"f64", "f64", "f64", "f64", "f32", "i64", "i32", "i16", "u8"});
    if (wishes_.endings > 0 && dice_.chance(wishes_.endings)) {
      values_ = dice_.chance(75) ? Values::truths : Values::numbers;
      type_ = truths() ? "bool" : "u8";
    }
    const bool same = dice_.chance(50);
    for (const char* v : {"i", "j", "k", "l"}) size_[v] = same || dice_.chance(50) ? "n" : "m";
    simple_ = dice_.chance(40);
    const int statements = dice_.chance(60) ? 1 : 2 + dice_.below(2);
    for (int s = 0; s < statements; ++s) statement(s);
    return draft_;
  }

 private:
  bool truths() const { return values_ == Values::truths; }
  bool distances() const { return values_ == Values::distances; }
  bool integers() const { return values_ == Values::numbers && type_[0] != 'f'; }

  void declare(const std::string& name, const Names& extents, const std::string& type, const std::string& attributes) {
    draft_.declarations.push_back("tensor " + name + (extents.empty() ? "" : "(" + list(extents) + ")") + ": " + type +
                                  attributes);
  }

  /// Of two index variables; blocks too, whose bounds are quotients.
  std::string compared(const std::string& v, const std::string& w) {
    if (dice_.chance(25)) return v + "/2" + dice_.pick(Names{" == ", " <= ", " > "}) + dice_.pick(Names{w + "/2", w});
    return v + dice_.pick(Names{" < ", " <= ", " > ", " != "}) + w;
  }

  // ---- statements ---------------------------------------------------------------------------------------------------

  void statement(int number) {
    const int rank = dice_.pick(std::vector<int>{0, 1, 1, 1, 2, 2, 2, 2, 3});
    Scope s;
    s.unused = {"i", "j", "k", "l"};
    for (int d = 0; d < rank; ++d) s.free.push_back(take(s.unused));
    Names indices = s.free, extents;
    for (const std::string& v : s.free) extents.push_back(size_[v]);
    Names constraints;
    if (rank > 0 && dice_.chance(8)) {
      const auto d = static_cast<std::size_t>(dice_.below(rank));
      indices[d] += "+1";
      extents[d] += "+1";
    } else if (rank > 0 && dice_.chance(6)) {
      indices.push_back(dice_.chance(50) ? s.free[0] : "0");
      extents.push_back(indices.back() == "0" ? "n+1" : size_[s.free[0]]);
    }
    s.constraints = &constraints;
    if (rank >= 2 && dice_.chance(15)) constraints.push_back(compared(s.free[0], s.free[1]));
    Tree right = truths() ? truth(s, 3) : value(s, 3);
    const std::string name(1, static_cast<char>('X' + number));
    FormatWishes wishes{static_cast<int>(indices.size()), values_, true, wishes_.results, wishes_.tuples};
    const std::string attributes = random_attributes(dice_, wishes);
    const bool inferred = (type_ == "f64" || truths()) && indices == s.free;  // to what a declaration would say
    if (wishes_.undeclared == 0 || !inferred || !dice_.chance(wishes_.undeclared))
      declare(name, extents, type_, attributes);
    draft_.equations.push_back(
        {name + (indices.empty() ? "" : "(" + list(indices) + ")"), std::move(right), constraints});
    results_.push_back({name, extents, truths(), false});
  }

  /// Mostly the first ones, since fusing and renaming get interesting with the same names.
  std::string take(Names& from) {
    const auto at = static_cast<std::ptrdiff_t>(dice_.chance(70) ? 0 : dice_.below(static_cast<int>(from.size())));
    std::string name = from[static_cast<std::size_t>(at)];
    from.erase(from.begin() + at);
    return name;
  }

  // ---- accesses -----------------------------------------------------------------------------------------------------

  Index plain(const std::string& v) { return {v, size_[v], {}}; }

  Index index(const Scope& s, const std::string& v) {
    if (simple_ || dice_.chance(62)) return plain(v);
    const std::string n = size_[v], w = dice_.pick(s.all());
    switch (dice_.below(21)) {
      case 0: return {v + "-1", n, {v + " >= 1"}};
      case 1: return {v + "+1", n, {v + " < " + n + "-1"}};
      case 2: return {v + "+1", n + "+1", {}};
      case 3:
      case 4: return {n + "-1-" + v, n, {}};
      case 5: return {"2*" + v, "2*" + n, {}};
      case 6: return {"2*" + v + "+1", "2*" + n, {}};
      case 7: return {v + "+" + w, n + "+" + size_[w], {}};
      case 8: return w == v ? plain(v) : Index{v + "-" + w, n, {w + " <= " + v}};
      case 9: return {v + "/2", n, {}};
      case 10: return {v + "%2", "2", {}};
      case 11: return {dice_.pick(Names{"0", "n"}), "n+1", {}};
      // The remainder of what is less than zero can be any that w leaves.
      case 15: return {v + "%" + w, n, {w + " >= 1", v + " >= 0"}, true};
      case 16: return {"2*" + n + "-1-2*" + v, "2*" + n, {}};
      case 17: return {"3*" + v + "+" + w, "3*" + n + "+" + size_[w], {}};
      case 18: return {dice_.pick(Names{"(" + v + "+1)/2", "(" + v + "+1)/3+1"}), n + "+2", {}};
      case 19: return {"(" + n + "-1-" + v + ")/2", n + "+1", {}};
      case 12: return {v + "(1:" + n + "+1)", n + "+1", {}};
      case 13: return {v + "(0:2*" + n + ":2)", "2*" + n, {}};
      case 14: return {v + "(1:2*" + n + ":2)", "2*" + n, {}};
      default: gathers_ = true; return n == "n" ? Index{"p(" + v + ")", "n+1", {}} : plain(v);
    }
  }

  /// An element of something new or old; `first` must stand alone in some dimension when it is given.
  Tree access(Scope& s, bool wants_truths, const std::string& first = "") {
    const Names names = s.all();
    if (names.empty() && first.empty()) return wants_truths ? leaf(dice_.pick(Names{"true", "false"})) : constant();
    if (dice_.chance(30)) {
      if (auto again = reuse(s, wants_truths, first)) return *again;
    }
    const int rank = std::min<int>(dice_.pick(std::vector<int>{1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 4}),
                                   static_cast<int>(names.size()) + 1);
    std::vector<Index> indices;
    Names left = names;
    if (!first.empty()) left.erase(std::find(left.begin(), left.end(), first));
    for (int d = 0; d < rank; ++d) {
      if (d == 0 && !first.empty()) indices.push_back(plain(first));
      else if (!left.empty() && dice_.chance(85)) indices.push_back(index(s, take(left)));
      else indices.push_back(index(s, dice_.pick(names)));
    }
    for (std::size_t d = indices.size(); d > 1; --d)
      std::swap(indices[d - 1], indices[static_cast<std::size_t>(dice_.below(static_cast<int>(d)))]);
    return element(s, indices, wants_truths);
  }

  /// The access itself, with what keeps it in range.
  Tree element(Scope& s, std::vector<Index> indices, bool wants_truths) {
    if (operands_.size() >= 5) {
      if (auto again = reuse(s, wants_truths, "")) return *again;
    }
    Operand operand{"ABCDEFGHIJKLMNOPQRSTUVW"[operands_.size() % 23] + std::string(operands_.size() < 23 ? "" : "a"),
                    {},
                    wants_truths,
                    false};
    Names conditions;
    for (const Index& index : indices) {
      operand.extents.push_back(index.extent);
      conditions.insert(conditions.end(), index.conditions.begin(), index.conditions.end());
    }
    Names texts;
    for (const Index& index : indices) texts.push_back(index.text);
    const bool faults = std::any_of(indices.begin(), indices.end(), [](const Index& index) { return index.faults; });
    const int how = conditions.empty() ? 0 : dice_.below(faults ? 2 : 4);
    operand.pads = how == 3;
    if (how == 2)
      for (std::size_t d = 0; d < indices.size(); ++d)
        if (!indices[d].conditions.empty()) texts[d] = "~(" + texts[d] + ")";
    FormatWishes wishes{static_cast<int>(indices.size()), wants_truths ? Values::truths : values_, false,
                        wishes_.operands, wishes_.tuples};
    if (wants_truths) wishes.regions = 40;  // masks
    declare(operand.name, operand.extents, wants_truths ? "bool" : type_,
            random_attributes(dice_, wishes) + (operand.pads ? " pad" : ""));
    if (gathers_ && !gathers_declared_) {
      declare("p", {"n"}, "i64", dice_.chance(30) ? " {compressed}" : "");
      gathers_declared_ = true;
    }
    operands_.push_back(operand);
    const std::string text = operand.name + "(" + list(texts) + ")";
    if (how == 0 || how == 3) {
      if (how == 0) s.constraints->insert(s.constraints->end(), conditions.begin(), conditions.end());
      return leaf(text);
    }
    const Tree other = wants_truths ? leaf(dice_.pick(Names{"true", "false"})) : constant();
    if (how == 2) return join("coalesce(", {leaf(text), other}, ", ", ")");
    std::string condition;
    for (const std::string& c : conditions) condition += (condition.empty() ? "" : " && ") + c;
    return join("(" + condition + " ? ", {leaf(text), other}, " : ", ")");
  }

  /// An operand, or what an earlier statement computed, where its sizes fit.
  std::optional<Tree> reuse(Scope& s, bool wants_truths, const std::string& first) {
    std::vector<Operand> all = results_;
    all.insert(all.end(), results_.begin(), results_.end());
    all.insert(all.end(), operands_.begin(), operands_.end());
    const Names names = s.all();
    for (int attempt = 0; attempt < 4 && !all.empty(); ++attempt) {
      const Operand operand = dice_.pick(all);
      if (operand.truths != wants_truths) continue;
      Names texts;
      bool has_first = first.empty();
      for (const std::string& extent : operand.extents) {
        Names fitting;
        for (const std::string& v : names)
          if (size_[v] == extent) fitting.push_back(v);
        if (fitting.empty()) break;
        texts.push_back(!has_first && size_[first] == extent ? first : dice_.pick(fitting));
        has_first = has_first || texts.back() == first;
      }
      if (texts.size() == operand.extents.size() && has_first)
        return leaf(operand.name + (texts.empty() ? "" : "(" + list(texts) + ")"));
    }
    return std::nullopt;
  }

  // ---- expressions --------------------------------------------------------------------------------------------------

  Tree constant() {
    if (distances() && dice_.chance(25)) return leaf("inf");
    return leaf(std::to_string(dice_.below(4)));
  }

  Tree value(Scope& s, int depth) {
    if (depth == 0 || dice_.chance(15)) return atom(s);
    const int kind = dice_.below(100);
    auto part = [&] { return value(s, depth - 1); };
    if (kind < 22 && s.depth < 2 && !s.unused.empty()) return reduction(s, depth);
    if (kind < 30) return choice(s, depth);
    if (kind < 35 && s.depth < 2 && !s.unused.empty()) return asked(s, depth);
    if (distances()) {
      if (kind < 62) return join("min(", several(s, depth), ", ", ")");
      if (kind < 72) return join("max(", several(s, depth), ", ", ")");
      return join("(", several(s, depth), " + ", ")");
    }
    if (integers() && dice_.chance(15))
      return join("(", {part(), part()}, dice_.pick(Names{" xor ", " & ", " | "}), ")");
    if (kind < 56) return join("", several(s, depth), "*", "");
    if (kind < 75) return join("(", several(s, depth), " + ", ")");
    if (kind < 83) return join("(", {part(), part()}, " - ", ")");
    if (kind < 91) return join(dice_.pick(Names{"min(", "max("}), several(s, depth), ", ", ")");
    if (kind < 94) return join("(-", {part()}, "", ")");
    if (kind < 96) return called({part(), part()});
    if (kind < 97) return join("abs(", {part()}, "", ")");
    return join("(", {part()}, "", type_[0] == 'f' ? " / 2)" : dice_.pick(Names{" / 2)", " % 3)", " & 3)", " xor 1)"}));
  }

  /// A function of the user, whose properties say where it is the fill.
  std::string function(const std::string& name) {
    static const std::map<std::string, std::string> bodies{
        {"gcd",
         "{ x, 0 => abs(x); 0, y => abs(y); x, y => { x = abs(x); y = abs(y); while x != 0 { t = x; x = y % x; y = t "
         "}; y }; "
         "commutative; associative; identity 0 }"},
        {"both", "{ x, y => x == 0 ? 0 : (y == 0 ? 0 : x + y); annihilator 0 }"},
        {"first", "{ x, y => x == 1 ? y : x; identity 1 }"}};
    if (functions_.insert(name).second) draft_.declarations.push_back("def " + name + "(x, y) " + bodies.at(name));
    return name;
  }

  Tree called(std::vector<Tree> arguments) {
    return join(
        function(integers() ? dice_.pick(Names{"gcd", "gcd", "both", "first"}) : dice_.pick(Names{"both", "first"})) +
            "(",
        std::move(arguments), ", ", ")");
  }

  /// Two operands, at times up to five.
  std::vector<Tree> several(Scope& s, int depth) {
    const int count = dice_.chance(75) ? 2 : dice_.chance(75) ? 3 : 5;
    std::vector<Tree> result;
    for (int k = 0; k < count; ++k)
      result.push_back(k == 0 ? value(s, depth - 1) : dice_.chance(60) ? atom(s) : value(s, depth - 1));
    return result;
  }

  Tree choice(Scope& s, int depth) {
    Tree condition = truth(s, depth - 1);
    return join("(", {join("", {std::move(condition)}, "", " ? "), value(s, depth - 1), join(" : ", {atom(s)}, "", "")},
                "", ")");
  }

  /// A reduction that only some elements need: behind one condition or two, in either arm, or two of them in turn.
  Tree asked(Scope& s, int depth) {
    const auto select = [](Tree condition, Tree then, Tree otherwise) {
      return join(
          "(",
          {join("", {std::move(condition)}, "", " ? "), std::move(then), join(" : ", {std::move(otherwise)}, "", "")},
          "", ")");
    };
    const auto truth_of = [&] { return dice_.chance(60) ? access(s, true) : truth(s, 1); };
    Tree result = reduction(s, depth);
    const int kind = dice_.below(100);
    if (kind < 20) result = select(truth_of(), std::move(result), constant());
    else if (kind < 35) result = select(truth_of(), reduction(s, depth), std::move(result));
    else if (kind < 50)
      result = join("(", {std::move(result), reduction(s, depth)},
                    dice_.pick(Names{" + ", " + ", distances() ? " + " : "*"}), ")");
    return dice_.chance(50) ? select(truth_of(), std::move(result), constant())
                            : select(truth_of(), atom(s), std::move(result));
  }

  Tree atom(Scope& s) {
    const int kind = dice_.below(100);
    if (kind < 84) return access(s, false);
    if (kind < 88 && !s.all().empty()) return leaf(dice_.pick(s.all()));
    if (kind < 92 && !distances()) {
      Tree cast = access(s, true);
      return join(type_ + "(", {std::move(cast)}, "", ")");
    }
    return constant();
  }

  Tree truth(Scope& s, int depth) {
    if (depth == 0 || dice_.chance(20)) return access(s, true);
    const int kind = dice_.below(100);
    auto part = [&] { return truth(s, depth - 1); };
    if (truths() && kind < 22 && s.depth < 2 && !s.unused.empty()) return reduction(s, depth);
    if (truths() && kind < 30 && s.depth < 2 && !s.unused.empty()) {
      const std::string glue = dice_.pick(Names{" && ", " && ", " || "});
      return join("(", {join(dice_.pick(Names{"!(", "("}), {access(s, true)}, "", ")"), reduction(s, depth)}, glue,
                  ")");
    }
    if (kind < 42) return join("(", {part(), part()}, " && ", ")");
    if (kind < 60) return join("(", {part(), part()}, " || ", ")");
    if (kind < 72) return join("!(", {part()}, "", ")");
    if (kind < 78) return join("(", {part(), part()}, dice_.pick(Names{" != ", " == "}), ")");
    const Names names = s.all();
    if (kind < 86 && names.size() >= 2)
      return leaf("(" + dice_.pick(names) + dice_.pick(Names{" < ", " == ", " != ", " <= "}) + dice_.pick(names) + ")");
    if (truths()) return access(s, true);
    Tree left = value(s, depth - 1), right = dice_.chance(60) ? constant() : value(s, depth - 1);
    return join("(", {std::move(left), std::move(right)}, dice_.pick(Names{" < ", " <= ", " == ", " != ", " > "}), ")");
  }

  Tree reduction(const Scope& outer, int depth) {
    Scope s = outer;
    ++s.depth;
    const std::string op = dice_.pick(truths()      ? Names{"any", "any", "all"}
                                      : distances() ? Names{"min", "min", "max"}
                                                    : Names{"sum", "sum", "sum", "sum", "max", "min", "prod"});
    const bool first = !truths() && dice_.chance(7);
    Names bound;
    for (int count = !first && s.unused.size() >= 2 && dice_.chance(22) ? 2 : 1; count > 0; --count)
      bound.push_back(take(s.unused));
    s.reduced.insert(s.reduced.end(), bound.begin(), bound.end());
    Names restrictions;
    for (const std::string& v : bound)
      if (!outer.all().empty() && dice_.chance(25)) restrictions.push_back(compared(v, dice_.pick(outer.all())));
    // Each bound variable stands alone in a dimension of some factor, so that it has a range.
    std::vector<Tree> parts;
    for (const std::string& v : bound) parts.push_back(access(s, truths(), v));
    if (dice_.chance(65)) parts.push_back(truths() ? truth(s, depth - 1) : value(s, depth - 1));
    const std::string glue = truths()           ? dice_.pick(Names{" && ", " && ", " || "})
                             : distances()      ? " + "
                             : dice_.chance(75) ? "*"
                                                : " + ";
    outer.constraints->insert(outer.constraints->end(), restrictions.begin(), restrictions.end());
    if (first)
      return join(type_ + "(" + dice_.pick(Names{"argmin", "argmax"}) + "(" + list(bound) + ")(", std::move(parts),
                  glue, "))");
    return join((integers() && dice_.chance(6) ? function("gcd") : op) + "(" + list(bound) + ")(", std::move(parts),
                glue, ")");
  }

  Dice& dice_;
  SparseWishes wishes_;
  Draft draft_;
  std::string type_;
  Values values_ = Values::numbers;
  std::map<std::string, std::string> size_;
  bool simple_ = false, gathers_ = false, gathers_declared_ = false;
  std::vector<Operand> operands_, results_;
  std::set<std::string> functions_;
};

}  // namespace

Draft generate_sparse(Dice& dice, const SparseWishes& wishes) { return Generator(dice, wishes).run(); }

}  // namespace trellis::randomised
