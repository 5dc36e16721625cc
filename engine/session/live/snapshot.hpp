#pragma once
// What windows draw from: all that a session knows about a program at one moment, as a value. Nothing in it changes,
// nothing in it belongs to isl, so that it may be read, copied and dropped on any thread.
//
// A revision arrives in waves. Each is a snapshot of its own that shares the parts of the one before:
//
//   read        the program, messages, spans
//   compiled    loops, lattices, C of each kernel, or why there are none
//   explained   orders, why an order is illegal, graph, placement, execution
//   drawn       pictures, replays, accounts of executions, where loops may be dropped
//   ran         results, and whether they are those of the reference

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/check/reference.hpp"
#include "engine/coiterate/print_lattice.hpp"
#include "engine/compile.hpp"
#include "engine/explore/why.hpp"
#include "engine/session/live/drawn.hpp"
#include "engine/session/replay/recorded.hpp"
#include "engine/session/reply/reply.hpp"
#include "engine/session/stages/find_notes.hpp"
#include "engine/session/stages/formats.hpp"
#include "engine/session/stages/mask_picture.hpp"
#include "engine/session/stages/plan_picture.hpp"
#include "engine/session/state/selection.hpp"
#include "engine/view/arrays.hpp"
#include "engine/view/element_levels.hpp"

namespace trellis::session {

enum class Wave { read, compiled, explained, drawn, ran };
const char* name_of(Wave wave);

struct Message {
  text::Diagnostic diagnostic;
  std::string kernel;  ///< that it is about; "" when it is the whole program
};

/// The analysis lives in isl's context.
Compilation without_analysis(Compilation compilation);

/// A compilation without its analysis, and what is shown of it.
struct CompiledView {
  Compilation compilation;
  std::vector<coiterate::NumberedLattice> lattices;  ///< of `compilation`, without repetition
  text::Text loops, lattice, c;
  std::vector<std::string> c_remarks;          ///< by line of `c`: how what is looked up there is found
  std::map<int, std::vector<FindNote>> finds;  ///< by number of the lattice: what its operands do, and proofs

  explicit CompiledView(const Compilation& made);
  CompiledView(const CompiledView&) = delete;  // lattices point into it
  CompiledView& operator=(const CompiledView&) = delete;
};

struct ExplainedView {
  lang::Order order;     ///< given, or chosen
  lang::Order in_force;  ///< the same; nothing where loops stand as no order of their names would put them
  explore::OrderTable orders;
  std::optional<explore::Why> why;  ///< of an illegal order
  // Of equations.
  place::Fragments fragments;
  place::Graph graph;
  std::vector<place::Event> events;  ///< of its placement, up to the end or the rejection
  std::optional<place::Certificate> certificate;
  /// Its execution; its compilation has no analysis. Null where it cannot be drawn, which `undrawn` explains.
  std::shared_ptr<const Recorded> execution;
  text::Diagnostics undrawn;
};

struct RunView {
  double compile_ms = 0, run_ms = 0;
  std::optional<check::Report> check;
};

struct KernelView {
  std::string name;
  std::shared_ptr<const CompiledView> compiled;    ///< null: not yet, or it is wrong
  std::shared_ptr<const ExplainedView> explained;  ///< null: not yet, or its definitions are wrong
  std::shared_ptr<const DrawnView> drawn;          ///< null: not yet, or there is no `explained`
  /// Where its results have entries; null: nobody has found that, or what its operands store is not known yet.
  std::shared_ptr<const MaskPicture> pattern = {};
  std::shared_ptr<const PlanPicture> plan = {};  ///< null: not yet
  /// On as many ranks as were shown, or ran, last; null: it is not dealt out.
  std::shared_ptr<const view::RanksPicture> ranks = {};
  std::shared_ptr<const RunView> ran;  ///< null: not yet, or not in time; then what tensors hold may be older
};

struct TensorView {
  lang::TensorInfo info;
  std::optional<tensor::Tensor> value;  ///< none: not in memory
  view::StoredArrays stored;            ///< of the value, of each array the first 4096 items
  StoredTensor format;                  ///< as `show formats` says
  /// Where its elements are; empty where the arrays say it by themselves (pictured).
  view::StoragePicture picture = {};
  view::BlockCuts cuts = {};  ///< where blocks of its layout begin
};

struct Snapshot {
  std::uint64_t version = 0;  ///< of the request that it answers
  Wave wave = Wave::read;
  text::Sources sources;                   ///< that all spans point into
  int source = -1;                         ///< the text of the revision
  std::shared_ptr<const text::Text> text;  ///< the same with spans, of stage source, of what the program declares
  bool accepted = false;  ///< the program is the text's; else the last one that was, whatever is shown of it
  std::shared_ptr<const lang::Program> program;  ///< null: there was never one
  std::vector<Message> messages;                 ///< in the order in which they arose, with their kernels
  std::vector<KernelView> kernels;
  std::map<std::string, TensorView> tensors;
  // By kernel, what was measured last; and of which of these the kernel has become another one since.
  std::map<std::string, std::shared_ptr<const Timed::Kernel>> timings;         ///< `time`
  std::map<std::string, std::shared_ptr<const OrdersListed>> measured_orders;  ///< `orders time`
  std::set<std::string> stale_timings, stale_orders;
  Selection selection;

  const KernelView* kernel(const std::string& name) const;
};

}  // namespace trellis::session
