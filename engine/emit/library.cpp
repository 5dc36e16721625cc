#include "engine/emit/library.hpp"

#include <algorithm>
#include <set>
#include <sstream>

#include "engine/emit/library_parts.hpp"
#include "engine/emit/names.hpp"
#include "engine/emit/tensor_library.hpp"
#include "engine/format/storage_order.hpp"
#include "engine/math/sizes.hpp"

namespace trellis::emit {

namespace {

class Writer {
 public:
  Writer(const flow::Flow& flow, const lang::Program& program, const LibraryRequest& request)
      : flow_(flow), program_(program), request_(request), function_(function_name(request.symbol)) {
    flow::Flow inner = flow;
    inner.kernel = function_ + "_loops";
    callable_ = callable(inner, program, {function_ + "_call", request.inherited});
    module_ = callable_.module;
    for (const std::string& size : flow.sizes) names_.fix(size);
    for (const std::string& real : flow.reals) names_.fix(real);
    for (const flow::Tensor& tensor : flow.tensors) names_.fix(tensor.name);
    e_ = names_.fix("'element", "e");
    sum_ = names_.fix("'sum", "sum");
    status_ = names_.fix("'status", "status");
  }

  Library write() { return {function_, source(), header(), example()}; }

 private:
  /// Known for everything but what the compiler added.
  const lang::TensorInfo* info(const Argument& a) const {
    const auto found = std::ranges::find(program_.tensors, a.name, &lang::TensorInfo::name);
    return found == program_.tensors.end() ? nullptr : &*found;
  }

  bool by_value(const Argument& a) const {
    return a.kind != Argument::Kind::array || (!a.written && flow_.tensor(a.name)->levels.empty());
  }

  std::string type(const Argument& a) const {
    if (a.kind == Argument::Kind::size) return "int64_t";
    return a.kind == Argument::Kind::real ? "double" : std::string(format::c_name(a.type));
  }

  std::string declaration(bool cplusplus) const {
    std::string out = "int " + function_ + "(";
    for (const Argument& a : module_.arguments) {
      if (&a != &module_.arguments.front()) out += ", ";
      if (by_value(a)) out += type(a) + " " + names_.fixed(a.name);
      else
        out += std::string(a.written ? "" : "const ") + type(a) + " *" + (cplusplus ? function_macro() : "restrict ") +
               names_.fixed(a.name);
    }
    return out + (module_.arguments.empty() ? "void)" : ")");
  }

  /// C++ has no `restrict`, so the header spells it through a macro.
  std::string function_macro() const { return prefix() + "RESTRICT "; }
  std::string prefix() const { return upper_case(function_) + "_"; }

  // An affine size in C: names as parameters, no quotients in declared shapes.
  std::string c_text(const math::Affine& size) const {
    std::string out;
    for (const auto& [name, coefficient] : size.terms) {
      const std::string sign = coefficient < 0 ? (out.empty() ? "-" : " - ") : (out.empty() ? "" : " + ");
      const std::int64_t times = coefficient < 0 ? -coefficient : coefficient;
      out += sign + (times == 1 ? "" : std::to_string(times) + " * ") + size_name(name);
    }
    if (out.empty()) return std::to_string(size.constant);
    if (size.constant != 0)
      out += (size.constant < 0 ? " - " : " + ") + std::to_string(size.constant < 0 ? -size.constant : size.constant);
    return out;
  }
  /// A size that the kernel does not need has no parameter, but the example needs its value.
  std::string size_name(const std::string& name) const {
    return std::ranges::count(flow_.sizes, name) > 0 ? names_.fixed(name) : name;
  }

  std::string description(const Argument& a) const {
    if (a.kind == Argument::Kind::size) return "a size";
    if (a.kind == Argument::Kind::real) return "a parameter";
    const lang::TensorInfo* tensor = info(a);
    if (!tensor) return a.written ? "read and written" : "read";
    std::string shape;
    for (const math::Affine& size : tensor->shape) shape += (shape.empty() ? "" : " x ") + c_text(size);
    std::string out = shape.empty() ? "a scalar" : shape;
    if (tensor->shape.size() > 1) {
      if (format::is_row_major(tensor->format)) out += ", row-major";
      else if (format::is_column_major(tensor->format)) out += ", column-major";
      else out += ", dimensions stored in the order " + format::order_text(tensor->format);
    }
    if (format::is_boolean(a.type)) out += ", each 0 or 1";
    return out + (a.written ? "; result: elements that the kernel does not define keep what they hold (" +
                                  format::to_string(tensor->fill) + " by default)"
                            : "; read");
  }

  std::string header() const {
    const std::string guard = prefix() + "H";
    std::string out = "#ifndef " + guard + "\n#define " + guard + "\n\n/*\n * " + function_ + ": kernel " +
                      flow_.kernel + ", written by Trellis.\n *\n";
    for (const Argument& a : module_.arguments) out += " *   " + names_.fixed(a.name) + ": " + description(a) + "\n";
    out +=
        " *\n * Arrays must not overlap. The result is one of:\n"
        " */\n#include <stdint.h>\n\n#include \"trellis_tensor.h\"\n\nenum {\n";
    out += "  " + prefix() + "OK = 0,\n";
    out += "  " + prefix() + "DIVISION_BY_ZERO = 1,      /* of integers */\n";
    out += "  " + prefix() + "DIVISION_OVERFLOW = 2,     /* the smallest integer by -1 */\n";
    out += "  " + prefix() + "INDEX_OUT_OF_RANGE = 3,    /* an index that is computed from data */\n";
    out += "  " + prefix() + "OUT_OF_MEMORY = 4          /* for temporaries */\n};\n";
    out += "/* After anything but 0 the results are incomplete. */\n\n";
    out += "#ifdef __cplusplus\n#define " + prefix() + "RESTRICT __restrict\nextern \"C\" {\n#else\n#define " +
           prefix() + "RESTRICT restrict\n#endif\n\n";
    return out + declaration(true) + ";\n\n" + declaration_of_call(callable_) +
           "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
  }

  std::string source() const {
    std::string out = source_of(callable_, flow_.kernel, request_.stem) + "\n";
    const std::size_t behind = module_.arguments.size();
    out += declaration(false) + " {\n  int32_t fault[2] = {0, 0};\n";
    if (module_.tells_steps) out += "  int64_t steps = 0;\n";
    out += "  void *arguments[" + std::to_string(behind + 1 + module_.tells_steps) + "];\n";
    std::size_t position = 0;
    for (const Argument& a : module_.arguments)
      out += "  arguments[" + std::to_string(position++) + "] = " +
             (by_value(a) ? "&"
              : a.written ? ""
                          : "(void *)") +
             names_.fixed(a.name) + ";\n";
    out += "  arguments[" + std::to_string(behind) + "] = fault;\n";
    if (module_.tells_steps) out += "  arguments[" + std::to_string(behind + 1) + "] = &steps;\n";
    return out + "  if (" + callable_.adapter + "(arguments) != 0) return " + prefix() +
           "OUT_OF_MEMORY;\n  return fault[0];\n}\n";
  }

  /// How many elements, in C.
  std::string count(const Argument& a) const {
    std::string out;
    if (const lang::TensorInfo* tensor = info(a))
      for (const math::Affine& size : tensor->shape) out += (out.empty() ? "(" : " * (") + c_text(size) + ")";
    return out.empty() ? "1" : out;
  }

  std::string each(const Argument& a) const {
    return "  for (int64_t " + e_ + " = 0; " + e_ + " < " + count(a) + "; " + e_ + "++) ";
  }

  std::string allocation(const Argument& a) const {
    const std::string name = names_.fixed(a.name), elements = "(size_t)(" + count(a) + ")";
    return "  " + type(a) + " *" + name + " = calloc(" + elements + " + 1, sizeof *" + name + ");\n";
  }

  /// Small values that differ. A square matrix of floating type has a heavy diagonal, so that it can be divided by and
  /// factored.
  std::string filling(const Argument& a) const {
    const std::string name = names_.fixed(a.name), element = type(a);
    const lang::TensorInfo* tensor = info(a);
    const bool real = format::is_floating(a.type);
    const bool square = real && tensor && tensor->shape.size() == 2 && tensor->shape[0] == tensor->shape[1];
    std::string value = "(" + element + ")" + (real ? "(1 + " + e_ + " % 5)" : "(" + e_ + " % 2)");
    if (square) {
      const std::string rows = c_text(tensor->shape[0]);
      value = e_ + " / (" + rows + ") == " + e_ + " % (" + rows + ") ? (" + element + ")(10 + 10 * (" + rows + ")) : 1";
    }
    if (a.written) value = "(" + element + ")" + fill_text(tensor);
    return each(a) + name + "[" + e_ + "] = " + value + ";\n";
  }

  std::string fill_text(const lang::TensorInfo* tensor) const {
    if (!tensor) return "0";
    if (format::is_boolean(tensor->type)) return tensor->fill.integer != 0 ? "1" : "0";
    const std::string text = format::to_string(tensor->fill);
    return text == "inf"    ? "HUGE_VAL"
           : text == "-inf" ? "(-HUGE_VAL)"
           : text == "nan"  ? "(0 * HUGE_VAL)"
                            : "(" + text + ")";
  }

  std::string example() const {
    std::string out = "/* Calls " + function_ +
                      " with small numbers and prints a checksum of each result. */\n"
                      "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n\n#include \"" +
                      request_.stem + ".h\"\n\nint main(void) {\n";
    std::string frees, pointers, fills, sums, call;
    for (const std::string& size : sizes())
      out += "  const int64_t " + size_name(size) + " = " + parameter_text(request_, size, 4) + ";\n";
    for (const Argument& a : module_.arguments) {
      const std::string& name = names_.fixed(a.name);
      call += (call.empty() ? "" : ", ") + name;
      if (a.kind == Argument::Kind::size) continue;
      if (a.kind == Argument::Kind::real)
        out += "  const double " + name + " = " + parameter_text(request_, a.name, 1) + ";\n";
      else if (by_value(a)) out += "  const " + type(a) + " " + name + " = 1;\n";
      if (by_value(a)) continue;
      pointers += allocation(a);
      frees += "  free(" + name + ");\n";
      fills += filling(a);
      if (a.written)
        sums += "  " + sum_ + " = 0;\n" + each(a) + sum_ + " += (double)" + name + "[" + e_ + "];\n  printf(\"" + name +
                ": checksum %.10g\\n\", " + sum_ + ");\n";
    }
    out += pointers + "  int " + status_ + ";\n  double " + sum_ + " = 0;\n" + allocation_check() + fills;
    out += "  " + status_ + " = " + function_ + "(" + call + ");\n  if (" + status_ + " != " + prefix() +
           "OK) fprintf(stderr, \"" + function_ + " failed with status %d\\n\", " + status_ + ");\n";
    return out + sums + "  (void)" + sum_ + ";\n" + frees + "  return " + status_ + ";\n}\n";
  }

  std::string allocation_check() const {
    std::string any;
    for (const Argument& a : module_.arguments)
      if (!by_value(a)) any += (any.empty() ? "!" : " || !") + names_.fixed(a.name);
    return any.empty() ? "" : "  if (" + any + ") return " + prefix() + "OUT_OF_MEMORY;\n";
  }

  /// All sizes that the arguments or their shapes name.
  std::set<std::string> sizes() const {
    std::set<std::string> out;
    for (const Argument& a : module_.arguments) {
      if (a.kind == Argument::Kind::size) out.insert(a.name);
      const lang::TensorInfo* tensor = a.kind == Argument::Kind::array && !by_value(a) ? info(a) : nullptr;
      if (!tensor) continue;
      for (const math::Affine& size : tensor->shape) math::collect_factors(size, out);
    }
    return out;
  }

  const flow::Flow& flow_;
  const lang::Program& program_;
  const LibraryRequest& request_;
  std::string function_, e_, sum_, status_;  ///< the function, and variables of the example
  Callable callable_;
  Module module_;
  Names names_;
};

}  // namespace

bool is_flat(const flow::Tensor& tensor) {
  return !tensor.sparse() && std::ranges::none_of(tensor.levels, [](const flow::Level& l) { return l.facts.bounded; });
}

bool all_flat(const flow::Flow& flow, const lang::Program& program) {
  return std::ranges::all_of(flow.tensors, [&](const flow::Tensor& tensor) {
    const lang::TensorInfo* info = program.tensor(tensor.name);
    const bool moved = info && info->format.layout;
    return tensor.storage == flow::Tensor::Storage::temporary || (is_flat(tensor) && !moved);
  });
}

Library library(const flow::Flow& flow, const lang::Program& program, const LibraryRequest& request) {
  return all_flat(flow, program) ? Writer(flow, program, request).write() : tensor_library(flow, program, request);
}

}  // namespace trellis::emit
