#pragma once
// Kernels written by hand, so that these tests need no stage before run/.

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/run/kernel.hpp"

namespace trellis::run::testing {

inline emit::Argument size(std::string name) {
  return {emit::Argument::Kind::size, std::move(name), format::ScalarType::i64};
}
inline emit::Argument input(std::string name, format::ScalarType type = format::ScalarType::f64) {
  return {emit::Argument::Kind::array, std::move(name), type};
}
inline emit::Argument output(std::string name, format::ScalarType type = format::ScalarType::f64) {
  return {emit::Argument::Kind::array, std::move(name), type, true};
}

inline emit::Module module(std::string name, std::vector<emit::Argument> arguments, std::string source) {
  emit::Module made;
  made.kernel = name;
  made.entry = "run_" + name;
  made.arguments = std::move(arguments);
  made.source = std::move(source);
  return made;
}

/// A kernel with `int64_t n` and `double *x` in scope, which it may overwrite; `body` returns by falling out.
inline emit::Module over_x(std::string name, const std::string& body) {
  return module(
      name, {size("n"), output("x")},
      "void *malloc(unsigned long);\nvoid abort(void);\n"
      "int run_" +
          name +
          "(void *const *a) {\n"
          "  long long n = *(long long *)a[0]; double *x = a[1]; int *fault = a[2]; (void)n; (void)x; (void)fault;\n" +
          body + "\n  return 0;\n}\n");
}

inline Kernel compiled(const emit::Module& source, Backend backend) {
  auto result = compile(source, backend);
  if (const auto* error = std::get_if<CompileError>(&result)) FAIL(error->message);
  return std::get<Kernel>(std::move(result));
}

inline tensor::Tensor vector_of(const std::vector<double>& values) {
  auto made = tensor::Tensor::create(format::ScalarType::f64, {static_cast<std::int64_t>(values.size())},
                                     format::Format::dense(1), format::Value::of(format::ScalarType::f64, 0));
  REQUIRE(made);
  for (std::size_t i = 0; i < values.size(); ++i) static_cast<double*>(made->data())[i] = values[i];
  return *made;
}

inline std::vector<double> values_of(const tensor::Tensor& tensor) {
  const double* const data = static_cast<const double*>(tensor.data());
  return {data, data + tensor.count()};
}

inline Bindings with_x(const std::vector<double>& values) {
  return {{{"n", static_cast<std::int64_t>(values.size())}}, {}, {{"x", vector_of(values)}}};
}

inline constexpr Backend both[] = {Backend::jit, Backend::native};

}  // namespace trellis::run::testing
