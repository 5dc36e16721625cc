// Slices: `B(i(0:8:2))` reads B(2*i) for i < 4. They become affine indices before anything else looks at the equation.

#include "engine/lang/resolve/resolve.hpp"
#include "engine/lang/resolve/walk.hpp"

namespace trellis::lang::resolving {

using format::BinaryOp;
using math::Affine;

namespace {

class SliceWriter {
 public:
  SliceWriter(Resolution& resolution, bool& sound) : resolution_(resolution), sound_(sound) {}

  syntax::Expr write(const syntax::Expr& e) {
    const auto* r = e.as<syntax::Reference>();
    if (r && r->arguments && kind_of(resolution_, *r) == ReferenceKind::access) return write_access(e, *r);
    return map_children(e, [&](const syntax::Expr& child) { return write(child); });
  }

 private:
  syntax::Expr write_access(const syntax::Expr& e, const syntax::Reference& r) {
    syntax::Reference changed = r;
    bool same = true;
    for (syntax::Argument& argument : *changed.arguments) {
      if (argument.high) refuse(argument.value->span, "a slice names its index", "as in " + r.name.text + "(i(0:4))");
      const syntax::Expr index = write_index(argument.value);
      same = same && index.same(argument.value);
      argument.value = index;
    }
    return same ? e : syntax::Expr(syntax::ExprNode{std::move(changed), e->span});
  }

  syntax::Expr write_index(const syntax::Expr& index) {
    if (const auto* u = index.as<syntax::Unary>(); u && u->op == format::UnaryOp::bit_not) {
      const syntax::Expr operand = write_index(u->operand);
      return operand.same(u->operand) ? index
                                      : syntax::Expr(syntax::ExprNode{syntax::Unary{u->op, operand}, index->span});
    }
    const auto* r = index.as<syntax::Reference>();
    const bool sliced = r && r->arguments && r->arguments->size() == 1 && r->arguments->front().high;
    if (!sliced) return write(index);
    if (resolution_.tensor(r->name.text) || resolution_.is_parameter(r->name.text)) {
      refuse(index->span, "a slice names an index variable",
             r->name.text + " is " + (resolution_.tensor(r->name.text) ? "a tensor" : "a parameter"));
      return index;
    }
    return write_slice(index, *r);
  }

  syntax::Expr write_slice(const syntax::Expr& index, const syntax::Reference& r) {
    const syntax::Argument& range = r.arguments->front();
    const auto low = affine_of(resolution_, range.value, {}, "a slice's end");
    const auto high = affine_of(resolution_, *range.high, {}, "a slice's end");
    const auto step = range.step ? affine_of(resolution_, *range.step, {}, "a slice's step") : Affine(1);
    if (!low || !high || !step) {
      sound_ = false;
      return index;
    }
    if (!step->is_constant() || step->constant == 0) {
      refuse((*range.step)->span, "a slice's step must be a constant other than 0", "");
      return index;
    }
    const std::int64_t stride = step->constant;
    const std::int64_t size = stride < 0 ? -stride : stride;
    const Affine span = stride < 0 ? *low - *high : *high - *low;
    Affine length = size == 1 ? span : Affine::div(span + Affine(size - 1), size);
    if (length.is_constant() && length.constant < 0) length = Affine(0);
    const syntax::Expr written = element(index->span, r.name, range.value, *low, stride);
    resolution_.slices.push_back({written, r.name.text, length});
    return written;
  }

  /// `low + stride*name`; never the bare name, which would range over the whole dimension.
  static syntax::Expr element(text::Span span, const syntax::Name& name, const syntax::Expr& low, const Affine& start,
                              std::int64_t stride) {
    auto node = [&](auto n) { return syntax::Expr(syntax::ExprNode{std::move(n), span}); };
    const std::int64_t size = stride < 0 ? -stride : stride;
    syntax::Expr moved = node(syntax::Reference{name, {}, {}, {}});
    if (size != 1) moved = node(syntax::Binary{BinaryOp::multiply, node(syntax::Number{std::to_string(size)}), moved});
    if (stride < 0) return node(syntax::Binary{BinaryOp::subtract, low, moved});
    if (start == Affine(0) && size != 1) return moved;
    return node(syntax::Binary{BinaryOp::add, moved, low});
  }

  void refuse(text::Span span, const std::string& message, const std::string& label) {
    resolution_.error("E0230", span, message, label);
    sound_ = false;
  }

  Resolution& resolution_;
  bool& sound_;
};

}  // namespace

syntax::Expr write_out_slices(Resolution& resolution, const syntax::Expr& e, bool& sound) {
  return SliceWriter(resolution, sound).write(e);
}

}  // namespace trellis::lang::resolving
