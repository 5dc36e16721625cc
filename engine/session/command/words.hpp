#pragma once
// Reads the words of one command, left to right, and reports the first one that does not fit.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/lang/syntax.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::session {

class Words {
 public:
  Words(const lang::syntax::Command& command, text::Span whole, text::Diagnostics& diagnostics)
      : command_(command), whole_(whole), diagnostics_(diagnostics) {}

  bool at_end() const { return next_ >= command_.words.size(); }
  const lang::syntax::Word* peek() const { return at_end() ? nullptr : &command_.words[next_]; }
  /// Takes the next word if it is this one.
  bool accept(std::string_view text);
  /// The word taken last.
  const std::string& previous() const { return command_.words[next_ - 1].text; }
  /// Takes a name, a string, a number; reports what was `wanted` otherwise.
  std::optional<lang::syntax::Name> name(const char* wanted);
  std::optional<lang::syntax::Name> string(const char* wanted);
  std::optional<double> number(const char* wanted);
  std::optional<std::int64_t> integer(const char* wanted);
  /// Takes a name if there is one, without complaint.
  std::optional<lang::syntax::Name> optional_name();
  /// Takes the expression that all words are, up to `whole`.
  const lang::syntax::Expr* expression(const char* wanted);
  /// Where the names stand that are left.
  std::vector<text::Span> spans_of_names() const;
  /// Everything that is left, as it was written.
  std::string rest();
  /// False, with an error, when words are left over.
  bool finish();
  /// Reports the next word (or the end of the command) as not being what was wanted.
  void unexpected(const std::string& wanted, const std::vector<std::string>& candidates = {});

  text::Span span() const { return peek() ? peek()->span : text::Span{whole_.source, whole_.end, whole_.end}; }
  text::Span whole() const { return whole_; }
  const std::string& command() const { return command_.name.text; }
  /// The first word, taken or not; "" when there is none.
  std::string first() const { return command_.words.empty() ? "" : command_.words.front().text; }
  text::Diagnostics& diagnostics() const { return diagnostics_; }

 private:
  /// How the command is written, with an example.
  void show_form(text::Diagnostic& diagnostic) const;

  const lang::syntax::Command& command_;
  text::Span whole_;
  text::Diagnostics& diagnostics_;
  std::size_t next_ = 0;
};

}  // namespace trellis::session
