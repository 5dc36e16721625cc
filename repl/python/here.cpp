// Calls in this process: arrays that are lent, results that NumPy allocates, no limits.
#include <cstring>
#include <list>

#include "engine/format/misfit.hpp"
#include "engine/format/storage_order.hpp"
#include "engine/run/call.hpp"
#include "engine/run/clock.hpp"
#include "engine/run/sandbox.hpp"
#include "engine/tensor/allocate.hpp"
#include "engine/tensor/convert.hpp"
#include "engine/tensor/keeps_promises.hpp"
#include "engine/tensor/storage.hpp"
#include "repl/python/array.hpp"
#include "repl/python/formats.hpp"
#include "repl/python/interrupt.hpp"
#include "repl/python/program.hpp"

namespace trellis::python {
namespace {

namespace py = pybind11;

/// Half, for a result has several arrays that grow together.
std::size_t result_limit() {
  static const std::size_t limit = run::default_memory_limit() / 2;
  return limit;
}

constexpr double quick_ms = 0.1;  // nobody interrupts that

void fill(PyArrayObject* array, const format::Value& value) {
  const auto count = static_cast<std::size_t>(PyArray_SIZE(array));
  if (tensor::is_zero_bits(value)) {
    std::memset(PyArray_DATA(array), 0, count * static_cast<std::size_t>(PyArray_ITEMSIZE(array)));
    return;
  }
  tensor::with_elements(value.type, PyArray_DATA(array),
                        [&]<class T>(T* elements) { std::fill_n(elements, count, tensor::stored_as<T>(value)); });
}

/// One call. What Python owns is made and dropped with the GIL.
class Here {
 public:
  Here(Compiled& compiled, const Template& program, Lent& lent, const RunOptions& options)
      : compiled_(compiled), program_(program), lent_(lent), options_(options), arrays_(compiled.tensors.size()) {}

  PyObject* run() {
    solve_sizes();
    made_.resize(compiled_.tensors.size());
    tensors_.resize(compiled_.tensors.size());
    for (std::size_t s = 0; s < compiled_.tensors.size(); ++s)
      if (!compiled_.tensors[s].written) bring(s);
    for (std::size_t s = 0; s < compiled_.tensors.size(); ++s)
      if (compiled_.tensors[s].written) begin(s);
    set_reals();
    enter_steps();
    std::vector<py::object> results;
    std::vector<std::string> names;
    for (const int slot : compiled_.results) {
      results.push_back(result(static_cast<std::size_t>(slot)));
      if (compiled_.results.size() > 1) names.push_back(compiled_.tensors[static_cast<std::size_t>(slot)].info.name);
    }
    return hand_over(std::move(results), names, lent_);
  }

 private:
  void solve_sizes() {
    std::vector<const std::int64_t*> shapes;
    bool some_empty = false;
    for (const Operand& one : lent_.operands) {
      shapes.push_back(one.shape.data());
      for (int d = 0; d < one.rank; ++d) some_empty = some_empty || one.shape[static_cast<std::size_t>(d)] == 0;
    }
    if (!compiled_.sizes.solve(shapes, sizes_)) explain_shapes();
    if (sizes_ == compiled_.checked_sizes) return;
    mind_density(compiled_, program_, lent_, sizes_);
    {
      const WithoutGil others_run;
      const std::lock_guard hold(compiled_.mutex);
      check_sizes(compiled_, sizes_, some_empty);
    }
    compiled_.checked_sizes = sizes_;
    compiled_.quick_entries = -1;
  }

  /// Shapes that do not fit: the session says which and why.
  [[noreturn]] void explain_shapes() {
    const WithoutGil others_run;
    program_.specialise(lent_.given, options_.integers);
    throw refusal("E0602", "a size has no value: no operand has it as a dimension; give it one with `param`");
  }

  void bring(std::size_t s) {
    const Compiled::Tensor& tensor = compiled_.tensors[s];
    const auto p = static_cast<std::size_t>(tensor.parameter);
    const Operand& operand = lent_.operands[p];
    if (tensor.converted) {
      tensors_[s] = converted(tensor, operand, p);
      return;
    }
    if (operand.kind == Operand::Kind::array) tensors_[s] = *operand.tensor;
    else lend_arrays(operand, lend(s, {operand.shape.begin(), operand.shape.begin() + operand.rank}));
    if (tensor.info.promises.any()) keep_promises(tensor, operand, p);
  }

  run::LentTensor& lend(std::size_t s, tensor::Index shape) {
    return arrays_[s].emplace(*compiled_.tensors[s].lent, std::move(shape));
  }

  /// A dense result, which is an ndarray.
  void lend_values(std::size_t s, const tensor::Index& shape, PyArrayObject* array) {
    const std::int64_t count = PyArray_SIZE(array);
    lend(s, shape).get()->values = {PyArray_DATA(array), count, count};
  }

  tensor::Tensor converted(const Compiled::Tensor& tensor, const Operand& operand, std::size_t p) {
    const auto own = to_tensor(operand, format_named(format_text(operand), operand.rank), lent_.owners[p].get());
    const auto format = format::widened(tensor.info.format, own ? own->shape() : tensor::Index());
    std::optional<tensor::Tensor> made;
    if (own) {
      const WithoutGil others_run;
      made = tensor::convert(*own, format, own->dense() ? tensor::ExplicitFills::dropped : tensor::ExplicitFills::kept);
    }
    if (!made)
      throw refusal("E0411", "there is no memory to lay " + tensor.info.name + " out as " + format::to_string(format));
    lent_.copies.append(tensor.info.name + ": laid out as " + format::to_string(tensor.info.format) + ", " +
                        tensor::human_bytes(made->bytes()));
    return *made;
  }

  void keep_promises(const Compiled::Tensor& tensor, const Operand& operand, std::size_t p) {
    const auto value = to_tensor(operand, tensor.info.format, lent_.owners[p].get());
    const auto end = [&](const std::optional<math::Affine>& of) {
      return of ? std::optional(compiled_.sizes.value(compiled_.sizes.form(*of), sizes_)) : std::nullopt;
    };
    const format::Promises& promises = tensor.info.promises;
    const auto broken =
        value ? tensor::broken_promise(*value, promises, end(promises.low), end(promises.high)) : std::nullopt;
    if (broken)
      throw refusal("E0416", tensor.info.name + " is not " + broken->promise + ": " +
                                 tensor::in_words(*broken, tensor.info.name));
  }

  tensor::Index shape_of(const Compiled::Tensor& tensor) const {
    tensor::Index shape;
    for (const Form& form : tensor.shape) shape.push_back(compiled_.sizes.value(form, sizes_));
    for (const std::int64_t size : shape)
      if (size < 0) throw refusal("E0606", tensor.info.name + " would have a negative size");
    return shape;
  }

  /// Room for what a kernel writes, all of it at the fill.
  void begin(std::size_t s) {
    const Compiled::Tensor& tensor = compiled_.tensors[s];
    const tensor::Index shape = shape_of(tensor);
    const py::str name(tensor.info.name);
    const bool plain = tensor.info.format.all_dense() && format::is_row_major(tensor.info.format);
    if (options_.out.contains(name)) return write_to(s, py::object(options_.out[name]), shape);
    if (plain) {
      std::array<npy_intp, NPY_MAXDIMS> sizes{};
      std::copy(shape.begin(), shape.end(), sizes.begin());
      const int rank = static_cast<int>(shape.size()), type = numpy_type(tensor.info.type);
      const bool zeros = tensor::is_zero_bits(tensor.info.fill);
      Ref array(zeros ? PyArray_ZEROS(rank, sizes.data(), type, 0) : PyArray_SimpleNew(rank, sizes.data(), type));
      if (!array) throw py::error_already_set();
      if (!zeros) fill(reinterpret_cast<PyArrayObject*>(array.get()), tensor.info.fill);
      lend_values(s, shape, reinterpret_cast<PyArrayObject*>(array.get()));
      made_[s] = py::reinterpret_steal<py::object>(array.release());
      return;
    }
    const format::Format format = format::widened(tensor.info.format, shape);
    tensors_[s] = tensor.appended ? tensor::Tensor::reserve(tensor.info.type, shape, format, tensor.info.fill,
                                                            result_limit(), tensor::Writer::this_process)
                                  : tensor::Tensor::create(tensor.info.type, shape, format, tensor.info.fill);
    if (tensors_[s] && tensor.entries_of >= 0) tensors_[s] = with_entries(*tensors_[s], tensor.entries_of);
    if (!tensors_[s]) throw refusal("E0503", "there is no memory for result " + tensor.info.name);
  }

  /// Stored where an operand is, whose index arrays it shares.
  std::optional<tensor::Tensor> with_entries(const tensor::Tensor& empty, int of) const {
    const auto s = static_cast<std::size_t>(of);
    if (tensors_[s]) return empty.with_structure_of(*tensors_[s]);
    const Compiled::Tensor& operand = compiled_.tensors[s];
    const auto p = static_cast<std::size_t>(operand.parameter);
    const auto lent = to_tensor(lent_.operands[p], operand.info.format, lent_.owners[p].get());
    return lent ? empty.with_structure_of(*lent) : std::nullopt;
  }

  /// `out=`: memory of the caller, which no operand shares.
  void write_to(std::size_t s, const py::object& out, const tensor::Index& shape) {
    const Compiled::Tensor& tensor = compiled_.tensors[s];
    const std::string what = "out for " + tensor.info.name;
    if (!PyArray_Check(out.ptr())) throw py::type_error(what + " is no ndarray");
    auto* const array = reinterpret_cast<PyArrayObject*>(out.ptr());
    const bool fits = tensor.info.format.all_dense() && format::is_row_major(tensor.info.format) &&
                      scalar_type_of(array) == tensor.info.type && PyArray_ISCARRAY(array) &&
                      PyArray_NDIM(array) == static_cast<int>(shape.size()) &&
                      std::equal(shape.begin(), shape.end(), PyArray_DIMS(array));
    if (!fits)
      throw refusal("E0613", what + " has to be a writable " + tensor::shape_text(shape) + " of " +
                                 std::string(format::name_of(tensor.info.type)) + " in C order, as the result is");
    const char* const first = static_cast<const char*>(PyArray_DATA(array));
    const char* const last = first + PyArray_NBYTES(array);
    const auto overlaps = [&](const void* lent, std::int64_t bytes) {
      const char* const begin = static_cast<const char*>(lent);
      return begin && begin < last && first < begin + bytes;
    };
    for (const Operand& operand : lent_.operands) {
      bool found = overlaps(operand.values, values_bytes(operand));
      for (const Ref& held : operand.held)  // indices as well
        if (held.get() && PyArray_Check(held.get())) {
          auto* const index = reinterpret_cast<PyArrayObject*>(held.get());
          found = found || overlaps(PyArray_DATA(index), PyArray_NBYTES(index));
        }
      if (found) throw refusal("E0613", what + " overlaps an operand", "out=None");
    }
    fill(array, tensor.info.fill);
    lend_values(s, shape, array);
    made_[s] = out;
  }

  static std::int64_t values_bytes(const Operand& operand) {
    auto count = static_cast<std::int64_t>(format::size_of(operand.type));
    if (operand.sparse()) {
      const std::int64_t entries = std::max(operand.level[0].entries, operand.level[1].entries);
      const std::int64_t each = operand.kind == Operand::Kind::bsr   ? operand.block[0] * operand.block[1]
                                : operand.kind == Operand::Kind::dia ? operand.shape[1]
                                                                     : 1;
      return count * entries * each;
    }
    for (int d = 0; d < operand.rank; ++d) count *= operand.shape[static_cast<std::size_t>(d)];
    return count;
  }

  void set_reals() {
    reals_ = compiled_.real_values;
    for (const auto& [name, value] : options_.reals)
      for (std::size_t k = 0; k < compiled_.reals.size(); ++k)
        if (compiled_.reals[k] == name) reals_[k] = value;
  }

  /// A handler of signals costs as much as the rest of a small call, so that it stands where there is time for one.
  void enter_steps() {
    std::int64_t entries = 0;
    for (const Operand& one : lent_.operands) entries += std::max(one.level[0].entries, one.level[1].entries);
    const bool quick = entries <= compiled_.quick_entries && !compiled_.ends_by_values;
    const auto start = run::Clock::now();
    {
      std::optional<Interruptible> by_signals;
      if (!quick) by_signals.emplace(&error_.status);
      // One that came before, while its operands were looked at or its code was compiled, asks no kernel to end.
      if (!quick && PyErr_CheckSignals() != 0) throw py::error_already_set();
      const WithoutGil others_run;
      for (std::size_t k = 0; k < compiled_.steps.size() && !asked_to_end(); ++k) enter_step(compiled_.steps[k]);
    }
    if (asked_to_end()) raise_interrupt();
    if (!quick && run::milliseconds_since(start) < quick_ms) compiled_.quick_entries = entries;
  }

  void enter_step(Compiled::Step& step) {
    std::list<run::OwnLentTensor> own;
    std::vector<trellis_tensor*> tensors;
    std::vector<std::int64_t> sizes;
    std::vector<double> reals;
    for (const Compiled::Argument& argument : step.tensors) {
      const auto s = static_cast<std::size_t>(argument.slot);
      tensors.push_back(tensors_[s] ? own.emplace_back(*tensors_[s], argument.role, result_limit()).get()
                                    : arrays_[s]->get());
    }
    for (const int size : step.sizes) sizes.push_back(sizes_[static_cast<std::size_t>(size)]);
    for (const int real : step.reals) reals.push_back(reals_[static_cast<std::size_t>(real)]);
    const int threads = step.threads && step.code->native() ? program_.options().threads : 0;
    const run::Outcome outcome = run::enter(step.code->entry(), {tensors, sizes, reals}, threads, error_);
    if (asked_to_end()) return;
    if (outcome.status != run::Outcome::Status::ok) throw fault(outcome, compiled_, *step.compilation);
    publish(step);
  }

  bool asked_to_end() const { return error_.status == TRELLIS_INTERRUPTED; }

  /// What this step appended is what the next one reads.
  void publish(const Compiled::Step& step) {
    for (const std::string& name : step.compilation->kernel.results())
      for (std::size_t s = 0; s < tensors_.size(); ++s) {
        if (compiled_.tensors[s].info.name != name || !tensors_[s]) continue;
        if (!tensors_[s]->publish())
          throw refusal("E0503", "result " + name + " cannot be stored as " + format::to_string(tensors_[s]->format()));
        if (options_.stored) (*options_.stored)[name] = static_cast<double>(tensors_[s]->entries());
      }
  }

  py::object result(std::size_t s) {
    if (!made_[s]) return to_python(std::move(*tensors_[s]));
    const bool scalar = PyArray_NDIM(reinterpret_cast<PyArrayObject*>(made_[s].ptr())) == 0;
    if (!scalar || options_.out.contains(py::str(compiled_.tensors[s].info.name))) return std::move(made_[s]);
    return py::reinterpret_steal<py::object>(
        PyArray_Return(reinterpret_cast<PyArrayObject*>(made_[s].release().ptr())));
  }

  Compiled& compiled_;
  const Template& program_;
  Lent& lent_;
  const RunOptions& options_;
  std::vector<std::int64_t> sizes_;
  std::vector<double> reals_;
  trellis_error error_{};                               ///< a signal writes its status, too
  std::vector<std::optional<run::LentTensor>> arrays_;  ///< by slot: operands as they are, and dense results
  std::vector<py::object> made_;                        ///< by slot: dense results
  std::vector<std::optional<tensor::Tensor>> tensors_;  ///< by slot: other results, and operands that are ours
};

}  // namespace

PyObject* run_here(Compiled& compiled, const Template& program, Lent& lent, const RunOptions& options) {
  return Here(compiled, program, lent, options).run();
}

}  // namespace trellis::python
