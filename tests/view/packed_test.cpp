// What a page holds of a model: everything, and nothing twice.
#include "engine/view/packed.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <nlohmann/json.hpp>

namespace trellis::testing {
namespace {

using Json = nlohmann::ordered_json;

/// As engine/view/report/unpack.js reads it.
Json unpacked(const Json& page) {
  Json known = Json::array();
  std::function<Json(const Json&)> read;
  const auto object = [&](const Json& shape, const Json& values, std::size_t first) {
    Json made = Json::object();
    for (const Json& name : page["shapes"][shape.get<std::size_t>()])
      made[name.get<std::string>()] = read(values[first++]);
    return made;
  };
  read = [&](const Json& value) -> Json {
    Json made = Json::array();
    if (value.is_array())
      for (const Json& one : value) made.push_back(read(one));
    if (value.is_array() || !value.is_object()) return value.is_array() ? made : value;
    const std::string kind = value.begin().key();
    const Json& content = value.begin().value();
    if (kind == "r") return known.at(content.get<std::size_t>());
    if (kind == "o") return object(content[0], content, 1);
    if (kind == "t") {
      for (std::size_t k = 1; k < content.size(); ++k)
        made.push_back(content[k].is_array() ? object(content[0], content[k], 0) : read(content[k]));
      return made;
    }
    std::string text;
    for (const Json& line : content) text += read(line).get<std::string>() + "\n";
    text.pop_back();
    return text;
  };
  for (const Json& one : page["shared"]) known.push_back(read(one));
  return read(page["model"]);
}

}  // namespace

TEST_CASE("packed models hold what they held") {
  const Json rows = Json::parse(R"([{"begin": 1, "end": 2}, {"begin": 3, "end": 4}, {"begin": 1, "end": 2}])");
  const std::string text = "for i in 0:n\n  a longer line of text\n\n  a longer line of text\n";
  for (const Json& model :
       {Json(), Json(-1.5), Json("r"), Json("\n"), Json::array(), Json::object(), rows, Json(text), Json{{"r", 1}},
        Json{{"a", rows}, {"b", {rows, rows, nullptr, true}}, {"c", {{"d", text}, {"e", {text, "x"}}}}},
        Json::array({rows, Json::array({Json::array({"r", 0}), rows[0], Json::object()})})})
    CHECK(unpacked(view::packed(model)) == model);
}

TEST_CASE("packed models hold what is the same once") {
  const std::string line = "a line that many texts have in common";
  Json model = Json::array();
  for (int k = 0; k < 50; ++k)
    model.push_back({{"text", line + "\n" + std::to_string(k)}, {"rows", {1, 2, 3, 4, 5, 6, 7, 8}}});
  const std::string page = view::packed(model).dump();
  CHECK(page.find(line) == page.rfind(line));
  CHECK(page.find("[1,2,3,4,5,6,7,8]") == page.rfind("[1,2,3,4,5,6,7,8]"));
  CHECK(page.find("\"rows\"") == page.rfind("\"rows\""));
}

}  // namespace trellis::testing
