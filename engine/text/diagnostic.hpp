#pragma once
// The user's mistakes, and what else the compiler has to say, as data. One object is rendered by the
// terminal, by JSON and later by windows. Codes: docs/errors.md.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/text/source.hpp"

namespace trellis::text {

enum class Severity { error, warning, note };

/// Named coordinates, in the user's names and order: `i=0, j=1`.
using Point = std::vector<std::pair<std::string, std::int64_t>>;

/// The smallest concrete case in which something goes wrong.
struct Instance {
  std::string read;                   ///< tensor that is read (or defined twice)
  Point at;                           ///< where the reading iteration stands
  std::vector<std::int64_t> element;  ///< which element it reads
  Point written_at;                   ///< where that element is written; empty if nowhere
  Point sizes;                        ///< the sizes at which it happens
  bool operator==(const Instance&) const = default;
};

/// `V(1,0)`; a scalar is its name alone.
std::string element_text(const std::string& tensor, const std::vector<std::int64_t>& index);
/// `i=0, j=1`.
std::string to_string(const Point& point);
/// `at i=0, j=1, k=1 it reads V(1,0), which is computed at i=1, j=0`.
std::string to_string(const Instance& instance);

struct Note {
  Span span;  ///< may be unknown
  std::string message;
};

/// A remedy that has been checked to work, as a command that the user could type.
struct Fix {
  std::string command;
  std::string remark;  ///< "one swap", "the result is the same either way"
  int swaps = 0;       ///< distance from what was asked, for orders
};

struct Diagnostic {
  Severity severity = Severity::error;
  std::string code;     ///< "E0101"
  std::string message;  ///< one line: what goes wrong
  Span span;            ///< where
  std::string label;    ///< beside the caret; may be empty
  std::vector<Note> notes;
  std::vector<Fix> fixes;
  std::optional<Instance> instance;
  std::string instance_text;  ///< `instance` as one sentence
  std::string extent;         ///< how widespread: "6 of 12 reads at n=3; …"
};

/// Collects diagnostics in the order in which they arise.
class Diagnostics {
 public:
  Diagnostic& add(Diagnostic diagnostic);
  /// Shorthand for the common case; returns the stored diagnostic so that notes and fixes can be added.
  Diagnostic& error(std::string code, Span span, std::string message, std::string label = {});
  Diagnostic& warning(std::string code, Span span, std::string message, std::string label = {});

  bool has_errors() const { return errors_ > 0; }
  bool empty() const { return all_.empty(); }
  const std::vector<Diagnostic>& all() const { return all_; }
  void append(const Diagnostics& other);

 private:
  std::vector<Diagnostic> all_;
  int errors_ = 0;
};

enum class Colour { off, on };

/// Message, line with caret, labels, instance, extent, fixes (docs/design/language.md#errors).
std::string render(const Diagnostic& diagnostic, const Sources& sources, Colour colour);

/// The name in `candidates` closest to `name` by edits, if one is close enough to suggest; else "".
std::string did_you_mean(const std::string& name, const std::vector<std::string>& candidates);

}  // namespace trellis::text
