#pragma once
// Who types at random: examples and commands, most of them wrong in some way.

#include <string>
#include <string_view>
#include <vector>

#include "tests/random/generate.hpp"

namespace trellis::mutate {

/// A program, and the entries that a prompt takes it in: lines, those of a bracket together.
struct Example {
  std::string text;
  std::vector<std::string> entries;
};
const std::vector<Example>& examples();
std::vector<std::string> entries_of(const std::string& text);

/// Without the words that make a command take seconds, compiling natively and measuring.
std::string without_slow_words(std::string typed);

class Typist {
 public:
  explicit Typist(std::uint64_t seed) : dice_(seed) {}

  /// What a session begins with: an example.
  const Example& program() { return *(program_ = &pick(examples())); }
  /// A command, or an entry of an example, as somebody types it who does not know how.
  std::string command();

 private:
  template <class List>
  const typename List::value_type& pick(const List& list) {
    return list[static_cast<std::size_t>(dice_.below(static_cast<int>(list.size())))];
  }
  std::string word();
  std::string name();
  std::string tensor();
  std::string filled_in(std::string part);
  std::string from_table();
  void slip(std::string& typed);

  randomised::Dice dice_;
  const Example* program_ = nullptr;
};

}  // namespace trellis::mutate
