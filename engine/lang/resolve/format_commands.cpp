// `format A csr`: the format of a tensor in the whole program, over what its declaration says. Of several the last one
// holds.

#include <algorithm>
#include <utility>

#include "engine/lang/resolve/resolve.hpp"
#include "engine/lang/resolve/walk.hpp"

namespace trellis::lang::resolving {

namespace {

/// The words of `format A {dense, compressed(wide)} @ (1, 0)` behind the tensor, as a declaration's attributes.
class FormatWords {
 public:
  FormatWords(Resolution& resolution, const syntax::Command& command) : resolution_(resolution), command_(command) {}

  /// Empty when they are no format, which is reported.
  std::optional<std::vector<syntax::Attribute>> attributes() {
    std::vector<syntax::Attribute> found;
    for (next_ = 1; sound_ && peek();) {
      if (accept("{")) {
        syntax::LevelsAttribute levels;
        do levels.levels.push_back({name(), options()});
        while (sound_ && accept(","));
        expect("}");
        found.emplace_back(std::move(levels));
      } else if (accept("@")) {
        syntax::OrderAttribute order;
        expect("(");
        do order.dimensions.push_back(number());
        while (sound_ && accept(","));
        expect(")");
        found.emplace_back(std::move(order));
      } else if (peek()->text == "over") {
        found.emplace_back(over());
      } else {
        syntax::NamedAttribute named{name(), options()};
        const bool known =
            contains(layout_names(resolution_), named.name.text) || contains(format::level_names(), named.name.text);
        if (sound_ && !known) unknown(named.name);
        found.emplace_back(std::move(named));
      }
    }
    if (sound_ && found.empty()) fail();
    return sound_ ? std::optional(std::move(found)) : std::nullopt;
  }

 private:
  const syntax::Word* peek() const { return next_ < command_.words.size() ? &command_.words[next_] : nullptr; }

  bool accept(std::string_view symbol) {
    const bool here = peek() && peek()->kind == syntax::Word::Kind::symbol && peek()->text == symbol;
    next_ += here;
    return here;
  }
  void expect(std::string_view symbol) {
    if (sound_ && !accept(symbol)) fail();
  }

  /// `over (p, :)`.
  syntax::OverAttribute over() {
    syntax::OverAttribute result{{}, command_.words[next_++].span};
    expect("(");
    do {
      if (accept(":")) result.dimensions.emplace_back();
      else result.dimensions.emplace_back(name());
    } while (sound_ && accept(","));
    expect(")");
    result.span = text::cover(result.span, command_.words[next_ - 1].span);
    return result;
  }

  syntax::Name name() {
    if (!sound_ || !peek() || peek()->kind != syntax::Word::Kind::name) return fail();
    const syntax::Word& word = command_.words[next_++];
    return {word.text, word.span};
  }
  syntax::Name size() {
    const syntax::Word& word = command_.words[next_++];
    return {word.text, word.span};
  }
  syntax::Options options() {
    syntax::Options options;
    if (!sound_ || !accept("(")) return options;
    do options.values.push_back(peek() && peek()->kind == syntax::Word::Kind::number ? size() : name());
    while (sound_ && accept(","));
    expect(")");
    return options;
  }
  syntax::Expr number() {
    if (!sound_ || !peek() || peek()->kind != syntax::Word::Kind::number) return fail(), syntax::Expr();
    const syntax::Word& word = command_.words[next_++];
    return syntax::Expr(syntax::ExprNode{syntax::Number{word.text}, word.span});
  }

  void unknown(const syntax::Name& name) {
    sound_ = false;
    std::vector<std::string> known = layout_names(resolution_);
    known.insert(known.end(), format::level_names().begin(), format::level_names().end());
    const std::string close = text::did_you_mean(name.text, known);
    auto& diagnostic = resolution_.error("E0205", name.span, "there is no format " + name.text);
    diagnostic.notes.push_back(
        {{},
         close.empty() ? "formats: dense csr csc coo dcsr dcsc csf bcsr(R, C) dia ell(K), or levels in braces"
                       : "did you mean " + close + "?"});
  }

  syntax::Name fail() {
    if (std::exchange(sound_, false))
      resolution_
          .error("E0323", peek() ? peek()->span : command_.name.span,
                 peek() ? "format does not take " + peek()->text + " here" : "format says too little")
          .notes.push_back({{}, "as in `format A csr`, or `format A {dense, compressed} @ (1, 0)`"});
    return {};
  }

  Resolution& resolution_;
  const syntax::Command& command_;
  std::size_t next_ = 0;
  bool sound_ = true;
};

}  // namespace

namespace {

/// `format A auto`: as its declaration says.
bool takes_back(const syntax::Command& command) {
  return command.words.size() == 2 && command.words[1].kind == syntax::Word::Kind::name &&
         command.words[1].text == "auto";
}

/// Whether a later command takes this one back.
bool is_taken_back(const std::vector<const syntax::Command*>& commands, std::size_t at) {
  return std::any_of(commands.begin() + static_cast<std::ptrdiff_t>(at), commands.end(), [&](const auto* later) {
    return takes_back(*later) && !commands[at]->words.empty() && later->words[0] == commands[at]->words[0];
  });
}

}  // namespace

void report_no_tensor(Resolution& resolution, const syntax::Name& name) {
  std::vector<std::string> names;
  for (const TensorInfo& info : resolution.program.tensors) names.push_back(info.name);
  const std::string close = text::did_you_mean(name.text, names);
  resolution.error("E0201", name.span, "there is no tensor " + name.text)
      .notes.push_back(
          {{}, close.empty() ? "declare it, as in tensor " + name.text + "(n, n)" : "did you mean " + close + "?"});
}

void apply_formats(Resolution& resolution) {
  const auto& commands = resolution.format_commands;
  for (std::size_t k = 0; k < commands.size(); ++k) {
    const syntax::Command* command = commands[k];
    const syntax::Word* name = command->words.empty() ? nullptr : &command->words.front();
    TensorInfo* info = name ? resolution.tensor(name->text) : nullptr;
    if (info) {
      if (is_taken_back(commands, k)) continue;
      if (const auto attributes = FormatWords(resolution, *command).attributes()) {
        read_format(resolution, *info, *attributes);
        for (const syntax::Attribute& attribute : *attributes)
          if (const auto* over = std::get_if<syntax::OverAttribute>(&attribute)) {
            info->over.clear();  // over what its declaration says
            read_over(resolution, *info, *over);
          }
      }
    } else if (!name || name->kind != syntax::Word::Kind::name) {
      resolution.error("E0323", name ? name->span : command->name.span, "format names no tensor")
          .notes.push_back({{}, "as in `format A csr`"});
    } else if (!resolution.poisoned.contains(name->text)) {
      report_no_tensor(resolution, {name->text, name->span});
    }
  }
  for (TensorInfo& info : resolution.program.tensors)
    if (!resolution.shapeless.contains(info.name)) widen_levels(resolution, info);
}

}  // namespace trellis::lang::resolving
