// Left sides: which elements an equation defines.

#include "engine/lang/resolve.hpp"
#include "engine/lang/resolve_walk.hpp"

namespace trellis::lang::resolving {

namespace {

/// name + offset, where either may be absent.
struct Sum {
  std::optional<std::string> name;
  std::int64_t offset = 0;
};

std::optional<Sum> read_sum(const syntax::Expr& e) {
  if (const std::string* name = bare_name(e)) return Sum{*name, 0};
  if (const auto* n = e.as<syntax::Number>()) {
    const NumberValue value = number_value(n->spelling);
    if (!value.integral || value.overflow || value.magnitude > INT64_MAX / 4) return std::nullopt;
    return Sum{{}, static_cast<std::int64_t>(value.magnitude)};
  }
  if (const auto* c = e.as<syntax::Character>()) return Sum{{}, c->code};
  if (const auto* u = e.as<syntax::Unary>(); u && u->op == format::UnaryOp::negate) {
    auto operand = read_sum(u->operand);
    if (!operand || operand->name) return std::nullopt;
    return Sum{{}, -operand->offset};
  }
  const auto* b = e.as<syntax::Binary>();
  if (!b || (b->op != format::BinaryOp::add && b->op != format::BinaryOp::subtract)) return std::nullopt;
  auto left = read_sum(b->left);
  auto right = read_sum(b->right);
  const bool minus = b->op == format::BinaryOp::subtract;
  if (!left || !right || (right->name && (left->name || minus))) return std::nullopt;
  return Sum{left->name ? left->name : right->name, left->offset + (minus ? -right->offset : right->offset)};
}

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
    if (resolution_.is_parameter(draft_.tensor)) return refuse_parameter(*reference);
    if (resolution_.definitions.count(draft_.tensor)) return refuse_function(*reference);
    if (reference->step) draft_.step = read_index(*reference->step, Form::plain);
    if (reference->arguments)
      for (const syntax::Argument& argument : *reference->arguments)
        draft_.left.push_back(read_index(argument.value, argument.high || !argument.arrow.empty() ? Form::other : Form::plain));
    settle_tensor(*reference);
    if (draft_.step && draft_.step->kind == LeftIndex::Kind::variable) draft_.variables.push_back(draft_.step->name);
    for (const LeftIndex& index : draft_.left)
      if (index.kind == LeftIndex::Kind::variable && !contains(draft_.variables, index.name))
        draft_.variables.push_back(index.name);
  }

 private:
  void refuse_parameter(const syntax::Reference& reference) {
    auto& diagnostic = resolution_.error("E0204", reference.name.span, draft_.tensor + " is a parameter; an equation cannot define it");
    diagnostic.notes.push_back({resolution_.program.parameter(draft_.tensor)->span, "it gets its meaning here"});
    diagnostic.notes.push_back({{}, "a parameter's value is given by param " + draft_.tensor + " = 3, or on the command line"});
    draft_.sound = false;
  }

  void refuse_function(const syntax::Reference& reference) {
    auto& diagnostic = resolution_.error("E0204", reference.name.span, draft_.tensor + " is a function; an equation cannot define it");
    diagnostic.notes.push_back({resolution_.definitions.at(draft_.tensor).source->name.span, "it gets its meaning here"});
    draft_.sound = false;
  }

  enum class Form { plain, other };  ///< other: a slice or an arrow

  LeftIndex read_index(const syntax::Expr& written, Form form) {
    auto sum = form == Form::other ? std::nullopt : read_sum(written);
    const bool tensor_value = sum && sum->name && resolution_.is_scalar(*sum->name);
    if (!sum || tensor_value) {
      if (draft_.sound)
        resolution_.error("E0210", written->span, "an index on the left must be a variable, a parameter or a constant, plus a constant",
                          tensor_value ? *sum->name + " is a tensor" : "");
      draft_.sound = false;
      sum = Sum{};
    }
    LeftIndex index;
    index.offset = sum->offset;
    index.span = written->span;
    index.alone = bare_name(written) != nullptr;
    if (sum->name) {
      index.name = *sum->name;
      index.kind = resolution_.is_parameter(index.name) ? LeftIndex::Kind::parameter : LeftIndex::Kind::variable;
    }
    index.alone = index.alone && index.kind == LeftIndex::Kind::variable;
    return index;
  }

  /// Finds the declared tensor, or makes an implicit result.
  void settle_tensor(const syntax::Reference& reference) {
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
    const std::string rank = std::to_string(info->shape.size()) + (info->shape.size() == 1 ? " dimension" : " dimensions");
    auto& diagnostic = resolution_.error("E0203", draft_.left_span,
                                         draft_.tensor + " has " + rank + ", not " + std::to_string(draft_.left.size()));
    diagnostic.notes.push_back({info->span, reference.name.text + " gets its shape here"});
    if (reference.step && !reference.arguments)
      diagnostic.notes.push_back({{}, "indices stand in parentheses, as in " + draft_.tensor + "(i); brackets hold a timestep"});
    draft_.sound = false;
  }

  Resolution& resolution_;
  Draft& draft_;
};

void report_duplicates(Resolution& resolution, const KernelDraft& kernel) {
  for (std::size_t i = 0; i < kernel.equations.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const syntax::Equation& later = *kernel.equations[i].source;
      const syntax::Equation& earlier = *kernel.equations[j].source;
      if (!(later.left == earlier.left) || later.constraints != earlier.constraints) continue;
      auto& diagnostic = resolution.error("E0209", kernel.equations[i].left_span,
                                          "two equations have the same left side", "defined again");
      diagnostic.notes.push_back({kernel.equations[j].left_span, "first defined here"});
      break;
    }
}

}  // namespace

void read_left_sides(Resolution& resolution) {
  for (KernelDraft& kernel : resolution.kernels) {
    for (Draft& draft : kernel.equations) LeftReader(resolution, draft).read();
    report_duplicates(resolution, kernel);
  }
}

}  // namespace trellis::lang::resolving
