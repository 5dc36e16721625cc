#include "engine/run/roof.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <mutex>
#include <string>
#include <tuple>

#include "engine/run/backends.hpp"
#include "engine/run/timing.hpp"

namespace trellis::run {
namespace {

using Kind = emit::Argument::Kind;
using format::ScalarType;

constexpr std::size_t least_bytes = std::size_t{1} << 15, most_bytes = std::size_t{1} << 28;
constexpr int chains = 12;                 // enough to fill the pipelines, few enough for the registers
constexpr std::int64_t links = 2'000'000;  // of each chain
constexpr int repetitions = 7;

emit::Module module_of(const std::string& name, const std::string& functions, const std::string& body,
                       std::vector<emit::Argument> arguments) {
  emit::Module module;
  module.kernel = name;
  module.entry = name + "_entry";
  module.arguments = std::move(arguments);
  module.source = functions + "int " + name +
                  "_entry(void *const *arguments) {\n  long n = *(const long *)arguments[0];\n" + body +
                  "  return 0;\n}\n";
  return module;
}

// What threads do is a function of its own, as in kernels (emit/apart.hpp).
emit::Module triad(ScalarType type) {
  const std::string c = type == ScalarType::f32 ? "float" : "double";
  return module_of("triad",
                   "static void triad_over_i(long n, " + c + " *restrict a, const " + c + " *restrict b, const " + c +
                       " *restrict c) {\n  #pragma omp for nowait\n"
                       "  for (long i = 0; i < n; i++) a[i] = b[i] + 3 * c[i];\n}\n",
                   "  #pragma omp parallel\n  triad_over_i(n, arguments[1], arguments[2], arguments[3]);\n",
                   {{Kind::size, "n", ScalarType::i64, false},
                    {Kind::array, "a", type, true},
                    {Kind::array, "b", type, false},
                    {Kind::array, "c", type, false}});
}

// As wide as the processor's registers; every lane of every chain ends in `a`, so that nothing can be left out.
emit::Module multiply_add(ScalarType type) {
  const std::string c = type == ScalarType::f32 ? "float" : "double";
  std::string declare, step, sum;
  for (int k = 0; k < chains; ++k) {
    const std::string x = "x" + std::to_string(k);
    declare += "    wide " + x + " = base + " + std::to_string(k) + ";\n";
    step += "      " + x + " = " + x + " * factor + term;\n";
    sum += (k ? " + " : "") + x;
  }
  return module_of("multiply_add", "",
                   "  " + c +
                       " *a = arguments[1];\n"
                       "#if defined(__AVX512F__)\n  enum { bytes = 64 };\n#elif defined(__AVX__)\n  enum { bytes = 32 "
                       "};\n#else\n  enum { bytes = 16 };\n#endif\n"
                       "  typedef " +
                       c +
                       " wide __attribute__((vector_size(bytes)));\n"
                       "  double lanes = bytes / sizeof(" +
                       c +
                       ");\n"
                       "  double sum = 0;\n  #pragma omp parallel reduction(+ : sum)\n  {\n"
                       "    wide base = {0}, factor = base + (" +
                       c + ")a[1], term = base + (" + c + ")a[2];\n" + declare +
                       "    for (long i = 0; i < n; i++) {\n" + step + "    }\n    wide all = " + sum +
                       ";\n"
                       "    for (unsigned k = 0; k < sizeof(wide) / sizeof(" +
                       c +
                       "); k++) sum += all[k];\n  }\n"
                       "  a[0] = sum;\n  a[3] = lanes;\n",
                   {{Kind::size, "n", ScalarType::i64, false}, {Kind::array, "a", type, true}});
}

std::optional<tensor::Tensor> filled(ScalarType type, std::int64_t count) {
  return tensor::Tensor::create(type, {count}, format::Format::dense(1), format::Value::of(type, 0.5));
}

/// The least milliseconds of a run; empty when it does not compile or run here.
std::optional<double> least_time(const emit::Module& module, const Bindings& bindings, int threads,
                                 const text::Cancel& cancel) {
  Limits limits;
  limits.threads = threads;
  limits.cancel = cancel;
  const auto compiled = compile(module, Backend::native, limits);
  const auto* kernel = std::get_if<Kernel>(&compiled);
  if (!kernel) return std::nullopt;
  const Timing timing = repeat(*kernel, bindings, limits, repetitions);
  if (timing.outcome.status != Outcome::Status::ok || timing.min <= 0) return std::nullopt;
  return timing.min;
}

std::optional<double> measure_bytes(std::size_t bytes, ScalarType type, int threads, const text::Cancel& cancel) {
  const std::size_t each = bytes / 3 / format::size_of(type);
  Bindings bindings;
  bindings.sizes["n"] = static_cast<std::int64_t>(each);
  for (const char* name : {"a", "b", "c"}) {
    auto made = filled(type, static_cast<std::int64_t>(each));
    if (!made) return std::nullopt;
    bindings.arrays[name] = std::move(*made);
  }
  const auto ms = least_time(triad(type), bindings, threads, cancel);
  if (!ms) return std::nullopt;
  return static_cast<double>(3 * each * format::size_of(type)) / *ms / 1e6;
}

std::optional<double> measure_arithmetic(ScalarType type, int threads, const text::Cancel& cancel) {
  Bindings bindings;
  bindings.sizes["n"] = links;
  auto values = filled(type, 4);
  if (!values) return std::nullopt;
  bindings.arrays["a"] = std::move(*values);
  const auto ms = least_time(multiply_add(type), bindings, threads, cancel);
  if (!ms) return std::nullopt;
  const double lanes = bindings.arrays["a"].get_flat(3).as_double();
  return 2.0 * chains * static_cast<double>(links) * lanes * threads / *ms / 1e6;
}

/// Measured once: neither the size of the machine nor its other load is known before. Any thread may ask.
template <class Key>
class Measured {
 public:
  template <class Measure>
  std::optional<double> once(const Key& key, const text::Cancel& cancel, const Measure& measure) {
    if (const auto known = find(key)) return *known;
    const std::optional<double> found = measure();
    if (!found && cancel.requested()) return std::nullopt;  // which says nothing about the machine
    const std::lock_guard hold(mutex_);
    return known_[key] = found;
  }

 private:
  std::optional<std::optional<double>> find(const Key& key) {
    const std::lock_guard hold(mutex_);
    const auto found = known_.find(key);
    if (found == known_.end()) return std::nullopt;
    return std::make_optional(found->second);
  }
  std::mutex mutex_;
  std::map<Key, std::optional<double>> known_;
};

}  // namespace

std::optional<Roof> measured_roof(std::size_t bytes, ScalarType type, int threads, const text::Cancel& cancel) {
  static Measured<std::tuple<std::size_t, ScalarType, int>> by_bytes;
  static Measured<std::tuple<ScalarType, int>> by_type;
  const std::size_t size = std::clamp(std::bit_ceil(bytes), least_bytes, most_bytes);
  const auto moved =
      by_bytes.once({size, type, threads}, cancel, [&] { return measure_bytes(size, type, threads, cancel); });
  const auto computed =
      by_type.once({type, threads}, cancel, [&] { return measure_arithmetic(type, threads, cancel); });
  if (!moved || !computed) return std::nullopt;
  return Roof{*moved, *computed};
}

}  // namespace trellis::run
