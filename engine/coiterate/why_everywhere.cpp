#include "engine/coiterate/why_everywhere.hpp"

#include "engine/lang/properties.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::coiterate {

namespace {

class Reasons {
 public:
  Reasons(const loop::Stmt& body, const Offers& offers, const Surroundings& around, const std::string& variable)
      : offers_(offers), around_(around), variable_(variable), support_(body, offers, around) {}

  /// Of a statement that does something everywhere.
  std::string why(const loop::Stmt& s) {
    return s.match(
        [&](const loop::Block& b) {
          for (const loop::Stmt& inner : b.statements)
            if (support_.of(inner).is_everywhere()) return why(inner);
          return std::string("its statements together have something to do everywhere");
        },
        [&](const loop::For& f) {
          return f.until ? "the loop over " + f.variable + " has to be run to be left" : why(f.body);
        },
        [&](const loop::If& i) { return why(i.condition, format::Value::truth(false)); },
        [&](const loop::Let& l) { return why(l.body); },
        [&](const loop::Assign& a) {
          const std::string& target = a.target.as<lang::Access>()->tensor;
          if (const auto neutral = a.op ? neutral_element(*a.op, a.value->type) : std::nullopt)
            return why(a.value, *neutral);
          if (assigns_first(s, around_)) return why(a.value, around_.tensor(target)->fill);
          return lang::to_string(a.target) + " is written everywhere" + (a.op ? "" : ", as " + target + " is dense");
        },
        [&](const loop::Reset& r) { return r.tensor + " is reset"; },
        [](const auto&) { return std::string("anything may happen in it"); });
  }

 private:
  /// Of an expression that may be other than t everywhere.
  std::string why(const lang::Expr& e, const format::Value& t) {
    const std::string text = lang::to_string(e);
    if (const std::optional<format::Value> value = support_.fill(e); value && !(*value == t))
      return e.as<lang::Constant>()
                 ? text + " is the same everywhere"
                 : text + " is " + format::to_string(*value) + " where nothing is stored, not " + format::to_string(t);
    if (const auto* a = e.as<lang::Access>()) {
      if (Support::Local* const l = support_.local(a->tensor)) return why(*l, text, t);
      for (const Offers::Refusal& refusal : offers_.refusals)
        if (refusal.name == text) return text + " " + refusal.why;
      const lang::TensorInfo& info = *around_.tensor(a->tensor);
      if (info.format.all_known()) return text + " is dense";
      for (std::size_t level = 0; level < info.format.levels.size(); ++level) {
        const auto variables = lang::free_variables(level_index(*a, info, static_cast<int>(level)));
        if (!contains(variables, variable_)) continue;
        const format::Facts facts = format::facts(info.format.levels[level]);
        if (!facts.full())
          return text + (may_fail_below(*a, info, static_cast<int>(level))
                             ? " has an index that may be out of range where nothing is stored"
                             : " is looked up");
        return text + (facts.dense() ? " is dense in " : " is full in ") + variable_;
      }
      return text + " does not depend on " + variable_;
    }
    const std::vector<lang::Expr> parts = operands(e);
    for (const lang::Properties::Constant& c : properties(e, around_.program).constants) {
      const lang::Expr& part = parts[static_cast<std::size_t>(c.position)];
      if (!part.as<lang::Constant>() && support_.fill(part) == c.value && !(c.result == t))
        return text + " is " + format::to_string(c.result) + " where " + lang::to_string(part) + " is missing, not " +
               format::to_string(t);
    }
    for (const lang::Expr& part : parts) {
      const format::Value wanted = part->type == t.type ? t : support_.fill(part).value_or(format::cast(part->type, t));
      if (!part.as<lang::Constant>() && support_.of(part, wanted).is_everywhere()) return why(part, wanted);
    }
    return text + " may be anything, whatever is stored";
  }

  std::string why(Support::Local& l, const std::string& name, const format::Value& t) {
    if (l.open) return name + " depends on itself";
    const Support::LookInto meanwhile(support_, l);
    for (const loop::Assign& a : l.writes) {
      const std::optional<format::Value> neutral = a.op ? neutral_element(*a.op, a.value->type) : t;
      if (!neutral || !support_.of(a.value, *neutral).is_everywhere()) continue;
      return why(a.value, *neutral);
    }
    return name + " may be anything, whatever is stored";
  }

  const Offers& offers_;
  const Surroundings& around_;
  const std::string& variable_;  ///< of the loop
  Support support_;
};

}  // namespace

std::string why_everywhere(const loop::Stmt& body, const std::string& variable, const Offers& offers,
                           const Surroundings& around) {
  return Reasons(body, offers, around, variable).why(body);
}

}  // namespace trellis::coiterate
