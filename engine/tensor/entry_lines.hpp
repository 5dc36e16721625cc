#pragma once
// Lines of entries, read by several threads: a block of the file is cut at ends of lines, each piece read as if it were
// alone, and what it holds put behind what came before. A piece in which something is wrong, or does not go with what
// came before, is read once more, line by line, which says what it is and where.
//
// A reader of such lines, `Entries`, has
//
//   Entries alone(NumberReader& lines) const    one that reads the same kind of lines elsewhere, with no entry so far
//   bool entry()                                takes the line at hand; false: it is wrong, which it reported
//   bool take(Entries& piece, size_t lines)     puts the entries of a piece, whose lines follow so many, behind its
//                                               own; false, and nothing is changed, where lines one by one might be
//                                               refused

#include <cstddef>
#include <functional>
#include <new>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/tensor/file.hpp"
#include "engine/tensor/number_reader.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::tensor {

/// At most so many parts of whole lines, none of them short; one if the text is.
std::vector<std::string_view> cut_at_lines(std::string_view text, int parts);

/// Calls `work` with 0 to `count - 1`, at once; comes back when all have ended. It must not throw.
void side_by_side(std::size_t count, const std::function<void(std::size_t)>& work);

template <class Entries>
class EntryLines {
 public:
  EntryLines(NumberReader& lines, const FileRequest& request, char comment)
      : lines_(lines), request_(request), comment_(comment) {}

  /// All lines that follow. False when one was refused, or the file could not be read.
  bool read(Entries& all) {
    for (;;) {
      const std::string_view block = lines_.block();
      if (block.empty()) return !lines_.failed();
      const std::vector<std::string_view> parts = cut_at_lines(block, request_.threads);
      if (parts.size() < 2 ? !one_by_one(all, block.size()) : !at_once(all, parts)) return false;
    }
  }

 private:
  struct Piece {
    Piece(std::string_view text, char comment, const FileRequest& request, const Entries& all)
        : lines(text, comment, request, nobody), entries(all.alone(lines)) {}
    text::Diagnostics nobody;
    NumberReader lines;
    Entries entries;
  };

  bool one_by_one(Entries& all, std::size_t bytes) {
    const std::size_t left = lines_.block().size() - bytes;
    for (std::size_t here = left + bytes; here > left; here = lines_.left()) {
      lines_.next_line();
      if (lines_.has_data() && !all.entry()) return false;
    }
    return true;
  }

  bool at_once(Entries& all, const std::vector<std::string_view>& parts) {
    const FileRequest quiet{request_.path, request_.span, request_.limit_bytes};
    std::vector<std::optional<Piece>> pieces(parts.size());
    std::vector<char> fine(parts.size(), 0);
    side_by_side(parts.size(), [&](std::size_t k) {
      try {
        Piece& piece = pieces[k].emplace(parts[k], comment_, quiet, all);
        while (piece.lines.next_data_line())
          if (!piece.entries.entry()) return;
        fine[k] = 1;
      } catch (const std::bad_alloc&) { return; }  // one by one, it happens again
    });
    for (std::size_t k = 0; k < parts.size(); ++k) {
      if (fine[k] && all.take(pieces[k]->entries, lines_.line_number()))
        lines_.skip(parts[k].size(), pieces[k]->lines.line_number());
      else if (!one_by_one(all, parts[k].size())) return false;
      pieces[k].reset();
    }
    return true;
  }

  NumberReader& lines_;
  const FileRequest& request_;
  char comment_;
};

}  // namespace trellis::tensor
