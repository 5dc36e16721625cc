#include "engine/lang/resolve/distributions.hpp"

#include "engine/text/sequence.hpp"

namespace trellis::lang::resolving {

text::Span whole_of(const syntax::Command& command) {
  return command.words.empty() ? command.name.span : text::cover(command.name.span, command.words.back().span);
}

std::optional<Schedule::Distribution> distribution_of(Resolution& resolution, const syntax::Command& command) {
  const auto& words = command.words;
  const auto name_at = [&](std::size_t k) { return k < words.size() && words[k].kind == syntax::Word::Kind::name; };
  const bool said = name_at(0) && name_at(1) && words[1].text == "over" && name_at(2);
  const bool by = words.size() == 5 && name_at(3) && words[3].text == "by" && name_at(4);
  if (!said || (words.size() != 3 && !by)) {
    const std::size_t k = !name_at(0) ? 0 : words.size() < 2 || words[1].text != "over" ? 1 : !name_at(2) ? 2 : 3;
    const bool there = k < words.size();
    resolution
        .error("E0323", there ? words[k].span : whole_of(command),
               there ? "distribute does not take " + words[k].text + " here" : "distribute says too little")
        .notes.push_back({{}, "as in `distribute i over p`, or `distribute i over p by A`"});
    return std::nullopt;
  }
  return Schedule::Distribution{words[0].text, words[2].text, by ? words[4].text : "",          whole_of(command),
                                words[0].span, words[2].span, by ? words[4].span : text::Span{}};
}

void add_distribution(Resolution& resolution, Kernel& kernel, const Schedule::Distribution& d) {
  if (!is_ranks(resolution, {d.ranks, d.ranks_span})) return;
  if (!d.by.empty() && !resolution.tensor(d.by)) return report_no_tensor(resolution, {d.by, d.by_span});
  for (const Schedule::Distribution& other : kernel.schedule.distributions)
    if (other.ranks == d.ranks && other.by != d.by) {
      resolution.error("E0152", d.span, "the cuts of " + d.ranks + " are said in two ways")
          .notes.push_back({other.span, "the other one"});
      return;
    }
  if (!contains(kernel.schedule.distributions, d)) kernel.schedule.distributions.push_back(d);
}

}  // namespace trellis::lang::resolving
