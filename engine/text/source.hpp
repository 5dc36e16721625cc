#pragma once
// Where things stand in what the user wrote. A `Span` is a half-open byte range of one source;
// `Sources` owns the texts and turns offsets into the lines and columns that people read.

#include <compare>
#include <cstdint>
#include <memory>
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

/// One-based; `column` counts code points, as docs/design/language.md#lexical-rules asks.
struct Place {
  int line = 0;
  int column = 0;
};

/// The texts of a session: files, standard input, lines typed at the prompt. A file that is edited is read in pieces,
/// sources of their own, so that what stands in one that did not change keeps its spans, whatever happens above it:
///
///   1  tensor A(n): csr            a piece that begins on line 1
///   2  y(i) = A(i,j) * x(j)        another: a line put in before it moves it to line 3, and no span changes
///
/// Copies share the texts.
class Sources {
 public:
  /// Adds a text and returns its number. `name` is what errors print before the colon.
  int add(std::string name, std::string content);
  /// Gives a text another content. Pieces of it stay what they are.
  void replace(int source, std::string content);
  /// Whole lines of a file, from line `first_line` on. Places in it are told as places in the file.
  int add_piece(int file, std::string content, int first_line);
  void move_piece(int piece, int first_line) { entries_[piece].first_line = first_line; }
  /// The text is needed no more; what still points into it has no place. The number goes to a later one.
  void forget(int source);

  const std::string& name(int source) const { return text(file_of(source)).name; }
  std::string_view content(int source) const { return text(source).content; }
  int size() const { return static_cast<int>(entries_.size()); }
  /// Of a piece its file, else the source itself.
  int file_of(int source) const { return entries_[source].file < 0 ? source : entries_[source].file; }
  /// The same in the file, of a span in a piece.
  Span in_file(Span span) const;
  /// The number of the first node that is parsed from it. Those of different sources differ.
  int first_node(int source) const { return entries_[source].first_node; }

  Place begin(Span span) const;
  Place end(Span span) const;  ///< exclusive
  /// Line `line` of the file without its line end; of a piece only lines inside it are known.
  std::string_view line(int source, int line) const;
  std::string_view slice(Span span) const;

 private:
  struct Text {
    std::string name;
    std::string content;
    std::vector<std::uint32_t> line_starts;
  };
  struct Entry {
    std::shared_ptr<const Text> text;  ///< null: forgotten
    int file = -1;
    int first_line = 1;
    int first_node = 0;
  };
  static std::shared_ptr<const Text> made(std::string name, std::string content);
  const Text& text(int source) const;
  int put(Entry entry);
  Place place(int source, std::uint32_t offset) const;

  std::vector<Entry> entries_;
  std::vector<int> free_;
  int next_node_ = 0;
};

}  // namespace trellis::text
