// Tensors, parameters and layouts.

#include "engine/lang/parser.hpp"

#include <algorithm>

#include "engine/format/format.hpp"

namespace trellis::lang {

using namespace syntax;

// tensor = "tensor" NAME ["(" expr {"," expr} ")"] [":" attr {attr}];
TensorDecl Parser::tensor() {
  expect("tensor", "here");
  TensorDecl result{declared_name("the tensor's name"), {}, {}};
  if (at("(")) result.shape = tuple();
  if (at("[")) expected("`(` before the sizes", {"sizes stand in parentheses: tensor A(n, m)"});
  if (accept(":")) {
    do {
      const auto* before = result.attributes.empty() ? nullptr : std::get_if<NamedAttribute>(&result.attributes.back());
      const bool misspelt = before && at_literal() && !text::did_you_mean(before->name.text, {"fill"}).empty();
      if (misspelt)
        fail_at(before->name.span, {"E0017", "`" + before->name.text + "` takes no value", "did you mean fill?"});
      result.attributes.push_back(attribute());
    } while (!peek().ends_statement() && position_ != close_ && !at("}"));
  } else if (at("=") && !peek(1).is("[")) {
    expected("the end of the statement", {"at first every element is the fill, as in tensor " + result.name.text +
                                          (result.shape.empty() ? "" : "(…)") + ": fill 1"});
  } else if (at(",")) {
    expected("`:` or the end of the statement", {"each tensor has a declaration of its own"});
  } else if (peek().kind == Token::Kind::name || at("{") || at("@")) {
    expected("`:` before the format", {"as in tensor A(n, m): csr f32"});
  }
  return result;
}

// attr = NAME [options] | levels | "@" tuple | "fill" literal | "over" dimensions;
Attribute Parser::attribute() {
  if (at("{")) return LevelsAttribute{levels()};
  if (accept("@")) return OrderAttribute{tuple()};
  if (accept_word("fill")) {
    if (at("(")) expected("a literal", {"a fill value needs no parentheses: fill -1"});
    return FillAttribute{literal()};
  }
  if (at_word("over")) {
    const int start = position_;
    next();
    OverAttribute result{over(), {}};
    result.span = since(start);
    return result;
  }
  if (at(",")) expected("an attribute", {"attributes are separated by blanks: csr f32 fill 0"});
  if (at("=") || peek().kind == Token::Kind::integer || peek().kind == Token::Kind::real)
    expected("a format, an element type, `fill`, `pad` or `@`",
             {"values go into a tensor by load, random or fill_with"});
  NamedAttribute result{name("a format, an element type, `fill`, `pad` or `@`"), {}};
  if (at("(")) result.options = options();
  return result;
}

// dimensions = "(" (NAME | ":") {"," (NAME | ":")} ")";
std::vector<std::optional<Name>> Parser::over() {
  const int opener = position_;
  expect("(", "before what ranks each dimension is cut for, as in over (p, :)");
  std::vector<std::optional<Name>> result;
  do {
    if (accept(":")) result.emplace_back();
    else result.emplace_back(name("a dimension of ranks, or `:` for one that is not cut"));
  } while (accept(","));
  expect_closing(opener);
  return result;
}

// ranks = "ranks" NAME ["(" INT ")"] {NAME ["(" INT ")"]};
RanksDecl Parser::ranks() {
  next();
  RanksDecl result;
  do {
    RanksDecl::Dimension dimension{name("a name for the ranks, as in ranks p")};
    if (const int opener = position_; accept("(")) {
      dimension.count = integer("how many ranks there are");
      expect_closing(opener);
    }
    result.dimensions.push_back(std::move(dimension));
    if (at(",")) expected("another name, or the end of the statement", {"names are separated by blanks: ranks p q"});
  } while (!peek().ends_statement() && position_ != close_);
  return result;
}

// levels = "{" NAME [options] {"," NAME [options]} "}";
std::vector<LevelSpec> Parser::levels() {
  const int opener = position_;
  if (expect("{", "before the levels").partner < 0) never_closed(tokens_[opener]);
  std::vector<LevelSpec> result;
  do {
    skip_line_ends();
    LevelSpec level{name("a level format"), {}};
    if (at("(")) level.options = options();
    result.push_back(std::move(level));
    skip_line_ends();
  } while (accept(","));
  if (peek().kind == Token::Kind::name) {  // `compressed unordered`, in whichever order
    std::string level = result.back().name.text, option(peek().text);
    const std::vector<std::string>& levels = format::level_names();
    if (std::ranges::find(levels, level) == levels.end()) std::swap(level, option);
    expected("`,` or `}`", {"options stand in parentheses behind their level: " + level + "(" + option + ")"});
  }
  expect_closing(opener);
  return result;
}

// options = "(" (NAME | INT) {"," (NAME | INT)} ")";
Options Parser::options() {
  const int opener = position_;
  expect("(", "before the options");
  Options result;
  do {
    const Token& token = peek();
    if (token.kind == Token::Kind::integer) result.values.push_back({std::string(next().text), token.span});
    else result.values.push_back(name("an option's name or a number"));
  } while (accept(","));
  expect_closing(opener);
  return result;
}

// param = "param" NAME "=" expr;
ParamDecl Parser::param() {
  next();
  ParamDecl result{declared_name("the parameter's name"), {}};
  if (peek().ends_statement())
    expected("`=` and a value",
             {"a size without a value needs no `param`: the first tensor loaded into it gives it one"});
  expect("=", "and the parameter's value");
  result.value = expr();
  return result;
}

// layout = "layout" NAME ["(" NAME {"," NAME} ")"] ":" tuple "->" tuple levels [":" constraint {"," constraint}];
LayoutDecl Parser::layout() {
  next();
  LayoutDecl result{name("the layout's name"), {}, {}, {}, {}, {}};
  if (const int opener = position_; accept("(")) {
    do result.parameters.push_back(name("a parameter of the layout"));
    while (accept(","));
    expect_closing(opener);
  }
  expect(":", "before the layout's map");
  result.from = tuple();
  expect("->", "between a tensor's and a level's coordinates");
  result.to = tuple();
  result.levels = levels();
  if (!accept(":")) return result;
  do result.constraints.push_back(constraint());
  while (accept(","));
  return result;
}

}  // namespace trellis::lang
