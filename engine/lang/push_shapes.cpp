#include "engine/lang/push_shapes.hpp"

#include <algorithm>

#include "engine/lang/action.hpp"
#include "engine/lang/push_index.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::lang {

namespace {

using format::BinaryOp;
using math::Affine;
using math::Index;

bool has_shapes(const Expr& e) {
  bool found = e.as<Shape>() != nullptr;
  for_each_child(e, [&](const Expr& child) { found = found || has_shapes(child); });
  return found;
}

bool has_shapes(const Kernel& kernel) {
  bool found = kernel.until && has_shapes(kernel.until->condition);
  for (const Equation& equation : kernel.equations) found = found || has_shapes(equation.right);
  if (kernel.loops)
    for (const Action& one : *kernel.loops)
      action::for_each(one, [&](const Action& inner) {
        for (const Expr& e : action::expressions(inner)) found = found || has_shapes(e);
      });
  return found;
}

/// Where the operators' bound names stand.
using Places = std::map<std::string, Index>;

class Pusher {
 public:
  Pusher(const Program& program, text::Diagnostics& diagnostics, SizeValues use)
      : sizes_(program, use), diagnostics_(diagnostics) {}

  bool sound() const { return sound_; }
  std::vector<math::Constraint> assumed() const { return sizes_.assumed(); }

  void equation(Equation& equation) {
    if (!has_shapes(equation.right)) return;
    sizes_.set_spans(equation.domain);
    equation.right = push(equation.right, {});
  }

  Expr push(const Expr& e, const Places& places) {
    if (const auto* shape = e.as<Shape>()) return push_shape(e, *shape, places);
    if (const auto* reduce = e.as<Reduce>()) return push_reduce(e, *reduce, places);
    if (!places.empty())
      if (const auto index = index_of(e, places)) return placed(e, *index);
    return map_children(e, [&](const Expr& child) { return push(child, places); });
  }

 private:
  /// An affine index that mentions what an operator binds.
  std::optional<Index> index_of(const Expr& e, const Places& places) const {
    const auto form = affine(e);
    if (!form || !form->quotients.empty()) return std::nullopt;
    const bool moved = std::ranges::any_of(places, [&](const auto& place) { return form->mentions(place.first); });
    return moved ? sizes_.index_of(*form, places) : std::nullopt;
  }

  Expr placed(const Expr& e, const Index& index) {
    const Expr moved = sizes_.expr(index);
    return Expr(ExprNode{moved->is, moved->type, e->span}, e.origin(), e.id());
  }

  Expr push_reduce(const Expr& e, const Reduce& reduce, const Places& places) {
    sizes_.set_spans(reduce.domain);
    std::map<std::string, Affine> moved;
    for (const auto& [name, index] : places) {
      const auto mentioned = [&, &n = name](const math::Constraint& c) { return c.mentions(n); };
      if (std::ranges::none_of(reduce.domain.constraints, mentioned)) continue;
      const auto form = affine(sizes_.expr(index));
      if (!form) return refuse(e, "what restricts this reduction is not affine where " + name + " stands");
      moved.emplace(name, *form);
    }
    Reduce next = reduce;
    next.domain = reduce.domain.substitute(moved);
    next.body = push(reduce.body, places);
    return Expr(ExprNode{std::move(next), e->type, e->span}, e.origin(), e.id());
  }

  Expr refuse(const Expr& e, const std::string& message) {
    if (sound_)
      diagnostics_.error("E0303", e->span, message)
          .notes.push_back(
              {{}, "give the sizes values, as in param n = 64: then the products and quotients in it are numbers"});
    sound_ = false;
    return e;
  }

  // ---- operators ---------------------------------------------------------------------------------------------------

  Expr push_shape(const Expr& e, const Shape& written, const Places& places) {
    const Shape shape = sizes_.without_quotients(written);
    std::vector<Index> at;
    for (std::size_t d = 0; d < shape.to.size(); ++d) {
      const auto* name = shape.to[d].as<Variable>();
      if (name && !places.contains(name->name)) sizes_.set_span(name->name, shape.to_sizes[d]);
      const auto form = affine(shape.to[d]);
      const auto index = form ? sizes_.index_of(*form, places) : std::nullopt;
      if (!index) return refuse(e, "this index is not affine");
      at.push_back(*index);
    }
    switch (shape.op) {
      case Shape::Op::stack: return stack(e, shape, at[0], places);
      case Shape::Op::concat: return concat(e, shape, at[0], places);
      case Shape::Op::roll: return roll(e, shape, at[0], places);
      case Shape::Op::pad: return pad(e, shape, at[0], places);
      case Shape::Op::slice:
        return moved(e, shape, sizes_.strided(at[0], shape.numbers[2].constant, shape.numbers[0]), places);
      case Shape::Op::collapse: return apart(e, shape, at[0], places);
      case Shape::Op::split: return moved(e, shape, sizes_.joined(at, shape.to_sizes), places);
      case Shape::Op::reshape: return apart(e, shape, sizes_.joined(at, shape.to_sizes), places);
    }
    return e;
  }

  /// The operand, its one bound name at this index.
  Expr moved(const Expr& e, const Shape& shape, const std::optional<Index>& index, const Places& places,
             std::size_t part = 0) {
    if (!index) return refuse(e, "the sizes in this are no sums of products");
    Places inner = places;
    inner[shape.from[part]] = *index;
    return push(shape.parts[part], inner);
  }

  /// The operand, its bound names at the digits of this index.
  Expr apart(const Expr& e, const Shape& shape, const std::optional<Index>& index, const Places& places) {
    const auto digits = index ? sizes_.digits(*index, shape.from_sizes) : std::nullopt;
    if (!digits) return refuse(e, "the sizes in this are no sums of products");
    Places inner = places;
    for (std::size_t d = 0; d < shape.from.size(); ++d) inner[shape.from[d]] = (*digits)[d];
    return push(shape.parts[0], inner);
  }

  /// `arm` of a piece from `begin` on, until the next one begins; pieces leave nothing out.
  struct Piece {
    Affine begin, end;
    std::function<Expr()> arm;
  };

  Expr choose(const Expr& e, const Index& at, const std::vector<Piece>& pieces) {
    std::vector<const Piece*> met;
    for (const Piece& piece : pieces)
      if (sizes_.may_meet(at, piece.begin, piece.end)) met.push_back(&piece);
    if (met.empty()) met.push_back(&pieces.back());
    Expr all = met.back()->arm();
    for (std::size_t k = met.size() - 1; k-- > 0;) {
      const Expr below = binary(BinaryOp::less, placed(e, at), sizes_.expr({met[k]->end, {}}));
      all = Expr(ExprNode{Select{below, met[k]->arm(), all}, e->type, e->span}, e.origin());
    }
    return all;
  }

  Expr stack(const Expr& e, const Shape& shape, const Index& at, const Places& places) {
    std::vector<Piece> pieces;
    for (std::size_t k = 0; k < shape.parts.size(); ++k) {
      const auto position = static_cast<std::int64_t>(k);
      pieces.push_back({position, position + 1, [&, k] { return push(shape.parts[k], places); }});
    }
    return choose(e, at, pieces);
  }

  Expr concat(const Expr& e, const Shape& shape, const Index& at, const Places& places) {
    std::vector<Piece> pieces;
    Affine begin;
    for (std::size_t k = 0; k < shape.parts.size(); ++k) {
      pieces.push_back({begin, begin + shape.from_sizes[k],
                        [&, k, begin] { return moved(e, shape, sizes_.strided(at, 1, -begin), places, k); }});
      begin = begin + shape.from_sizes[k];
    }
    return choose(e, at, pieces);
  }

  Expr roll(const Expr& e, const Shape& shape, const Index& at, const Places& places) {
    const Affine &by = shape.numbers[1], &size = shape.from_sizes[0];
    const auto shifted = [&](const Affine& offset) {
      return [&, offset] { return moved(e, shape, sizes_.strided(at, 1, offset), places); };
    };
    if (by == Affine(0)) return shifted(Affine(0))();
    return choose(e, at, {{Affine(0), by, shifted(size - by)}, {by, size, shifted(-by)}});
  }

  Expr pad(const Expr& e, const Shape& shape, const Index& at, const Places& places) {
    const Affine &before = shape.numbers[0], &size = shape.from_sizes[0];
    const auto outside = [&] { return push(*shape.outside, places); };
    const Affine end = before + size;
    return choose(e, at,
                  {{Affine(0), before, outside},
                   {before, end, [&] { return moved(e, shape, sizes_.strided(at, 1, -before), places); }},
                   {end, end + shape.numbers[1], outside}});
  }

  PushedSizes sizes_;
  text::Diagnostics& diagnostics_;
  bool sound_ = true;
};

// ---- loop programs
// ---------------------------------------------------------------------------------------------------

template <class F>
Actions with_expressions(const Actions& actions, F&& change);

template <class F>
Action with_expressions(const Action& one, F&& change) {
  action::Node node = *one;
  std::visit(text::overloaded{[&](action::Block& b) { b.actions = with_expressions(b.actions, change); },
                              [&](action::For& f) {
                                f.low = change(f.low);
                                f.high = change(f.high);
                                if (f.until) f.until = change(*f.until);
                                f.body = with_expressions(f.body, change);
                              },
                              [&](action::While& w) {
                                w.condition = change(w.condition);
                                w.body = with_expressions(w.body, change);
                              },
                              [&](action::If& i) {
                                i.condition = change(i.condition);
                                i.then = with_expressions(i.then, change);
                                i.otherwise = with_expressions(i.otherwise, change);
                              },
                              [&](action::Let& l) {
                                l.value = change(l.value);
                                l.body = with_expressions(l.body, change);
                              },
                              [&](action::Assign& a) {
                                a.target = change(a.target);
                                a.value = change(a.value);
                              },
                              [&](action::Reset& r) { r.value = change(r.value); }, [](auto&) {}},
             node.is);
  return Action(std::move(node), one.origin(), one.id());
}

template <class F>
Actions with_expressions(const Actions& actions, F&& change) {
  Actions result;
  for (const Action& one : actions) result.push_back(with_expressions(one, change));
  return result;
}

}  // namespace

std::optional<Pushed> push_shapes(const Program& program, const Kernel& kernel, text::Diagnostics& diagnostics,
                                  SizeValues use) {
  Pushed result{kernel, {}};
  if (!has_shapes(kernel)) return result;
  Pusher pusher(program, diagnostics, use);
  for (Equation& equation : result.kernel.equations) pusher.equation(equation);
  const auto push = [&](const Expr& e) { return pusher.push(e, {}); };
  if (result.kernel.until) result.kernel.until->condition = push(result.kernel.until->condition);
  if (result.kernel.loops) result.kernel.loops = with_expressions(*result.kernel.loops, push);
  if (!pusher.sound()) return std::nullopt;
  result.assumed = pusher.assumed();
  return result;
}

Program assuming(Program program, const std::vector<math::Constraint>& assumed) {
  for (const math::Constraint& c : assumed) add_once(program.assumed, c);
  return program;
}

bool asks_for_values(const Program& program) {
  return std::ranges::any_of(program.kernels, [](const Kernel& kernel) { return has_shapes(kernel); });
}

}  // namespace trellis::lang
