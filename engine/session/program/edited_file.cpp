#include "engine/session/program/edited_file.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <set>

#include "engine/lang/parse.hpp"

namespace trellis::session {

namespace syntax = lang::syntax;

namespace {

constexpr std::size_t most_dropped = 256;

std::set<int> sources_of(const syntax::File& file) {
  std::set<int> all;
  for (const syntax::Statement& statement : file.statements) all.insert(statement->span.source);
  return all;
}

/// Lines `first` to `last` of a text, one-based.
std::string lines_of(std::string_view text, int first, int last) {
  std::size_t begin = 0, end = 0;
  for (int line = 1; line <= last; ++line) {
    if (line == first) begin = end;
    const std::size_t found = text.find('\n', end);
    end = found == std::string_view::npos ? text.size() : found + 1;
  }
  return std::string(text.substr(begin, end - begin));
}

}  // namespace

std::optional<syntax::File> EditedFile::read(text::Sources& sources, std::string content, const syntax::File& declared,
                                             text::Diagnostics& diagnostics) {
  if (source_ < 0) source_ = sources.add(name_, std::move(content));
  else sources.replace(source_, std::move(content));
  const syntax::File whole = lang::parse(sources, source_, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;

  std::vector<Piece> pieces;
  syntax::File file;
  for (const Lines& lines : lines_with_statements(sources, whole)) {
    pieces.push_back(take(sources, lines_of(sources.content(source_), lines.first, lines.last), lines.first));
    std::ranges::copy(pieces.back().statements, std::back_inserter(file.statements));
  }
  std::ranges::move(pieces_, std::front_inserter(dropped_));
  pieces_ = std::move(pieces);
  forget_old(sources, declared);
  return file;
}

// Statements that share a line share a piece.
std::vector<EditedFile::Lines> EditedFile::lines_with_statements(const text::Sources& sources,
                                                                 const syntax::File& whole) {
  std::vector<Lines> all;
  for (const syntax::Statement& statement : whole.statements) {
    const Lines lines{sources.begin(statement->span).line, sources.end(statement->span).line};
    if (all.empty() || all.back().last < lines.first) all.push_back(lines);
    else all.back().last = std::max(all.back().last, lines.last);
  }
  return all;
}

// One that is there, or was a while ago; else a new one.
EditedFile::Piece EditedFile::take(text::Sources& sources, const std::string& content, int first_line) {
  const auto same = [&](const Piece& piece) { return piece.source >= 0 && piece.content == content; };
  const auto taken_from = [&](auto& pieces) -> std::optional<Piece> {
    const auto found = std::ranges::find_if(pieces, same);
    if (found == pieces.end()) return std::nullopt;
    Piece piece = std::move(*found);
    pieces.erase(found);
    return piece;
  };
  auto known = taken_from(pieces_);
  if (!known) known = taken_from(dropped_);
  if (known) {
    sources.move_piece(known->source, first_line);
    return std::move(*known);
  }
  Piece piece{sources.add_piece(source_, content, first_line), content, {}};
  text::Diagnostics none;
  piece.statements = lang::parse(sources, piece.source, none).statements;
  assert(none.empty());  // the whole text was read without an error
  return piece;
}

void EditedFile::forget_old(text::Sources& sources, const syntax::File& declared) {
  if (dropped_.size() <= most_dropped) return;
  const std::set<int> used = sources_of(declared);
  std::deque<Piece> kept;
  for (Piece& piece : dropped_) {
    if (kept.size() < most_dropped || used.contains(piece.source)) kept.push_back(std::move(piece));
    else sources.forget(piece.source);
  }
  dropped_ = std::move(kept);
}

}  // namespace trellis::session
