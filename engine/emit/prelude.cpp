#include "engine/emit/prelude.hpp"

#include <array>

#include "engine/emit/module.hpp"

namespace trellis::emit {

namespace {

using format::ScalarType;

constexpr std::array<std::string_view, 22> helper_names{"record", "at", "slot", "allocate", "times", "ahead", "fetch", "stream", "unsure",
    "floor_div", "floor_mod", "div", "mod", "mod", "power", "square", "cube", "min", "max", "abs", "sign", "shl"};
constexpr std::string_view saturate_name = "to";

bool typed(Helper helper) { return helper > Helper::unsure; }

std::string name_of(Helper helper, ScalarType type) {
  const auto index = static_cast<std::size_t>(helper);
  std::string name(index < helper_names.size() ? helper_names[index] : saturate_name);
  return typed(helper) ? name + "_" + std::string(format::name_of(type)) : name;
}

std::string replace_all(std::string text, std::string_view from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

/// Far enough for memory to answer meanwhile: of 4, 8, 12 and 16 entries ahead each was faster than the one before where rows of 16
/// elements lay in memory, and no slower where they lay in caches. libtcc cannot fetch.
constexpr std::string_view entries_ahead =
    "#ifdef __TINYC__\n#define ahead(entry, count) (entry)\n#else\n"
    "static inline int64_t ahead(int64_t entry, int64_t count) { return entry + 16 < count ? entry + 16 : entry; }\n#endif\n";
/// The first two cache lines: what reads on in them draws the rest.
constexpr std::string_view fetch_row =
    "#ifdef __TINYC__\n#define fetch(row) ((void)0)\n#else\n"
    "static inline void fetch(const void *row) {\n"
    "  __builtin_prefetch(row);\n  __builtin_prefetch((const char *)row + 64);\n}\n#endif\n";
/// Half a million entries are 6 MB: a product that finds fewer in the caches, as the run before left them, is 7 to 14 % slower for
/// fetching them once more; from 0.8 million on it is faster even then, and twice as fast where they come from memory.
/// What a row of sixteen takes: a second cache line of coordinates, mostly fetched twice, slows a product down by 3 %.
constexpr std::string_view stream_entries =
    "#ifdef __TINYC__\n#define stream(next, count) ((void)0)\n#else\n"
    "static inline void stream_line(const void *next, int64_t bytes, int64_t count) {\n  if (count <= 500000) return;\n"
    "  __builtin_prefetch(next);\n  if (bytes > 4) __builtin_prefetch((const char *)next + 64);\n}\n"
    "#define stream(next, count) stream_line(next, sizeof *(next), count)\n#endif\n";
/// `unsure` is a statement in an expression, so that it fits the head of a loop. Two entries at once make products by columns 7 to
/// 9 % faster on Intel's processors, and as much slower on AMD's. A pragma takes a constant, but no macro.
constexpr std::string_view not_sure =
    "#ifdef __TINYC__\n#define unsure(end) ((void)0)\n#else\n"
    "#define unsure(end) __extension__({ __asm__(\"\" : \"+r\"(end)); })\n#endif\n"
    "#if defined __znver1__ || defined __znver2__ || defined __znver3__ || defined __znver4__ || defined __znver5__\n"
    "enum { at_once = 1 };\n#else\nenum { at_once = 2 };\n#endif\n";

/// In these texts $T is the C type, $N the helper's name suffix, $L the type's lowest value.
constexpr std::string_view floor_div_signed =
    "static inline $T floor_div_$N($T a, $T b) { return a / b - (a % b != 0 && (a % b < 0) != (b < 0)); }\n";
constexpr std::string_view floor_mod_signed =
    "static inline $T floor_mod_$N($T a, $T b) {\n"
    "  $T rest = a % b;\n"
    "  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;\n"
    "}\n";
constexpr std::string_view div_signed =
    "static inline $T div_$N($T a, $T b, int32_t *fault, int32_t site) {\n"
    "  if (b == 0) return record(fault, 1, site);\n"
    "  if (b == -1 && a == $L) return record(fault, 2, site);\n"
    "  return floor_div_$N(a, b);\n"
    "}\n";
constexpr std::string_view mod_signed =
    "static inline $T mod_$N($T a, $T b, int32_t *fault, int32_t site) {\n"
    "  if (b == 0) return record(fault, 1, site);\n"
    "  return b == -1 ? 0 : floor_mod_$N(a, b);\n"
    "}\n";
constexpr std::string_view div_unsigned =
    "static inline $T div_$N($T a, $T b, int32_t *fault, int32_t site) {\n"
    "  if (b == 0) return record(fault, 1, site);\n"
    "  return a / b;\n"
    "}\n";
constexpr std::string_view mod_unsigned =
    "static inline $T mod_$N($T a, $T b, int32_t *fault, int32_t site) {\n"
    "  if (b == 0) return record(fault, 1, site);\n"
    "  return a % b;\n"
    "}\n";
constexpr std::string_view mod_real =
    "static inline $T mod_$N($T a, $T b) {\n"
    "  $T rest = $fmod(a, b);\n"
    "  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;\n"
    "}\n";
constexpr std::string_view power_real =
    "static inline $T power_$N($T x, $T y) { return y == 2 ? x * x : y == 3 ? x * x * x : $pow(x, y); }\n";
constexpr std::string_view power_loop =
    "  uint64_t result = 1, square = x;\n"
    "  for (uint64_t rest = y; rest != 0; rest >>= 1, square *= square) {\n"
    "    if (rest & 1) result *= square;\n"
    "  }\n"
    "  return ($T)result;\n"
    "}\n";
constexpr std::string_view power_guard =
    "  if (y < 0) return x == 1 ? 1 : x == -1 ? (y % 2 != 0 ? -1 : 1) : 0;\n";

std::string saturating(ScalarType type) {
  const int bits = static_cast<int>(8 * format::size_of(type)) - (format::is_signed(type) ? 1 : 0);
  const std::string bound = bits == 64   ? "18446744073709551616.0"
                            : bits == 63 ? "9223372036854775808.0"
                                         : std::to_string(std::int64_t{1} << bits) + ".0";
  const std::string low = format::is_signed(type) ? "x <= -" + bound + " ? $L" : "x <= 0 ? 0";
  return "static inline $T to_$N(double x) {\n"
         "  return x != x ? 0 : x >= " + bound + " ? $H : " + low + " : ($T)x;\n}\n";
}

std::string absolute(ScalarType type) {
  return format::is_signed(type) ? "static inline $T abs_$N($T x) { return x < 0 ? ($T)-x : x; }\n"
                                 : "static inline $T abs_$N($T x) { return x; }\n";
}

std::string sign(ScalarType type) {
  return format::is_signed(type) ? "static inline $T sign_$N($T x) { return (x > 0) - (x < 0); }\n"
                                 : "static inline $T sign_$N($T x) { return x != 0; }\n";
}

std::string limit(const format::Value& value) {
  const std::string digits = format::to_string(value);
  if (value.type == ScalarType::i64 && value.integer < 0) return "(-9223372036854775807 - 1)";
  if (value.type == ScalarType::i32 && value.integer < 0) return "(-2147483647 - 1)";
  return format::is_signed(value.type) ? digits : digits + "u";
}

}  // namespace

void Prelude::define(const std::string& name, const std::string& text) {
  if (known_.insert(name).second) text_ += text;
}

std::string Prelude::use_math(std::string_view name, int arguments, ScalarType type) {
  const std::string real(format::c_name(type));
  const std::string full = std::string(name) + (type == ScalarType::f32 ? "f" : "");
  define(full, real + " " + full + "(" + real + (arguments == 2 ? ", " + real : "") + ");\n");
  return full;
}

std::string Prelude::use_infinity() {
  define("INFINITY", "#define INFINITY (1.0 / 0.0)\n");
  return "INFINITY";
}

std::string Prelude::use_nan() {
  define("NAN", "#define NAN (0.0 / 0.0)\n");
  return "NAN";
}

void Prelude::use_memory() {
  define("malloc", "void *malloc(unsigned long bytes);\nvoid free(void *memory);\n");
}

std::string Prelude::use(Helper helper, ScalarType type) {
  const std::string name = name_of(helper, type);
  if (known_.count(name) > 0) return name;
  const bool real = format::is_floating(type);
  const bool is_signed = format::is_signed(type);
  std::string text;
  switch (helper) {
    case Helper::record:
      text = "static int record(int32_t *fault, int32_t kind, int32_t site) {\n" +
             std::string(threads_ == Threads::many ? "#pragma omp critical\n" : "") +
             "  if (fault[0] == 0) {\n    fault[0] = kind;\n    fault[1] = site;\n  }\n  return 0;\n}\n";
      break;
    case Helper::at:
      use(Helper::record);
      text = "static inline int64_t at(int64_t index, int64_t size, int32_t *fault, int32_t site) {\n"
             "  return (uint64_t)index < (uint64_t)size ? index : record(fault, " +
             std::to_string(static_cast<int>(FaultKind::index_out_of_range)) + ", site);\n}\n";
      break;
    case Helper::slot:
      use(Helper::record);
      // Out of the way of the loops that append; `at` in a loop is faster, three times in a dynamic program, with it inlined.
      text = "__attribute__((__noinline__, __cold__)) static int no_room(int32_t *fault, int32_t site) {\n  return record(fault, " +
             std::to_string(static_cast<int>(FaultKind::result_too_large)) + ", site);\n}\n"
             "static inline int64_t slot(int64_t entry, int64_t capacity, int32_t *fault, int32_t site) {\n"
             "  return entry < capacity ? entry : no_room(fault, site);\n}\n";
      break;
    case Helper::allocate:
      use_memory();
      text = "static void *allocate(int64_t count, int64_t bytes) {\n"
             "  if (count < 0 || count > 9223372036854775807 / bytes) return 0;\n"
             "  return malloc(count > 0 ? (unsigned long)(count * bytes) : 1);\n}\n";
      break;
    case Helper::times:
      text = "static int64_t times(int64_t a, int64_t b) {\n"
             "  return a < 0 || b < 0 || (b > 0 && a > 9223372036854775807 / b) ? -1 : a * b;\n}\n";
      break;
    case Helper::ahead: text = entries_ahead; break;
    case Helper::fetch: text = fetch_row; break;
    case Helper::stream: text = stream_entries; break;
    case Helper::unsure: text = not_sure; break;
    case Helper::floor_div: text = floor_div_signed; break;
    case Helper::floor_mod: text = floor_mod_signed; break;
    case Helper::div:
      use(Helper::record);
      if (is_signed) use(Helper::floor_div, type);
      text = is_signed ? div_signed : div_unsigned;
      break;
    case Helper::mod:
      use(Helper::record);
      if (is_signed) use(Helper::floor_mod, type);
      text = is_signed ? mod_signed : mod_unsigned;
      break;
    case Helper::mod_real: text = replace_all(std::string(mod_real), "$fmod", use_math("fmod", 2, type)); break;
    case Helper::power:
      text = real ? replace_all(std::string(power_real), "$pow", use_math("pow", 2, type))
                  : "static inline $T power_$N($T x, $T y) {\n" + std::string(is_signed ? power_guard : "") +
                        std::string(power_loop);
      break;
    case Helper::square: text = "static inline $T square_$N($T x) { return x * x; }\n"; break;
    case Helper::cube: text = "static inline $T cube_$N($T x) { return x * x * x; }\n"; break;
    case Helper::min: text = "static inline $T min_$N($T a, $T b) { return b < a ? b : a; }\n"; break;
    case Helper::max: text = "static inline $T max_$N($T a, $T b) { return a < b ? b : a; }\n"; break;
    case Helper::abs: text = absolute(type); break;
    case Helper::sign: text = sign(type); break;
    case Helper::shift_left:
      text = "static inline $T shl_$N($T x, uint64_t count) { return ($T)((uint64_t)x << count); }\n";
      break;
    case Helper::to: text = saturating(type); break;
  }
  text = replace_all(std::move(text), "$T", std::string(format::c_name(type)));
  text = replace_all(std::move(text), "$N", std::string(format::name_of(type)));
  if (!real) {
    text = replace_all(std::move(text), "$L", limit(format::lowest(type)));
    text = replace_all(std::move(text), "$H", limit(format::highest(type)));
  }
  define(name, text);
  return name;
}

std::string Prelude::text() const {
  return "typedef signed char int8_t;\ntypedef short int16_t;\ntypedef int int32_t;\ntypedef long int64_t;\n"
         "typedef unsigned char uint8_t;\ntypedef unsigned short uint16_t;\ntypedef unsigned int uint32_t;\n"
         "typedef unsigned long uint64_t;\n" +
         text_;
}

const std::set<std::string>& reserved_names() {
  static const std::set<std::string> names = [] {
    std::set<std::string> all{
        "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern",
        "float", "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return", "short", "signed",
        "sizeof", "static", "struct", "switch", "typedef", "union", "unsigned", "void", "volatile", "while", "_Bool",
        "_Complex", "_Imaginary", "asm", "typeof", "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t",
        "uint32_t", "uint64_t", "INFINITY", "NAN", "main", "malloc", "free", "fault", "refused", "arguments", "linux",
        "unix", "seek", "seek_wide", "seek_down", "seek_down_wide", "find", "find_wide", "find_down", "find_down_wide", "find_any",
        "find_any_wide", "find_end", "find_end_wide", "find_direct", "find_hashed", "find_hashed_wide", "sort", "sort_wide", "sort_near", "sort_near_wide", "at_once", "entries",
        "insert", "find_entry", "zeroed", "hash", "widen", "order_entries", "empty", "release", "seek_entry", "grow", "realloc", "calloc", "memset", "no_room", "stream_line", "INT64_MAX",
        "INT64_MIN", "fmod", "fabs", "pow", "fmodf", "fabsf", "powf"};
    for (int f = 0; f <= static_cast<int>(format::Function::max); ++f) {
      const std::string name(format::name_of(static_cast<format::Function>(f)));
      all.insert(name);
      all.insert(name + "f");
    }
    for (int h = 0; h <= static_cast<int>(Helper::to); ++h) {
      for (int t = 0; t <= static_cast<int>(ScalarType::boolean); ++t) {
        all.insert(name_of(static_cast<Helper>(h), static_cast<ScalarType>(t)));
      }
    }
    return all;
  }();
  return names;
}

}  // namespace trellis::emit
