#include "engine/flow/scan_look_ups.hpp"

#include <algorithm>

#include "engine/flow/march.hpp"
#include "engine/flow/query_of.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::flow {

namespace {

using Find = lang::Schedule::Find;

bool promises_something(const find::Query& query) {
  return std::ranges::any_of(query.promises, [](const auto& one) { return one.second.any(); });
}

class Scanning {
 public:
  Scanning(const Flow& flow, const lang::Kernel& kernel, const lang::Program& program)
      : flow_(flow), kernel_(kernel), queries_(flow, program) {}

  Scanned run() {
    Scanned result{flow_, {}};
    result.flow.root = visit(flow_.root);
    if (pointers_ > 0) result.flow = number(result.flow);
    result.proofs = std::move(proofs_);
    return result;
  }

 private:
  Stmt visit(const Stmt& s) {
    const auto* located = s.as<Locate>();
    const std::optional<Locate> marching = located ? marched(*located, s->span) : std::nullopt;
    queries_.enter(s);
    const Stmt now = marching ? Stmt(StmtNode{*marching, s->span}, s.origin(), s.id()) : s;
    const Stmt inner = map_children(
        now, [&](const Stmt& child) { return visit(child); }, [](const Expr& e) { return e; });
    queries_.leave(s);
    return inner;
  }

  const Find* wish(const std::string& tensor) const {
    const auto found = std::ranges::find_if(kernel_.schedule.finds, [&](const Find& f) {
      return f.tensor == tensor && (f.how == Find::How::scan || f.how == Find::How::gallop);
    });
    return found == kernel_.schedule.finds.end() ? nullptr : &*found;
  }

  /// Why there is no pointer for each of its fibers; empty: there may be.
  std::string hindrance(const Locate& l) const {
    const Tensor& tensor = *flow_.tensor(l.tensor);
    if (tensor.storage != Tensor::Storage::operand) return "it is computed here, and its entries move while it grows";
    if (const std::string none = no_pointers(tensor, l); !none.empty()) return none;
    return queries_.in_parallel() ? "iterations of a parallel loop would share the pointers" : "";
  }

  std::optional<Locate> marched(const Locate& l, text::Span span) {
    const Tensor& tensor = *flow_.tensor(l.tensor);
    const format::Facts& facts = tensor.levels[static_cast<std::size_t>(l.level)].facts;
    if (facts.locate != format::Locate::binary || !l.march.empty()) return std::nullopt;
    const Find* const wanted = wish(l.tensor);
    const auto query = queries_.query(l);
    if (!wanted && (!query || !promises_something(*query))) return std::nullopt;
    ScanProof proof{l.tensor, element(l), 0, {}, {}, {}, hindrance(l), false, span};
    if (proof.hindrance.empty() && query) ask(*query, proof);
    const bool proven = proof.answer.verdict == find::Verdict::proven;
    const bool goes_back =
        wanted && query && proof.hindrance.empty() && !find::has_prover_of_functions() && proof.answer.by.empty();
    proof.used = goes_back || (proven && (wanted || proof.restarts == 0));
    const auto same = [&](const ScanProof& other) { return other.element == proof.element; };
    if (std::ranges::none_of(proofs_, same)) proofs_.push_back(proof);
    if (!proof.used) return std::nullopt;
    Locate next = l;
    next.march = l.tensor + "_scan" + (pointers_ > 0 ? std::to_string(pointers_ + 1) : "");
    next.returns = !proven || proof.restarts > 0 || (wanted && wanted->how == Find::How::gallop);
    ++pointers_;
    return next;
  }

  /// The fewest loops that have to begin anew.
  void ask(const find::Query& query, ScanProof& proof) const {
    for (std::size_t same = 0; same < query.loops.size(); ++same) {
      if (same > 0 && same < queries_.loops_above(query)) continue;
      proof.answer = find::never_falls(query, same);
      proof.restarts = same;
      proof.loop = query.loops[same].variable;
      proof.begins = same > 0 ? query.loops[same - 1].variable : "";
      if (proof.answer.verdict == find::Verdict::proven) return;
    }
  }

  std::string element(const Locate& l) const {
    std::string text = element_text(*flow_.tensor(l.tensor), queries_.path(l));
    // As equations have it: elements of tensors stand in parentheses.
    std::ranges::replace(text, '[', '(');
    std::ranges::replace(text, ']', ')');
    return text;
  }

  const Flow& flow_;
  const lang::Kernel& kernel_;
  Queries queries_;
  std::vector<ScanProof> proofs_;
  int pointers_ = 0;
};

std::string why(const ScanProof& proof) {
  if (!proof.hindrance.empty()) return proof.hindrance;
  if (proof.answer.example) return find::in_words(*proof.answer.example);
  if (proof.answer.by.empty()) return "what is asked for depends on values that are computed";
  return "whether it is ever asked for less than before could not be shown";
}

text::Diagnostic found_without_proof(const ScanProof& proof, const Find& find) {
  text::Diagnostic note;
  note.severity = text::Severity::note;
  note.span = find.span;
  note.message = proof.element + " is found by a pointer that may go back";
  note.label = "that it never has to takes a proof by Z3, which this program was built without";
  return note;
}

}  // namespace

Scanned scan_look_ups(const Flow& flow, const lang::Kernel& kernel, const lang::Program& program) {
  return Scanning(flow, kernel, program).run();
}

bool check_scans(const std::vector<ScanProof>& proofs, const lang::Kernel& kernel, text::Diagnostics& diagnostics) {
  for (const Find& find : kernel.schedule.finds) {
    if (find.how != Find::How::scan && find.how != Find::How::gallop) continue;
    for (const ScanProof& proof : proofs) {
      if (proof.tensor != find.tensor) continue;
      if (proof.used && proof.answer.verdict != find::Verdict::proven)
        diagnostics.add(found_without_proof(proof, find));
      if (proof.used) continue;
      text::Diagnostic& d = diagnostics.error(
          "E0914", find.span, proof.element + " cannot be found by going on from where it was last: " + why(proof));
      if (proof.answer.example && !proof.answer.example->values.empty())
        d.notes.push_back({{}, "promise what the indices are, if they are that: `sorted` behind the tensor's type"});
      return false;
    }
  }
  return true;
}

}  // namespace trellis::flow
