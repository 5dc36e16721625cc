#include "engine/emit/tensor_library.hpp"

#include "engine/emit/helper_text.hpp"
#include "engine/emit/library_parts.hpp"
#include "engine/emit/names.hpp"
#include "engine/emit/tensor_data.hpp"

namespace trellis::emit {
namespace {

using Role = TensorArgument::Role;

class TensorLibraryWriter {
 public:
  TensorLibraryWriter(const flow::Flow& flow, const lang::Program& program, const LibraryRequest& request)
      : flow_(flow), request_(request), function_(function_name(request.symbol)) {
    flow::Flow inner = flow;
    inner.kernel = function_ + "_loops";
    callable_ = callable(inner, program, {function_ + "_call", request.inherited});
    for (const TensorArgument& t : callable_.tensors) names_.fix(t.name);
    for (const std::string& size : callable_.sizes) names_.fix(size);
    for (const std::string& real : callable_.reals) names_.fix(real);
    error_ = names_.fix("'error", "error");
  }

  Library write() { return {function_, source(), header(), example()}; }

 private:
  std::string declaration() const {
    std::string out = "int " + function_ + "(";
    for (const TensorArgument& t : callable_.tensors)
      out += (t.role == Role::read ? "const trellis_tensor *" : "trellis_tensor *") + names_.fixed(t.name) + ", ";
    for (const std::string& size : callable_.sizes) out += "int64_t " + names_.fixed(size) + ", ";
    for (const std::string& real : callable_.reals) out += "double " + names_.fixed(real) + ", ";
    return out + "trellis_error *" + error_ + ")";
  }

  static std::string_view what_happens(Role role) {
    switch (role) {
      case Role::read: return "read";
      case Role::updated:
        return "result: elements that the kernel does not define keep what they hold, if they hold any";
      case Role::appended: return "result: emptied, then its arrays grow as they need";
      case Role::continued: return "read, and result: its arrays grow as they need";
    }
    return "";
  }

  std::string header() const {
    const std::string guard = upper_case(function_) + "_H";
    std::string out = "#ifndef " + guard + "\n#define " + guard + "\n\n/*\n * " + function_ + ": kernel " +
                      flow_.kernel + ", written by Trellis.\n *\n";
    for (const TensorArgument& t : callable_.tensors)
      out += " *   " + names_.fixed(t.name) + ": " + t.takes + "; " + std::string(what_happens(t.role)) + "\n";
    for (const std::string& size : callable_.sizes) out += " *   " + names_.fixed(size) + ": a size\n";
    for (const std::string& real : callable_.reals) out += " *   " + names_.fixed(real) + ": a parameter\n";
    out +=
        " *\n * The result is a trellis_status, of which `error`, unless it is null, has the details. After anything\n"
        " * but TRELLIS_OK results hold nothing of worth.\n */\n#include \"trellis_tensor.h\"\n\n"
        "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
    return out + declaration() + ";\n\n" + declaration_of_call(callable_) +
           "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
  }

  std::string source() const {
    std::string out = source_of(callable_, flow_.kernel, request_.stem) + "\n" + declaration() + " {\n";
    out += table("trellis_tensor *tensors", callable_.tensors,
                 [&](const TensorArgument& t) { return "(trellis_tensor *)" + names_.fixed(t.name); });
    out += table("const int64_t sizes", callable_.sizes, [&](const std::string& size) { return names_.fixed(size); });
    out += table("const double reals", callable_.reals, [&](const std::string& real) { return names_.fixed(real); });
    return out + "  return " + callable_.module.entry + "(" + "tensors, " + (callable_.sizes.empty() ? "0" : "sizes") +
           ", " + (callable_.reals.empty() ? "0" : "reals") + ", " + error_ + ");\n}\n";
  }

  /// Filled one by one: C99 takes constants alone between the braces. Empty where there is nothing to pass.
  template <class All, class Text>
  static std::string table(const std::string& declared, const All& all, const Text& text) {
    if (all.empty()) return "";
    const bool constant = declared.starts_with("const ");
    const std::string type = constant ? declared.substr(6) : declared;
    const std::string name = type.substr(type.find_last_of(" *") + 1);
    std::string out = "  " + type + "[" + std::to_string(all.size()) + "];\n";
    std::size_t k = 0;
    for (const auto& one : all) out += "  " + name + "[" + std::to_string(k++) + "] = " + text(one) + ";\n";
    return out;
  }

  /// The example's own names are numbered, so that no tensor's is in the way.
  std::string example() const {
    std::string defined, before, arguments, results, drops;
    for (std::size_t k = 0; k < callable_.tensors.size(); ++k) {
      const TensorArgument& t = callable_.tensors[k];
      const std::string name = "t" + std::to_string(k) + "_" + t.name;
      const tensor::Tensor& data = request_.tensors.at(t.name);
      defined += definition({name, data, t.role, t.role != Role::read});
      arguments += "&" + name + ", ";
      if (t.role == Role::read) continue;
      if (holds(t, data)) {
        defined += definition({name + "_before", data, t.role, false});
        before += "  if (hold(&" + name + ", &" + name + "_before)) return TRELLIS_OUT_OF_MEMORY;\n";
      }
      results += "    tell(\"" + t.name + "\", &" + name + ");\n";
      drops += "  drop(&" + name + ");\n";
    }
    for (const auto* numbers : {&callable_.sizes, &callable_.reals})
      for (const std::string& name : *numbers)
        arguments += parameter_text(request_, name, numbers == &callable_.sizes ? 4 : 1) + ", ";
    return "/* Calls " + function_ + " with small tensors and says what each result holds. */\n" +
           "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n\n#include \"" + request_.stem + ".h\"\n\n" +
           std::string(file_example_c) + "\n" + (before.empty() ? "" : helper_text("hold") + "\n") + defined +
           "int main(void) {\n  trellis_error error = {0, -1, -1, 0, \"\"};\n  int status;\n" + before +
           "  status = " + function_ + "(" + arguments + "&error);\n  if (status) {\n    fprintf(stderr, \"" +
           function_ + ": %s\\n\", error.message);\n  } else {\n" + results + "  }\n" + drops + "  return status;\n}\n";
  }

  /// Does the kernel see what the result holds before? It is copied into memory that can grow.
  static bool holds(const TensorArgument& t, const tensor::Tensor& data) {
    return t.role == Role::continued ? data.entries() > 0 : t.role == Role::updated;
  }

  const flow::Flow& flow_;
  const LibraryRequest& request_;
  std::string function_, error_;
  Callable callable_;
  Names names_;
};

}  // namespace

Library tensor_library(const flow::Flow& flow, const lang::Program& program, const LibraryRequest& request) {
  return TensorLibraryWriter(flow, program, request).write();
}

}  // namespace trellis::emit
