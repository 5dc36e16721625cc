#pragma once
// Computes elements on demand. An element that is needed and not known suspends what needs it: frames stand on an
// explicit stack, so a chain of a million elements is no recursion.

#include <optional>
#include <span>

#include "engine/check/code.hpp"
#include "engine/check/evaluation.hpp"
#include "engine/check/masked.hpp"
#include "engine/check/rounding.hpp"
#include "engine/tensor/layout_map.hpp"

namespace trellis::check {

enum class ElementState : std::uint8_t { unknown, in_progress, known };

class Machine {
 public:
  /// Single elements are tried on what a kernel left, by `adopt` and `recompute`, with what rounding makes of them;
  /// else nothing is known at first.
  enum class Purpose { all_elements, single_elements };
  Machine(const lang::Program& program, const lang::Kernel& kernel, const State& before,
          Purpose purpose = Purpose::all_elements, Interrupted interrupted = {});

  /// The kernel's results, by number.
  const std::vector<int>& results() const { return results_; }
  const std::string& name(int tensor) const { return names_[static_cast<std::size_t>(tensor)]; }
  tensor::Tensor& tensor(int number) { return operands_[static_cast<std::size_t>(number)].tensor; }

  /// Makes the element known. False when a problem arose, which is then in `problem`. The first index of a tensor with
  /// timesteps is its step, plus 1.
  bool demand(int tensor, const tensor::Index& index);
  /// Computes one step after the other, until the last one or an early exit.
  bool take_steps();
  /// After so many of them the condition of `until` held; 0: it never did.
  std::int64_t ended_after() const { return limit_ == INT64_MAX ? 0 : limit_ + 1; }
  /// A result; of one with timesteps, its last step.
  tensor::Tensor result(int number) const;
  bool has_steps(int number) const { return operands_[static_cast<std::size_t>(number)].steps; }
  /// Takes all elements as known with these values, so that each equation can be tried on its own.
  void adopt(const std::map<std::string, tensor::Tensor>& values);
  /// What the equations give for one element, reading what is known; empty if none defines it or a problem arose.
  struct Recomputed {
    Rounded rounded;
    int equation = -1;  ///< its place in the kernel
  };
  std::optional<Recomputed> recompute(int tensor, const tensor::Index& index);

  const std::optional<text::Diagnostic>& problem() const { return problem_; }

 private:
  struct Operand {
    tensor::Tensor tensor;             ///< dense, unless its elements are many: then each is looked up
    std::vector<ElementState> states;  ///< empty: all known
    std::vector<const Code*> definitions;
    bool steps = false;              ///< the first dimension is the step, plus 1
    std::vector<Masked> masks = {};  ///< this is computed where all of them say so
    bool sparse = false;             ///< whose elements may be absent: `stored` says which are not, if it says anything
    std::vector<bool> stored = {};
    bool absent_outside_mask = false;                      ///< a sparse result has no other entries than its mask's
    std::shared_ptr<const tensor::LayoutMap> mirror = {};  ///< of a result some of whose elements are others
  };
  struct Frame {
    const Code* code;
    std::size_t base;  ///< of its registers
    int pc = 0;
    std::int64_t offset;  ///< of its element
  };
  enum class Step { finished, suspended, failed };

  /// What the instruction, which has not run yet, makes of the rounding of its operands. An uncertain jump is noted.
  void note_rounding(const Instruction& in, const Code& code, const Slot* registers, Rounding* rounding);
  void keep_steps(const lang::Timesteps& timesteps);
  void add_condition(const lang::Until& until);
  Slot load(const Operand& operand, std::span<const std::int64_t> element, std::int64_t offset) const;
  bool is_absent(const Operand& operand, std::span<const std::int64_t> element) const;
  /// The value of the step before, for an element that no equation defines at its step.
  bool inherit(int tensor, std::span<const std::int64_t> index, std::int64_t offset);
  void bind_parameters(const State& before);
  void add_operand(const lang::TensorInfo& info, const State& before);
  /// The equation that defines the element, its variables' values in `registers_` from `base` on.
  const Code* definition(int tensor, std::span<const std::int64_t> index, std::size_t base);
  bool matches(const Code& code, std::span<const std::int64_t> index, std::size_t base);
  /// Puts a frame on the stack for the element, or marks it known when nothing defines it.
  bool start(int tensor, std::span<const std::int64_t> index, std::int64_t offset);
  bool run_to(std::size_t depth);
  Step run(Frame& frame);
  Step read(Frame& frame, const Instruction& instruction, Slot* registers);
  text::Point point_of(const Code& code, const Slot* registers) const;
  text::Point sizes() const;
  Step fault(const Frame& frame, const Instruction& instruction, format::Fault fault);
  bool masked_out(const Operand& operand, std::span<const std::int64_t> index) const;
  bool is_interrupted();
  Step endless(const Frame& frame, const Instruction& instruction);
  Step report(const Frame& frame, const Instruction& instruction, const char* code, std::string message);
  Step report_read(const char* code, const Frame& frame, const Code::ReadAccess& access, tensor::Index element,
                   std::string message);

  const lang::Program& program_;
  std::map<std::string, format::Value> values_;
  Values parameters_;
  std::vector<std::string> names_;
  std::vector<Operand> operands_;
  std::vector<int> results_;
  int condition_ = -1;              ///< the operand that holds what `until` says at each step
  std::int64_t last_step_ = 0;      ///< as an index: one more than the step
  std::int64_t limit_ = INT64_MAX;  ///< the last value of the timestep, after an early exit
  std::vector<Code> codes_;
  std::vector<Frame> frames_;
  std::vector<Slot> registers_;
  Absence absence_ = Absence::ignored;
  std::vector<Certainty> certainty_;  ///< of the registers, where absence is noted
  Purpose purpose_;
  std::vector<Rounding> rounding_;     ///< of the registers, where single elements are tried
  bool undecided_ = false;             ///< a condition of the present element may be answered otherwise
  std::vector<std::int64_t> element_;  ///< scratch of `read`
  Slot finished_{};
  Interrupted interrupted_;
  std::uint32_t rounds_ = 0;  ///< of loops, to ask now and then
  std::optional<text::Diagnostic> problem_;
};

/// Which element of the shape it is, in row-major order.
inline std::int64_t number_of(std::span<const std::int64_t> index, const tensor::Index& shape) {
  std::int64_t number = 0;
  for (std::size_t d = 0; d < index.size(); ++d) number = number * shape[d] + index[d];
  return number;
}

/// All indices of a shape in row-major order; `visit` returns false to stop.
template <class F>
void each_index(const tensor::Index& shape, F&& visit) {
  for (std::int64_t size : shape)
    if (size <= 0) return;
  tensor::Index index(shape.size(), 0);
  while (visit(index)) {
    std::size_t d = shape.size();
    while (d > 0 && ++index[d - 1] == shape[d - 1]) index[--d] = 0;
    if (d == 0) return;
  }
}

}  // namespace trellis::check
