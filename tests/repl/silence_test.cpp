// What leaves the program arrives, or that is said; and it is text, whatever names and files hold.
#include <doctest/doctest.h>
#include <unistd.h>

#include <csignal>

#include "tests/folder.hpp"
#include "tests/repl/program.hpp"
#include "tests/session/transcript.hpp"

using namespace trellis::testing;

namespace {

const std::string doubled_program = "tensor x(3)\ny(i) = 2 * x(i)\nfill_with x [1, 2, 3]\n";

Ended in(const Folder& folder, const std::string& command) {
  Surroundings surroundings;
  surroundings.folder = folder.path();
  return start_shell(command, surroundings);
}

}  // namespace

TEST_CASE("output that is lost is said, and ends in a code of its own") {
  const Folder folder;
  folder.file("a.tr", doubled_program);
  for (const char* options : {"", "--json"}) {
    const Ended lost = in(folder, "trellis run a.tr " + std::string(options) + " > /dev/full");
    CHECK(lost.code == 2);
    CHECK(contains(lost.out, "standard output is not complete"));
  }
  CHECK(in(folder, "trellis --version > /dev/full").code == 2);
  CHECK(!contains(in(folder, "trellis examples | head -n 1").out, "standard output"));
}

TEST_CASE("a file that may not grow further is one that cannot be written") {
  const Folder folder;
  folder.file("a.tr", "tensor x(100000)\nrandom x seed 1\nsave x \"x.mtx\"\n");
  const Ended ended = in(folder, "ulimit -f 64; trellis run a.tr");
  CHECK(ended.code == 1);
  CHECK(contains(ended.out, "E0412"));
  CHECK(folder.count() == 1);
}

TEST_CASE("a save that is killed leaves nothing behind") {
  const Folder folder;
  folder.file("a.tr", "tensor x(3000000)\nrandom x seed 1 density 1\nsave x \"x.mtx\"\n");
  in(folder, "trellis run a.tr & sleep 1; kill -9 $!; wait");
  const bool whole = std::filesystem::exists(folder / "x.mtx");  // on a fast machine
  CHECK(folder.count() == (whole ? 2 : 1));
}

TEST_CASE("terminal escapes in names, files and fields are shown, never sent") {
  const Folder folder;
  const std::string escape = "\x1b]0;OWNED\a";
  folder.file("a.tr", "tensor x(2)\nload x \"" + escape + ".mtx\"\n");
  folder.file("b.tr", "tensor x(2)\nload x \"b.mtx\"\n");
  folder.file("b.mtx", "%%MatrixMarket matrix " + escape + " real general\n2 1\n1\n2\n");
  folder.file("c.tr", "tensor x(2): u8\nload x \"c.fa\" record \"" + escape + "\"\n");
  folder.file("c.fa", ">a" + escape + "\nACGT\n");
  folder.file("d.tr", "tensor x(2)\nload x \"d.npy\"\n");
  const std::string header = "{'descr': '" + escape + "', 'fortran_order': False, 'shape': (2,), }\n";
  folder.file("d.npy",
              std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + std::string(1, '\0') + header);
  folder.file("e.tr", "tensor x(2)\nfill_with x [1, 2]\nsave x \"" + escape + ".mtx\"\n");
  folder.file("f" + escape + ".tr", "y = \n");
  for (const char* program : {"a.tr", "b.tr", "c.tr", "d.tr", "e.tr", "f*.tr", "$'nothing\\x1b]0;OWNED\\x07.tr'"})
    for (const char* colour : {"", "--color always"}) {
      const Ended ended = in(folder, "trellis run " + std::string(program) + " " + colour);
      CHECK_MESSAGE(!contains(ended.out, "\x1b]"), program);
      CHECK_MESSAGE(!contains(ended.out, "\a"), program);
      CHECK_MESSAGE(contains(ended.out, "\\x1b]0;"), ended.out);
    }
}

TEST_CASE("commands that are suggested are quoted where a shell would take them apart") {
  const Folder folder;
  folder.file("a.tr", doubled_program + "export c \"a; touch OWNED;.c\"\n");
  const Ended ended = in(folder, "trellis run a.tr");
  CHECK(contains(ended.out, "'a; touch OWNED;.c' 'a; touch OWNED;_example.c'"));
  const std::size_t at = ended.out.find("next: ");
  REQUIRE(at != std::string::npos);
  CHECK(in(folder, ended.out.substr(at + 6, ended.out.find('\n', at) - at - 6)).code == 0);
  CHECK(!std::filesystem::exists(folder / "OWNED"));
  folder.file("it's.tr", "tensor A(2, 2)\ny(i) = A(i)\nfoo A\ny(i) = sum(j)(A(i,j)) : j <= 2\n");
  CHECK(!contains(in(folder, "trellis run \"it's.tr\"").out, "trellis fix it's.tr"));
}

TEST_CASE("--safe keeps a program to its folder") {
  const Folder folder;
  std::filesystem::create_directory(folder / "own");
  folder.file("own/a.tr", "tensor x(2)\nfill_with x [1, 2]\nsave x \"../x.mtx\"\n");
  folder.file("own/b.tr", "tensor x(2)\nfill_with x [1, 2]\nsave x \"x.mtx\"\n");
  CHECK(contains(in(folder, "trellis run --safe own/a.tr").out, "E0627"));
  CHECK(in(folder, "trellis run own/b.tr --safe").code == 0);
  CHECK(in(folder, "cd own; trellis run --safe - < a.tr").code == 1);
  CHECK(in(folder, "trellis run --safe --trusted own/b.tr").code == 2);
  CHECK(in(folder, "trellis run own/a.tr").code == 0);
}
