#include "engine/emit/library_parts.hpp"

#include <cctype>
#include <sstream>

#include "engine/emit/helper_text.hpp"
#include "engine/emit/names.hpp"

namespace trellis::emit {
namespace {

/// The types and limits of a unit on its own give way to <stdint.h>, and compilers without OpenMP do not see its lines.
std::string for_libraries(const std::string& source) {
  std::istringstream lines(source);
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find_first_not_of(' ');
    const bool openmp = first != std::string::npos && line.compare(first, 11, "#pragma omp") == 0;
    if (line.starts_with("typedef ") && line.ends_with("_t;")) continue;
    if (line.starts_with("#define INT64_M")) continue;
    out += openmp ? "#ifdef _OPENMP\n" + line + "\n#endif\n" : line + "\n";
  }
  return out;
}

template <class Names, class Name>
std::string listed(const Names& names, const Name& name) {
  std::string out;
  for (const auto& one : names) out += (out.empty() ? "" : ", ") + name(one);
  return out.empty() ? "none" : out;
}

}  // namespace

std::string function_name(const std::string& wished) {
  std::string name;
  for (const char c : wished) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0) name = "kernel_" + name;
  return Names::function(name);
}

std::string upper_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string parameter_text(const LibraryRequest& request, const std::string& name, double otherwise) {
  const auto known = request.parameters.find(name);
  std::ostringstream text;
  text.precision(17);
  text << (known == request.parameters.end() ? otherwise : known->second);
  return text.str();
}

std::string source_of(const Callable& callable, const std::string& kernel, const std::string& stem) {
  std::string body = callable.module.source;
  const std::string declarations = tensor_declarations();
  if (const std::size_t at = body.find(declarations); at != std::string::npos) body.erase(at, declarations.size());
  return "/* Kernel " + kernel + ", written by Trellis. C99; link with -lm. */\n#include \"" + stem + ".h\"\n\n" +
         for_libraries(body);
}

std::string declaration_of_call(const Callable& callable) {
  const auto itself = [](const std::string& name) { return name; };
  const auto name_of = [](const TensorArgument& tensor) { return tensor.name; };
  return "/*\n * The same for tables, as all kernels have it (trellis_kernel).\n *   tensors: " +
         listed(callable.tensors, name_of) + "\n *   sizes: " + listed(callable.sizes, itself) +
         "\n *   reals: " + listed(callable.reals, itself) + "\n */\nint " + callable.module.entry +
         "(trellis_tensor *const *tensors, const int64_t *sizes, const double *reals, trellis_error *error);\n";
}

}  // namespace trellis::emit
