#include "tests/mutate/programs.hpp"

#include "engine/lang/lexer.hpp"
#include "engine/lang/parse.hpp"
#include "engine/lang/program.hpp"
#include "tests/lang/parse_corpus.hpp"
#include "tests/programs.hpp"

namespace trellis::mutate {
namespace {

std::size_t below(std::size_t bound, std::mt19937_64& random) { return bound == 0 ? 0 : random() % bound; }

/// Where the tokens of a source stand.
std::vector<text::Span> tokens_of(const std::string& source) {
  text::Diagnostics ignored;
  std::vector<text::Span> spans;
  for (const auto& token : lang::tokenize(source, 0, ignored).tokens) spans.push_back(token.span);
  return spans;
}

std::string swapped(const std::string& source, text::Span first, text::Span second) {
  if (first == second) return source;
  const auto part = [&](std::size_t begin, std::size_t end) { return source.substr(begin, end - begin); };
  return part(0, first.begin) + part(second.begin, second.end) + part(first.end, second.begin) +
         part(first.begin, first.end) + source.substr(second.end);
}

std::string flipped(std::string source, std::mt19937_64& random) {
  if (!source.empty()) source[below(source.size(), random)] ^= static_cast<char>(1 << random() % 8);
  return source;
}

/// A number becomes one that sizes and loops are not made for.
std::string other_number(std::string source, std::mt19937_64& random) {
  static const std::vector<std::string> numbers = {
      "0", "-1", "1", "7", "100000", "2147483648", "9223372036854775807", "18446744073709551616", "1e400", "0.5"};
  const std::size_t begin = source.find_first_of("0123456789", below(source.size(), random));
  if (begin == std::string::npos) return source;
  const std::size_t end = std::min(source.find_first_not_of("0123456789", begin), source.size());
  return source.replace(begin, end - begin, numbers[below(numbers.size(), random)]);
}

std::string changed(const std::string& source, std::mt19937_64& random) {
  static const std::vector<std::string> snippets = {
      "(",     ")",        "[",       "]",     "{",      "}",       ",",        ":",      ";",        "\n",
      "=",     "==",       "=>",      "->",    ".=",     "? ",      "-",        "~",      "!",        "^",
      "\"",    "'",        "'a'",     "\"s\"", "#",      " for ",   " if ",     " else ", " tensor ", " xor ",
      " def ", " kernel ", " loops ", " at ",  " fill ", " in ",    " down ",   "1",      "2.5",      "0x",
      "inf",   "missing",  "\xff",    "$",     "x",      "sum(k)(", "a ? b : c"};
  const auto spans = tokens_of(source);
  const text::Span a = spans[below(spans.size(), random)], b = spans[below(spans.size(), random)];
  const std::string written = source.substr(a.begin, a.end - a.begin);
  switch (random() % 9) {
    case 0: return std::string(source).erase(a.begin, a.end - a.begin);
    case 1: return std::string(source).insert(a.begin, written + " ");
    case 2: return swapped(source, std::min(a, b), std::max(a, b));
    case 3:
    case 4: return std::string(source).insert(a.begin, snippets[below(snippets.size(), random)]);
    case 5: return flipped(source, random);
    case 6: return other_number(source, random);
    case 7: return source.substr(0, below(source.size(), random));
    default: return source + sound_programs()[below(sound_programs().size(), random)];
  }
}

std::string objection_to(const text::Diagnostics& all, const std::string& source, const char* codes) {
  for (const auto& d : all.all()) {
    const std::string said = d.code + ": " + d.message;
    if (d.code.size() != 5 || d.code.find(codes, 1) != 1) return "a code that is not of this stage: " + said;
    if (d.message.empty()) return "a code without a message: " + said;
    if (d.span.source != 0 || d.span.begin > d.span.end || d.span.end > source.size())
      return "a message that points beside the text: " + said;
  }
  return "";
}

}  // namespace

const std::vector<std::string>& sound_programs() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> found;
    for (const auto& sample : lang::tests::corpus) found.push_back(sample.source);
    for (const auto& path : testing::files_of("examples", ".tr")) found.push_back(testing::read(path));
    return found;
  }();
  return all;
}

std::string broken(std::string source, std::mt19937_64& random) {
  for (auto changes = 1 + random() % 3; changes > 0; --changes) source = changed(source, random);
  return source;
}

std::string objection_to_parsing(const std::string& source) {
  text::Sources sources;
  text::Diagnostics parsing, again, resolving;
  const auto file = lang::parse(sources, sources.add("broken.tr", source), parsing);
  const std::string printed = lang::print(file).characters;
  const auto read_back = lang::parse(sources, sources.add("printed.tr", printed), again);
  if (!again.empty()) return "printed as what cannot be read: " + printed;
  if (!(read_back == file)) return "printed as another program: " + printed;
  if (const std::string objection = objection_to(parsing, source, "00"); !objection.empty()) return objection;
  lang::is_incomplete(source);
  const bool resolved = lang::resolve(file, resolving).has_value();
  if (resolved == resolving.has_errors()) return resolved ? "resolved with errors" : "not resolved, without an error";
  return objection_to(resolving, source, "");
}

}  // namespace trellis::mutate
