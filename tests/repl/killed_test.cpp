// The program is killed at any time, and what it kept between runs is damaged: nothing is half-written, and the next
// run is right. `--random N`: so many times.
#include <doctest/doctest.h>

#include <csignal>
#include <cstdio>
#include <map>
#include <random>

#include "tests/environment.hpp"
#include "tests/folder.hpp"
#include "tests/programs.hpp"
#include "tests/random/wanted.hpp"
#include "tests/repl/program.hpp"

namespace trellis::testing {
namespace {

namespace fs = std::filesystem;
using Contents = std::map<std::string, std::string>;  ///< by the file's name

/// The files of a folder, not those of its folders.
Contents contents_of(const fs::path& folder) {
  Contents all;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file()) all[entry.path().filename().string()] = read(entry.path());
  return all;
}

/// Programs that differ in what they save under the same names, with kernels of their own, in one folder and one cache.
class Desk {
 public:
  Desk() : cache_("XDG_CACHE_HOME", folder_ / "cache"), compiler_("CC", "cc") {
    fs::create_directory(folder_ / "at");
    for (const int factor : {2, 3}) {
      const Ended ended = run(program(factor), {});
      REQUIRE(ended.code == 0);
      seconds_ = ended.seconds;
      saved_[factor] = contents_of(saves());
      REQUIRE(saved_[factor].size() == 10);
    }
    seconds_when_cached_ = run(program(3), {}).seconds;
  }

  static std::string program(int factor) {
    return "tensor x(20000)\nrandom x seed 1\ny(i) = " + std::to_string(factor) +
           " * x(i)\nrun\nsave y \"y.mtx\"\nsave y \"y.npy.gz\"\nsave y \"y.csv\"\nexport c \"y.c\"\nsave \"y.tr\"\n";
  }
  Ended run(const std::string& program, Surroundings surroundings) const {
    surroundings.input = program;
    surroundings.folder = saves();
    return start({"run", "-", "--backend", "native"}, surroundings);
  }

  /// Each file is as one of the two programs saves it, and named as it is. "" or what is not so.
  std::string half_written() const {
    for (const auto& [name, content] : contents_of(saves())) {
      // What a save is called between its end and its renaming.
      const std::string whole = name.substr(0, name.find(".trellis-unfinished"));
      if (content != saved_.at(2).at(whole) && content != saved_.at(3).at(whole)) return name;
    }
    return "";
  }
  /// The program's run leaves what it should, in the cache pairs alone. "" or what is not so.
  std::string wrong_in_next_run(int factor) const {
    const Ended ended = run(program(factor), {});
    if (ended.code != 0) return "exit " + std::to_string(ended.code) + ": " + ended.err;
    for (const auto& [name, content] : saved_.at(factor))
      if (read(saves() / name) != content) return name + " is another one";
    return "";
  }

  fs::path saves() const { return folder_.path() / "at"; }
  fs::path cache() const { return folder_.path() / "cache/trellis"; }
  double seconds() const { return seconds_; }
  double seconds_when_cached() const { return seconds_when_cached_; }

 private:
  Folder folder_;
  Environment cache_, compiler_;
  std::map<int, Contents> saved_;
  double seconds_ = 0, seconds_when_cached_ = 0;
};

/// Does to a file what disks, people and other programs do.
std::string damage(const fs::path& path, std::mt19937_64& random) {
  const std::string content = read(path);
  std::string damaged = content;
  const std::size_t at = random() % content.size();
  switch (random() % 7) {
    case 0: damaged[at] = static_cast<char>(damaged[at] ^ 1 << random() % 8); break;
    case 1: damaged.resize(at); break;
    case 2: damaged.clear(); break;
    case 3: damaged.replace(at, 512, 512, '\0'); break;
    case 4: damaged += content; break;
    case 5: fs::remove(path); return "removed " + path.string();
    default:
      fs::remove(path);
      fs::create_directory(path);
      return "a folder instead of " + path.string();
  }
  // Anew, so that what was linked to it stays whole.
  fs::remove(path);
  std::ofstream(path, std::ios::binary) << damaged;
  return "changed " + path.string();
}

std::vector<fs::path> cached(const Desk& desk) {
  std::vector<fs::path> all;
  for (const auto& entry : fs::directory_iterator(desk.cache())) all.push_back(entry.path());
  std::ranges::sort(all);
  return all;
}

}  // namespace

TEST_CASE("killed at any time while it compiles, keeps and saves: nothing is half-written, and the next run is right") {
  const Desk desk;
  const std::uint64_t seed = randomised::first_seed(0);
  int killed = 0;
  for (int k = 0; k < randomised::wanted(2); ++k) {
    std::mt19937_64 random(seed + static_cast<std::uint64_t>(k));
    // With kernels of both in the cache, it is saves that a program is killed at, mostly.
    const bool compiles = random() % 2 == 0;
    if (compiles) fs::remove_all(desk.cache());
    const int factor = 2 + static_cast<int>(random() % 2);
    Surroundings here;
    const double most = compiles ? desk.seconds() : desk.seconds_when_cached();
    here.kill_after = most * std::uniform_real_distribution<>(0, 1)(random);
    CAPTURE(k);
    CAPTURE(*here.kill_after);
    killed += desk.run(Desk::program(factor), here).code == 128 + SIGKILL;
    REQUIRE(desk.half_written() == "");
    REQUIRE(desk.wrong_in_next_run(5 - factor) == "");
    REQUIRE(desk.half_written() == "");
  }
  if (options().random > 0) std::printf("%d of %d were killed before they ended\n", killed, options().random);
}

TEST_CASE("cached kernels that are damaged are not used, and are made again") {
  const Desk desk;
  const std::uint64_t seed = randomised::first_seed(0);
  for (int k = 0; k < randomised::wanted(2); ++k) {
    std::mt19937_64 random(seed + static_cast<std::uint64_t>(k));
    const std::vector<fs::path> files = cached(desk);
    REQUIRE(files.size() >= 4);
    const std::string done = damage(files[random() % files.size()], random);
    CAPTURE(k);
    CAPTURE(done);
    for (const int factor : {2, 3}) REQUIRE(desk.wrong_in_next_run(factor) == "");
    // Where a folder stands in a file's place, nothing can be kept, as on a disk that is full.
    for (const fs::path& path : files)
      if (fs::is_directory(path)) fs::remove(path);
    for (const int factor : {2, 3}) REQUIRE(desk.wrong_in_next_run(factor) == "");
    REQUIRE(cached(desk) == files);
  }
}

}  // namespace trellis::testing
