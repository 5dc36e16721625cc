#pragma once
// Where things stand in what the user wrote. A `Span` is a half-open byte range of one source;
// `Sources` owns the texts and turns offsets into the lines and columns that people read.

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trellis::text {

/// A half-open byte range `[begin, end)` of source number `source`; `source < 0` means "nowhere".
struct Span {
  int source = -1;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  bool known() const { return source >= 0; }
  auto operator<=>(const Span&) const = default;
};

/// The smallest span that covers both; either may be unknown.
Span cover(Span a, Span b);

/// One-based; `column` counts code points, as LANGUAGE section 7 asks.
struct Place {
  int line = 0;
  int column = 0;
};

/// The texts of a session: files, standard input, lines typed at the prompt.
class Sources {
 public:
  /// Adds a text and returns its number. `name` is what errors print before the colon.
  int add(std::string name, std::string content);

  const std::string& name(int source) const { return files_[source].name; }
  std::string_view content(int source) const { return files_[source].content; }
  int size() const { return static_cast<int>(files_.size()); }

  Place begin(Span span) const;
  Place end(Span span) const;  ///< exclusive
  /// Line `line` (one-based) without its line end.
  std::string_view line(int source, int line) const;
  std::string_view slice(Span span) const;

 private:
  struct File {
    std::string name;
    std::string content;
    std::vector<std::uint32_t> line_starts;
  };
  Place place(int source, std::uint32_t offset) const;
  std::vector<File> files_;
};

}  // namespace trellis::text
