// Every message that the program can give is shown by an example, which is carried out.
#include <doctest/doctest.h>

#include "engine/session/program/documents.hpp"
#include "tests/docs/error_example.hpp"

namespace trellis::testing {

TEST_CASE("docs: the example of each section gives that very code") {
  for (const std::string& code : session::sections(session::errors_page)) {
    CAPTURE(code);
    const auto example = read_error_example(*session::section(session::errors_page, code));
    CHECK(example.shows_anything());
    if (!example.python.empty() && example.program.empty()) continue;
    const Folder folder;
    const auto shown = show(example, code, folder);
    CHECK_MESSAGE(shown.gives_code, shown.output);
    CHECK(shown.fails == (code[0] == 'E'));
  }
}

}  // namespace trellis::testing
