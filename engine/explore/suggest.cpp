#include "engine/explore/suggest.hpp"

#include <algorithm>

#include "engine/explore/strides.hpp"
#include "engine/schedule/await.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::explore {
namespace {

constexpr double worthwhile = 0.95;  // of the present estimate; above, a suggestion would be noise
constexpr int most_orders = 200;     // judged
constexpr int most_compiled = 24;    // of these, the nearest
constexpr std::size_t most_kept = 6;
constexpr int tile_sizes[] = {16, 32, 64, 128};
constexpr double jam_doubt = 1.25;  // of its estimate, which does not know how many registers there are
constexpr const char* jam_counts[] = {"4", "8"};
constexpr const char* parts = "8";  // in which sums of floating numbers are added up

class Search {
 public:
  Search(const Kernel& kernel, const Attempt& attempt) : kernel_(kernel), attempt_(attempt) {
    loop::for_each(kernel_.now.loops, [&](const loop::Stmt& s) {
      const auto* outer = s.as<loop::For>();
      if (!outer) return;
      loop::for_each(outer->body, [&](const loop::Stmt& t) {
        if (const auto* inner = t.as<loop::For>(); inner && inner->variable != outer->variable)
          add_once(nested_, std::pair(outer->variable, inner->variable));
      });
    });
  }

  std::vector<Suggestion> run() {
    try_orders();
    try_leads();
    try_finds();
    try_results();
    try_parallel();
    try_tiles();
    try_vectors();
    try_jams();
    std::ranges::stable_sort(found_, {}, &Suggestion::cycles);
    if (found_.size() > most_kept) found_.resize(most_kept);
    return std::move(found_);
  }

 private:
  static bool is_better(const std::optional<Suggestion>& best, const Attempted& tried) {
    return !best || tried.cycles < best->cycles;
  }

  void keep(std::optional<Suggestion> found) {
    if (found && found->cycles < worthwhile * kernel_.now.cycles) found_.push_back(std::move(*found));
  }

  /// By the part of the estimate that shrinks most.
  std::string why_faster(const Attempted& then) const {
    const cost::Parts &before = kernel_.now.parts, &after = then.parts;
    const double memory = before.memory - after.memory, waiting = before.waiting - after.waiting,
                 busy = before.busy - after.busy, overhead = before.overhead - after.overhead;
    const std::string now_inside = innermost_names(kernel_.now.loops), inside = innermost_names(then.loops);
    const double most = std::max({memory, waiting, busy, overhead});
    if (waiting == most)
      return "iterations of " + inside + " wait less for the one before; now those of " + now_inside +
             " add to, or read, what it left";
    if (overhead == most) return "fewer loops begin, and less is looked up";
    const std::string strides_now = strides_in_words(kernel_.now.loops, kernel_.program),
                      strides = strides_in_words(then.loops, kernel_.program);
    if (strides != strides_now) return strides + "; now " + strides_now;
    return memory == most ? "data is used again sooner, before it has left the cache"
                          : "an iteration of " + inside + " computes and loads less";
  }

  void try_orders() {
    std::optional<Suggestion> best;
    int left = most_compiled;
    for (const Verdict& v : orders(kernel_.judge, kernel_.order, Directions::ascending, {most_orders, {}}).orders) {
      if (!v.legal || v.order == kernel_.order || left-- <= 0) continue;
      const std::string command = "order " + lang::to_string(v.order);
      const auto tried = attempt_(command);
      if (!tried || !is_better(best, *tried)) continue;
      best = Suggestion{command, why_faster(*tried), tried->cycles};
    }
    keep(std::move(best));
  }

  /// Operands whose storage the loops could follow.
  void try_leads() {
    for (const lang::TensorInfo& tensor : kernel_.program.tensors) {
      if (tensor.shape.empty() || tensor.format.all_dense()) continue;
      const std::string command = "lead " + tensor.name;
      if (const auto tried = attempt_(command))
        keep(Suggestion{command, "loops go over what " + tensor.name + " stores, in its order", tried->cycles});
    }
  }

  /// Operands that could be looked up at once where others lead.
  void try_finds() {
    for (const lang::TensorInfo& tensor : kernel_.program.tensors) {
      if (tensor.shape.empty() || tensor.format.all_dense()) continue;
      const std::string command = "find " + tensor.name + (tensor.shape.size() == 1 ? " table" : " hash");
      if (const auto tried = attempt_(command))
        keep(Suggestion{command,
                        tensor.name + " is looked up at once; `find " + tensor.name +
                            " auto` has the kernel choose whenever it begins",
                        tried->cycles});
    }
  }

  /// Matrices that nobody declared, and which may have few entries.
  void try_results() {
    for (const lang::TensorInfo& tensor : kernel_.program.tensors) {
      if (tensor.kind != lang::TensorInfo::Kind::implicit || tensor.shape.size() != 2) continue;
      const std::string command = "format " + tensor.name + " csr";
      if (const auto tried = attempt_(command))
        keep(Suggestion{command, tensor.name + " stores what differs from its fill alone", tried->cycles});
    }
  }

  void try_parallel() {
    if (kernel_.threads < 2) return;
    std::vector<std::string> outermost;
    const auto look = [&](const auto& self, const loop::Stmt& s) -> void {
      if (const auto* b = s.as<loop::Block>())
        for (const loop::Stmt& inner : b->statements) self(self, inner);
      const auto* f = s.as<loop::For>();
      if (f && f->execution == loop::For::Execution::serial) add_once(outermost, f->variable);
    };
    look(look, kernel_.now.loops);
    for (const std::string& variable : outermost) {
      const std::string command = "parallel " + variable;
      const std::string threads = std::to_string(kernel_.threads);
      const auto tried = attempt_(command);
      if (!tried) continue;
      const std::string why =
          schedule::awaits(tried->loops) ? " wait for each other only where they need it" : " share nothing";
      keep(Suggestion{command, "iterations of " + variable + why + "; `run native threads " + threads + "`",
                      tried->cycles});
    }
  }

  // Pairs of loops of which one stands inside the other, and which some access has reuse along.
  void try_tiles() {
    for (const auto& [outer, inner] : nested_) {
      std::optional<Suggestion> best;
      for (const int size : tile_sizes) {
        const std::string command =
            "tile " + outer + " " + inner + " " + std::to_string(size) + " " + std::to_string(size);
        const auto tried = attempt_(command);
        if (!tried) break;  // what is illegal or unknown with one size is so with all
        const std::string block = std::to_string(size) + " by " + std::to_string(size);
        if (is_better(best, *tried))
          best =
              Suggestion{command, "blocks of " + block + " stay in the cache while they are used again", tried->cycles};
      }
      keep(std::move(best));
    }
  }

  // The C compiler finds vectors by itself, but for sums of floating numbers, whose order it keeps.
  void try_vectors() {
    std::vector<std::string> tried_already;
    for (const Innermost& loop : innermost_loops(kernel_.now.loops)) {
      if (!loop.plain || contains(tried_already, loop.variable)) continue;
      tried_already.push_back(loop.variable);
      const std::string command = "vectorize " + loop.variable + " " + parts;
      if (const auto tried = attempt_(command))
        keep(Suggestion{command,
                        std::string("sums are added up in ") + parts + " parts, none of which waits for another",
                        tried->cycles});
    }
  }

  // What several iterations share is loaded once; and one that waits for its own last value leaves time for others,
  // once they do not wait for each other, as on a wavefront.
  void try_jams() {
    std::vector<std::string> tried_already;
    for (const auto& [outer, inner] : nested_) {
      if (contains(tried_already, outer)) continue;
      tried_already.push_back(outer);
      std::optional<Suggestion> best;
      const std::string jam = "jam " + outer + " ";
      const std::string reason = "iterations of " + outer + " at once share what they load";
      for (const char* count : jam_counts)  // what is illegal or unknown with few is so with more
        if (!add_jam(best, jam + count, count + (" " + reason))) break;
      if (!best) add_wavefronts(best, outer, inner);
      keep(std::move(best));
    }
  }

  void add_wavefronts(std::optional<Suggestion>& best, const std::string& outer, const std::string& inner) {
    for (const char* factor : {"1", "2"}) {
      const std::string skew = "skew " + outer + " " + inner + " " + factor + "; reorder " + inner + " " + outer;
      add_jam(best, skew + "; jam " + outer + " 8",
              "8 iterations of a wavefront at once, none of which waits for another");
    }
  }

  /// False: it is refused.
  bool add_jam(std::optional<Suggestion>& best, const std::string& command, const std::string& reason) {
    const auto tried = attempt_(command);
    if (tried && (!best || jam_doubt * tried->cycles < best->cycles))
      best = Suggestion{command, reason, jam_doubt * tried->cycles};
    return tried.has_value();
  }

  const Kernel& kernel_;
  const Attempt& attempt_;
  std::vector<std::pair<std::string, std::string>> nested_;  ///< loops, the outer one first
  std::vector<Suggestion> found_;
};

}  // namespace

std::vector<Suggestion> suggest(const Kernel& kernel, const Attempt& attempt) { return Search(kernel, attempt).run(); }

}  // namespace trellis::explore
