// `--spill`: a program whose tensors are larger than memory may hold, from files to files.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "engine/run/on_mpi.hpp"
#include "tests/folder.hpp"
#include "tests/repl/program.hpp"
#include "tests/session/transcript.hpp"

using namespace trellis::testing;

namespace {

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// 4 MB each.
const std::string means =
    "param n = 500000\ntensor x(n)\nload x \"x.npy\"\n"
    "y(i) = x(i-1) + 2 * x(i) + x(i+1) : 1 <= i < n-1\nranks p\ndistribute i over p\n";

}  // namespace

TEST_CASE("what memory may not hold lies in files, for one process and for ranks") {
  const Folder folder;
  const auto goes = [&](const std::string& program, const std::vector<std::string>& options) {
    std::vector<std::string> arguments = {"run", folder.file("p.tr", program)};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return start(arguments);
  };
  CHECK(goes("tensor x(500000)\nrandom x\nsave x \"x.npy\"\n", {}).code == 0);
  CHECK(goes(means + "run\nsave y \"whole.npy\"\n", {}).code == 0);
  const std::string whole = content(folder / "whole.npy");
  REQUIRE(whole.size() > 4'000'000);

  const std::vector<std::string> spilling = {"--memory", "2M", "--spill", folder.path().string()};
  const Ended refused = goes(means + "run\n", {"--memory", "2M"});
  CHECK(refused.code == 1);
  CHECK(contains(refused.err, "error[E0410]"));
  CHECK(contains(refused.err, "--spill"));
  const Ended alone = goes(means + "run\nsave y \"alone.npy\"\n", spilling);
  CHECK_MESSAGE(alone.code == 0, alone.err);
  CHECK(contains(alone.err, "loaded x: 500000, 500000 entries, which stay in the file"));
  CHECK(content(folder / "alone.npy") == whole);
  const auto before = folder.count();
  if (trellis::run::in_path(trellis::run::mpi_starter()).empty()) return;
  const Ended ranks = goes(means + "run ranks 3 mpi\nsave y \"ranks.npy\"\n", spilling);
  CHECK_MESSAGE(ranks.code == 0, ranks.err);
  CHECK(content(folder / "ranks.npy") == whole);
  CHECK(folder.count() == before + 1);
  // The file that was loaded is what ranks read, whatever has its name by then.
  const Ended again =
      goes(means + "run ranks 3 mpi\nsave y \"x.npy\"\nrun ranks 3 mpi\nsave y \"ranks.npy\"\n", spilling);
  CHECK_MESSAGE(again.code == 0, again.err);
  CHECK(content(folder / "ranks.npy") == whole);
}

TEST_CASE("a sparse matrix beyond memory is stored as one that fits, and so are results of ranks that map it") {
  const Folder folder;
  const std::string product =
      "tensor A(n, n): csr\ntensor x(n)\nload A \"A.mtx\"\nrandom x seed 2\n"
      "y(i) = A(i,j) * x(j)\nranks p\ndistribute i over p by A\n";
  const auto goes = [&](const std::string& program, const std::vector<std::string>& options) {
    std::vector<std::string> arguments = {"run", folder.file("p.tr", program)};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return start(arguments);
  };
  std::string text = "%%MatrixMarket matrix coordinate real general\n20000 20000 200000\n";
  std::uint64_t at = 1;
  const auto next = [&](std::uint64_t below) {
    at = at * 6364136223846793005u + 1442695040888963407u;
    return (at >> 33) % below;
  };
  for (int entry = 0; entry < 200'000; ++entry) {
    const std::uint64_t i = next(20'000) + 1, j = next(20'000) + 1;
    text += std::to_string(i) + " " + std::to_string(j) + " 0." + std::to_string(next(1000)) + "\n";
  }
  folder.file("A.mtx", text);
  CHECK(goes(product + "run\nsave y \"whole.npy\"\nsave A \"whole.mtx\"\n", {}).code == 0);
  const std::vector<std::string> spilling = {"--memory", "2M", "--spill", folder.path().string()};
  CHECK(contains(goes(product + "run\n", {"--memory", "2M"}).err, "error[E0410]"));
  const Ended alone = goes(product + "run\nsave y \"alone.npy\"\nsave A \"alone.mtx\"\n", spilling);
  CHECK_MESSAGE(alone.code == 0, alone.err);
  CHECK(content(folder / "alone.npy") == content(folder / "whole.npy"));
  CHECK(content(folder / "alone.mtx") == content(folder / "whole.mtx"));
  if (trellis::run::in_path(trellis::run::mpi_starter()).empty()) return;
  const Ended ranks = goes(product + "run ranks 3 mpi\nsave y \"ranks.npy\"\n", spilling);
  CHECK_MESSAGE(ranks.code == 0, ranks.err);
  CHECK(content(folder / "ranks.npy") == content(folder / "whole.npy"));
}

TEST_CASE("a folder that takes no files is said before anything else") {
  const Ended ended = run("tensor x(3)\n", {"--spill", "/nowhere/at/all"});
  CHECK(ended.code == 2);
  CHECK(contains(ended.err, "--spill /nowhere/at/all: No such file or directory"));
}
