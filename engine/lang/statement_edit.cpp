#include "engine/lang/statement_edit.hpp"

#include <algorithm>

#include "engine/lang/parse.hpp"
#include "engine/lang/parser.hpp"
#include "engine/lang/schedule.hpp"
#include "engine/lang/schedule_commands.hpp"

namespace trellis::lang {
namespace {

using Statements = std::vector<syntax::Statement>;

constexpr int only_source = 0;  ///< what is parsed here has sources of its own

syntax::File parsed(std::string_view content) {
  text::Sources own;
  text::Diagnostics ignored;
  return parse(own, own.add("", std::string(content)), ignored);
}

/// The smallest statement around a place that cannot be read.
std::optional<text::Span> broken_at(std::string_view content, text::Span about) {
  text::Sources own;
  text::Diagnostics ignored;
  Parser parser(own, own.add("", std::string(content)), ignored);
  parser.file();
  std::optional<text::Span> found;
  for (const text::Span& span : parser.broken())
    if (span.begin <= about.begin && about.end <= span.end &&
        (!found || span.end - span.begin < found->end - found->begin))
      found = span;
  return found;
}

bool covers(text::Span whole, text::Span part) {
  return part.known() && part.source == whole.source && whole.begin <= part.begin && part.end <= whole.end;
}

/// What belongs to a kernel and comes first in it: equations, loops, and its schedule.
bool belongs_to_kernel(const syntax::Statement& statement) {
  const auto* c = statement.as<syntax::Command>();
  return c ? schedule_command(*c) != nullptr
           : statement.as<syntax::Equation>() || statement.as<syntax::Loops>() || statement.as<syntax::Until>();
}

/// What a command says that shows a value.
const syntax::Expr* shown_by(const syntax::Statement& statement) {
  const auto* c = statement.as<syntax::Command>();
  return c && c->value ? &*c->value : nullptr;
}

template <class Wanted>
const syntax::Statement* last_of(const Statements& statements, const Wanted& wanted) {
  const auto found = std::find_if(statements.rbegin(), statements.rend(), wanted);
  return found == statements.rend() ? nullptr : &*found;
}

const syntax::Statement* equation_before(const Statements& statements, const syntax::Equation& fresh,
                                         text::Span about) {
  const auto* meant = last_of(
      statements, [&](const syntax::Statement& one) { return one.as<syntax::Equation>() && covers(one->span, about); });
  if (meant) return meant;
  return last_of(statements, [&](const syntax::Statement& one) {
    const auto* equation = one.as<syntax::Equation>();
    return equation && equation->left == fresh.left;
  });
}

/// A tensor or a parameter is declared once: a new declaration takes the place of the old one.
const syntax::Statement* declaration_before(const Statements& statements, const syntax::Statement& fresh) {
  const auto name_of = [](const syntax::Statement& one) -> const std::string* {
    if (const auto* tensor = one.as<syntax::TensorDecl>()) return &tensor->name.text;
    const auto* parameter = one.as<syntax::ParamDecl>();
    return parameter ? &parameter->name.text : nullptr;
  };
  const std::string* name = name_of(fresh);
  if (!name) return nullptr;
  return last_of(statements, [&](const syntax::Statement& one) {
    const std::string* other = name_of(one);
    return other && *other == *name;
  });
}

std::uint32_t line_start(std::string_view content, std::uint32_t at) {
  const std::size_t end = at == 0 ? std::string_view::npos : content.rfind('\n', at - 1);
  return end == std::string_view::npos ? 0 : static_cast<std::uint32_t>(end + 1);
}

std::string indentation(std::string_view content, text::Span statement) {
  const std::uint32_t start = line_start(content, statement.begin);
  const std::string_view before = content.substr(start, statement.begin - start);
  return before.find_first_not_of(" \t") == std::string_view::npos ? std::string(before) : "";
}

/// After a statement, and the remark that stands on its line.
std::uint32_t after(std::string_view content, text::Span statement) {
  const std::size_t end = std::min(content.find('\n', statement.end), content.size());
  const std::size_t next = content.find_first_not_of(" \t\r", statement.end);
  const bool remark = next < end && content[next] == '#';
  return remark ? static_cast<std::uint32_t>(end) : statement.end;
}

TextEdit put_in(std::uint32_t at, std::string text) { return {at, at, std::move(text)}; }

}  // namespace

const syntax::Statement* block_of(const syntax::File& file, const StatementScope& scope) {
  const auto found = std::ranges::find_if(file.statements, [&](const syntax::Statement& one) {
    const auto* kernel = one.as<syntax::Kernel>();
    return kernel && (kernel->name.text == scope.kernel || covers(one->span, scope.about));
  });
  return found == file.statements.end() ? nullptr : &*found;
}

bool supersedes(const syntax::Statement& one, const syntax::Statement& other) {
  const auto *c = one.as<syntax::Command>(), *old = other.as<syntax::Command>();
  if (!c || !old || c->name.text != old->name.text) return false;
  if (c->name.text == "order" || (c->name.text == "plan" && schedule_command(*c) && schedule_command(*old)))
    return true;
  return c->name.text == "format" && !c->words.empty() && !old->words.empty() &&
         c->words.front().text == old->words.front().text;
}

const syntax::Statement* predecessor(const Statements& statements, const syntax::Statement& fresh, text::Span about) {
  if (const auto* equation = fresh.as<syntax::Equation>()) return equation_before(statements, *equation, about);
  if (shown_by(fresh))
    return last_of(statements, [&](const syntax::Statement& one) {
      const syntax::Expr* shown = shown_by(one);
      return shown && covers((*shown)->span, about);
    });
  // An order with tiles takes the place of the tiles that were refused.
  const auto is_tile = [&](const syntax::Statement& one) {
    const auto *fresh_command = fresh.as<syntax::Command>(), *old = one.as<syntax::Command>();
    return fresh_command && old && fresh_command->name.text == "order" && old->name.text == "tile" &&
           covers(one->span, about);
  };
  if (const auto* tile = about.known() ? last_of(statements, is_tile) : nullptr) return tile;
  return last_of(statements, [&](const syntax::Statement& one) { return supersedes(fresh, one); });
}

std::string TextEdit::applied_to(std::string_view content) const {
  return std::string(content.substr(0, begin)) + text + std::string(content.substr(end));
}

int TextEdit::line_in(std::string_view content) const {
  const auto before = std::ranges::count(content.substr(0, begin), '\n');
  return static_cast<int>(before) + (text.starts_with('\n') ? 2 : 1);
}

TextEdit edit_for(std::string_view content, const std::string& statement, const StatementScope& scope) {
  const syntax::File file = parsed(content);
  const syntax::File written = parsed(statement);
  const syntax::Statement& fresh = written.statements.at(0);
  const text::Span about{scope.about.known() ? only_source : -1, scope.about.begin, scope.about.end};
  const syntax::Statement* block = block_of(file, {scope.kernel, about});
  const Statements& statements = block ? block->as<syntax::Kernel>()->statements : file.statements;
  const auto* declared = declaration_before(file.statements, fresh);
  if (const auto* old = declared ? declared : predecessor(statements, fresh, about)) {
    const syntax::Expr* shown = shown_by(*old);
    const text::Span replaced = shown ? (*shown)->span : (*old)->span;
    return {replaced.begin, replaced.end, statement};
  }
  if (const auto broken = about.known() ? broken_at(content, about) : std::nullopt)
    return {broken->begin, broken->end, statement};
  if (fresh.as<syntax::ParamDecl>() && !file.statements.empty())
    return put_in(line_start(content, file.statements.front()->span.begin), statement + "\n");
  if (const auto* last = last_of(statements, belongs_to_kernel))
    return put_in(after(content, (*last)->span), "\n" + indentation(content, (*last)->span) + statement);
  const bool open = !content.empty() && content.back() != '\n';
  return put_in(static_cast<std::uint32_t>(content.size()), (open ? "\n" : "") + statement + "\n");
}

}  // namespace trellis::lang
