#include "engine/tensor/entry_lines.hpp"

#include <algorithm>
#include <system_error>
#include <thread>

namespace trellis::tensor {

std::vector<std::string_view> cut_at_lines(std::string_view text, int parts) {
  constexpr std::size_t shortest = std::size_t{1} << 16;  // a thread that starts takes as long as a tenth of it
  const std::size_t wanted = std::clamp<std::size_t>(text.size() / shortest, 1, static_cast<std::size_t>(parts));
  const std::size_t each = text.size() / wanted + 1;
  std::vector<std::string_view> cut;
  while (!text.empty()) {
    const std::size_t end = text.size() <= each ? std::string_view::npos : text.find('\n', each);
    cut.push_back(text.substr(0, end == std::string_view::npos ? end : end + 1));
    text.remove_prefix(cut.back().size());
  }
  return cut;
}

void side_by_side(std::size_t count, const std::function<void(std::size_t)>& work) {
  std::vector<std::thread> others;
  others.reserve(count);
  for (std::size_t k = 1; k < count; ++k) {
    try {
      others.emplace_back(work, k);
    } catch (const std::system_error&) { work(k); }  // as many as the system lets there be
  }
  if (count > 0) work(0);
  for (std::thread& other : others) other.join();
}

}  // namespace trellis::tensor
