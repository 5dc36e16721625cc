#include "engine/session/stages/find_notes.hpp"

#include <algorithm>

#include "engine/coiterate/lattice_words.hpp"
#include "engine/flow/query_of.hpp"

namespace trellis::session {
namespace {

using flow::Locate;
using Trust = FindNote::Trust;
using find::Verdict;

std::string found_by(const Locate& l, const format::Facts& facts) {
  if (l.held) return "in a table";
  if (!l.march.empty()) return l.returns ? "by a pointer that may go back" : "by a pointer that goes on";
  switch (facts.locate) {
    case format::Locate::binary: return "by bisection";
    case format::Locate::hash: return "by hashing";
    case format::Locate::one: return "by one comparison";
    case format::Locate::none: return "entry after entry";
    case format::Locate::direct: break;
  }
  return facts.dense() ? "" : "at once";
}

/// In few words, as they stand behind a line.
std::string found_by(const Locate& l, const format::Facts& facts, const flow::ScanProof* proof) {
  const std::string way = found_by(l, facts);
  if (!proof || !proof->hindrance.empty()) return way;
  const std::string by = proof->answer.by.empty() ? "" : " by " + proof->answer.by;
  switch (trust_of(*proof)) {
    case Trust::proven:
      return proof->used ? "by a pointer that goes on, proven" + by : way + "; a pointer could go on, proven" + by;
    case Trust::refuted: return way + "; no pointer can go on, refuted" + by;
    default: return proof->used ? "by a pointer that may go back: that it never has to was not proven" : way;
  }
}

class LookedUp {
 public:
  explicit LookedUp(const Compilation& compilation)
      : compilation_(compilation), queries_(compilation.flow, compilation.stored) {}

  std::vector<FindNote> notes() && {
    visit(compilation_.flow.root);
    return std::move(notes_);
  }

 private:
  void visit(const flow::Stmt& s) {
    if (const auto* located = s.as<Locate>()) add(*located, s.id());
    queries_.enter(s);
    flow::for_each_child(
        s, [&](const flow::Stmt& child) { visit(child); }, [](const flow::Expr&) {});
    queries_.leave(s);
  }

  void add(const Locate& l, int node) {
    const flow::Tensor& tensor = *compilation_.flow.tensor(l.tensor);
    std::string element = flow::element_text(tensor, queries_.path(l));
    // As equations have it: elements of tensors stand in parentheses.
    std::ranges::replace(element, '[', '(');
    std::ranges::replace(element, ']', ')');
    const auto proof = std::ranges::find(compilation_.scans, element, &flow::ScanProof::element);
    const flow::ScanProof* known = proof == compilation_.scans.end() ? nullptr : &*proof;
    const std::string way = found_by(l, tensor.levels[static_cast<std::size_t>(l.level)].facts, known);
    if (!way.empty()) notes_.push_back({known ? trust_of(*known) : Trust::stated, element + ": " + way, node, l.name});
  }

  const Compilation& compilation_;
  flow::Queries queries_;
  std::vector<FindNote> notes_;
};

}  // namespace

std::string name_of(Trust trust) {
  switch (trust) {
    case Trust::proven: return "proven";
    case Trust::refuted: return "refuted";
    case Trust::unknown: return "unknown";
    case Trust::stated: break;
  }
  return "";
}

Trust trust_of(const flow::ScanProof& proof) {
  if (!proof.hindrance.empty()) return Trust::stated;
  if (proof.answer.verdict == Verdict::proven) return Trust::proven;
  return proof.answer.example ? Trust::refuted : Trust::unknown;
}

std::string in_words(const flow::ScanProof& proof) {
  const std::string head = proof.element + ": ";
  if (!proof.hindrance.empty()) return head + "bisected for; " + proof.hindrance;
  const find::Answer& answer = proof.answer;
  const std::string by = answer.by.empty() ? "" : ", by " + answer.by;
  const std::string along = proof.restarts == 0 ? "" : ", beginning anew with each " + proof.begins;
  if (answer.verdict == Verdict::proven)
    return head +
           (proof.used ? "by a pointer that goes on"
                       : "bisected for; a pointer could go on, `find " + proof.tensor + " gallop`") +
           " while " + proof.loop + " runs" + along + ": it is never asked for less than before, proven" + by;
  if (proof.used) return head + "by a pointer that may go back: that it never has to was not proven";
  if (answer.example)
    return head + "bisected for; no pointer can go on: " + find::in_words(*answer.example) + ", says " + answer.by;
  return head + "bisected for; whether a pointer could go on is not known" + by;
}

std::vector<FindNote> find_notes(const Compilation& compilation) { return LookedUp(compilation).notes(); }

std::vector<FindNote> find_notes(const Compilation& compilation, const coiterate::Lattice& lattice) {
  std::vector<FindNote> notes;
  for (std::string& words : coiterate::remarks(lattice)) notes.push_back({Trust::stated, std::move(words)});
  for (const flow::ScanProof& proof : compilation.scans) {
    const auto looks_up = [&](const coiterate::Lattice::Operand& operand) {
      return operand.role == coiterate::Lattice::Role::located &&
             operand.literal.access.as<lang::Access>()->tensor == proof.tensor;
    };
    const auto cannot_walk = [&](const coiterate::Offers::Refusal& refusal) { return refusal.name == proof.element; };
    if (std::ranges::any_of(lattice.operands, looks_up) || std::ranges::any_of(lattice.refusals, cannot_walk))
      notes.push_back({trust_of(proof), in_words(proof)});
  }
  return notes;
}

std::vector<std::string> at_lines(const std::vector<FindNote>& notes, const text::Text& text) {
  const auto line_of = [&](std::uint32_t byte) {
    return static_cast<std::size_t>(std::count(text.characters.begin(), text.characters.begin() + byte, '\n'));
  };
  std::vector<std::string> lines(line_of(static_cast<std::uint32_t>(text.characters.size())) + 1);
  for (const FindNote& note : notes) {
    const text::NodeId node{text::Stage::flow, note.node};
    // What it is made ready with comes before, and is not meant.
    const auto span = std::ranges::find_if(text.spans, [&](const text::TextSpan& one) {
      const std::string_view shown = std::string_view(text.characters).substr(one.begin, one.end - one.begin);
      const bool sets = shown.find(" " + note.variable + " = ") != std::string_view::npos;
      return sets && (one.node == node || std::ranges::find(one.origin, node) != one.origin.end());
    });
    if (note.node < 0 || span == text.spans.end()) continue;
    std::string& line = lines[line_of(span->begin)];
    if (line.find(note.words) == std::string::npos) line += (line.empty() ? "" : "; ") + note.words;
  }
  return lines;
}

}  // namespace trellis::session
