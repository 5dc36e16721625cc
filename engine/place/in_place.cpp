#include "engine/place/in_place.hpp"

namespace trellis::place {
namespace {

void refuse(const lang::Schedule::Inplace& wanted, const lang::Order& order, const Overwrite& overwrite,
            text::Diagnostics& diagnostics) {
  const std::string what = "order " + lang::to_string(order) + " cannot keep " + wanted.tensor + " in place";
  text::Diagnostic& e = diagnostics.error("E0120", wanted.span, what, "one buffer loses values that are still read");
  e.notes.push_back({overwrite.span, "this would read a later step"});
  e.notes.push_back({overwrite.write_span, "which this has written by then"});
  const text::Instance& i = overwrite.instance;
  const std::string sizes = i.sizes.empty() ? "" : "with " + text::to_string(i.sizes) + " ";
  e.instance_text = sizes + "at " + text::to_string(i.at) + " it reads " + text::element_text(i.read, i.element) +
                    ", which is overwritten at " + text::to_string(i.written_at);
  e.instance = i;
}

}  // namespace

std::vector<std::string> wanted_in_place(const lang::Schedule& schedule) {
  std::vector<std::string> tensors;
  for (const lang::Schedule::Inplace& wanted : schedule.inplace) tensors.push_back(wanted.tensor);
  return tensors;
}

bool keeps_in_place(const Placed& placed, const lang::Schedule& schedule, text::Diagnostics& diagnostics) {
  bool kept = true;
  for (const lang::Schedule::Inplace& wanted : schedule.inplace) {
    const auto found = placed.not_in_place.find(wanted.tensor);
    if (found == placed.not_in_place.end()) continue;
    refuse(wanted, placed.order, found->second, diagnostics);
    kept = false;
  }
  return kept;
}

bool masks_one_buffer(const Placed& placed, const lang::Schedule& schedule, text::Diagnostics& diagnostics) {
  bool fits = true;
  for (const lang::Schedule::Mask& mask : schedule.masks) {
    const auto found = placed.not_in_place.find(mask.tensor);
    if (found == placed.not_in_place.end()) continue;
    const std::string what = "order " + lang::to_string(placed.order) + " keeps several steps of " + mask.tensor;
    text::Diagnostic& e = diagnostics.error("E0326", mask.span, what, "a mask leaves elements of one step as they are");
    e.notes.push_back({found->second.span, "with one buffer this would read a later step"});
    fits = false;
  }
  return fits;
}

}  // namespace trellis::place
