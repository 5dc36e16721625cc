#include "gui/format_menu.hpp"

#include <algorithm>
#include <sstream>

#include "gui/field.hpp"

namespace trellis::gui {
namespace {

using format::Format;
using session::StoredTensor;

constexpr float menu_row = 22, menu_field = 26;

/// The name of a format where it has one.
Format with_name(Format format) {
  format.name.clear();
  for (const std::string& name : format::format_names())
    if (const auto named = Format::named(name, format.rank()); named && format::same_storage(*named, format)) {
      format.name = name;
      return format;
    }
  return format;
}

/// Names of layouts that take tensors of so many dimensions: the language's, with usual parameters, and those that the
/// program declares without any.
std::vector<std::string> layouts_for(int dimensions, const std::string& program) {
  std::vector<std::string> names;
  if (dimensions == 2) names = {"bcsr(2, 2)", "bcsr(4, 4)", "dia", "ell(4)"};
  std::istringstream in(program);
  for (std::string line; std::getline(in, line);) {
    const std::size_t colon = line.find(':'), close = line.find(')', colon);
    if (!line.starts_with("layout ") || colon == std::string::npos || close == std::string::npos) continue;
    const std::string name = line.substr(7, colon - 7);
    const auto commas = std::count(line.begin() + static_cast<std::ptrdiff_t>(colon),
                                   line.begin() + static_cast<std::ptrdiff_t>(close), ',');
    if (name.find('(') == std::string::npos && commas + 1 == dimensions) names.push_back(name);
  }
  return names;
}

std::vector<FormatMenu::Row> named_rows(const StoredTensor& tensor, const std::string& program) {
  std::vector<FormatMenu::Row> rows;
  const Format& now = tensor.info.format;
  for (const std::string& name : format::format_names()) {
    const auto named = Format::named(name, now.dimensions());
    if (!named || !format::objection(*named).empty()) continue;
    Format wanted = *named;
    wanted.pattern = now.pattern;
    if (!format::objection(wanted).empty()) continue;
    rows.push_back({name, command_for_format(tensor.info.name, wanted), format::same_storage(wanted, now)});
  }
  for (const std::string& layout : layouts_for(now.dimensions(), program))
    rows.push_back({layout, "format " + tensor.info.name + " " + layout, now.layout && now.layout->name == layout});
  return rows;
}

std::vector<FormatMenu::Row> level_rows(const StoredTensor& tensor, std::size_t level) {
  std::vector<FormatMenu::Row> rows;
  const Format& now = tensor.info.format;
  if (now.layout) return rows;  // a layout has the levels that it was written with
  for (const std::string& name : format::level_names()) {
    Format wanted = now;
    wanted.levels[level] = {name, {}};
    // What follows a list of coordinates that may repeat is a singleton.
    if (name == "singleton" && level > 0 && wanted.levels[level - 1].name == "compressed")
      wanted.levels[level - 1].options = {"nonunique"};
    if (!format::available(wanted.levels[level]) || !format::objection(wanted).empty()) continue;
    rows.push_back({name, command_for_format(tensor.info.name, wanted), now.levels[level].name == name});
  }
  return rows;
}

/// "tensor W(n, n): csr fill ": its declaration, up to where the fill stands; empty: there is no such line.
std::string declaration_up_to_fill(const std::string& tensor, const std::string& program) {
  std::istringstream in(program);
  for (std::string line; std::getline(in, line);) {
    line = line.substr(0, line.find('#'));
    if (!line.starts_with("tensor " + tensor + "(") && !line.starts_with("tensor " + tensor + ":")) continue;
    if (const std::size_t fill = line.find(" fill "); fill != std::string::npos) {
      const std::size_t value = fill + 6, end = std::min(line.find(' ', value), line.size());
      line = line.substr(0, fill) + line.substr(end);
    }
    line = line.substr(0, line.find_last_not_of(' ') + 1);
    const bool attributes = line.find(':') != std::string::npos;
    return line + (attributes ? " fill " : ": fill ");
  }
  return "";
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// Those in which what was typed stands.
std::vector<FormatMenu::Row> fitting(const FormatMenu& menu) {
  std::vector<FormatMenu::Row> rows = menu.rows;
  const std::string typed = lower(menu.typed.text());
  std::erase_if(rows, [&](const FormatMenu::Row& row) { return lower(row.label).find(typed) == std::string::npos; });
  return rows;
}

}  // namespace

std::string name_of_format(Format format) { return format::to_string(with_name(std::move(format))); }

std::string command_for_format(const std::string& tensor, const Format& format) {
  return "format " + tensor + " " + name_of_format(format);
}

namespace {

FormatMenu menu_of(std::string id, std::vector<FormatMenu::Row> rows) {
  FormatMenu menu{std::move(id), {}, 0, std::move(rows)};
  const auto chosen = std::ranges::find_if(menu.rows, &FormatMenu::Row::chosen);
  menu.at = chosen == menu.rows.end() ? 0 : static_cast<int>(chosen - menu.rows.begin());
  return menu;
}

}  // namespace

FormatMenu format_menu(const StoredTensor& tensor, const std::string& program) {
  FormatMenu menu = menu_of("format:" + tensor.info.name, named_rows(tensor, program));
  menu.before = "format " + tensor.info.name + " ";
  return menu;
}

FormatMenu level_menu(const StoredTensor& tensor, std::size_t level) {
  FormatMenu menu = menu_of("level:" + tensor.info.name + ":" + std::to_string(level), level_rows(tensor, level));
  const Format& now = tensor.info.format;
  if (now.layout) return menu;
  // Written out, so that any level may be typed into its place.
  menu.before = "format " + tensor.info.name + " {";
  for (std::size_t l = 0; l < now.levels.size(); ++l)
    if (l != level)
      (l < level ? menu.before : menu.after) +=
          (l < level ? "" : ", ") + format::to_string(now.levels[l]) + (l < level ? ", " : "");
  menu.after += now.pattern ? ", pattern}" : "}";
  if (!now.order.empty()) {
    menu.after += " @ (";
    for (std::size_t d = 0; d < now.order.size(); ++d) menu.after += (d > 0 ? ", " : "") + std::to_string(now.order[d]);
    menu.after += ")";
  }
  return menu;
}

FormatMenu fill_menu(const StoredTensor& tensor, const std::string& program) {
  FormatMenu menu;
  menu.before = declaration_up_to_fill(tensor.info.name, program);
  if (menu.before.empty()) return menu;
  const std::string now = format::to_string(tensor.info.fill);
  std::vector<std::string> values = {"0", "1"};
  if (format::is_floating(tensor.info.type)) values.insert(values.end(), {"inf", "-inf"});
  if (tensor.info.type == format::ScalarType::boolean) values = {"false", "true"};
  std::vector<FormatMenu::Row> rows;
  for (const std::string& value : values) rows.push_back({value, menu.before + value, value == now});
  const std::string before = menu.before;
  menu = menu_of("fill:" + tensor.info.name, std::move(rows));
  menu.before = before;
  return menu;
}

std::optional<std::string> draw_format_menu(Ui& ui, FormatMenu& menu, Rect area) {
  if (menu.of.empty()) return std::nullopt;
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const std::vector<FormatMenu::Row> rows = fitting(menu);
  const int last = static_cast<int>(rows.size()) - 1;
  if (ui.key("Down")) menu.at = menu.at + 1;
  if (ui.key("Up")) menu.at = menu.at - 1;
  menu.at = std::clamp(menu.at, 0, std::max(last, 0));
  if (ui.key("Tab") && last >= 0) menu.typed.replace_all(rows[static_cast<std::size_t>(menu.at)].label);
  float wide = std::max(menu.below.w, 150.F);
  for (const FormatMenu::Row& row : menu.rows) wide = std::max(wide, paint.width(row.label, Font::list_mono) + 40);
  Rect box{menu.below.x, menu.below.bottom() + 3, wide,
           menu_field + 4 + static_cast<float>(std::max<std::size_t>(rows.size(), 1)) * menu_row + 8};
  box.x = std::max(area.x + 2, std::min(box.x, area.right() - 4 - box.w));
  if (box.bottom() > area.bottom() - 4) box.y = std::max(area.y + 2, area.bottom() - 4 - box.h);
  ui.item("menu", "list", menu.of, "", box);
  paint.fill(box, t(Token::raised), 6);
  paint.outline(box, t(Token::line2), 1, 6);
  Rect rest = box.inset(4);
  draw_field(ui, "typed", menu.typed, rest.take_top(menu_field),
             {.placeholder = "or type one", .font = Font::list_mono});
  rest.take_top(4);
  std::optional<std::string> taken;
  if (rows.empty())
    paint.text_in(rest.take_top(menu_row).inset(8, 0), "Enter takes it as it is", Font::small, t(Token::soft));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const Rect row = rest.take_top(menu_row);
    const Response response =
        ui.item("choose:" + rows[k].label, "choice", rows[k].command, rows[k].chosen ? "chosen" : "", row);
    if (response.hovered) menu.at = static_cast<int>(k);
    if (menu.at == static_cast<int>(k)) paint.fill(row, t(Token::hover), 4);
    paint.text_in(row.inset(20, 0), rows[k].label, Font::list_mono, t(Token::ink));
    if (rows[k].chosen) paint.disc({row.x + 10, row.centre().y}, 3, t(Token::accent));
    if (response.clicked) taken = rows[k].command;
  }
  if (ui.key("Enter"))
    taken = last >= 0 ? rows[static_cast<std::size_t>(menu.at)].command : menu.before + menu.typed.text() + menu.after;
  const bool outside = ui.input().pressed && !box.contains(ui.input().mouse) && !menu.below.contains(ui.input().mouse);
  if (!taken && !outside && !ui.key("Escape", true)) return std::nullopt;
  menu = {};
  ui.focus_text("");
  return taken;
}

}  // namespace trellis::gui
