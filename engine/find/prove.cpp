#include "engine/find/prove.hpp"

#include <chrono>
#include <map>
#include <mutex>

#include "engine/find/provers.hpp"

namespace trellis::find {

namespace {

std::string assignments(const std::vector<std::pair<std::string, std::int64_t>>& all) {
  std::string text;
  for (const auto& [name, value] : all) text += (text.empty() ? "" : ", ") + name + "=" + std::to_string(value);
  return text;
}

Answer asked_anew(const Query& query, std::size_t same) {
  const auto start = std::chrono::steady_clock::now();
  Answer answer;
  if (is_affine(query)) answer = never_falls_by_isl(query, same);
  else if (has_prover_of_functions()) answer = never_falls_by_z3(query, same);
  answer.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return answer;
}

}  // namespace

std::string in_words(const Example& example) {
  const auto at = [](const auto& iteration) { return iteration.empty() ? "" : " at " + assignments(iteration); };
  std::string text = "asked for " + std::to_string(example.asked_first) + at(example.first) + ", then for " +
                     std::to_string(example.asked_second) + at(example.second);
  if (!example.values.empty()) text += ", where " + assignments(example.values);
  return text;
}

Answer never_falls(const Query& query, std::size_t same) {
  static std::mutex guard;
  static std::map<std::string, Answer> known;
  const std::string key = std::to_string(same) + " " + to_string(query);
  const std::lock_guard lock(guard);
  if (const auto found = known.find(key); found != known.end()) {
    Answer again = found->second;
    again.cached = true;
    return again;
  }
  return known[key] = asked_anew(query, same);
}

}  // namespace trellis::find
