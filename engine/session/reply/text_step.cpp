// Where a replay stands, drawn: the loops with the line that runs, beside it what the tensors hold.
//
//     for j in 0:n {                          L
//   >   L(i,j) = (A(i,j) - t(i))/L(j,j)         1.47      ·      ·
//     }                                       [0.166]     ·      ·       [written]  (read)  !too early!  · not written yet
//
// Of kernels over sparse tensors it is the control flow that was compiled, and `-` is an element that is not stored.
#include <algorithm>
#include <cstdio>
#include <sstream>

#include "engine/loop/print.hpp"
#include "engine/session/replay/cursor.hpp"
#include "engine/session/reply/text.hpp"

namespace trellis::session {
namespace {

using Lines = std::vector<std::string>;
using Touch = explore::Trace::Touch;

std::size_t width_of(const std::string& line) { return static_cast<std::size_t>(text::width_of(line)); }

std::string right_aligned(std::string text, std::size_t width) {
  const std::size_t have = width_of(text);
  return have < width ? std::string(width - have, ' ') + text : text;
}

std::string brief(const format::Value& value) {
  if (!format::is_floating(value.type)) return format::to_string(value);
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.4g", value.real);
  return buffer;
}

Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// With a mark before the line in which the node begins; it and its neighbours, when there are many.
Lines marked_lines(const text::Text& text, text::NodeId node) {
  constexpr std::size_t most = 30;
  Lines lines = lines_of(text.characters);
  std::size_t at = lines.size();
  for (const text::TextSpan& span : text.spans)
    if (at == lines.size() && span.node == node)
      at = static_cast<std::size_t>(std::count(text.characters.begin(), text.characters.begin() + span.begin, '\n'));
  for (std::size_t k = 0; k < lines.size(); ++k) lines[k] = (k == at ? "> " : "  ") + lines[k];
  if (lines.size() <= most) return lines;
  const std::size_t middle = at == lines.size() ? 0 : at,
                    first = std::min(middle > most / 2 ? middle - most / 2 : 0, lines.size() - most);
  return {lines.begin() + static_cast<std::ptrdiff_t>(first),
          lines.begin() + static_cast<std::ptrdiff_t>(first + most)};
}

/// A tensor of at most two dimensions, or the last two of more; around what is touched when it is large.
class Grid {
 public:
  Grid(const std::string& name, const Board& board, const explore::Trace::Step* step)
      : name_(name), board_(board), step_(step) {}

  Lines lines() const {
    Lines out{name_};
    const std::size_t rank = board_.shape.size();
    tensor::Index index(rank, 0);
    if (const tensor::Index* touched = touched_last()) index = *touched;
    if (rank > 2) {
      out[0] += "(";
      for (std::size_t d = 0; d + 2 < rank; ++d) out[0] += std::to_string(index[d]) + ",";
      out[0] += ":,:)";
    }
    const auto [first_row, end_row] = rank < 2 ? std::pair<std::int64_t, std::int64_t>(0, 1)
                                               : window(board_.shape[rank - 2], index[rank - 2], most_rows);
    const auto [first, end] = rank < 1 ? std::pair<std::int64_t, std::int64_t>(0, 1)
                                       : window(board_.shape[rank - 1], index[rank - 1], most_columns);
    std::vector<Lines> cells;
    std::size_t width = 1;
    for (std::int64_t row = first_row; row < end_row; ++row) {
      cells.emplace_back();
      for (std::int64_t column = first; column < end; ++column) {
        if (rank >= 2) index[rank - 2] = row;
        if (rank >= 1) index[rank - 1] = column;
        cells.back().push_back(cell(index));
        width = std::max(width, width_of(cells.back().back()));
      }
    }
    const bool cut = rank >= 1 && (first > 0 || end < board_.shape[rank - 1] ||
                                   (rank >= 2 && (first_row > 0 || end_row < board_.shape[rank - 2])));
    if (cut) out[0] += "   from (" + (rank >= 2 ? std::to_string(first_row) + "," : "") + std::to_string(first) + ")";
    for (const Lines& row : cells) {
      std::string line = " ";
      for (const std::string& one : row) line += right_aligned(one, width) + " ";
      out.push_back(line);
    }
    return out;
  }

 private:
  static constexpr std::int64_t most_rows = 12, most_columns = 10;

  static std::pair<std::int64_t, std::int64_t> window(std::int64_t size, std::int64_t around, std::int64_t most) {
    if (size <= most) return {0, size};
    const std::int64_t first = std::clamp<std::int64_t>(around - most / 2, 0, size - most);
    return {first, first + most};
  }

  const tensor::Index* touched_last() const {
    if (step_ && step_->write && step_->write->tensor == name_) return &step_->write->index;
    if (step_)
      for (const Touch& read : step_->reads)
        if (read.tensor == name_) return &read.index;
    return nullptr;
  }

  std::string cell(const tensor::Index& index) const {
    const std::size_t at = board_.offset(index);
    const auto& value = board_.elements[at];
    const bool absent = value && !board_.stored.empty() && !board_.stored[at];
    const std::string text = absent ? "-" : value ? brief(*value) : "·";
    const auto here = [&](const Touch& t) { return t.tensor == name_ && t.covers(index); };
    if (step_ && step_->write && here(*step_->write)) return "[" + text + "]";
    if (step_)
      for (const Touch& read : step_->reads)
        if (here(read)) return read.early ? "!" + text + "!" : "(" + text + ")";
    return " " + text + " ";
  }

  const std::string& name_;
  const Board& board_;
  const explore::Trace::Step* step_;
};

/// Where a stored element lies among the entries of its fiber; nothing for levels without positions.
///
///   A  crd  0  2 [3]     positions 4 to 6
Lines strip(const std::string& name, const tensor::Tensor& tensor, std::int64_t place) {
  const int last = static_cast<int>(tensor.format().levels.size()) - 1;
  const format::Facts facts = format::facts(tensor.format().levels[static_cast<std::size_t>(last)]);
  const void* positions = tensor.array(last, format::Array::positions);
  const void* coordinates = tensor.array(last, format::Array::coordinates);
  if (!positions || !coordinates || place < 0) return {};
  const auto at = [&](const void* array, std::int64_t k) {
    return facts.wide ? static_cast<const std::int64_t*>(array)[k]
                      : static_cast<std::int64_t>(static_cast<const std::int32_t*>(array)[k]);
  };
  const auto parents =
      static_cast<std::int64_t>(tensor.array_bytes(last, format::Array::positions) / (facts.wide ? 8 : 4)) - 1;
  std::int64_t parent = 0;
  while (parent + 1 < parents && at(positions, parent + 1) <= place) ++parent;
  constexpr std::int64_t around = 6;
  const std::int64_t begin = at(positions, parent), end = at(positions, parent + 1),
                     first = std::max(begin, place - around), stop = std::min(end, place + around + 1);
  std::string line = "  " + name + "  crd " + (first > begin ? " …" : "");
  for (std::int64_t k = first; k < stop; ++k)
    line +=
        k == place ? " [" + std::to_string(at(coordinates, k)) + "]" : "  " + std::to_string(at(coordinates, k)) + " ";
  return {line + (stop < end ? " …" : "") + "    pos " + std::to_string(begin) + " to " + std::to_string(end)};
}

std::size_t width_of(const Lines& lines) {
  std::size_t width = 0;
  for (const std::string& line : lines) width = std::max(width, width_of(line));
  return width;
}

/// Below each other where there is no room.
Lines beside(const Lines& left, const Lines& right, int columns) {
  constexpr std::size_t most = 64;
  const std::size_t width = width_of(left);
  if (width > most || (columns > 0 && width + 4 + width_of(right) > static_cast<std::size_t>(columns))) {
    Lines out = left;
    out.insert(out.end(), right.begin(), right.end());
    return out;
  }
  Lines out;
  for (std::size_t k = 0; k < std::max(left.size(), right.size()); ++k) {
    std::string line = k < left.size() ? left[k] : "";
    if (k < right.size()) line += std::string(width + 4 - width_of(line), ' ') + right[k];
    out.push_back(line.substr(0, line.find_last_not_of(' ') + 1));
  }
  return out;
}

std::string joined(const Lines& lines) {
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

std::string element(const Touch& t) {
  const std::string first = text::element_text(t.tensor, t.index);
  return t.last.empty() ? first : first + " to " + text::element_text(t.tensor, t.last);
}

std::string step_in_words(const explore::Trace::Step& step) {
  if (!step.ends.empty()) return step.ends + " has all of its entries";
  if (!step.starts.empty())
    return step.starts + (step.filled ? " is " + brief(*step.filled) + " everywhere" : " begins afresh");
  std::string out, early;
  if (step.write) out = element(*step.write) + " = " + brief(step.write->value);
  for (std::size_t k = 0; k < step.reads.size(); ++k)
    out += (k == 0 ? (out.empty() ? "reads " : "  from ") : ", ") + element(step.reads[k]);
  for (const Touch& read : step.reads)
    if (read.early) early += (early.empty() ? "" : ", ") + element(read);
  return out + (early.empty() ? ""
                              : "\n✗ too early: " + early + (early.find(", ") == std::string::npos ? " is" : " are") +
                                    " not complete yet");
}

std::string text_of_execution(const Stepped& s, std::string out, const text::Page& page) {
  const Recorded& r = *s.execution;
  const explore::Trace::Step* step = s.at == 0 ? nullptr : &r.trace.steps[s.at - 1];
  if (r.compilation || r.order.empty())
    out += std::string(r.compilation ? "control flow" : "loops") + (r.order.empty() ? "" : "    ");
  const std::size_t place = out.size();  // what says where it stands, to which loops and values are added
  if (!r.order.empty())
    out += std::string("order ") + lang::to_string(r.order) + (r.legal ? "" : ", illegal, followed all the same");
  if (step) {
    out += out.size() == place || step->loops.empty() ? "" : "   ";
    for (const auto& [name, value] : step->loops) out += " " + name + "=" + std::to_string(value);
    out += "\n" + step_in_words(*step) + "\n";
  } else {
    out += (out.size() == place ? "" : "    ") + std::string("before the first step\n");
  }
  if (r.trace.fault && s.at == s.of) out += "✗ " + r.trace.fault->message + "\n";
  std::vector<std::string> shown;
  const auto show = [&](const std::string& name) {
    if (std::ranges::find(shown, name) == shown.end()) shown.push_back(name);
  };
  if (step && r.compilation)
    for (const std::string& whole : {step->starts, step->ends})
      if (!whole.empty()) show(whole);
  if (step && step->write) show(step->write->tensor);
  if (step)
    for (const Touch& read : step->reads) show(read.tensor);
  const Boards boards = boards_after(r, s.at);
  if (!step)
    for (const auto& [name, board] : boards) show(name);
  constexpr std::size_t most_grids = 4;
  Lines grids;
  for (std::size_t k = 0; k < shown.size() && k < most_grids; ++k) {
    const auto board = boards.find(shown[k]);
    if (board == boards.end()) continue;
    const Lines one = Grid(shown[k], board->second, step).lines();
    grids.insert(grids.end(), one.begin(), one.end());
  }
  if (step)
    for (const Touch& read : step->reads)
      if (const auto tensor = r.before.tensors.find(read.tensor);
          tensor != r.before.tensors.end() && !tensor->second.dense()) {
        const Lines one = strip(read.tensor, tensor->second, tensor->second.find(read.index));
        grids.insert(grids.end(), one.begin(), one.end());
      }
  if (r.compilation) {
    grids.push_back("- not stored   · not written yet");
    const text::NodeId node{text::Stage::flow, step ? step->statement : -1};
    return text::fit(out, page, text::Overflow::flow) +
           joined(beside(marked_lines(flow::print(r.compilation->flow), node), grids, page.columns));
  }
  const text::NodeId node{text::Stage::loops, step ? step->statement : -1};
  return text::fit(out, page, text::Overflow::flow) +
         joined(beside(marked_lines(loop::print(r.nest), node), grids, page.columns));
}

const char* mark_of(place::Progress::Kind kind) {
  switch (kind) {
    case place::Progress::Kind::placed: return "✓";
    case place::Progress::Kind::tried: return "▸";
    case place::Progress::Kind::refused: return "⊖";
    case place::Progress::Kind::waiting: break;
  }
  return "○";
}

/// `✓ L1   ⊖ L2   ○ x1 waits for L1, L2`.
std::string marked_fragments(const ReplayedPlacement& p, std::size_t at) {
  const auto name = [&](int f) { return p.analysis->fragments.fragments[static_cast<std::size_t>(f)].name; };
  std::string out;
  const std::vector<place::Progress> all = place::progress(p.needs, p.events, at);
  for (std::size_t f = 0; f < all.size(); ++f) {
    out += std::string(f == 0 ? "  " : "   ") + mark_of(all[f].kind) + " " + name(static_cast<int>(f));
    for (std::size_t k = 0; k < all[f].waits_for.size(); ++k)
      out += (k == 0 ? " waits for " : ", ") + name(all[f].waits_for[k]);
  }
  return out + "\n";
}

/// What has become of each fragment, the last events, and the loops as far as they stand; in the end as they are.
std::string text_of_placement(const Stepped& s) {
  const ReplayedPlacement& p = *s.placement;
  std::string out = "order " + lang::to_string(p.order) + "\n" + marked_fragments(p, s.at);
  constexpr std::size_t most = 12;
  for (std::size_t k = s.at > most ? s.at - most : 0; k < s.at; ++k) {
    const place::Event& e = p.events[k];
    out += (k + 1 == s.at ? "> " : "  ") + std::string(static_cast<std::size_t>(2 * e.depth), ' ') +
           place::to_string(e) + "\n";
  }
  if (s.at == s.of && p.legal) return out + joined(marked_lines(p.nest, {text::Stage::placement, -1}));
  out += joined(marked_lines(place::print_sketch(p.events, s.at, p.analysis->fragments), {}));
  return s.at < s.of ? out : out + "✗ no place is left for what remains: the order is illegal\n";
}

/// `reads a(2) = 3, appends y(2) = 3`, with the places where they are stored.
std::string text_of_touches(const std::vector<explore::LatticeStep::Touch>& touches) {
  std::string out;
  for (const explore::LatticeStep::Touch& t : touches) {
    out += (out.empty() ? "" : ", ") + explore::in_words(t);
    if (t.value) out += " = " + brief(*t.value);
  }
  return out;
}

std::string text_of_lattice(const Stepped& s) {
  const ReplayedLattices& l = *s.lattices;
  if (s.at == 0) return "before the first step\n";
  const explore::LatticeStep& step = l.trace.steps[s.at - 1];
  const coiterate::Lattice& lattice =
      *std::ranges::find(l.lattices, step.lattice, &coiterate::NumberedLattice::number)->lattice;
  const auto condition_of = [&](int point) {
    return coiterate::condition(lattice, lattice.points[static_cast<std::size_t>(point)]);
  };
  std::string out;
  for (const auto& [name, value] : step.around) out += name + "=" + std::to_string(value) + " ";
  for (const auto& [name, coordinate] : step.waited)
    out += "(" + name + " waited for " + std::to_string(coordinate) + ") ";
  if (step.coordinate) out += lattice.for_().variable + "=" + std::to_string(*step.coordinate);
  out += "    " + condition_of(step.point) + "\n";
  for (const explore::LatticeStep::Cursor& c : step.cursors) out += text_of_cursor(c, lattice);
  if (!step.does.empty()) out += "case: " + step.does + "\n";
  if (!step.touches.empty()) out += "      " + text_of_touches(step.touches) + "\n";
  if (step.runs_out) {
    const auto name = [&] { return lattice.operands[static_cast<std::size_t>(*step.runs_out)].literal.name; };
    out += step.left ? "nothing can change any more" : *step.runs_out < 0 ? "the range ends" : name() + " runs out";
    out += (step.to < 0 ? std::string(": the loop ends") : ", on to: " + condition_of(step.to)) + "\n";
  }
  if (l.trace.fault && s.at == s.of) out += "✗ " + l.trace.fault->message + "\n";
  return out;
}

}  // namespace

std::string text_of(const Stepped& s, const text::Page& page) {
  std::string out =
      "step " + std::to_string(s.at) + " of " + std::to_string(s.of) + (s.complete ? "" : " (there are more)") + "    ";
  if (s.execution) return text_of_execution(s, std::move(out), page);
  out += s.placement ? text_of_placement(s) : text_of_lattice(s);
  return text::fit(out, page, text::Overflow::flow);
}

}  // namespace trellis::session
