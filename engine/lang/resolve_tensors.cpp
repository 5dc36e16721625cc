// One tensor declaration: its shape, element type, format and fill.

#include "engine/lang/resolve.hpp"
#include "engine/lang/resolve_walk.hpp"

namespace trellis::lang::resolving {

using format::Format;
using format::ScalarType;

namespace {

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
    info_.fill = format::Value::of(info_.type, 0);
    if (fill_)  // only now is the element type known
      if (auto value = literal_value(resolution_, *fill_, info_.type)) info_.fill = *value;
    return std::move(info_);
  }

 private:
  std::size_t rank() const { return declaration_.shape.size(); }

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
    if (auto type = format::scalar_type(name)) {
      info_.type = *type;
    } else if (name == "pad") {
      if (!a.options.values.empty()) resolution_.error("E0205", a.name.span, "pad takes no options");
      info_.pad = true;
    } else if (name == "dense") {
      if (!a.options.values.empty()) resolution_.error("E0205", a.name.span, "dense takes no options");
    } else if (contains(format::format_names(), name) || contains(format::level_names(), name)) {
      resolution_.error("E0910", a.name.span, "the format " + name + " is not available yet", "only dense is");
    } else {
      auto& diagnostic = resolution_.error("E0205", a.name.span, "unknown format or element type " + name);
      suggest(diagnostic, name);
    }
  }

  void suggest(text::Diagnostic& diagnostic, const std::string& name) {
    std::vector<std::string> known = format::format_names();
    known.insert(known.end(), {"f64", "f32", "i64", "i32", "i16", "u64", "u32", "u8", "bool", "pad"});
    if (std::string close = text::did_you_mean(name, known); !close.empty())
      diagnostic.notes.push_back({{}, "did you mean " + close + "?"});
    else
      diagnostic.notes.push_back({{}, "element types: f64 f32 i64 i32 i16 u64 u32 u8 bool"});
  }

  void read_attribute(const syntax::LevelsAttribute& a) {
    text::Span all;
    bool available = true;
    for (const syntax::LevelSpec& level : a.levels) {
      all = text::cover(all, level.name.span);
      if (level.name.text == "dense") continue;
      available = false;
      if (contains(format::level_names(), level.name.text))
        resolution_.error("E0910", level.name.span, "the level format " + level.name.text + " is not available yet", "only dense is");
      else
        resolution_.error("E0205", level.name.span, "unknown level format " + level.name.text);
    }
    if (available && a.levels.size() != rank())
      resolution_.error("E0207", all, std::to_string(a.levels.size()) + " levels for " + std::to_string(rank()) + " dimensions",
                        "one level format per dimension");
    info_.format.name.clear();
  }

  void read_attribute(const syntax::OrderAttribute& a) {
    std::vector<int> order;
    std::vector<bool> seen(rank(), false);
    text::Span all;
    bool sound = a.dimensions.size() == rank();
    for (const syntax::Expr& dimension : a.dimensions) {
      all = text::cover(all, dimension->span);
      const auto* n = dimension.as<syntax::Number>();
      const NumberValue value = n ? number_value(n->spelling) : NumberValue{};
      const bool fresh = value.integral && !value.overflow && value.magnitude < rank() && !seen[value.magnitude];
      if (fresh) {
        seen[value.magnitude] = true;
        order.push_back(static_cast<int>(value.magnitude));
      }
      sound = sound && fresh;
    }
    if (sound) info_.format.order = std::move(order);
    else resolution_.error("E0207", all, "a storage order names each of the dimensions 0 to " + std::to_string(int(rank()) - 1) + " once");
  }

  void read_attribute(const syntax::FillAttribute& a) { fill_ = a.value.value; }

  Resolution& resolution_;
  const syntax::TensorDecl& declaration_;
  TensorInfo info_;
  std::optional<syntax::Expr> fill_;
};

}  // namespace

void declare_tensor(Resolution& resolution, const syntax::TensorDecl& declaration, Freshness freshness) {
  TensorInfo info = TensorReader(resolution, declaration).read();
  if (freshness == Freshness::taken) return;
  if (resolution.is_parameter(info.name)) {
    auto& diagnostic = resolution.error("E0202", info.span, info.name + " is declared twice", "a size already has this name");
    diagnostic.notes.push_back({resolution.program.parameter(info.name)->span, "used as a size here"});
    return;
  }
  resolution.program.tensors.push_back(std::move(info));
}

}  // namespace trellis::lang::resolving
