// Left sides: which elements an equation defines.

#include "engine/lang/parse.hpp"
#include "engine/lang/resolve/operators.hpp"
#include "engine/lang/resolve/resolve.hpp"
#include "engine/lang/resolve/walk.hpp"

namespace trellis::lang::resolving {

namespace {

/// name + parameters + offset, where each may be absent.
struct Sum {
  std::optional<std::string> name;
  math::Affine rest;  ///< with the offset
};

class SumReader {
 public:
  explicit SumReader(const Resolution& resolution) : resolution_(resolution) {}

  std::optional<Sum> read(const syntax::Expr& e) const {
    if (const std::string* name = bare_name(e))
      return resolution_.is_parameter(*name) ? Sum{{}, math::Affine::name(*name)} : Sum{*name, {}};
    if (const auto* n = e.as<syntax::Number>()) return number(*n);
    if (const auto* c = e.as<syntax::Character>()) return Sum{{}, c->code};
    if (const auto* u = e.as<syntax::Unary>(); u && u->op == format::UnaryOp::negate) {
      auto operand = read(u->operand);
      if (!operand || operand->name) return std::nullopt;
      return Sum{{}, -operand->rest};
    }
    const auto* b = e.as<syntax::Binary>();
    return b ? read(*b) : std::nullopt;
  }

 private:
  static std::optional<Sum> number(const syntax::Number& n) {
    const NumberValue value = number_value(n.spelling);
    if (!value.integral || value.overflow || value.magnitude > INT64_MAX / 4) return std::nullopt;
    return Sum{{}, static_cast<std::int64_t>(value.magnitude)};
  }

  std::optional<Sum> read(const syntax::Binary& b) const {
    auto left = read(b.left), right = read(b.right);
    if (!left || !right) return std::nullopt;
    if (b.op == format::BinaryOp::multiply) {
      if (left->name || right->name || !(left->rest.is_constant() || right->rest.is_constant())) return std::nullopt;
      return Sum{{}, left->rest.is_constant() ? left->rest.constant * right->rest : right->rest.constant * left->rest};
    }
    const bool minus = b.op == format::BinaryOp::subtract;
    if ((!minus && b.op != format::BinaryOp::add) || (right->name && (left->name || minus))) return std::nullopt;
    return Sum{left->name ? left->name : right->name, minus ? left->rest - right->rest : left->rest + right->rest};
  }

  const Resolution& resolution_;
};

class LeftReader {
 public:
  LeftReader(Resolution& resolution, Draft& draft) : resolution_(resolution), draft_(draft) {}

  void read() {
    const auto* reference = draft_.source->left.as<syntax::Reference>();
    if (!reference) {
      draft_.sound = false;
      return;
    }
    draft_.left_span = draft_.source->left->span;
    if (kind_of(resolution_, *reference) == ReferenceKind::shape && operator_form(*reference))
      return refuse_operator(*reference);
    if (resolution_.is_parameter(draft_.tensor)) return refuse_parameter(*reference);
    if (resolution_.definitions.count(draft_.tensor)) return refuse_function(*reference);
    if (reference->step) draft_.step = read_index(*reference->step, Form::plain);
    if (draft_.step && draft_.step->kind == LeftIndex::Kind::variable && !draft_.step->rest.is_constant())
      refuse_step(*reference->step);
    if (reference->arguments)
      for (const syntax::Argument& argument : *reference->arguments)
        draft_.left.push_back(
            read_index(argument.value, argument.high || !argument.arrow.empty() ? Form::other : Form::plain));
    resolve_tensor(*reference);
    if (draft_.step && draft_.step->kind == LeftIndex::Kind::variable) draft_.variables.push_back(draft_.step->name);
    for (const LeftIndex& index : draft_.left)
      if (index.kind == LeftIndex::Kind::variable && !contains(draft_.variables, index.name))
        draft_.variables.push_back(index.name);
  }

 private:
  void refuse_parameter(const syntax::Reference& reference) {
    auto& diagnostic = resolution_.error("E0204", reference.name.span,
                                         draft_.tensor + " is a parameter; an equation cannot define it");
    diagnostic.notes.push_back({resolution_.program.parameter(draft_.tensor)->span, "it gets its meaning here"});
    diagnostic.notes.push_back(
        {{}, "a parameter's value is given by param " + draft_.tensor + " = 3, or on the command line"});
    draft_.sound = false;
  }

  void refuse_function(const syntax::Reference& reference) {
    auto& diagnostic =
        resolution_.error("E0204", reference.name.span, draft_.tensor + " is a function; an equation cannot define it");
    diagnostic.notes.push_back(
        {resolution_.definitions.at(draft_.tensor).source->name.span, "it gets its meaning here"});
    draft_.sound = false;
  }

  void refuse_operator(const syntax::Reference& reference) {
    auto& d =
        resolution_.error("E0210", draft_.left_span,
                          "a left side is one element of a tensor; " + reference.name.text + " stands on the right");
    const char* inverse = nullptr;
    switch (*shape_op(reference.name.text)) {
      case Shape::Op::collapse: inverse = "split, as in A(i,j) = split(b(k), k->(i,j))"; break;
      case Shape::Op::split: inverse = "collapse, as in b(k) = collapse(A(i,j), (i,j)->k)"; break;
      case Shape::Op::reshape: inverse = "reshape the other way round"; break;
      case Shape::Op::concat: inverse = "an equation for each part, as in a(i) = x(i) and b(k) = x(k+n)"; break;
      case Shape::Op::stack: inverse = "an equation for each part, as in a(i) = x(i,0) and b(i) = x(i,1)"; break;
      case Shape::Op::slice: inverse = "pad, or the elements that it names, as in b(j+2) = x(j)"; break;
      case Shape::Op::roll: inverse = "roll by the negative, as in b(i) = roll(x(j), j->i, -3)"; break;
      case Shape::Op::pad: inverse = "slice, as in b(j) = slice(x(i), i->j, 1:n+1)"; break;
    }
    d.notes.push_back({{}, std::string("write the inverse on the right: ") + inverse});
    draft_.sound = false;
    resolution_.poisoned.insert(draft_.tensor);
  }

  void refuse_step(const syntax::Expr& step) {
    resolution_.error("E0210", step->span, "a timestep on the left must be a variable or parameters, plus a constant",
                      "");
    draft_.sound = false;
  }

  /// `q(p(i)) = i` as a loop program.
  std::string as_loops() const {
    std::string indices;
    const auto collect = [&](auto&& self, const syntax::Expr& e) -> void {
      const auto* r = e.as<syntax::Reference>();
      if (r && r->arguments && kind_of(resolution_, *r) == ReferenceKind::access)
        for (const syntax::Argument& argument : *r->arguments)
          if (const std::string* name = bare_name(argument.value); name && !resolution_.has_meaning(*name))
            if (("," + indices + ",").find("," + *name + ",") == std::string::npos)
              indices += (indices.empty() ? "" : ",") + *name;
      for_each_child(e, [&](const syntax::Expr& child) { self(self, child); });
    };
    collect(collect, draft_.source->left);
    collect(collect, draft_.source->right);
    const std::string assignment = to_string(draft_.source->left) + " = " + to_string(draft_.source->right);
    return "loops { " + (indices.empty() ? assignment : "for " + indices + " { " + assignment + " }") + " }";
  }

  enum class Form { plain, other };  ///< other: a slice or an arrow

  LeftIndex read_index(const syntax::Expr& written, Form form) {
    auto sum = form == Form::other ? std::nullopt : SumReader(resolution_).read(written);
    const bool tensor_value = sum && sum->name && resolution_.is_scalar(*sum->name);
    if (!sum || tensor_value) {
      if (draft_.sound)
        resolution_
            .error("E0210", written->span,
                   "an index on the left must be at most one variable, plus parameters and constants",
                   tensor_value ? *sum->name + " is a tensor" : "")
            .notes.push_back({{}, "what data places is written by a loop: " + as_loops()});
      draft_.sound = false;
      sum = Sum{};
    }
    LeftIndex index;
    index.offset = sum->rest.constant;
    index.rest = sum->rest - math::Affine(index.offset);
    index.span = written->span;
    if (sum->name) {
      index.name = *sum->name;
      index.kind = LeftIndex::Kind::variable;
    } else if (!index.rest.is_constant()) {
      index.kind = LeftIndex::Kind::parameter;
    }
    index.alone = bare_name(written) && index.kind == LeftIndex::Kind::variable;
    return index;
  }

  /// Finds the declared tensor, or makes an implicit result.
  void resolve_tensor(const syntax::Reference& reference) {
    TensorInfo* info = resolution_.tensor(draft_.tensor);
    if (!info) {
      if (!draft_.sound) {
        resolution_.poisoned.insert(draft_.tensor);
        return;
      }
      TensorInfo fresh;
      fresh.name = draft_.tensor;
      fresh.kind = TensorInfo::Kind::implicit;
      fresh.span = draft_.left_span;
      fresh.shape.resize(draft_.left.size());
      fresh.format = format::Format::dense(static_cast<int>(draft_.left.size()));
      resolution_.program.tensors.push_back(std::move(fresh));
      resolution_.shapeless.insert(draft_.tensor);
      return;
    }
    if (info->shape.size() == draft_.left.size()) return;
    draft_.whole_left = !reference.arguments && !reference.step;
    if (draft_.whole_left) {  // the right side tells what is meant
      draft_.sound = false;
      return;
    }
    const std::string rank =
        std::to_string(info->shape.size()) + (info->shape.size() == 1 ? " dimension" : " dimensions");
    auto& diagnostic = resolution_.error(
        "E0203", draft_.left_span, draft_.tensor + " has " + rank + ", not " + std::to_string(draft_.left.size()));
    diagnostic.notes.push_back({info->span, reference.name.text + " gets its shape here"});
    if (reference.step && !reference.arguments)
      diagnostic.notes.push_back(
          {{}, "indices stand in parentheses, as in " + draft_.tensor + "(i); brackets hold a timestep"});
    draft_.sound = false;
  }

  Resolution& resolution_;
  Draft& draft_;
};

void report_duplicates(Resolution& resolution, const KernelDraft& kernel) {
  std::map<std::string, std::vector<std::size_t>> before;  // equations, by what they define
  for (std::size_t i = 0; i < kernel.equations.size(); ++i) {
    std::vector<std::size_t>& same_tensor = before[kernel.equations[i].tensor];
    for (const std::size_t j : same_tensor) {
      const syntax::Equation& later = *kernel.equations[i].source;
      const syntax::Equation& earlier = *kernel.equations[j].source;
      if (!(later.left == earlier.left) || later.constraints != earlier.constraints) continue;
      auto& diagnostic = resolution.error("E0209", kernel.equations[i].left_span,
                                          "two equations have the same left side", "defined again");
      diagnostic.notes.push_back({kernel.equations[j].left_span, "first defined here"});
      break;
    }
    same_tensor.push_back(i);
  }
}

}  // namespace

void read_left_side(Resolution& resolution, Draft& draft) { LeftReader(resolution, draft).read(); }

void read_left_sides(Resolution& resolution) {
  for (KernelDraft& kernel : resolution.kernels) {
    for (Draft& draft : kernel.equations) read_left_side(resolution, draft);
    report_duplicates(resolution, kernel);
  }
}

}  // namespace trellis::lang::resolving
