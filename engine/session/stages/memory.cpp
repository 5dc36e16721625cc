#include "engine/session/stages/memory.hpp"

#include <algorithm>
#include <iterator>

#include "engine/flow/ranges.hpp"
#include "engine/format/storage_order.hpp"
#include "engine/session/figures.hpp"

namespace trellis::session {
namespace {

std::string shape_of(const lang::TensorInfo& tensor) {
  std::string out;
  for (const math::Affine& size : tensor.shape) out += (out.empty() ? "(" : ", ") + math::to_string(size);
  return out.empty() ? "scalar" : out + ")";
}

std::string storage_of(const lang::TensorInfo& tensor) {
  if (!tensor.format.all_dense()) return ", " + format::to_string(tensor.format);
  if (tensor.shape.size() < 2) return "";
  if (format::is_row_major(tensor.format)) return ", last index fastest";
  return ", stored @ (" + format::order_text(tensor.format) + ")";
}

std::string amount(std::size_t bytes) { return std::to_string(bytes) + " bytes"; }

/// The tensor that is held, where its entries are what takes the room.
const tensor::Tensor* held_sparse(const State& state, const lang::TensorInfo& tensor) {
  const tensor::Tensor* held = tensor.format.all_dense() ? nullptr : state.data.held(tensor.name);
  return held && held->format() == tensor.format ? held : nullptr;
}

std::optional<tensor::Index> shape_now(const State& state, const lang::TensorInfo& tensor) {
  tensor::Index shape;
  for (const math::Affine& size : tensor.shape) {
    const auto value = state.value_of(size);
    if (!value) return std::nullopt;
    shape.push_back(*value);
  }
  return shape;
}

std::string bytes_of(const State& state, const lang::TensorInfo& tensor) {
  if (const tensor::Tensor* held = held_sparse(state, tensor))
    return ", " + counted(held->entries(), "entry", "entries") + ", " + amount(held->bytes());
  const auto shape = shape_now(state, tensor);
  if (!shape) return "";
  const auto bytes = tensor::Tensor::bytes_needed(tensor.type, *shape, tensor.format);
  const bool sparse = !tensor.format.all_dense();
  return !bytes ? ", too large" : sparse ? ", " + amount(*bytes) + " and what is stored" : ", " + amount(*bytes);
}

/// What is allocated at one time, at the least: of sparse results nobody knows yet what they will store.
class Peak {
 public:
  explicit Peak(const State& state) : state_(state) {}

  void add(const lang::TensorInfo& tensor) { bytes_ += known_bytes(tensor); }
  void add(std::int64_t bytes) { bytes_ += static_cast<std::size_t>(bytes); }
  void add_temporaries(const loop::Stmt& loops) { bytes_ += inside(loops); }

  std::string text() const {
    if (!known_) return "";
    return std::string("peak: ") + (at_least_ ? "at least " : "") + amount(bytes_) + " at a time\n";
  }

 private:
  std::size_t known_bytes(const lang::TensorInfo& tensor) {
    if (const tensor::Tensor* held = held_sparse(state_, tensor)) return held->bytes();
    const auto shape = shape_now(state_, tensor);
    const auto bytes = shape ? tensor::Tensor::bytes_needed(tensor.type, *shape, tensor.format) : std::nullopt;
    known_ &= bytes.has_value();
    at_least_ |= !tensor.format.all_dense();
    return bytes.value_or(0);
  }

  /// A temporary lives to the end of its block; statements side by side do not live at one time.
  std::size_t inside(const loop::Stmt& stmt) {
    if (const auto* declared = stmt.as<loop::Declare>()) return known_bytes(declared->tensor);
    std::size_t declared = 0, deepest = 0;
    loop::for_each_child(
        stmt,
        [&](const loop::Stmt& child) {
          const std::size_t bytes = inside(child);
          if (child.as<loop::Declare>()) declared += bytes;
          else deepest = std::max(deepest, bytes);
        },
        [](const loop::Expr&) {});
    return declared + deepest;
  }

  const State& state_;
  std::size_t bytes_ = 0;
  bool known_ = true, at_least_ = false;
};

std::string line_of(const State& state, const lang::TensorInfo& tensor, const char* role) {
  return tensor.name + ": " + role + ", " + shape_of(tensor) + " " + std::string(format::name_of(tensor.type)) +
         storage_of(tensor) + bytes_of(state, tensor) + "\n";
}

std::vector<lang::TensorInfo> temporaries_of(const Compilation& compilation) {
  std::vector<lang::TensorInfo> found;
  if (compilation.placed) found = compilation.placed->temporaries;
  const auto adds = [&](const lang::TensorInfo& tensor) {
    // Of placed equations, what the schedule keeps steps in besides: workspaces are told apart below.
    return !compilation.placed ||
           (!tensor.steps_of.empty() && std::ranges::find(found, tensor.name, &lang::TensorInfo::name) == found.end());
  };
  loop::for_each(compilation.loops, [&](const loop::Stmt& stmt) {
    if (const auto* d = stmt.as<loop::Declare>(); d && adds(d->tensor)) found.push_back(d->tensor);
  });
  return found;
}

/// In which results are collected, and those that operands are copied to.
std::vector<lang::TensorInfo> workspaces_of(const Compilation& compilation) {
  std::vector<lang::TensorInfo> all;
  for (const results::Written& one : compilation.written)
    if (one.how != results::Written::How::instead) std::ranges::copy(one.workspaces, std::back_inserter(all));
  return all;
}

/// As it is stored: a table of marks where the compiler found that loops go along one.
lang::TensorInfo as_stored(const Compilation& compilation, const lang::TensorInfo& temporary) {
  for (const results::Written& one : compilation.written)
    if (one.how == results::Written::How::instead && one.tensor == temporary.name) return one.workspaces.front();
  return temporary;
}

/// What loops keep beside tensors, so that they need not search or sort.
class Beside {
 public:
  Beside(const State& state, const flow::Flow& flow, Peak& peak) : state_(state), flow_(flow), peak_(peak) {}

  std::string text() {
    for (const flow::Tensor& tensor : flow_.tensors)
      if (tensor.live)
        say(tensor.name + "_bits: an ordered set, as " + tensor.name + " grows while it is walked",
            words_of_set(size(tensor, 0)));
    for (const flow::PositionMap& map : flow_.maps) maps(map);
    flow::for_each_stmt(flow_.root, [&](const flow::Stmt& s) {
      if (const auto* l = s.as<flow::Locate>(); l && !l->march.empty()) marches(*l);
      if (const auto* t = s.as<flow::Tabulate>()) tabulates(*t);
      if (const auto* l = s.as<flow::Loop>())
        for (const flow::Lists& lists : l->lists) waits(lists);
    });
    return out_;
  }

 private:
  void marches(const flow::Locate& l) {
    const flow::Tensor& tensor = *flow_.tensor(l.tensor);
    std::optional<std::int64_t> fibers = 1;
    for (int level = 0; level < l.level; ++level) {
      const auto own = size(tensor, level);
      fibers = fibers && own ? std::optional(*fibers * *own) : std::nullopt;
    }
    say(l.march + ": a pointer that marches for each fiber of " + l.tensor, fibers);
  }

  void maps(const flow::PositionMap& map) {
    const flow::Tensor& to = *flow_.tensor(map.to);
    const flow::Tensor& from = *flow_.tensor(map.from);
    const tensor::Tensor* const held = state_.data.held(from.same_as.empty() ? map.from : from.same_as);
    const auto fibers = size(to, 0);
    say(map.name + ": where " + map.to + " has each entry of " + map.from,
        held && fibers ? std::optional(held->entries() + *fibers) : std::nullopt, bytes_of_position(to, 1));
  }

  void tabulates(const flow::Tabulate& t) {
    const flow::Tensor& tensor = *flow_.tensor(t.tensor);
    say(t.name + ": where a fiber of " + t.tensor + " has each coordinate", size(tensor, t.level),
        bytes_of_position(tensor, t.level));
  }

  static std::int64_t bytes_of_position(const flow::Tensor& tensor, int level) {
    return tensor.levels[static_cast<std::size_t>(level)].facts.wide ? 8 : 4;
  }

  void waits(const flow::Lists& lists) {
    const flow::Tensor& tensor = *flow_.tensor(lists.tensor);
    const auto fibers = size(tensor, lists.level - 1), coordinates = size(tensor, lists.level);
    say(lists.name + ": lists in which fibers of " + lists.tensor + " wait",
        fibers && coordinates ? std::optional(2 * *fibers + *coordinates) : std::nullopt);
  }

  std::optional<std::int64_t> size(const flow::Tensor& tensor, int level) const {
    const auto form = flow::affine(tensor.levels[static_cast<std::size_t>(level)].size);
    return form ? state_.value_of(*form) : std::nullopt;
  }

  /// A bit for each coordinate, one for each word of those, and one for each word of these.
  static std::optional<std::int64_t> words_of_set(std::optional<std::int64_t> n) {
    std::int64_t words = 0, left = n.value_or(0);
    for (int level = 0; level < 3; ++level) words += left = (left + 63) / 64;
    return n ? std::optional(words) : std::nullopt;
  }

  void say(const std::string& what, std::optional<std::int64_t> numbers, std::int64_t bytes_each = 8) {
    out_ += what + (numbers ? ", " + amount(static_cast<std::size_t>(*numbers * bytes_each)) : "") + "\n";
    if (numbers) peak_.add(*numbers * bytes_each);
  }

  const State& state_;
  const flow::Flow& flow_;
  Peak& peak_;
  std::string out_;
};

}  // namespace

std::string memory_of(const State& state, const Compilation& compilation) {
  std::string out;
  Peak peak(state);
  const auto results = compilation.kernel.results();
  const auto list = [&](const std::string& name, const char* role) {
    const lang::TensorInfo& tensor = *compilation.program.tensor(name);
    out += line_of(state, tensor, role);
    peak.add(tensor);
  };
  for (const std::string& name : compilation.kernel.operands())
    if (std::ranges::find(results, name) == results.end()) list(name, "operand");
  for (const std::string& name : results) list(name, "result");
  for (const lang::TensorInfo& temporary : temporaries_of(compilation))
    out += line_of(state, as_stored(compilation, temporary), "temporary");
  if (compilation.placed)
    for (const lang::TensorInfo& workspace : workspaces_of(compilation)) out += line_of(state, workspace, "workspace");
  peak.add_temporaries(compilation.loops);
  out += Beside(state, compilation.flow, peak).text();
  if (compilation.placed)
    for (const place::KeptSteps& steps : compilation.placed->steps)
      out += steps.words + (steps.because.empty() ? "" : ": " + steps.because) + "\n";
  return out + peak.text();
}

}  // namespace trellis::session
