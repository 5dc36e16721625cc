// Storage formats, as attributes say them: a name or a list of levels, and a storage order. Whether the levels make
// sense together is judged by format/misfit.hpp.

#include <algorithm>

#include "engine/format/level.hpp"
#include "engine/format/misfit.hpp"
#include "engine/lang/resolve/resolve.hpp"
#include "engine/lang/resolve/walk.hpp"

namespace trellis::lang::resolving {

using format::Format;

namespace {

std::string dimensions(int rank) {
  return rank == 0 ? "no dimensions" : rank == 1 ? "one dimension" : std::to_string(rank) + " dimensions";
}

class FormatReader {
 public:
  FormatReader(Resolution& resolution, const TensorInfo& info)
      : resolution_(resolution), info_(info), tensor_(info.name), rank_(static_cast<int>(info.shape.size())) {}

  std::optional<Format> read(const std::vector<syntax::Attribute>& attributes) {
    for (const syntax::Attribute& attribute : attributes) std::visit([&](const auto& a) { note(a); }, attribute);
    if (sound_ && !format_) format_ = Format::dense(rank_);
    if (sound_ && pattern_) add_pattern();
    if (sound_ && order_) apply_order();
    return sound_ ? format_ : std::nullopt;
  }

  text::Span span() const { return span_.value_or(pattern_.value_or(order_span_)); }

 private:
  text::Diagnostic& refuse(std::string code, text::Span span, std::string message, std::string label = {}) {
    sound_ = false;
    return resolution_.error(std::move(code), span, std::move(message), std::move(label));
  }

  void note(const syntax::FillAttribute&) {}
  void note(const syntax::OverAttribute&) {}

  void note(const syntax::NamedAttribute& a) {
    const std::string& name = a.name.text;
    const syntax::LayoutDecl* const layout = Format::named(name, 0) || Format::named(name, 1) || Format::named(name, 2)
                                                 ? nullptr
                                                 : layout_named(resolution_, name);
    if (layout) {
      if (!only_format(a.name.span)) return;
      format_ = read_layout(resolution_, *layout, a, info_);
      sound_ = format_.has_value();
      return;
    }
    const bool named = contains(format::format_names(), name), level = contains(format::level_names(), name);
    if (!named && !level) return;
    if (name == "pattern") return note_pattern(a);
    if (!only_format(a.name.span)) return;
    if (named && (!level || a.options.values.empty())) read_named(a);
    else if (rank_ == 1) read_levels({{a.name, a.options}}, a.name.span);
    else
      refuse("E0207", a.name.span, name + " is one level, " + tensor_ + " has " + dimensions(rank_),
             rank_ == 2 ? "as in {dense, " + name + "}" : "");
  }

  void note(const syntax::LevelsAttribute& a) {
    text::Span all;
    for (const syntax::LevelSpec& level : a.levels) all = text::cover(all, level.name.span);
    if (only_format(all)) read_levels(a.levels, all);
  }

  void note(const syntax::OrderAttribute& a) {
    text::Span all;
    for (const syntax::Expr& dimension : a.dimensions) all = text::cover(all, dimension->span);
    if (order_) {
      refuse("E0206", all, tensor_ + " has two storage orders", "the second");
      return;
    }
    std::vector<int> order;
    bool once = a.dimensions.size() == static_cast<std::size_t>(rank_);
    for (const syntax::Expr& dimension : a.dimensions) {
      const auto* n = dimension.as<syntax::Number>();
      const NumberValue value = n ? number_value(n->spelling) : NumberValue{};
      const bool known = value.integral && !value.overflow && value.magnitude < static_cast<std::uint64_t>(rank_);
      once = once && known && std::ranges::find(order, static_cast<int>(value.magnitude)) == order.end();
      if (once) order.push_back(static_cast<int>(value.magnitude));
    }
    order_ = std::move(order);
    order_span_ = all;
    if (!once)
      refuse("E0207", all, "a storage order names each of the dimensions 0 to " + std::to_string(rank_ - 1) + " once");
  }

  void note_pattern(const syntax::NamedAttribute& a) {
    if (pattern_) refuse("E0206", a.name.span, tensor_ + " is a pattern twice", "the second");
    else if (!a.options.values.empty()) refuse("E0205", a.name.span, "pattern takes no options");
    pattern_ = a.name.span;
  }

  /// `csr pattern`: the format that the other attributes say, without values.
  void add_pattern() {
    if (format_->pattern) {
      refuse("E0206", *pattern_, tensor_ + " is a pattern twice", "the second");
      return;
    }
    format_->pattern = true;
    format_->name.clear();
    if (const auto wrong = format::misfit(*format_); wrong || rank_ == 0)
      refuse("E0206", *pattern_, wrong ? wrong->what : "a scalar has no pattern",
             "it stands beside a format with gaps, as in csr pattern");
  }

  bool only_format(text::Span span) {
    if (span_) refuse("E0206", span, tensor_ + " has two formats", "the second").notes.push_back({*span_, "the first"});
    else span_ = span;
    return sound_;
  }

  void read_named(const syntax::NamedAttribute& a) {
    const std::string& name = a.name.text;
    if (auto known = Format::named(name, rank_)) {
      if (a.options.values.empty()) {
        format_ = std::move(known);
        return;
      }
      Format levels = *known;
      levels.name.clear();
      refuse("E0205", a.name.span, name + " takes no options")
          .notes.push_back({{}, "options belong to levels; " + name + " is " + to_string(levels)});
    } else if (Format::named(name, 0)) {
      refuse("E0207", a.name.span, name + " is a format of scalars", tensor_ + " has " + dimensions(rank_))
          .notes.push_back({{}, "levels with gaps: compressed, sparse_rle, hashed; of matrices csr, csc, coo"});
    } else if (Format::named(name, 1) || Format::named(name, 2)) {
      refuse("E0207", a.name.span,
             name + " is a format of " + (Format::named(name, 1) ? "one or more dimensions" : "matrices"),
             tensor_ + " has " + dimensions(rank_));
    }
  }

  void read_levels(const std::vector<syntax::LevelSpec>& specs, text::Span all) {
    Format format = Format::dense(rank_);
    format.name.clear();
    format.levels.clear();
    for (std::size_t k = 0; k < specs.size(); ++k) {
      const syntax::LevelSpec& spec = specs[k];
      if (spec.name.text == "pattern") {
        format.pattern = true;
        if (k + 1 < specs.size())
          refuse("E0206", spec.name.span, "pattern stands behind the levels", "it says what is stored, not where");
        else if (!spec.options.values.empty())
          refuse("E0205", spec.options.values.front().span, "pattern takes no options");
      } else if (auto level = read_level(resolution_, spec)) {
        format.levels.push_back(std::move(*level));
      } else {
        sound_ = false;
      }
    }
    if (!sound_) return;
    if (format.rank() != rank_) {
      refuse("E0207", all,
             std::to_string(format.rank()) + (format.rank() == 1 ? " level for " : " levels for ") + dimensions(rank_),
             "one level format per dimension");
      return;
    }
    if (const auto wrong = format::misfit(format)) {
      auto& diagnostic = refuse("E0206", specs[std::min(wrong->level, specs.size() - 1)].name.span, wrong->what);
      if (!wrong->advice.empty()) diagnostic.notes.push_back({{}, wrong->advice});
      return;
    }
    format_ = std::move(format);
  }

  void apply_order() {
    if (format_->layout) return apply_order(*format_->layout);
    if (std::ranges::is_sorted(format_->order)) {
      format_->order = *order_;
      return;
    }
    refuse("E0206", order_span_, format_->name + " has a storage order already", "stored by columns")
        .notes.push_back({{}, format_->name == "csc" ? "it is csr @ (1, 0)" : "it is dcsr @ (1, 0)"});
  }

  /// The layout's coordinates are the dimensions in this order.
  void apply_order(const format::Layout& layout) {
    format::Layout turned = layout;
    turned.name += " @ (";
    for (std::size_t k = 0; k < order_->size(); ++k) {
      const auto d = static_cast<std::size_t>((*order_)[k]);
      turned.name += (k == 0 ? "" : ", ") + std::to_string((*order_)[k]);
      turned.dimensions[d] = layout.dimensions[k];
      for (std::size_t b = 0; b < layout.branches.size(); ++b) turned.branches[b].back[d] = layout.branches[b].back[k];
    }
    turned.name += ")";
    format_->name = turned.name;
    format_->layout = std::make_shared<const format::Layout>(std::move(turned));
  }

  Resolution& resolution_;
  const TensorInfo& info_;
  const std::string& tensor_;
  const int rank_;
  bool sound_ = true;
  std::optional<Format> format_;
  std::optional<text::Span> span_;     ///< of what said it
  std::optional<text::Span> pattern_;  ///< of an attribute of its own
  std::optional<std::vector<int>> order_;
  text::Span order_span_;
};

/// Only truths can be stored as what is there and what is not.
bool fits_pattern(Resolution& resolution, const Format& format, const TensorInfo& info, text::Span span) {
  if (!format.pattern) return true;
  const bool truth = info.type == format::ScalarType::boolean;
  if (truth && !info.fill.is_true()) return true;
  resolution.error(
      "E0206", span, "a pattern stores no values: its elements are true, all others false",
      truth ? info.name + " has the fill true" : info.name + " is " + std::string(format::name_of(info.type)));
  return false;
}

}  // namespace

std::optional<format::Level> read_level(Resolution& resolution, const syntax::LevelSpec& spec) {
  format::Level level{spec.name.text, {}};
  if (!contains(format::level_names(), level.name) || !format::available(level)) {
    auto& diagnostic = resolution.error("E0205", spec.name.span, "unknown level format " + level.name);
    if (const std::string close = text::did_you_mean(level.name, format::level_names()); !close.empty())
      diagnostic.notes.push_back({{}, "did you mean " + close + "?"});
    else if (contains(layout_names(resolution), level.name))
      diagnostic.notes.push_back({{}, level.name + " is a whole format: it stands without braces"});
    return std::nullopt;
  }
  for (const syntax::Name& option : spec.options.values) {
    if (!format::is_count(option.text) && !contains(format::option_names(), option.text)) {
      auto& diagnostic = resolution.error("E0205", option.span, level.name + " has no option " + option.text);
      const std::string close = text::did_you_mean(option.text, format::option_names());
      diagnostic.notes.push_back(
          {{}, close.empty() ? "options: nonunique unordered decreasing wide listed" : "did you mean " + close + "?"});
      return std::nullopt;
    }
    level.options.push_back(option.text);
  }
  return level;
}

void read_format(Resolution& resolution, TensorInfo& info, const std::vector<syntax::Attribute>& attributes) {
  FormatReader reader(resolution, info);
  auto format = reader.read(attributes);
  if (format && fits_pattern(resolution, *format, info, reader.span())) info.format = std::move(*format);
}

void widen_levels(Resolution& resolution, TensorInfo& info) {
  std::vector<std::int64_t> shape;
  for (const math::Affine& size : info.shape)
    shape.push_back(size.evaluate([&](const std::string& name) -> std::optional<std::int64_t> {
                          const ParameterInfo* known = resolution.program.parameter(name);
                          return known && known->value && !known->real ? std::optional(known->value->as_integer())
                                                                       : std::nullopt;
                        })
                        .value_or(-1));
  info.format = format::widened(std::move(info.format), shape);
}

}  // namespace trellis::lang::resolving
