#include "engine/session/live/verdict.hpp"

#include <algorithm>

namespace trellis::session {
namespace {

using Judged = KernelVerdict::Kind;

bool is_said(const Snapshot& snapshot, const std::string& kernel, text::Severity severity) {
  return std::ranges::any_of(snapshot.messages, [&](const Message& m) {
    return m.diagnostic.severity == severity && (m.kernel == kernel || m.kernel.empty());
  });
}

bool ran_otherwise(const KernelView& kernel) { return kernel.ran && kernel.ran->check && kernel.ran->check->first; }

/// Equations are proven by their placement, loops by the steps that changed them; unchanged they are what is meant.
std::string proof_of(const KernelView& kernel) {
  if (kernel.explained->certificate) return "proven " + kernel.explained->certificate->sizes;
  if (!kernel.compiled) return "proven";
  return kernel.compiled->compilation.steps.empty() ? "as written" : "proven for all sizes";
}

}  // namespace

KernelVerdict verdict_of(const Snapshot& snapshot, const KernelView& kernel) {
  if (!snapshot.accepted) return {Judged::wrong, "wrong"};
  if (kernel.explained && kernel.explained->why) return {Judged::illegal, "illegal"};
  if (is_said(snapshot, kernel.name, text::Severity::error)) return {Judged::wrong, "wrong"};
  if (!kernel.explained) return {Judged::unknown, "working"};
  if (ran_otherwise(kernel)) return {Judged::differs, "differs from the reference"};
  const std::string proof = proof_of(kernel);
  const bool costly = discordant(kernel) || is_said(snapshot, kernel.name, text::Severity::warning);
  const bool proven = proof.starts_with("proven"), everywhere = proof.starts_with("proven for all");
  return {costly ? Judged::costly : Judged::legal,
          "legal, " + (everywhere ? "proven for all sizes"
                       : proven   ? "proven"
                                  : proof),
          proof};
}

KernelVerdict verdict_of_program(const Snapshot& snapshot, const KernelView& kernel) {
  const KernelVerdict own = verdict_of(snapshot, kernel);
  if (!own.is_legal()) return own;
  for (const KernelView& other : snapshot.kernels) {
    const KernelVerdict verdict = verdict_of(snapshot, other);
    if (!verdict.is_legal() && verdict.kind != Judged::unknown)
      return {verdict.kind, other.name + ": " + verdict.words};
  }
  return own;
}

const flow::LookUp* discordant(const KernelView& kernel) {
  if (!kernel.drawn || kernel.drawn->drop_slots.empty()) return nullptr;
  for (const DropSlot& slot : kernel.drawn->drop_slots.front())
    if (slot.slot == 0 && !slot.discordant.empty()) return &slot.discordant.front();
  return nullptr;
}

}  // namespace trellis::session
