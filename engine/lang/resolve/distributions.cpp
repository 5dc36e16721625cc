#include "engine/lang/resolve/distributions.hpp"

#include <charconv>

#include "engine/lang/resolve/usage.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::lang::resolving {

namespace {

/// Of a word that is a whole number in 1:largest + 1; 0 of any other.
std::int64_t block_of(const std::vector<syntax::Word>& words, std::size_t k, std::int64_t largest) {
  std::int64_t block = 0;
  if (k >= words.size() || words[k].kind != syntax::Word::Kind::number) return 0;
  const char *const begin = words[k].text.data(), *const end = begin + words[k].text.size();
  const auto read = std::from_chars(begin, end, block);
  return read.ec == std::errc() && read.ptr == end && block >= 1 && block <= largest ? block : 0;
}

}  // namespace

std::optional<Schedule::Distribution> distribution_of(Resolution& resolution, const syntax::Command& command,
                                                      std::int64_t largest) {
  const auto& words = command.words;
  const auto name_at = [&](std::size_t k) { return k < words.size() && words[k].kind == syntax::Word::Kind::name; };
  const bool said = name_at(0) && name_at(1) && words[1].text == "over" && name_at(2);
  const bool parts = words.size() == 6 && name_at(3) && words[3].text == "by" && words[4].text == "parts" && name_at(5);
  const bool by = parts || (words.size() == 5 && name_at(3) && words[3].text == "by" && name_at(4));
  const bool in_turns = words.size() == 5 && name_at(3) && words[3].text == "cyclic";
  const std::int64_t block = in_turns ? block_of(words, 4, largest) : 0;
  if (!said || (words.size() != 3 && !by && block == 0)) {
    const std::size_t k = !name_at(0)                                               ? 0
                          : words.size() < 2 || words[1].text != "over"             ? 1
                          : !name_at(2)                                             ? 2
                          : in_turns                                                ? 4
                          : name_at(3) && words[3].text == "by" && words.size() > 5 ? 5
                                                                                    : 3;
    report_usage(resolution, command, k < words.size() ? &words[k] : nullptr,
                 "as in `distribute i over p`, `distribute i over p by A`, `distribute i over p by parts A`, or "
                 "`distribute i over p cyclic 8`");
    return std::nullopt;
  }
  const syntax::Word* tensor = by ? &words.back() : nullptr;
  Schedule::Distribution d{words[0].text, words[2].text, tensor ? tensor->text : "",          whole_of(command),
                           words[0].span, words[2].span, tensor ? tensor->span : text::Span{}};
  d.cyclic = block;
  d.parts = parts;
  return d;
}

void add_distribution(Resolution& resolution, Kernel& kernel, const Schedule::Distribution& d) {
  if (!is_ranks(resolution, {d.ranks, d.ranks_span})) return;
  if (!d.by.empty() && !resolution.tensor(d.by)) return report_no_tensor(resolution, {d.by, d.by_span});
  for (const Schedule::Distribution& other : kernel.schedule.distributions)
    if (other.ranks == d.ranks && (other.by != d.by || other.cyclic != d.cyclic || other.parts != d.parts)) {
      resolution.error("E0152", d.span, "the cuts of " + d.ranks + " are said in two ways")
          .notes.push_back({other.span, "the other one"});
      return;
    }
  if (!contains(kernel.schedule.distributions, d)) kernel.schedule.distributions.push_back(d);
}

std::optional<Schedule::Pipeline> pipeline_of(Resolution& resolution, const syntax::Command& command,
                                              std::int64_t largest) {
  const auto& words = command.words;
  const auto is = [&](std::size_t k, syntax::Word::Kind kind) { return k < words.size() && words[k].kind == kind; };
  const bool named = is(0, syntax::Word::Kind::name);
  const std::int64_t block = block_of(words, 1, largest);
  const bool sized = block > 0;
  if (words.size() != 2 || !named || !sized) {
    const std::size_t k = !named ? 0 : !sized ? 1 : 2;
    report_usage(resolution, command, k < words.size() ? &words[k] : nullptr,
                 "a loop, and how many iterations are a block, 1 to " + std::to_string(largest) + ": `pipeline j 256`");
    return std::nullopt;
  }
  return Schedule::Pipeline{words[0].text, block, whole_of(command), words[0].span};
}

void add_pipeline(Resolution& resolution, Kernel& kernel, const Schedule::Pipeline& pipeline) {
  for (const Schedule::Pipeline& other : kernel.schedule.pipelines)
    if (other.loop == pipeline.loop) {
      if (other.block != pipeline.block)
        resolution.error("E0154", pipeline.span, "the loop over " + pipeline.loop + " has blocks of two sizes")
            .notes.push_back({other.span, "the other one"});
      return;
    }
  kernel.schedule.pipelines.push_back(pipeline);
}

}  // namespace trellis::lang::resolving
