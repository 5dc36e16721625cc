#include "engine/session/fix_text.hpp"

#include <algorithm>

#include "engine/lang/parse.hpp"
#include "engine/lang/schedule.hpp"

namespace trellis::session {

namespace syntax = lang::syntax;

namespace {

bool is_order(const syntax::Statement& statement) {
  const auto* c = statement.as<syntax::Command>();
  return c && c->name.text == "order";
}

/// What belongs to a kernel and comes first in it: equations, loops, and its schedule.
bool belongs_to_kernel(const syntax::Statement& statement) {
  const auto* c = statement.as<syntax::Command>();
  return c ? lang::is_schedule_command(c->name.text)
           : statement.as<syntax::Equation>() || statement.as<syntax::Loops>() || statement.as<syntax::Until>();
}

/// Where a fix goes: a part of the text that it replaces, which is empty where it is put in.
class Edit {
 public:
  Edit(const text::Sources& sources, int source, text::Span about) : content_(sources.content(source)), about_(about) {
    text::Sources own;
    text::Diagnostics ignored;
    file_ = lang::parse(own, own.add("", std::string(content_)), ignored);
  }

  FixedText put(const std::string& command) const {
    text::Sources own;
    text::Diagnostics ignored;
    const syntax::File fix = lang::parse(own, own.add("", command), ignored);
    const syntax::Statement& statement = fix.statements.at(0);
    if (statement.as<syntax::Equation>())
      if (const auto* old = find(
              scope(), [&](const syntax::Statement& one) { return one.as<syntax::Equation>() && is_about(one->span); }))
        return replace(*old, command);
    if (is_order(statement))
      if (const auto* old = find(scope(), is_order)) return replace(*old, command);
    const bool first = statement.as<syntax::ParamDecl>() && !file_.statements.empty();
    if (first) return insert(line_start(file_.statements.front()->span.begin), command + "\n");
    const auto* last = find(scope(), belongs_to_kernel);
    return last ? insert((*last)->span.end, "\n" + indentation(**last) + command)
                : insert(static_cast<std::uint32_t>(content_.size()), command + "\n");
  }

 private:
  bool is_about(text::Span span) const { return span.begin <= about_.begin && about_.end <= span.end; }

  /// The statements of the kernel that the message is about; of the file when that is none.
  const std::vector<syntax::Statement>& scope() const {
    for (const syntax::Statement& one : file_.statements)
      if (const auto* kernel = one.as<syntax::Kernel>(); kernel && is_about(one->span)) return kernel->statements;
    return file_.statements;
  }

  /// The last one.
  template <class Wanted>
  static const syntax::Statement* find(const std::vector<syntax::Statement>& statements, const Wanted& wanted) {
    const auto found = std::find_if(statements.rbegin(), statements.rend(), wanted);
    return found == statements.rend() ? nullptr : &*found;
  }

  std::uint32_t line_start(std::uint32_t at) const {
    const std::size_t end = at == 0 ? std::string_view::npos : content_.rfind('\n', at - 1);
    return end == std::string_view::npos ? 0 : static_cast<std::uint32_t>(end + 1);
  }

  std::string indentation(const syntax::StatementNode& statement) const {
    const std::uint32_t start = line_start(statement.span.begin);
    const std::string_view before = content_.substr(start, statement.span.begin - start);
    return before.find_first_not_of(" \t") == std::string_view::npos ? std::string(before) : "";
  }

  FixedText replace(const syntax::Statement& old, const std::string& command) const {
    return edit(old->span.begin, old->span.end, command);
  }
  FixedText insert(std::uint32_t at, const std::string& text) const { return edit(at, at, text); }

  FixedText edit(std::uint32_t begin, std::uint32_t end, const std::string& text) const {
    FixedText fixed{std::string(content_.substr(0, begin)) + text + std::string(content_.substr(end)), 1};
    const std::size_t shown = begin + (text.starts_with('\n') ? 1 : 0);
    fixed.line += static_cast<int>(std::ranges::count(fixed.content.substr(0, shown), '\n'));
    return fixed;
  }

  std::string_view content_;
  text::Span about_;
  syntax::File file_;
};

}  // namespace

FixedText with_fix(const text::Sources& sources, int source, const text::Diagnostic& diagnostic, const text::Fix& fix) {
  return Edit(sources, source, diagnostic.span).put(fix.command);
}

}  // namespace trellis::session
