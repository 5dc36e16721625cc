#include "engine/emit/prelude.hpp"

#include <array>

#include "engine/emit/helper_text.hpp"

namespace trellis::emit {

namespace {

using format::ScalarType;

constexpr std::array<std::string_view, 24> helper_names{
    "record",  "at",     "slot",      "allocate",  "times", "ahead", "fetch", "stream",
    "in_turn", "unsure", "floor_div", "floor_mod", "div",   "mod",   "mod",   "power",
    "square",  "cube",   "min",       "max",       "same",  "abs",   "sign",  "shl"};
constexpr std::string_view saturate_name = "to";

bool typed(Helper helper) { return helper > Helper::unsure; }

}  // namespace

std::string helper_name(Helper helper, ScalarType type) {
  const auto index = static_cast<std::size_t>(helper);
  std::string name(index < helper_names.size() ? helper_names[index] : saturate_name);
  return typed(helper) ? name + "_" + std::string(format::name_of(type)) : name;
}

void Prelude::define(const std::string& name, const std::string& text) {
  if (known_.insert(name).second) text_ += text;
}

std::string Prelude::use_math(std::string_view name, int arguments, ScalarType type) {
  const std::string real(format::c_name(type));
  const std::string full = std::string(name) + (type == ScalarType::f32 ? "f" : "");
  std::string taken = real;
  for (int k = 1; k < arguments; ++k) taken += ", " + real;
  define(full, real + " " + full + "(" + taken + ");\n");
  return full;
}

std::string Prelude::use_infinity() {
  define("INFINITY", helper_text("infinity"));
  return "INFINITY";
}

std::string Prelude::use_nan() {
  define("NAN", helper_text("nan"));
  return "NAN";
}

void Prelude::use_memory() { define("malloc", helper_text("malloc")); }

std::string Prelude::use(Helper helper, ScalarType type) {
  const std::string name = helper_name(helper, type);
  if (known_.count(name) > 0) return name;
  const bool real = format::is_floating(type);
  const bool is_signed = format::is_signed(type);
  const auto by_sign = [&](const std::string& text) {
    return helper_text(text + (is_signed ? "_signed" : "_unsigned"), type);
  };
  std::string text;
  switch (helper) {
    case Helper::record:
      text = helper_text("record");
      if (threads_ == Threads::one) replace_all(text, "#pragma omp critical\n", "");
      break;
    case Helper::at:
      use(Helper::record);
      text = helper_text("at");
      break;
    case Helper::slot:
      use(Helper::record);
      text = helper_text("slot");
      break;
    case Helper::allocate:
      use_memory();
      text = helper_text("allocate");
      break;
    case Helper::times: text = helper_text("times"); break;
    case Helper::ahead: text = helper_text("ahead"); break;
    case Helper::fetch: text = helper_text("fetch"); break;
    case Helper::stream: text = helper_text("stream"); break;
    case Helper::in_turn: text = helper_text("in_turn"); break;
    case Helper::unsure: text = helper_text("unsure"); break;
    case Helper::floor_div: text = helper_text("floor_div", type); break;
    case Helper::floor_mod: text = helper_text("floor_mod", type); break;
    case Helper::div:
      use(Helper::record);
      if (is_signed) use(Helper::floor_div, type);
      text = by_sign("div");
      break;
    case Helper::mod:
      use(Helper::record);
      if (is_signed) use(Helper::floor_mod, type);
      text = by_sign("mod");
      break;
    case Helper::mod_real:
      text = helper_text("mod_real", type);
      replace_all(text, "FMOD", use_math("fmod", 2, type));
      break;
    case Helper::power:
      text = real ? helper_text("power_real", type) : by_sign("power");
      if (real) replace_all(text, "POW", use_math("pow", 2, type));
      break;
    case Helper::square: text = helper_text("square", type); break;
    case Helper::cube: text = helper_text("cube", type); break;
    case Helper::min: text = helper_text("min", type); break;
    case Helper::max: text = helper_text("max", type); break;
    case Helper::same: text = helper_text("same", type); break;
    case Helper::abs: text = by_sign("abs"); break;
    case Helper::sign: text = by_sign("sign"); break;
    case Helper::shift_left: text = helper_text("shift_left", type); break;
    case Helper::to: text = by_sign("to"); break;
  }
  define(name, text);
  return name;
}

std::string Prelude::text() const { return helper_text("types") + text_; }

}  // namespace trellis::emit
