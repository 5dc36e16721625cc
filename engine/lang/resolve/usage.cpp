#include "engine/lang/resolve/usage.hpp"

namespace trellis::lang::resolving {

text::Span whole_of(const syntax::Command& command) {
  return command.words.empty() ? command.name.span : text::cover(command.name.span, command.words.back().span);
}

void report_usage(Resolution& resolution, const syntax::Command& command, const syntax::Word* word,
                  const std::string& note) {
  const std::string& name = command.name.text;
  resolution
      .error("E0323", word ? word->span : whole_of(command),
             word ? name + " does not take " + word->text + " here" : name + " says too little")
      .notes.push_back({{}, note});
}

}  // namespace trellis::lang::resolving
