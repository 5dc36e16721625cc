// Which back end runs a kernel where nobody names one.

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "tests/environment.hpp"
#include "tests/folder.hpp"
#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::Transcript;

namespace {

std::string ran_on(Transcript& t, const std::string& command) {
  return t.say(command).last("run")["kernels"][0]["backend"];
}

session::Options choosing() {
  session::Options options;
  options.chooses_backend = true;
  return options;
}

// Estimated at some milliseconds: too little to wait for the C compiler, and worth its work beside.
const std::string worth_it =
    "param n = 160\ntensor A(n, n)\ntensor B(n, n)\nrandom A seed 1\nrandom B seed 2\nC(i,j) = A(i,k) * B(k,j)\n"
    "order i j k\n";

/// In the place of `cc`: a shell script.
std::string compiler(const testing::Folder& folder, const std::string& compiling) {
  const std::string file = folder.file("cc", "#!/bin/sh\ncase \"$*\" in *--version) echo fake; exit 0;; esac\n: > '" +
                                                 folder / "started" + "'\n" + compiling + "\n");
  chmod(file.c_str(), 0700);
  return file;
}

}  // namespace

TEST_CASE("a run that is estimated to take long waits for the C compiler, where the session may choose") {
  const std::string multiplied =
      "tensor A(n, n)\ntensor B(n, n)\nrandom A seed 1\nrandom B seed 2\nC(i,j) = A(i,k) * B(k,j)\n";
  session::Options options;
  options.chooses_backend = true;
  Transcript large(options), small(options), named(options), usual;
  large.say("param n = 900\n" + multiplied);
  CHECK(ran_on(large, "run") == "native");
  small.say("param n = 50\n" + multiplied);
  CHECK(ran_on(small, "run") == "jit");
  CHECK(ran_on(small, "run native") == "native");
  named.say("param n = 500\n" + multiplied + "order i k j\njam k 4\n");
  CHECK(ran_on(named, "run jit") == "jit");
  usual.say("param n = 300\n" + multiplied);
  CHECK(ran_on(usual, "run") == "jit");
}

TEST_CASE("what libtcc runs at once, the C compiler compiles beside it, and runs from then on, to the same bits") {
  Transcript t(choosing());
  const auto ran = [&](const std::string& command) { return t.say(command).last("run")["kernels"][0]; };
  const auto bits = [&] {
    const tensor::Tensor& c = *t.session().state().data.held("C");
    return std::string(static_cast<const char*>(c.data()), static_cast<std::size_t>(c.count()) * sizeof(double));
  };
  t.say(worth_it);
  const testing::Folder folder;
  const testing::Environment cache("XDG_CACHE_HOME", folder.path().string());
  auto now = ran("run");
  CHECK(now["backend"] == "jit");
  CHECK(now["why"] == "native once it is compiled");
  const std::string by_jit = bits();
  for (int k = 0; k < 3000 && now["backend"] == "jit"; ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    now = ran("run");
  }
  CHECK(now["backend"] == "native");
  CHECK(now["why"] == "compiled beside earlier runs");
  CHECK(bits() == by_jit);
  now = ran("run jit");
  CHECK(now["backend"] == "jit");
  CHECK(!now.contains("why"));
}

TEST_CASE("a compiler that fails beside a session, or does not end, is told of once, and kernels stay where they are") {
  for (const char* compiling : {"exit 1", "exec sleep 1000"}) {
    CAPTURE(compiling);
    const testing::Folder folder;
    const testing::Environment cache("XDG_CACHE_HOME", folder.path().string()), cc("CC", compiler(folder, compiling));
    session::Options options = choosing();
    options.limits.seconds = 2;
    Transcript t(options);
    t.say(worth_it);
    CHECK(ran_on(t, "run") == "jit");
    testing::Answer answer;
    for (int k = 0; k < 3000 && answer.codes.empty(); ++k) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      answer = t.say("run");
    }
    CHECK(answer.codes == "N0609");
    CHECK(answer.last("run")["kernels"][0]["why"] == "without a C compiler");
    const testing::Answer again = t.say("run");
    CHECK(again.codes.empty());
    CHECK(again.last("run")["kernels"][0]["backend"] == "jit");
  }
}

TEST_CASE("whoever waits for a compiler does not wait for the one beside the session") {
  const testing::Folder folder;
  const testing::Environment cache("XDG_CACHE_HOME", folder.path().string()),
      cc("CC", compiler(folder, "test -e '" + folder / "again" + "' && exec cc \"$@\"\nexec sleep 1000"));
  Transcript t(choosing());
  t.say(worth_it);
  CHECK(ran_on(t, "run") == "jit");
  for (int k = 0; k < 3000 && !std::filesystem::exists(folder / "started"); ++k)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  folder.file("again", "");
  const testing::Answer waited = t.say("run native");
  CHECK(waited.ok());
  CHECK(waited.codes.empty());
}
