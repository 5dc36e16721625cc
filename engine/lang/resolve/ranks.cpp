// The grid of ranks, and which dimensions of a tensor are cut for it.

#include <algorithm>

#include "engine/lang/resolve/resolve.hpp"
#include "engine/lang/resolve/walk.hpp"

namespace trellis::lang::resolving {

void declare_ranks(Resolution& resolution, const syntax::RanksDecl& ranks, text::Span span) {
  std::vector<RanksInfo>& grid = resolution.program.ranks;
  if (!grid.empty()) {
    resolution.error("E0202", span, "ranks are declared twice", "declared again")
        .notes.push_back({grid.front().span, "first declared here"});
    return;
  }
  for (const syntax::RanksDecl::Dimension& dimension : ranks.dimensions) {
    const auto same = std::ranges::find(grid, dimension.name.text, &RanksInfo::name);
    if (dimension.count.value_or(1) < 1)
      resolution.error("E0324", dimension.name.span, "there cannot be " + std::to_string(*dimension.count) + " ranks",
                       "1 or more");
    else if (same == grid.end())
      grid.push_back({dimension.name.text, dimension.count.value_or(0), dimension.name.span});
    else
      resolution.error("E0202", dimension.name.span, dimension.name.text + " is declared twice", "declared again")
          .notes.push_back({same->span, "first declared here"});
  }
}

bool is_ranks(Resolution& resolution, const syntax::Name& name) {
  std::vector<std::string> known;
  for (const RanksInfo& one : resolution.program.ranks) known.push_back(one.name);
  if (contains(known, name.text)) return true;
  auto& diagnostic = resolution.error("E0327", name.span, "there are no ranks called " + name.text);
  const std::string close = text::did_you_mean(name.text, known);
  std::string list;
  for (const std::string& one : known) list += " " + one;
  diagnostic.notes.push_back({{},
                              !close.empty()  ? "did you mean " + close + "?"
                              : known.empty() ? "declare them, as in ranks " + name.text
                                              : "the dimensions of ranks are:" + list});
  return false;
}

void read_over(Resolution& resolution, TensorInfo& info, const syntax::OverAttribute& over) {
  if (!info.over.empty()) {
    resolution.error("E0327", over.span, info.name + " is cut in two ways")
        .notes.push_back({info.over_span, "the other one"});
    return;
  }
  if (over.dimensions.size() != info.shape.size()) {
    const std::size_t rank = info.shape.size();
    resolution
        .error("E0327", over.span,
               info.name + " has " + std::to_string(rank) + (rank == 1 ? " dimension" : " dimensions") + ", not " +
                   std::to_string(over.dimensions.size()))
        .notes.push_back({{}, "one word for each: the ranks that it is cut for, or `:`"});
    return;
  }
  std::vector<std::string> cut;
  for (const std::optional<syntax::Name>& dimension : over.dimensions) {
    if (dimension && !is_ranks(resolution, *dimension)) return;
    if (dimension && contains(cut, dimension->text)) {
      resolution.error("E0327", dimension->span, info.name + " is cut twice for " + dimension->text,
                       "one dimension for each of the ranks'");
      return;
    }
    cut.push_back(dimension ? dimension->text : "");
  }
  info.over = std::move(cut);
  info.over_span = over.span;
}

}  // namespace trellis::lang::resolving
