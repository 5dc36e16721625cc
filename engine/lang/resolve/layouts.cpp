// Layouts: what a declaration says by itself, and what it comes to for a tensor, where it is proven to be one-to-one.
// (docs/design/layouts.md#layout-maps)

#include <algorithm>
#include <numeric>

#include "engine/format/bounds.hpp"
#include "engine/format/level.hpp"
#include "engine/format/misfit.hpp"
#include "engine/format/storage_order.hpp"
#include "engine/lang/resolve/layout_forms.hpp"
#include "engine/lang/resolve/resolve.hpp"
#include "engine/lang/resolve/standard_layouts.hpp"
#include "engine/lang/resolve/walk.hpp"
#include "engine/math/inverse_map.hpp"
#include "engine/math/solver.hpp"

namespace trellis::lang::resolving {

using format::Format;
using format::Layout;
using math::Affine;
using math::Constraint;
using math::Domain;

namespace {

/// "(0, 1)": the values of these names.
std::string element_text(const math::Assignment& point, const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    const auto at = std::ranges::find(point, name, &std::pair<std::string, std::int64_t>::first);
    text += (text.empty() ? "" : ", ") + std::to_string(at == point.end() ? 0 : at->second);
  }
  return "(" + text + ")";
}

/// A layout for a tensor of a shape.
class LayoutReader {
 public:
  LayoutReader(Resolution& resolution, const syntax::LayoutDecl& declaration, const syntax::NamedAttribute& use,
               const TensorInfo& tensor)
      : resolution_(resolution), declaration_(declaration), use_(use), tensor_(tensor) {}

  std::optional<Format> read() {
    if (!read_numbers() || !fits()) return std::nullopt;
    Format format;
    for (const syntax::LevelSpec& spec : declaration_.levels) {
      auto level = read_level(resolution_, with_numbers(spec));
      if (!level) return std::nullopt;
      format.levels.push_back(std::move(*level));
    }
    format.order.resize(format.levels.size());
    std::iota(format.order.begin(), format.order.end(), 0);
    if (const auto wrong = format::misfit(format)) {
      refuse("E0206", declaration_.levels[std::min(wrong->level, declaration_.levels.size() - 1)].name.span,
             wrong->what, wrong->advice);
      return std::nullopt;
    }
    LayoutTrouble trouble;
    auto layout = layout_forms(declaration_, numbers_, trouble);
    if (!layout) {
      refuse("E0250", trouble.span, trouble.what);
      return std::nullopt;
    }
    if (permutes(*layout, format)) return format;
    layout->name = name();
    if (!invert(*layout) || !shares_places(*layout)) return std::nullopt;
    format.name = layout->name;
    format.levels = format::with_bounds(std::move(format.levels), *layout, tensor_.shape);
    format.layout = std::make_shared<const Layout>(std::move(*layout));
    return format;
  }

 private:
  /// At the layout's own text, where that is the user's.
  void refuse(const std::string& code, text::Span span, const std::string& what, const std::string& note = {}) {
    const bool own = standard_layout(declaration_.name.text) != &declaration_;
    auto& diagnostic = resolution_.error(code, own ? span : use_.name.span, what);
    if (own && span != use_.name.span) diagnostic.notes.push_back({use_.name.span, "used here, for " + tensor_.name});
    if (!note.empty()) diagnostic.notes.push_back({{}, note});
  }

  std::string name() const {
    std::string text = declaration_.name.text;
    for (std::size_t k = 0; k < use_.options.values.size(); ++k)
      text += (k == 0 ? "(" : ", ") + use_.options.values[k].text;
    return use_.options.values.empty() ? text : text + ")";
  }

  bool read_numbers() {
    const auto& parameters = declaration_.parameters;
    if (use_.options.values.size() != parameters.size()) {
      std::string all;
      for (const syntax::Name& one : parameters) all += (all.empty() ? "" : ", ") + one.text;
      auto& diagnostic = resolution_.error(
          "E0251", use_.name.span,
          declaration_.name.text + " takes " +
              (parameters.empty() ? "no numbers" : counted(parameters.size(), "number")),
          use_.options.values.empty() ? "none are given" : counted(use_.options.values.size(), "number") + " given");
      if (!parameters.empty())
        diagnostic.notes.push_back({{},
                                    "it is " + declaration_.name.text + "(" + all + "), as in " +
                                        declaration_.name.text + "(" + (parameters.size() == 1 ? "4" : "4, 4") + ")"});
      return false;
    }
    for (std::size_t k = 0; k < parameters.size(); ++k) {
      const syntax::Name& given = use_.options.values[k];
      const NumberValue value = number_value(given.text);
      const bool number = format::is_count(given.text);
      std::int64_t chosen = static_cast<std::int64_t>(value.magnitude);
      if (!number) {
        const ParameterInfo* known = resolution_.program.parameter(given.text);
        if (!known || known->real || !known->value) {
          resolution_.error("E0251", given.span,
                            parameters[k].text + " of a layout is a number, or a param with a value");
          return false;
        }
        chosen = known->value->as_integer();
      }
      if (chosen < 1 || chosen > format::largest_narrow || (number && (!value.integral || value.overflow))) {
        resolution_.error("E0251", given.span, parameters[k].text + " of a layout is a number from 1 on");
        return false;
      }
      numbers_[parameters[k].text] = chosen;
    }
    return true;
  }

  bool fits() {
    if (declaration_.from.size() == tensor_.shape.size()) return true;
    resolution_.error("E0207", use_.name.span,
                      declaration_.name.text + " is a layout of " + counted(declaration_.from.size(), "dimension"),
                      tensor_.name + " has " + counted(tensor_.shape.size(), "dimension"));
    return false;
  }

  syntax::LevelSpec with_numbers(syntax::LevelSpec spec) const {
    for (syntax::Name& option : spec.options.values)
      if (const auto number = numbers_.find(option.text); number != numbers_.end())
        option.text = std::to_string(number->second);
    return spec;
  }

  /// An order of dimensions is no more than that.
  static bool permutes(const Layout& layout, Format& format) {
    if (layout.branches.size() != 1 || !layout.stored.empty()) return false;
    std::vector<int> order;
    for (const Affine& form : layout.branches.front().to) {
      const auto at =
          std::ranges::find_if(layout.dimensions, [&](const std::string& d) { return form.as_name() == d; });
      if (at == layout.dimensions.end()) return false;
      order.push_back(static_cast<int>(at - layout.dimensions.begin()));
    }
    std::vector<int> sorted = order;
    std::ranges::sort(sorted);
    if (order.size() != layout.dimensions.size() || std::ranges::adjacent_find(sorted) != sorted.end()) return false;
    format.order = std::move(order);
    for (const std::string& name : format::format_names())
      if (const auto known = Format::named(name, format.rank()); known && format::same_storage(*known, format))
        format.name = name;
    return true;
  }

  bool invert(Layout& layout) {
    std::vector<std::string> levels;
    for (std::size_t l = 0; l < layout.branches.front().to.size(); ++l) levels.push_back(format::level_coordinate(l));
    for (Layout::Branch& branch : layout.branches) {
      auto back = math::inverse_map(branch.to, layout.dimensions, levels);
      if (!back) return refuse_map(layout, branch), false;
      branch.back = std::move(*back);
    }
    return true;
  }

  /// The elements of a branch that are stored, all coordinates at least 0.
  static Domain elements(const Layout& layout, const Layout::Branch& branch) {
    Domain all{layout.dimensions, layout.stored};
    all.constraints.insert(all.constraints.end(), branch.where.begin(), branch.where.end());
    for (const std::string& d : layout.dimensions)
      all.constraints.push_back({Affine::name(d), math::Relation::greater_equal, 0});
    return all;
  }

  void refuse_map(const Layout& layout, const Layout::Branch& branch) {
    const text::Span span = declaration_.to.empty() ? declaration_.name.span : declaration_.to.front()->span;
    std::map<std::string, Affine> primed;
    std::vector<std::string> others;
    for (const std::string& d : layout.dimensions) {
      others.push_back(d + "'");
      primed[d] = Affine::name(others.back());
    }
    math::Solver solver({});
    for (std::size_t d = 0; d < others.size(); ++d) {
      Domain pair = elements(layout, branch);
      const Domain other = pair.substitute(primed);
      pair.variables.insert(pair.variables.end(), others.begin(), others.end());
      pair.constraints.insert(pair.constraints.end(), other.constraints.begin(), other.constraints.end());
      for (const Affine& form : branch.to)
        pair.constraints.push_back({form, math::Relation::equal, form.substitute(primed)});
      pair.constraints.push_back({Affine::name(layout.dimensions[d]), math::Relation::less, Affine::name(others[d])});
      if (const auto found = solver.smallest(pair))
        return refuse("E0250", span,
                      layout.name + " is not one-to-one: " + element_text(*found, layout.dimensions) + " and " +
                          element_text(*found, others) + " go to one place");
    }
    refuse("E0250", span, "how " + layout.name + " is undone cannot be told",
           "a coordinate comes back from itself with a known rest, or from a quotient and its remainder");
  }

  /// Each branch but the first has its elements where the first has some of the tensor's.
  bool shares_places(const Layout& layout) {
    const Layout::Branch& first = layout.branches.front();
    math::Solver solver(sizes_at_least_0());
    for (std::size_t b = 1; b < layout.branches.size(); ++b) {
      const Layout::Branch& branch = layout.branches[b];
      std::map<std::string, Affine> levels, mirror;
      for (std::size_t l = 0; l < branch.to.size(); ++l) levels[format::level_coordinate(l)] = branch.to[l];
      for (std::size_t d = 0; d < layout.dimensions.size(); ++d)
        mirror[layout.dimensions[d]] = first.back[d].substitute(levels);
      Domain all = elements(layout, branch);
      std::vector<Constraint> wanted;
      for (std::size_t d = 0; d < layout.dimensions.size(); ++d) {
        all.constraints.push_back({Affine::name(layout.dimensions[d]), math::Relation::less, tensor_.shape[d]});
        wanted.push_back({mirror[layout.dimensions[d]], math::Relation::greater_equal, 0});
        wanted.push_back({mirror[layout.dimensions[d]], math::Relation::less, tensor_.shape[d]});
      }
      for (const auto* some : {&layout.stored, &first.where})
        for (const Constraint& c : *some) wanted.push_back(c.substitute(mirror));
      for (std::size_t l = 0; l < branch.to.size(); ++l)
        wanted.push_back({first.to[l].substitute(mirror), math::Relation::equal, branch.to[l]});
      for (const Constraint& c : wanted) {
        if (solver.implies(all, c)) continue;
        std::string shape;
        for (const Affine& size : tensor_.shape) shape += (shape.empty() ? "" : " x ") + math::to_string(size);
        refuse("E0252", use_.name.span,
               tensor_.name + ", " + shape + ", has elements that " + layout.name + " has no place for",
               "it stores those where " + text_of(first.where) + ", and all others where these are");
        return false;
      }
    }
    return true;
  }

  static std::string text_of(const std::vector<Constraint>& all) {
    std::string text;
    for (const Constraint& c : all) text += (text.empty() ? "" : ", ") + math::to_string(c);
    return text;
  }

  std::vector<Constraint> sizes_at_least_0() const {
    std::vector<Constraint> all;
    for (const Affine& size : tensor_.shape) all.push_back({size, math::Relation::greater_equal, 0});
    return all;
  }

  Resolution& resolution_;
  const syntax::LayoutDecl& declaration_;
  const syntax::NamedAttribute& use_;
  const TensorInfo& tensor_;
  std::map<std::string, std::int64_t> numbers_;
};

}  // namespace

void declare_layout(Resolution& resolution, const syntax::LayoutDecl& layout) {
  const std::string& name = layout.name.text;
  const auto refuse = [&](text::Span span, const std::string& what, const std::string& note = {}) {
    auto& diagnostic = resolution.error("E0250", span, what);
    if (!note.empty()) diagnostic.notes.push_back({{}, note});
  };
  if (contains(format::format_names(), name) || contains(format::level_names(), name) || standard_layout(name))
    return refuse(layout.name.span, name + " is a format already", "call the layout something else");
  if (layout.to.size() != layout.levels.size())
    return refuse(layout.to.empty() ? layout.name.span : layout.to.front()->span,
                  counted(layout.to.size(), "coordinate") + " for " + counted(layout.levels.size(), "level"),
                  "each level has one: (i, j) -> (i/4, j, i%4) {dense, compressed, dense}");
  std::vector<std::string> names;
  for (const syntax::Expr& from : layout.from) {
    const std::string* one = bare_name(from);
    if (!one || contains(names, *one))
      return refuse(from->span, one ? *one + " stands twice" : "a tensor's coordinate is a name here",
                    "as in (i, j) -> (j, i)");
    names.push_back(*one);
  }
  for (const syntax::Name& parameter : layout.parameters) {
    if (contains(names, parameter.text)) return refuse(parameter.span, parameter.text + " stands twice");
    names.push_back(parameter.text);
  }
  resolution.layouts[name] = &layout;
}

const syntax::LayoutDecl* layout_named(const Resolution& resolution, const std::string& name) {
  const auto own = resolution.layouts.find(name);
  return own != resolution.layouts.end() ? own->second : standard_layout(name);
}

std::vector<std::string> layout_names(const Resolution& resolution) {
  std::vector<std::string> names = format::format_names();
  for (const auto& [name, layout] : resolution.layouts) names.push_back(name);
  return names;
}

std::optional<Format> read_layout(Resolution& resolution, const syntax::LayoutDecl& layout,
                                  const syntax::NamedAttribute& use, const TensorInfo& tensor) {
  return LayoutReader(resolution, layout, use, tensor).read();
}

}  // namespace trellis::lang::resolving
