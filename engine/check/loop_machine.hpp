#pragma once
// The inside of the loop programs' reference: expressions and actions as closures over one running state. Names become
// slots when the closures are made.

#include <functional>

#include "engine/check/absence.hpp"
#include "engine/check/loops.hpp"
#include "engine/check/masked.hpp"
#include "engine/check/nest.hpp"
#include "engine/lang/action.hpp"
#include "engine/tensor/layout_map.hpp"

namespace trellis::check {

struct LoopState {
  std::vector<format::Value> variables;
  std::vector<tensor::Tensor> tensors;             ///< dense
  std::vector<std::vector<bool>> absent;           ///< by tensor: elements that a sparse operand does not store
  Certainty certainty = Certainty::computed;       ///< of what was evaluated last
  std::vector<std::pair<std::string, int>> loops;  ///< that run now, with their variables
  std::int64_t steps = 0, most_steps = 0;
  Interrupted interrupted = {};
  std::optional<text::Diagnostic> problem;

  /// Counts a step; false when evaluation is over.
  bool step(text::Span span);
  void fail(std::string code, text::Span span, std::string message);
};

using Evaluate = std::function<format::Value(LoopState&)>;
using Perform = std::function<void(LoopState&)>;
/// Where an element of a tensor stands; below 0 when there is none, which has been reported.
using Locate = std::function<std::int64_t(LoopState&)>;

class LoopCompiler {
 public:
  LoopCompiler(const lang::Program& program, LoopState& state, const std::map<std::string, format::Value>& values);

  /// `info` says whether some of its elements share places.
  void bind_tensor(const std::string& name, tensor::Tensor value, std::vector<bool> absent = {},
                   const lang::TensorInfo* info = nullptr);
  /// Writes of the tensor take place where the mask says so; `stored`: its elements that count, empty: by value.
  void mask(const std::string& name, const Masked& mask, std::vector<bool> stored);
  int tensor(const std::string& name) const { return tensors_.at(name); }
  Perform compile(const lang::Actions& actions);

 private:
  Perform compile(const lang::Action& action);
  Perform declare(const lang::action::Declare& declare, text::Span span);
  Perform loop(const lang::action::For& loop, text::Span span);
  Perform assign(const lang::action::Assign& assign, text::Span span);
  Perform reset(const lang::action::Reset& reset, text::Span span);

  Evaluate compile(const lang::Expr& expr);
  Locate locate(const lang::Access& access, text::Span span);
  Evaluate binary(const lang::Expr& expr, const lang::Binary& binary);
  Evaluate reduce(const lang::Expr& expr, const lang::Reduce& reduce);
  Evaluate apply(const lang::Apply& apply);
  Evaluate shape(const lang::Expr& expr, const lang::Shape& shape);
  Perform compile(const std::vector<lang::FunctionStep>& steps);
  std::function<std::int64_t(const LoopState&)> form(const math::Affine& affine) const;
  std::function<bool(const LoopState&)> holds(const std::vector<math::Constraint>& constraints) const;
  int add_variable(const std::string& name);

  const lang::Program& program_;
  LoopState& state_;
  const std::map<std::string, format::Value>& values_;
  Values sizes_;
  std::map<std::string, int> tensors_, variables_;
  using Lets = std::function<bool(const LoopState&, std::int64_t offset)>;
  std::map<std::string, std::vector<Lets>> masks_;                   ///< by tensor: the element may be written
  std::map<int, std::shared_ptr<const tensor::LayoutMap>> mirrors_;  ///< by tensor
};

}  // namespace trellis::check
