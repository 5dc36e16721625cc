// Every message that the program can give is shown by an example, which is carried out.
#include <doctest/doctest.h>

#include <map>

#include "engine/session/documents.hpp"
#include "tests/docs/error_example.hpp"

namespace trellis::testing {
namespace {

// Explained without an example, and why.
const std::map<std::string, std::string> without_example = {
    {"E0145", "only a mistake of a transformation gives it; certificate_test.cpp hands such loops to the certificate"},
    {"E0416", "it takes more than two thousand million stored entries; a dimension alone never does, for its level becomes wide"}};

}  // namespace

TEST_CASE("docs: the example of each section gives that very code") {
  for (const std::string& code : session::sections(session::errors_page)) {
    CAPTURE(code);
    const auto example = read_error_example(*session::section(session::errors_page, code));
    CHECK(example.shows_anything() == !without_example.contains(code));
    if (!example.shows_anything()) continue;
    const Folder folder;
    const auto shown = show(example, code, folder);
    CHECK_MESSAGE(shown.gives_code, shown.output);
    CHECK(shown.fails == (code[0] == 'E'));
  }
}

}  // namespace trellis::testing
