#include "engine/loop/interpret.hpp"

#include <algorithm>
#include <limits>

#include "engine/loop/machine.hpp"
#include "engine/tensor/convert.hpp"

namespace trellis::loop {

namespace {

using format::Value;
using Run = std::function<void(Machine&)>;

/// Turns statements into closures; allocates temporaries, whose shapes depend on parameters only, once.
class StatementCompiler {
 public:
  StatementCompiler(Machine& machine, const Bindings& bindings) : machine_(machine), bindings_(bindings) {
    names_.parameters = &bindings.parameters;
    names_.functions = &bindings.functions;
    for (const auto& [name, tensor] : bindings.tensors) {
      const auto whole = tensor::to_dense(tensor);  // elements are found by number
      add_cell(name, whole.value_or(tensor::Tensor()), machine.options.poisoned.contains(name));
    }
  }

  Run compile(const Stmt& stmt) {
    return stmt.match([&](const Block& b) { return block(b); }, [&](const For& f) { return loop(stmt, f); },
                      [&](const While& w) { return loop(stmt, w); }, [&](const If& i) { return condition(stmt, i); },
                      [&](const Let& l) { return let(stmt, l); }, [&](const Declare& d) { return declare(stmt, d); },
                      [&](const Assign& a) { return assign(stmt, a); }, [&](const Reset& r) { return reset(stmt, r); },
                      [&](const Lifecycle&) -> Run { return [](Machine&) {}; },
                      // A rank alone has nobody to send to.
                      [&](const Exchange&) -> Run { return [](Machine&) {}; },
                      [&](const Note&) -> Run { return [](Machine&) {}; });
  }

 private:
  int add_cell(const std::string& name, tensor::Tensor tensor, bool tracked) {
    const std::size_t count = static_cast<std::size_t>(tracked ? tensor.count() : 0);
    machine_.cells.push_back({name, std::move(tensor), tracked, std::vector<bool>(count, false), false});
    return names_.cells[name] = static_cast<int>(machine_.cells.size()) - 1;
  }

  int add_variable(const std::string& name) {
    machine_.variables.emplace_back();
    return names_.variables[name] = static_cast<int>(machine_.variables.size()) - 1;
  }

  Run block(const Block& b) {
    const auto outer = names_.cells;
    std::vector<Run> runs;
    for (const Stmt& child : b.statements) runs.push_back(compile(child));
    names_.cells = outer;
    return [runs](Machine& m) {
      for (const Run& run : runs) {
        if (m.halted) return;
        run(m);
      }
    };
  }

  Run loop(const Stmt& stmt, const For& f) {
    const Evaluate low = loop::compile(f.low, names_);
    const Evaluate high = loop::compile(f.high, names_);
    const int slot = add_variable(f.variable);
    const Run body = compile(f.body);
    const std::optional<Evaluate> until = f.until ? std::optional(loop::compile(*f.until, names_)) : std::nullopt;
    names_.variables.erase(f.variable);
    return [stmt, low, high, slot, body, until, name = f.variable, down = f.descending](Machine& m) {
      if (!m.begin(stmt)) return;
      const std::int64_t from = low(m).as_integer();
      const std::int64_t to = high(m).as_integer();
      if (m.halted || from >= to) return;
      m.loops.emplace_back(name, from);
      for (std::int64_t count = 0; count < to - from && !m.halted; ++count) {
        const std::int64_t at = down ? to - 1 - count : from + count;
        m.loops.back().second = at;
        m.variables[slot] = Value::of_integer(format::ScalarType::i64, at);
        if (m.begin(stmt)) body(m);
        if (!until || m.halted) continue;
        m.current = stmt;
        if (m.observer) m.observer->until(m.moment());
        if (!(*until)(m).is_true()) continue;
        m.execution.ended_after = at + 1;
        break;
      }
      m.loops.pop_back();
    };
  }

  Run loop(const Stmt& stmt, const While& w) {
    return [stmt, condition = loop::compile(w.condition, names_), body = compile(w.body)](Machine& m) {
      while (m.begin(stmt) && condition(m).is_true() && !m.halted) body(m);
    };
  }

  Run condition(const Stmt& stmt, const If& i) {
    const Run otherwise = i.otherwise ? compile(*i.otherwise) : Run([](Machine&) {});
    return [stmt, test = loop::compile(i.condition, names_), then = compile(i.then), otherwise](Machine& m) {
      if (!m.begin(stmt)) return;
      const bool holds = test(m).is_true();
      if (!m.halted) (holds ? then : otherwise)(m);
    };
  }

  Run let(const Stmt& stmt, const Let& l) {
    const Evaluate value = loop::compile(l.value, names_);
    const int slot = add_variable(l.name);
    const Run body = compile(l.body);
    names_.variables.erase(l.name);
    return [stmt, value, slot, body](Machine& m) {
      if (!m.begin(stmt)) return;
      m.variables[slot] = value(m);
      if (!m.halted) body(m);
    };
  }

  Run declare(const Stmt& stmt, const Declare& d) {
    tensor::Index shape;
    for (const math::Affine& size : d.tensor.shape) {
      auto extent = size.evaluate([&](const std::string& name) -> std::optional<std::int64_t> {
        auto found = bindings_.parameters.find(name);
        if (found == bindings_.parameters.end()) return std::nullopt;
        return found->second.as_integer();
      });
      if (!extent) return refuse(stmt, FaultKind::unbound, "no value for the size " + math::to_string(size));
      shape.push_back(std::max<std::int64_t>(0, *extent));
    }
    auto created = tensor::Tensor::create(d.tensor.type, shape, format::Format::dense(static_cast<int>(shape.size())),
                                          d.tensor.fill);
    if (!created) return refuse(stmt, FaultKind::out_of_memory, "no memory for the temporary " + d.tensor.name);
    const int cell = add_cell(d.tensor.name, std::move(*created), true);
    return [stmt, cell](Machine& m) {
      if (!m.begin(stmt)) return;
      Cell& c = m.cells[cell];
      c.defined.assign(c.defined.size(), false);
      if (m.observer) m.observer->declare(m.moment(), c.name);
    };
  }

  Run assign(const Stmt& stmt, const Assign& a) {
    const auto& access = *a.target.as<lang::Access>();
    auto cell = names_.cells.find(access.tensor);
    if (cell == names_.cells.end()) return refuse(stmt, FaultKind::unbound, "no tensor " + access.tensor + " is bound");
    return [stmt, value = loop::compile(a.value, names_), indices = compile_indices(access, names_),
            slot = cell->second, op = a.op, span = a.target->span](Machine& m) {
      if (!m.begin(stmt)) return;
      const Value result = value(m);
      tensor::Index index;
      indices(m, index);
      m.write(slot, index, op, result, span);
    };
  }

  Run reset(const Stmt& stmt, const Reset& r) {
    auto cell = names_.cells.find(r.tensor);
    if (cell == names_.cells.end()) return refuse(stmt, FaultKind::unbound, "no tensor " + r.tensor + " is bound");
    return [stmt, value = loop::compile(r.value, names_), slot = cell->second](Machine& m) {
      if (!m.begin(stmt)) return;
      m.reset(slot, value(m));
    };
  }

  Run refuse(const Stmt& stmt, FaultKind kind, const std::string& message) {
    return [stmt, kind, message](Machine& m) {
      if (m.begin(stmt)) m.fail({kind, stmt->span, message, -1, {}, "", {}});
    };
  }

  Machine& machine_;
  const Bindings& bindings_;
  Names names_;
};

/// What was computed, in the format of the tensor that it is for.
void store(const tensor::Tensor& computed, tensor::Tensor shared, const std::string& name, Machine& machine) {
  const tensor::ExplicitFills fills = computed.dense() ? tensor::ExplicitFills::dropped : tensor::ExplicitFills::kept;
  tensor::ConvertFailure failure;
  constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();
  const auto stored = tensor::convert(computed, shared.format(), fills, unlimited, &failure);
  if (stored) return shared.assign(*stored);
  if (failure.why.kind != tensor::PackFailure::Kind::region_taken)
    return machine.fail({FaultKind::out_of_memory, {}, "no memory to store " + name, -1, {}, name, {}});
  const std::string taken = tensor::region_taken_text(failure.why, shared.format(), failure.index);
  machine.fail({FaultKind::region_taken, {}, name + ": " + taken, -1, {}, name, failure.index});
}

}  // namespace

Execution interpret(const Stmt& stmt, const Bindings& bindings, const Options& options, Observer* observer) {
  Machine machine;
  machine.options = options;
  machine.observer = observer;
  StatementCompiler compiler(machine, bindings);
  const Run run = compiler.compile(stmt);
  run(machine);
  for (const auto& [name, tensor] : bindings.tensors) {
    const auto cell =
        std::find_if(machine.cells.begin(), machine.cells.end(), [&, n = name](const Cell& c) { return c.name == n; });
    if (!tensor.dense() && cell->written) store(cell->tensor, tensor, name, machine);
  }
  return machine.execution;
}

}  // namespace trellis::loop
