// What the machine knows before it computes: parameters, tensors, and which equation defines an element.

#include <algorithm>

#include "engine/check/forms.hpp"
#include "engine/check/machine.hpp"
#include "engine/tensor/convert.hpp"
#include "engine/tensor/for_each_entry.hpp"
#include "engine/tensor/layout_map.hpp"

namespace trellis::check {

using math::Affine;

namespace {

/// A dense copy of a sparse tensor, unless it is much larger.
tensor::Tensor for_reading(const tensor::Tensor& tensor) {
  constexpr std::int64_t small = 1 << 22;
  const std::int64_t count = tensor.count();
  const bool fits = tensor.dense() || count <= small || count / 16 <= tensor.entries();
  return fits ? tensor::to_dense(tensor).value_or(tensor) : tensor;
}

/// Which elements the tensor stores; nothing where they are too many even for a bit each.
std::vector<bool> stored_elements(const tensor::Tensor& sparse) {
  constexpr std::int64_t most = std::int64_t{1} << 31;
  if (sparse.count() > most) return {};
  std::vector<bool> stored(static_cast<std::size_t>(sparse.count()), false);
  tensor::for_each_entry(sparse, [&](const tensor::Index& index, const format::Value&) {
    stored[static_cast<std::size_t>(number_of(index, sparse.shape()))] = true;
  });
  return stored;
}

/// Elements have a number each, and are no longer shared.
tensor::Tensor for_writing(const tensor::Tensor& tensor) {
  return tensor.dense() ? tensor.clone() : tensor::to_dense(tensor).value_or(tensor::Tensor());
}

}  // namespace

Machine::Machine(const lang::Program& program, const lang::Kernel& kernel, const State& before, Purpose purpose,
                 Interrupted interrupted)
    : program_(program), purpose_(purpose), interrupted_(std::move(interrupted)) {
  bind_parameters(before);
  for (const lang::TensorInfo& info : program.tensors) add_operand(info, before);
  for (const lang::Timesteps& timesteps : kernel.timesteps) keep_steps(timesteps);
  if (std::ranges::any_of(operands_, &Operand::sparse)) absence_ = Absence::noted;
  codes_.reserve(kernel.equations.size() + 1);
  for (const lang::Equation& equation : kernel.equations) {
    codes_.push_back(compile(program, equation, names_, parameters_, values_, absence_));
    const auto& variables = equation.domain.variables;
    const auto timestep =
        kernel.until ? std::find(variables.begin(), variables.end(), kernel.until->variable) : variables.end();
    if (timestep != variables.end()) codes_.back().timestep = static_cast<int>(timestep - variables.begin());
    Operand& operand = operands_[static_cast<std::size_t>(codes_.back().tensor)];
    operand.sparse = false;  // what is computed is there
    const lang::TensorInfo& info = *program.tensor(name(codes_.back().tensor));
    if (!operand.steps) operand.mirror = tensor::mirror_of(info.format, operand.tensor.shape());
    if (operand.definitions.empty()) {
      if (purpose == Purpose::all_elements) {
        operand.tensor = for_writing(operand.tensor);
        operand.states.assign(static_cast<std::size_t>(operand.tensor.count()), ElementState::unknown);
      }
      results_.push_back(codes_.back().tensor);
    }
    operand.definitions.push_back(&codes_.back());
  }
  for (const lang::Schedule::Mask& mask : kernel.schedule.masks) {
    const auto number = [&](const std::string& tensor) {
      return std::find(names_.begin(), names_.end(), tensor) - names_.begin();
    };
    if (!mask.pattern) continue;
    Operand& masked = operands_[static_cast<std::size_t>(number(mask.tensor))];
    const format::Format& format = program.tensor(*mask.pattern)->format;
    masked.masks.push_back(check::masked(mask, static_cast<int>(number(*mask.pattern)), format));
    masked.absent_outside_mask = !program.tensor(mask.tensor)->format.all_dense();
  }
  if (kernel.until) add_condition(*kernel.until);
}

bool Machine::masked_out(const Operand& operand, std::span<const std::int64_t> index) const {
  const auto at = index.subspan(operand.steps ? 1 : 0);
  const auto counts = [&](const Masked& one) {
    const Operand& mask = operands_[static_cast<std::size_t>(one.mask)];
    if (one.by_value || !mask.sparse) return !(mask.tensor.get(at) == mask.tensor.fill());
    return !is_absent(mask, at);
  };
  return std::ranges::any_of(operand.masks, [&](const Masked& one) { return counts(one) == one.complement; });
}

void Machine::keep_steps(const lang::Timesteps& timesteps) {
  const auto number = std::find(names_.begin(), names_.end(), timesteps.tensor) - names_.begin();
  Operand& operand = operands_[static_cast<std::size_t>(number)];
  const tensor::Tensor loaded = operand.tensor;
  tensor::Index shape = loaded.shape();
  shape.insert(shape.begin(), std::max<std::int64_t>(0, timesteps.count.substitute(parameters_).constant) + 1);
  auto whole = tensor::Tensor::create(loaded.type(), shape, format::Format::dense(static_cast<int>(shape.size())),
                                      loaded.fill());
  if (!whole) return;
  each_index(loaded.shape(), [&](tensor::Index index) {
    const format::Value value = loaded.get(index);
    index.insert(index.begin(), 0);
    whole->set_flat(whole->offset(index), value);
    return true;
  });
  operand.tensor = std::move(*whole);
  operand.steps = true;
}

/// `until` as an equation: condition(t) = e.
void Machine::add_condition(const lang::Until& until) {
  const std::int64_t count =
      operands_[static_cast<std::size_t>(results_.empty() ? 0
                                                          : *std::find_if(results_.begin(), results_.end(),
                                                                          [&](int r) { return has_steps(r); }))]
          .tensor.shape()[0] -
      1;
  condition_ = static_cast<int>(operands_.size());
  names_.push_back("until");  // a reserved word
  auto fresh = tensor::Tensor::create(format::ScalarType::boolean, {count}, format::Format::dense(1),
                                      format::Value::truth(false));
  operands_.push_back({fresh ? *fresh : tensor::Tensor(), {}, {}});
  const lang::Expr left(
      {lang::Access{names_.back(), {lang::variable(until.variable)}, {}}, format::ScalarType::boolean, until.span});
  codes_.push_back(compile(program_, lang::Equation{left, until.condition, until.domain, until.span, -1, {}}, names_,
                           parameters_, values_, absence_));
  Operand& operand = operands_.back();
  operand.states.assign(static_cast<std::size_t>(operand.tensor.count()), ElementState::unknown);
  operand.definitions.push_back(&codes_.back());
}

bool Machine::take_steps() {
  std::int64_t steps = 0;
  for (int number : results_)
    if (has_steps(number)) steps = tensor(number).shape()[0];
  for (std::int64_t step = 0; step < steps; ++step) {
    last_step_ = step;
    for (int number : results_) {
      if (!has_steps(number)) continue;
      tensor::Index shape = tensor(number).shape();
      shape[0] = 1;
      each_index(shape, [&](tensor::Index index) {
        index[0] = step;
        return demand(number, index);
      });
      if (problem_) return false;
    }
    if (condition_ < 0 || step == 0) continue;
    if (!demand(condition_, {step - 1})) return false;
    if (!tensor(condition_).get_flat(step - 1).is_true()) continue;
    limit_ = step - 1;
    break;
  }
  return true;
}

tensor::Tensor Machine::result(int number) const {
  const Operand& operand = operands_[static_cast<std::size_t>(number)];
  if (!operand.steps) return operand.tensor;
  const lang::TensorInfo& info = *program_.tensor(name(number));
  tensor::Index shape = operand.tensor.shape();
  shape.erase(shape.begin());
  auto last =
      tensor::Tensor::create(info.type, shape, format::Format::dense(static_cast<int>(shape.size())), info.fill);
  if (!last) return {};
  each_index(shape, [&](const tensor::Index& index) {
    tensor::Index from = index;
    from.insert(from.begin(), last_step_);
    last->set_flat(last->offset(index), operand.tensor.get(from));
    return true;
  });
  return *last;
}

void Machine::bind_parameters(const State& before) {
  for (const lang::ParameterInfo& info : program_.parameters)
    if (info.value) values_[info.name] = *info.value;
  for (const auto& [name, value] : before.parameters) values_[name] = value;
  for (const lang::ParameterInfo& info : program_.parameters) {
    auto value = values_.emplace(info.name, format::Value::of_integer(format::ScalarType::i64, 0)).first;
    if (!info.real) parameters_[info.name] = Affine(value->second.as_integer());
  }
}

void Machine::add_operand(const lang::TensorInfo& info, const State& before) {
  names_.push_back(info.name);
  auto loaded = before.tensors.find(info.name);
  if (loaded != before.tensors.end()) {
    operands_.push_back({for_reading(loaded->second), {}, {}});
    if (loaded->second.dense()) return;
    operands_.back().sparse = true;
    operands_.back().stored = stored_elements(loaded->second);
    return;
  }
  tensor::Index shape;
  for (const Affine& size : info.shape) shape.push_back(size.substitute(parameters_).constant);
  auto fresh = tensor::Tensor::create(info.type, shape, info.format, info.fill);
  operands_.push_back({fresh ? *fresh : tensor::Tensor(), {}, {}});
}

bool Machine::matches(const Code& code, std::span<const std::int64_t> index, std::size_t base) {
  Slot* registers = registers_.data() + base;
  std::uint64_t bound = 0;  // variables that already have a value; more than 64 would be compared twice, harmlessly
  for (std::size_t d = 0; d < code.left.size(); ++d) {
    const auto [reg, offset] = code.left[d];
    const std::int64_t value = index[d] - offset;
    if (reg < 0 ? value != 0 : (bound >> reg & 1) && registers[reg].integer != value) return false;
    if (reg >= 0) {
      registers[reg].integer = value;
      bound |= std::uint64_t{1} << reg;
    }
  }
  if (code.timestep >= 0 && registers[code.timestep].integer > limit_) return false;
  for (int condition : code.domain)
    if (!holds(code, condition, registers)) return false;
  return true;
}

const Code* Machine::definition(int tensor, std::span<const std::int64_t> index, std::size_t base) {
  const Operand& operand = operands_[static_cast<std::size_t>(tensor)];
  const Code* found = nullptr;
  if (masked_out(operand, index)) return found;
  for (const Code* code : operand.definitions) {
    if (registers_.size() < base + code->registers.size()) {
      registers_.resize((base + code->registers.size()) * 2);
      certainty_.resize(registers_.size());
      rounding_.resize(registers_.size());
    }
    if (!matches(*code, index, base)) continue;
    if (found) {
      text::Diagnostic diagnostic;
      diagnostic.code = "E0103";
      diagnostic.span = code->span;
      diagnostic.message = "two equations define the same element of " + name(tensor);
      diagnostic.notes.push_back({found->span, "the other one"});
      text::Instance instance{
          name(tensor), {}, {index.begin(), index.end()}, point_of(*code, registers_.data() + base), sizes()};
      matches(*found, index, base);
      instance.at = point_of(*found, registers_.data() + base);
      diagnostic.instance = std::move(instance);
      problem_ = std::move(diagnostic);
      return nullptr;
    }
    found = code;
  }
  if (found) {
    matches(*found, index, base);
    const auto first = static_cast<std::ptrdiff_t>(found->variables.size());
    std::copy(found->registers.begin() + first, found->registers.end(),
              registers_.begin() + static_cast<std::ptrdiff_t>(base) + first);
    if (absence_ == Absence::noted)
      std::copy(found->certainty.begin(), found->certainty.end(),
                certainty_.begin() + static_cast<std::ptrdiff_t>(base));
    if (purpose_ == Purpose::single_elements)
      std::fill_n(rounding_.begin() + static_cast<std::ptrdiff_t>(base), found->registers.size(), Rounding{});
  }
  return found;
}

text::Point Machine::point_of(const Code& code, const Slot* registers) const {
  text::Point point;
  for (std::size_t i = 0; i < code.variables.size(); ++i) point.emplace_back(code.variables[i], registers[i].integer);
  return point;
}

text::Point Machine::sizes() const {
  text::Point point;
  for (const lang::ParameterInfo& info : program_.parameters)
    if (!info.real) point.emplace_back(info.name, parameters_.at(info.name).constant);
  return point;
}

void Machine::adopt(const std::map<std::string, tensor::Tensor>& values) {
  for (int number : results_) {
    Operand& operand = operands_[static_cast<std::size_t>(number)];
    if (auto value = values.find(name(number)); value != values.end()) operand.tensor = for_reading(value->second);
    operand.states.clear();
  }
}

}  // namespace trellis::check
