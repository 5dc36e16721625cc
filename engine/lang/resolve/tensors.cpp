// One tensor declaration: its shape, element type, format and fill.

#include <algorithm>

#include "engine/lang/resolve/resolve.hpp"
#include "engine/lang/resolve/walk.hpp"

namespace trellis::lang::resolving {

using format::Format;
using format::ScalarType;

namespace {

const std::vector<std::string> promise_words{"sorted", "decreasing", "injective", "range"};

/// A pattern stores no values, so that its tensor is one of bool without saying so.
bool says_pattern(const syntax::Attribute& attribute) {
  if (const auto* named = std::get_if<syntax::NamedAttribute>(&attribute)) return named->name.text == "pattern";
  const auto* levels = std::get_if<syntax::LevelsAttribute>(&attribute);
  return levels && !levels->levels.empty() && levels->levels.back().name.text == "pattern";
}

class TensorReader {
 public:
  TensorReader(Resolution& resolution, const syntax::TensorDecl& declaration)
      : resolution_(resolution), declaration_(declaration) {
    info_.name = declaration.name.text;
    info_.span = declaration.name.span;
    info_.format = Format::dense(static_cast<int>(declaration.shape.size()));
  }

  TensorInfo read() {
    for (const syntax::Expr& size : declaration_.shape) read_size(size);
    for (const syntax::Attribute& attribute : declaration_.attributes)
      std::visit([&](const auto& a) { read_attribute(a); }, attribute);
    if (!says_type_ && std::ranges::any_of(declaration_.attributes, says_pattern)) info_.type = ScalarType::boolean;
    check_promises();
    info_.fill = format::Value::of(info_.type, 0);
    if (fill_)  // only now is the element type known
      if (auto value = literal_value(resolution_, *fill_, info_.type)) info_.fill = *value;
    read_format(resolution_, info_, declaration_.attributes);
    widen_levels(resolution_, info_);
    return std::move(info_);
  }

 private:
  void read_size(const syntax::Expr& size) {
    declare_sizes(size);
    auto form = affine_of(resolution_, size, {}, "a size");
    if (form && form->is_constant() && form->constant < 0) {
      resolution_.error("E0214", size->span, "a size is negative", std::to_string(form->constant));
      form.reset();
    }
    info_.shape.push_back(form.value_or(math::Affine(0)));
  }

  /// A name in a shape that no `param` binds is a size whose value comes later.
  void declare_sizes(const syntax::Expr& e) {
    if (const std::string* name = bare_name(e)) {
      if (resolution_.is_parameter(*name) || resolution_.poisoned.count(*name) || resolution_.tensor(*name)) return;
      ParameterInfo info{*name, false, std::nullopt, e->span};
      auto override = resolution_.overrides.find(*name);
      if (override != resolution_.overrides.end() && !format::is_floating(override->second.type))
        info.value = format::cast(ScalarType::i64, override->second);
      resolution_.program.parameters.push_back(std::move(info));
      return;
    }
    for_each_child(e, [&](const syntax::Expr& child) { declare_sizes(child); });
  }

  void read_attribute(const syntax::NamedAttribute& a) {
    const std::string& name = a.name.text;
    const bool storage = contains(layout_names(resolution_), name) || contains(format::level_names(), name);
    if (storage) return;
    if (auto type = format::scalar_type(name)) {
      info_.type = *type;
      says_type_ = true;
    } else if (name == "pad") {
      if (!a.options.values.empty()) resolution_.error("E0205", a.name.span, "pad takes no options");
      info_.pad = true;
    } else if (contains(promise_words, name)) {
      read_promise(a);
    } else {
      auto& diagnostic = resolution_.error("E0205", a.name.span, "unknown format or element type " + name);
      suggest(diagnostic, name);
    }
  }

  /// `sorted`, `sorted(strictly)`, `injective`, `range(0, n)`.
  void read_promise(const syntax::NamedAttribute& a) {
    const std::string& name = a.name.text;
    const std::vector<syntax::Name>& options = a.options.values;
    promised_ = a.name;
    format::Promises& promises = info_.promises;
    if (name == "range") return read_range(a);
    if (name == "injective") promises.injective = true;
    if (name == "sorted") promises.sorted = true;
    if (name == "decreasing") promises.decreasing = true;
    const bool strictly = options.size() == 1 && options[0].text == "strictly" && name != "injective";
    promises.strictly = promises.strictly || strictly;
    if (!options.empty() && !strictly)
      resolution_.error("E0205", options[0].span,
                        name + (name == "injective" ? " takes no options" : " takes no option but strictly"));
  }

  void read_range(const syntax::NamedAttribute& a) {
    if (a.options.values.size() != 2) {
      resolution_.error("E0205", a.name.span, "a range has two ends, as in range(0, n): values from 0 to n - 1");
      return;
    }
    const auto end = [&](const syntax::Name& written) -> std::optional<math::Affine> {
      const bool digits = written.text.find_first_not_of("0123456789") == std::string::npos;
      if (const NumberValue value = digits ? number_value(written.text) : NumberValue{};
          value.integral && !value.overflow)
        return math::Affine(static_cast<std::int64_t>(value.magnitude));
      if (resolution_.is_parameter(written.text)) return math::Affine::name(written.text);
      resolution_.error("E0201", written.span, "there is no size or parameter " + written.text);
      return std::nullopt;
    };
    info_.promises.low = end(a.options.values[0]);
    info_.promises.high = end(a.options.values[1]);
  }

  /// Only indices can be promised anything of.
  void check_promises() {
    if (!promised_) return;
    const format::Promises& promises = info_.promises;
    const bool integers = !format::is_floating(info_.type) && !format::is_boolean(info_.type);
    if (!integers || info_.shape.empty())
      resolution_
          .error("E0254", promised_->span, promised_->text + " is for tensors of integers",
                 info_.name + (info_.shape.empty() ? " is a scalar"
                                                   : " holds " + std::string(format::name_of(info_.type)) + " values"))
          .notes.push_back({{}, "as in tensor " + info_.name + "(n): i64 " + promised_->text});
    else if (promises.sorted && promises.decreasing)
      resolution_.error("E0254", promised_->span, info_.name + " cannot be sorted and decreasing", "one of them");
  }

  void suggest(text::Diagnostic& diagnostic, const std::string& name) {
    std::vector<std::string> known = layout_names(resolution_);
    known.insert(known.end(), {"f64", "f32", "i64", "i32", "i16", "u64", "u32", "u8", "bool", "pad"});
    known.insert(known.end(), promise_words.begin(), promise_words.end());
    if (std::string close = text::did_you_mean(name, known); !close.empty())
      diagnostic.notes.push_back({{}, "did you mean " + close + "?"});
    else diagnostic.notes.push_back({{}, "element types: f64 f32 i64 i32 i16 u64 u32 u8 bool"});
  }

  void read_attribute(const syntax::LevelsAttribute&) {}
  void read_attribute(const syntax::OrderAttribute&) {}
  void read_attribute(const syntax::OverAttribute& over) { read_over(resolution_, info_, over); }
  void read_attribute(const syntax::FillAttribute& a) { fill_ = a.value.value; }

  Resolution& resolution_;
  const syntax::TensorDecl& declaration_;
  TensorInfo info_;
  std::optional<syntax::Expr> fill_;
  std::optional<syntax::Name> promised_;
  bool says_type_ = false;
};

}  // namespace

void declare_tensor(Resolution& resolution, const syntax::TensorDecl& declaration, Freshness freshness) {
  TensorInfo info = TensorReader(resolution, declaration).read();
  if (freshness == Freshness::taken) return;
  if (resolution.is_parameter(info.name)) {
    auto& diagnostic =
        resolution.error("E0202", info.span, info.name + " is declared twice", "a size already has this name");
    diagnostic.notes.push_back({resolution.program.parameter(info.name)->span, "used as a size here"});
    return;
  }
  resolution.program.tensors.push_back(std::move(info));
}

}  // namespace trellis::lang::resolving
