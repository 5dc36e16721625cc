#pragma once
// Names for indices that fixes make up: the usual letters, in their usual order.

#include <optional>
#include <string>
#include <string_view>

namespace trellis::lang {

/// The first of i j k l p q r s t that means nothing yet.
template <class Taken>
std::optional<std::string> unused_index(Taken&& taken) {
  for (const char letter : std::string_view("ijklpqrst"))
    if (const std::string name(1, letter); !taken(name)) return name;
  return std::nullopt;
}

}  // namespace trellis::lang
