#include "engine/text/diagnostic.hpp"

#include <algorithm>

namespace trellis::text {

std::string element_text(const std::string& tensor, const std::vector<std::int64_t>& index) {
  std::string inside;
  for (const std::int64_t value : index) inside += (inside.empty() ? "" : ",") + std::to_string(value);
  return index.empty() ? tensor : tensor + "(" + inside + ")";
}

std::string to_string(const Point& point) {
  std::string out;
  for (const auto& [name, value] : point) out += (out.empty() ? "" : ", ") + name + "=" + std::to_string(value);
  return out;
}

std::string to_string(const Instance& instance) {
  std::string out = instance.at.empty() ? "it reads " : "at " + to_string(instance.at) + " it reads ";
  out += element_text(instance.read, instance.element);
  if (!instance.written_at.empty()) out += ", which is computed at " + to_string(instance.written_at);
  return out;
}

Diagnostic& Diagnostics::add(Diagnostic diagnostic) {
  if (diagnostic.severity == Severity::error) ++errors_;
  all_.push_back(std::move(diagnostic));
  return all_.back();
}

namespace {

Diagnostic simple(Severity severity, std::string code, Span span, std::string message, std::string label) {
  Diagnostic d;
  d.severity = severity;
  d.code = std::move(code);
  d.span = span;
  d.message = std::move(message);
  d.label = std::move(label);
  return d;
}

/// Optimal string alignment: insertions, deletions, replacements and swaps of neighbours cost one each.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      std::size_t replace = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, replace});
      bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

/// A name of one or two letters has no misspelling that says anything about what was meant.
std::size_t tolerated_edits(std::size_t length) { return length <= 2 ? 0 : length <= 5 ? 1 : length <= 8 ? 2 : 3; }

}  // namespace

Diagnostic& Diagnostics::error(std::string code, Span span, std::string message, std::string label) {
  return add(simple(Severity::error, std::move(code), span, std::move(message), std::move(label)));
}

Diagnostic& Diagnostics::warning(std::string code, Span span, std::string message, std::string label) {
  return add(simple(Severity::warning, std::move(code), span, std::move(message), std::move(label)));
}

void Diagnostics::append(const Diagnostics& other) {
  all_.insert(all_.end(), other.all_.begin(), other.all_.end());
  errors_ += other.errors_;
}

std::string did_you_mean(const std::string& name, const std::vector<std::string>& candidates) {
  constexpr std::size_t longest_name = 64;
  if (name.size() > longest_name) return {};
  std::string best;
  std::size_t best_distance = tolerated_edits(name.size()) + 1;
  for (const std::string& candidate : candidates) {
    if (candidate == name || candidate.size() > longest_name) continue;
    std::size_t distance = edit_distance(name, candidate);
    if (distance >= best_distance) continue;
    best_distance = distance;
    best = candidate;
  }
  return best;
}

}  // namespace trellis::text
