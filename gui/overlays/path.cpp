#include "gui/overlays/path.hpp"

#include <algorithm>
#include <filesystem>

#include "gui/export.hpp"
#include "gui/icons.hpp"

namespace trellis::gui {

namespace fs = std::filesystem;

std::vector<PathOffer> path_offers(const std::string& typed, const std::string& ending) {
  const std::size_t slash = typed.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : typed.substr(0, slash + 1);
  const std::string begun = slash == std::string::npos ? typed : typed.substr(slash + 1);
  std::vector<PathOffer> folders, files;
  std::error_code problem;
  for (fs::directory_iterator entry(folder.empty() ? "." : with_home(folder), problem), end; !problem && entry != end;
       entry.increment(problem)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(begun) || (name.starts_with(".") && begun.empty())) continue;
    std::error_code ignored;
    if (entry->is_directory(ignored)) folders.push_back({name + "/", folder + name + "/"});
    else if (name.ends_with(ending)) files.push_back({name, folder + name});
  }
  std::ranges::sort(folders, {}, &PathOffer::name), std::ranges::sort(files, {}, &PathOffer::name);
  folders.insert(folders.end(), files.begin(), files.end());
  if (folders.size() > 200) folders.resize(200);
  return folders;
}

void begin_path(PathKept& kept, const std::string& path) {
  kept = {};
  kept.line.reset(path);
  const std::size_t slash = path.rfind('/'), dot = path.rfind('.');
  const std::size_t from = slash == std::string::npos ? 0 : slash + 1;
  kept.line.select(from, dot == std::string::npos || dot < from ? path.size() : dot);
}

std::optional<std::string> draw_path(Ui& ui, Rect area, PathKept& kept, const std::string& ending,
                                     const std::string& placeholder) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const Rect field = area.take_top(36);
  area.take_top(8);
  if (kept.listed != kept.line.text())
    kept.listed = kept.line.text(), kept.offers = path_offers(kept.listed, ending), kept.rows = {};
  const bool tab = ui.key("Tab");
  if (tab && !kept.offers.empty()) {
    kept.line.replace_all(kept.offers[std::min(kept.rows.at, kept.offers.size() - 1)].path);
    kept.line.move(Editor::Move::end, false);
  }
  std::optional<std::string> entered;
  if (ui.key("Enter") && !kept.line.text().empty()) entered = kept.line.text();
  const auto taken = draw_rows(ui, area,
                               {.count = kept.offers.size(),
                                .height = 26,
                                .look =
                                    [&](std::size_t i) {
                                      return RowLook{"file:" + kept.offers[i].name, kept.offers[i].name};
                                    },
                                .draw =
                                    [&](std::size_t i, Rect row, bool) {
                                      row = row.inset(10, 0);
                                      const bool folder = kept.offers[i].name.ends_with('/');
                                      draw_icon(paint, folder ? Icon::folder : Icon::file, {row.x + 7, row.centre().y},
                                                13, t(folder ? Token::accent : Token::faint));
                                      row.take_left(24);
                                      paint.text_in(row, kept.offers[i].name, Font::text, t(Token::ink));
                                    }},
                               kept.rows);
  if (taken) {
    const PathOffer offer = kept.offers[*taken];
    kept.line.replace_all(offer.path), kept.line.move(Editor::Move::end, false);
    focus_field(ui, "path");
    if (!offer.name.ends_with('/')) entered = offer.path;
  }
  draw_field(ui, "path", kept.line, field, {.placeholder = placeholder, .font = Font::mono});
  if (kept.offers.empty())
    paint.text_in(area.take_top(26).inset(10, 0), "nothing else begins like this", Font::text, t(Token::faint));
  return entered;
}

}  // namespace trellis::gui
