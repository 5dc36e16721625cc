#include "engine/schedule/narrow.hpp"

#include <algorithm>
#include <set>

#include "engine/schedule/narrow_runs.hpp"
#include "engine/schedule/nests.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::schedule {

namespace {

using format::ScalarType;
using loop::Block;
using loop::Declare;
using loop::For;
using loop::If;
using loop::Stmt;

/// All names of tensors and loops, with those that are made on the way.
class FreshNames {
 public:
  FreshNames(const Stmt& loops, const lang::Program& program) : program_(program) {
    for (const std::string& name : bound_names(loops)) taken_.insert(name);
    loop::for_each(loops, [&](const Stmt& s) {
      if (const auto* d = s.as<Declare>()) taken_.insert(d->tensor.name);
    });
  }
  std::string fresh(std::string name) {
    while (program_.tensor(name) || program_.parameter(name) || taken_.contains(name)) name += "_";
    taken_.insert(name);
    return name;
  }

 private:
  const lang::Program& program_;
  std::set<std::string> taken_;
};

/// What holds the steps of a tensor in these loops.
Narrowed holder(const Stmt& loops, const std::string& tensor, const lang::Program& program) {
  Narrowed result{*program.tensor(tensor), 1, tensor, {}};
  loop::for_each(loops, [&](const Stmt& s) {
    const auto* d = s.as<Declare>();
    if (!d || d->tensor.steps_of != tensor) return;
    result.wide = d->tensor;
    result.slots = d->tensor.shape[0].is_constant() ? static_cast<int>(d->tensor.shape[0].constant) : 0;
  });
  const lang::TensorInfo& wide = result.wide;
  if (result.slots == 0)
    throw Unsuited{"all steps of " + tensor + " are kept, which a run of some steps would copy each time", {}};
  if (wide.type != ScalarType::i32 && wide.type != ScalarType::i64)
    throw Unsuited{tensor + " is " + std::string(format::name_of(wide.type)) + ", and not i32 or i64", {}};
  if (!wide.format.all_dense() || wide.format.layout) throw Unsuited{tensor + " is no dense array", {}};
  return result;
}

std::vector<std::string> written(const Stmt& loops) {
  std::vector<std::string> all;
  loop::for_each(loops, [&](const Stmt& s) {
    if (const auto* a = s.as<loop::Assign>()) add_once(all, a->target.as<lang::Access>()->tensor);
    if (const auto* r = s.as<loop::Reset>()) add_once(all, r->tensor);
    if (const auto* d = s.as<Declare>()) add_once(all, d->tensor.name);
  });
  return all;
}

class Narrowing {
 public:
  Narrowing(const Stmt& loops, const std::vector<std::string>& tensors, const lang::Program& program, RunSizes sizes)
      : program_(program), sizes_(sizes), names_(loops, program), written_(written(loops)) {
    for (const std::string& tensor : tensors) tensors_.push_back(holder(loops, tensor, program));
    first_ = tensors.front();
  }

  bool found = false;
  bool read_behind = false;  ///< steps of a loop that is left as it is

  /// `later`: steps are read behind it.
  Stmt walk(const Stmt& stmt, std::vector<Stmt> before, bool later) {
    if (const auto* b = stmt.as<Block>()) return block(*b, stmt, std::move(before), later);
    if (stmt.as<For>() && !declares(stmt)) return stmt;
    if (stmt.as<For>()) before.clear();
    return loop::map_children(
        stmt, [&](const Stmt& child) { return walk(child, before, later); }, [](const Expr& e) { return e; });
  }

 private:
  Stmt block(const Block& block, const Stmt& stmt, std::vector<Stmt> before, bool later) {
    const NarrowValues known = values("");
    std::vector<Stmt> all;
    for (std::size_t k = 0; k < block.statements.size(); ++k) {
      const Stmt& child = block.statements[k];
      const auto behind = block.statements.begin() + static_cast<std::ptrdiff_t>(k) + 1;
      const bool read =
          later || std::any_of(behind, block.statements.end(), [&](const Stmt& s) { return reads_steps(s, known); });
      if (!is_over_steps(child, known)) {
        all.push_back(walk(child, before, read));
      } else if (read) {
        // From run to run the last steps are handed on; who comes behind the loop may want any. If there is another
        // reason against it, that is said.
        in_runs(child, before);
        read_behind = true;
        all.push_back(child);
      } else {
        found = true;
        add_all(all, in_runs(child, before));
      }
      before.push_back(child);
    }
    return loop::block(std::move(all), stmt.origin());
  }

  static bool reads_steps(const Stmt& stmt, const NarrowValues& known) {
    bool reads = false;
    const std::function<void(const Expr&)> look = [&](const Expr& e) {
      const Narrowed* one = known.of(e);
      reads |= one && one->slots > 1;
      lang::for_each_child(e, look);
    };
    loop::for_each(stmt, [&](const Stmt& s) {
      if (const auto* a = s.as<loop::Assign>()) return look(a->value);
      loop::for_each_child(
          s, [](const Stmt&) {}, look);
    });
    return reads;
  }

  NarrowValues values(const std::string& base) {
    std::vector<Narrowed> tensors = tensors_;
    for (Narrowed& one : tensors)
      if (!base.empty()) one.narrow = names_.fresh(one.tensor + "_i16");
    return NarrowValues(program_, std::move(tensors), written_, base);
  }

  std::vector<Stmt> in_runs(const Stmt& loop, const std::vector<Stmt>& before) {
    RunNames names{names_.fresh(loop.as<For>()->variable + "_run"), names_.fresh(first_ + "_lowest"),
                   names_.fresh(first_ + "_highest"), names_.fresh(first_ + "_base"),
                   [&](const std::string& name) { return names_.fresh(name); }};
    NarrowValues of_run = values(names.base);
    return NarrowRuns(loop, std::move(of_run), std::move(names), before, sizes_).runs();
  }

  /// Steps that are kept from one iteration of a loop around to the next would begin narrow nowhere.
  bool declares(const Stmt& loop) const {
    return std::ranges::all_of(tensors_, [&](const Narrowed& one) {
      bool here = false;
      loop::for_each(loop,
                     [&](const Stmt& s) { here |= s.as<Declare>() && s.as<Declare>()->tensor.name == one.wide.name; });
      return here;
    });
  }

  const lang::Program& program_;
  RunSizes sizes_;
  FreshNames names_;
  std::vector<std::string> written_;
  std::vector<Narrowed> tensors_;
  std::string first_;
};

}  // namespace

std::variant<Stmt, Unsuited> narrow(const Stmt& loops, const std::vector<std::string>& tensors,
                                    const lang::Program& program, RunSizes sizes) {
  try {
    Narrowing narrowing(loops, tensors, program, sizes);
    Stmt result = narrowing.walk(loops, {}, false);
    if (narrowing.found) return result;
    if (narrowing.read_behind)
      return Unsuited{"what no equation defines at a step is copied from step to step, in a loop of its own", {}};
    return Unsuited{"no loop goes over their steps in order", {}};
  } catch (const Unsuited& unsuited) { return unsuited; }
}

}  // namespace trellis::schedule
