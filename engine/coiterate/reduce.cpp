#include "engine/coiterate/reduce.hpp"

#include <algorithm>

#include "engine/lang/properties.hpp"
#include "engine/loop/instead_of.hpp"

namespace trellis::coiterate {

namespace {

lang::Expr constant_at(const lang::Expr& place, const format::Value& value, bool absent = true) {
  return lang::Expr(lang::ExprNode{lang::Constant{value, absent}, place->type, place->span}, place.origin(),
                    place.id());
}

/// Whether an identity leaves the operand: one of a user's function leaves what that function gives.
bool is_left_alone(const lang::Expr& operation, const lang::Expr& operand) {
  const auto *outer = operation.as<lang::Apply>(), *inner = operand.as<lang::Apply>();
  return !outer || (inner && inner->function == outer->function);
}

/// Nothing is lost when it is not evaluated.
bool cannot_fail(const lang::Expr& e) {
  if (const auto* a = e.as<lang::Access>())
    return std::ranges::all_of(a->indices, [](const lang::Expr& index) { return lang::affine(index).has_value(); });
  const auto* const b = e.as<lang::Binary>();
  const bool divides = b && (b->op == format::BinaryOp::divide || b->op == format::BinaryOp::modulo);
  bool fine = !e.as<lang::Apply>() && (!divides || format::is_floating(e->type));
  lang::for_each_child(e, [&](const lang::Expr& child) { fine = fine && cannot_fail(child); });
  return fine;
}

/// What the first clause of the function gives whose literals the operands are known to be; empty when none is.
lang::Expr by_clause(const lang::Expr& e, const lang::Program& program) {
  const auto* const applied = e.as<lang::Apply>();
  const lang::Function* const function = applied ? program.function(applied->function) : nullptr;
  if (!function) return {};
  for (const lang::Function::Clause& clause : function->clauses) {
    bool fits = true;
    const std::vector<std::string> used = lang::free_variables(clause.result);
    std::vector<std::pair<std::string, lang::Expr>> operands;
    for (std::size_t k = 0; k < applied->arguments.size(); ++k) {
      const auto* const known = applied->arguments[k].as<lang::Constant>();
      const std::optional<format::Value>& wanted = clause.operands[k];
      const std::string& name = function->parameters[k].name;
      const bool kept = std::ranges::find(used, name) != used.end() || cannot_fail(applied->arguments[k]);
      fits = fits && (wanted ? known && known->value == *wanted : kept);
      operands.emplace_back(name, applied->arguments[k]);
      if (wanted) operands.back().second = lang::constant(*wanted);
    }
    if (fits) return lang::substitute(clause.result, operands);
  }
  return {};
}

class Reduction {
 public:
  explicit Reduction(const Surroundings& around) : around_(around) {}

  lang::Expr expr(const lang::Expr& e) {
    lang::Expr current = lang::map_children(e, [&](const lang::Expr& child) { return expr(child); });
    if (const auto* s = current.as<lang::Select>()) {
      if (const auto* c = s->condition.as<lang::Constant>()) return c->value.is_true() ? s->then : s->otherwise;
      return s->then == s->otherwise ? s->then : current;
    }
    if (current.as<lang::Access>()) return current;
    const std::vector<lang::Expr> parts = operands(current);
    std::vector<format::Value> values;
    bool absent = false;
    for (const lang::Expr& part : parts)
      if (const auto* c = part.as<lang::Constant>()) {
        values.push_back(c->value);
        absent = absent || c->absent;
      }
    if (values.empty()) return current;
    const lang::Properties known = properties(current, around_.program);
    for (const lang::Properties::Constant& c : known.constants) {
      const auto* value = parts[static_cast<std::size_t>(c.position)].as<lang::Constant>();
      if (value && value->absent && value->value == c.value) return constant_at(current, c.result);
    }
    if (const lang::Expr simpler = by_clause(current, around_.program)) return expr(simpler);
    if (values.size() == parts.size()) {
      const std::optional<format::Value> value = evaluate(current, values);
      return value && value->type == current->type ? constant_at(current, *value, absent) : current;
    }
    if (parts.size() == 2) {
      for (const lang::Properties::Identity& i : known.identities) {
        const auto own = static_cast<std::size_t>(i.position);
        const auto* value = parts[own].as<lang::Constant>();
        if (value && value->value == i.value && parts[1 - own]->type == current->type &&
            is_left_alone(current, parts[1 - own]))
          return parts[1 - own];
      }
    }
    return current;
  }

  loop::Stmt stmt(const loop::Stmt& s) {
    loop::Stmt inner = loop::map_children(
        s, [&](const loop::Stmt& child) { return stmt(child); }, [&](const lang::Expr& child) { return expr(child); });
    return inner.match([&](const loop::Block& b) { return block(inner, b); },
                       [&](const loop::For& f) { return is_nothing(f.body) && !f.until ? nothing(inner) : inner; },
                       [&](const loop::If& i) { return condition(inner, i); },
                       [&](const loop::Let& l) { return is_nothing(l.body) ? nothing(inner) : inner; },
                       [&](const loop::Assign& a) { return changes_nothing(inner, a) ? nothing(inner) : inner; },
                       [&](const auto&) { return inner; });
  }

 private:
  static loop::Stmt nothing(const loop::Stmt& place) {
    return loop::Stmt(loop::StmtNode{loop::Block{}, place->span}, place.origin(), place.id());
  }

  bool changes_nothing(const loop::Stmt& s, const loop::Assign& a) const {
    const auto* value = a.value.as<lang::Constant>();
    if (!value) return false;
    if (a.op) return neutral_element(*a.op, a.value->type) == value->value;
    const std::string& target = a.target.as<lang::Access>()->tensor;
    return assigns_first(s, around_) && value->value == around_.tensor(target)->fill;
  }

  static loop::Stmt condition(const loop::Stmt& s, const loop::If& i) {
    if (const auto* c = i.condition.as<lang::Constant>()) {
      if (c->value.is_true()) return i.then;
      return i.otherwise ? *i.otherwise : nothing(s);
    }
    const bool otherwise = i.otherwise && !is_nothing(*i.otherwise);
    if (is_nothing(i.then) && !otherwise) return nothing(s);
    return s;
  }

  /// Drops what is empty, and the temporaries that have become constant or useless.
  loop::Stmt block(const loop::Stmt& s, const loop::Block& b) {
    loop::Block kept;
    for (const loop::Stmt& inner : b.statements)
      if (!is_nothing(inner) || inner.as<loop::Note>()) kept.statements.push_back(inner);
    bool changed = kept.statements.size() != b.statements.size();
    for (std::size_t k = 0; k < kept.statements.size(); ++k) {
      const auto* d = kept.statements[k].as<loop::Declare>();
      if (!d) continue;
      const std::optional<loop::Block> smaller = without_temporary(kept, d->tensor.name);
      if (!smaller) continue;
      return stmt(loop::instead_of(s, *smaller));
    }
    return changed ? loop::instead_of(s, std::move(kept)) : s;
  }

  struct Uses {
    int reads = 0, writes = 0;
    std::vector<format::Value> resets;
    bool other_reset = false;
  };

  static Uses uses(const loop::Block& b, const std::string& name) {
    Uses found;
    for (const loop::Stmt& s : b.statements) {
      for_each_read(s, [&](const Read& read) { found.reads += read.access.as<lang::Access>()->tensor == name; });
      loop::for_each(s, [&](const loop::Stmt& inner) {
        if (const auto* r = inner.as<loop::Reset>(); r && r->tensor == name) {
          if (const auto* c = r->value.as<lang::Constant>()) found.resets.push_back(c->value);
          else found.other_reset = true;
        }
        if (const auto* a = inner.as<loop::Assign>(); a && a->target.as<lang::Access>()->tensor == name) {
          const auto* c = a->value.as<lang::Constant>();
          if (!a->op && c) found.resets.push_back(c->value);
          else ++found.writes;
        }
        // Ranks send each other what it holds, and overwrite it.
        if (const auto* e = inner.as<loop::Exchange>(); e && e->tensor == name) ++found.reads, ++found.writes;
      });
    }
    return found;
  }

  std::optional<loop::Block> without_temporary(const loop::Block& b, const std::string& name) {
    const Uses found = uses(b, name);
    const bool same =
        !found.resets.empty() && std::all_of(found.resets.begin(), found.resets.end(),
                                             [&](const format::Value& v) { return v == found.resets.front(); });
    const bool constant = found.writes == 0 && !found.other_reset && same;
    if (found.reads > 0 && !constant) return std::nullopt;
    loop::Block result;
    for (const loop::Stmt& s : b.statements) {
      if (const auto* d = s.as<loop::Declare>(); d && d->tensor.name == name) continue;
      result.statements.push_back(forget(s, name, constant ? std::optional(found.resets.front()) : std::nullopt));
    }
    return result;
  }

  /// Without writes to the temporary; its reads, if any, are the value.
  static loop::Stmt forget(const loop::Stmt& s, const std::string& name, const std::optional<format::Value>& value) {
    if (const auto* r = s.as<loop::Reset>(); r && r->tensor == name) return nothing(s);
    if (const auto* a = s.as<loop::Assign>(); a && a->target.as<lang::Access>()->tensor == name) return nothing(s);
    const std::function<lang::Expr(const lang::Expr&)> replace = [&](const lang::Expr& e) -> lang::Expr {
      const auto* a = e.as<lang::Access>();
      if (a && a->tensor == name && value) return constant_at(e, *value);
      return lang::map_children(e, replace);
    };
    return loop::map_children(
        s, [&](const loop::Stmt& child) { return forget(child, name, value); }, replace);
  }

  const Surroundings& around_;
};

}  // namespace

bool is_nothing(const loop::Stmt& body) {
  if (body.as<loop::Note>() || body.as<loop::Lifecycle>()) return true;
  const auto* b = body.as<loop::Block>();
  return b && std::all_of(b->statements.begin(), b->statements.end(), is_nothing);
}

lang::Expr reduce(const lang::Expr& expr, const Surroundings& around) { return Reduction(around).expr(expr); }
loop::Stmt reduce(const loop::Stmt& body, const Surroundings& around) { return Reduction(around).stmt(body); }

namespace {

/// The value that an access has, if it is known.
using KnownValue = std::function<std::optional<format::Value>(const lang::Access&)>;

/// Every access whose value is known becomes that.
loop::Stmt replaced(const loop::Stmt& body, const KnownValue& known, const Surroundings& around) {
  const std::function<lang::Expr(const lang::Expr&)> replace = [&](const lang::Expr& e) -> lang::Expr {
    const auto* a = e.as<lang::Access>();
    if (const auto value = a ? known(*a) : std::nullopt) return constant_at(e, *value);
    return lang::map_children(e, replace);
  };
  // Targets are accesses too, but what is written is no operand: only their indices are looked into.
  const std::function<loop::Stmt(const loop::Stmt&)> go = [&](const loop::Stmt& s) -> loop::Stmt {
    if (const auto* a = s.as<loop::Assign>()) {
      const lang::Expr target = lang::map_children(a->target, replace);
      const lang::Expr right = replace(a->value);
      if (target.same(a->target) && right.same(a->value)) return s;
      return loop::instead_of(s, loop::Assign{target, a->op, right});
    }
    return loop::map_children(s, go, replace);
  };
  return reduce(go(body), around);
}

/// Every access of the literal becomes the value.
loop::Stmt replaced(const loop::Stmt& body, const Literal& literal, const format::Value& value,
                    const Surroundings& around) {
  const Offers one{{literal}, {}};
  const std::string& tensor = literal.access.as<lang::Access>()->tensor;
  const KnownValue known = [&](const lang::Access& a) {
    const bool shares = a.tensor == tensor && one.of(a, *around.tensor(tensor)) == 0;
    return shares ? std::optional(value) : std::nullopt;
  };
  return replaced(body, known, around);
}

}  // namespace

loop::Stmt without(const loop::Stmt& body, const Literal& literal, const Surroundings& around) {
  return replaced(body, literal, literal.fill, around);
}

loop::Stmt where_stored(const loop::Stmt& body, const Literal& literal, const Surroundings& around) {
  return replaced(body, literal, format::Value::truth(true), around);
}

loop::Stmt where_untouched(const loop::Stmt& body, const Untouched& scalars, const Surroundings& around) {
  const KnownValue known = [&](const lang::Access& a) {
    const auto found = scalars.find(a.tensor);
    return found == scalars.end() ? std::nullopt : std::optional(found->second);
  };
  return replaced(body, known, around);
}

}  // namespace trellis::coiterate
