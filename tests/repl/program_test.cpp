// The command line from outside: exit codes, what goes where, and bad input of every kind.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "repl/companion.hpp"
#include "tests/folder.hpp"
#include "tests/repl/program.hpp"
#include "tests/session/transcript.hpp"

using namespace trellis::testing;

namespace {

const std::string doubling = "tensor x(3)\ny(i) = 2 * x(i)\nfill_with x [1, 2, 3]\n";
const std::string endless = "param n = 100000\ntensor x(n)\ns = sum(i, j, k)(x(i) * x(j) * x(k))\norder i j k\n";

// The objects on standard output; a line that is none fails the test.
std::vector<nlohmann::json> objects(const std::string& out) {
  std::vector<nlohmann::json> found;
  std::istringstream lines(out);
  for (std::string line; std::getline(lines, line);) {
    const auto object = nlohmann::json::parse(line, nullptr, false);
    CHECK_MESSAGE(object.is_object(), line);
    if (object.is_object()) found.push_back(object);
  }
  return found;
}

}  // namespace

TEST_CASE("results go to standard output, everything else to standard error") {
  const Ended ended = run(doubling);
  CHECK(ended.code == 0);
  CHECK(ended.out == "y = [2 4 6]\n");
  CHECK(contains(ended.err, "<stdin>:2:1: note[N0201]: new dense result y(3): f64"));
  CHECK(contains(ended.err, "ran main"));
}

TEST_CASE("a file is read from its name, with sizes from the command line") {
  Folder folder;
  const std::string file = folder.file("a.tr", "param n = 2; tensor x(n)\ny(i) = i + x(i)\n");
  CHECK(start({"run", file}).out == "y = [0 1]\n");
  CHECK(start({"run", file, "-D", "n=4"}).out == "y = [0 1 2 3]\n");
  CHECK(start({"run", "-Dn=1", file}).out == "y = [0]\n");
  CHECK(start({"run", file, "--backend", "native"}).out == "y = [0 1]\n");
  CHECK(start({"run", file, "--trusted"}).out == "y = [0 1]\n");
}

TEST_CASE("with --json each line of standard output is one object, and nothing else is there") {
  const Ended good = run(doubling + "show c\norders\nwhy i\ncheck\nprint y\nhelp run\n", {"--json"});
  CHECK(good.code == 0);
  std::string commands;
  for (const auto& object : objects(good.out)) {
    CHECK(object.contains("line"));
    CHECK(object["ok"] == true);
    commands += object["command"].get<std::string>() + " ";
  }
  CHECK(commands == "fill_with show orders why check print help ");

  const Ended bad = run(doubling + "run\nprint z\n", {"--json"});
  CHECK(bad.code == 1);
  const auto last = objects(bad.out).back();
  CHECK(last["command"] == "print");
  CHECK(last["ok"] == false);
  CHECK(last["line"] == 5);
  const auto& diagnostic = last["diagnostics"].at(0);
  CHECK(diagnostic["severity"] == "error");
  CHECK(diagnostic["code"] == "E0615");
  CHECK(diagnostic["line"] == 5);
  CHECK(diagnostic["column"] == 7);
  CHECK(diagnostic["endColumn"] == 8);
  CHECK(diagnostic["file"] == "<stdin>");

  for (const char* program : {"y(i) = ", "\xff\xfe\x00", "tensor s(2): u8; fill_with s \"\xc3\x28\"; print s"})
    objects(run(program, {"--json"}).out);
}

TEST_CASE("exit 1: the program is wrong") {
  const Ended ended = run("tensor x(3)\ny(i) = x(i) + z\n");
  CHECK(ended.code == 1);
  CHECK(ended.out.empty());
  CHECK(contains(ended.err, "<stdin>:2:15: error[E0201]: unknown name z\n 2 | y(i) = x(i) + z\n   |               ^"));
}

TEST_CASE("--help behind a subcommand is help on that") {
  const auto told = [](const std::vector<std::string>& arguments) {
    const Ended ended = start(arguments);
    CHECK(ended.code == 0);
    CHECK(ended.err.empty());
    return ended.out;
  };
  CHECK(told({"--help"}) == told({"help"}));
  for (const char* other : {"file.tr", "help"}) CHECK(told({other, "-h"}) == told({"help"}));
  for (const char* name : {"run", "explain", "gui", "bench", "examples"}) {
    CHECK(contains(told({name, "--help"}), "trellis " + std::string(name)));
    CHECK(told({name, "any.tr", "-h"}) == told({"help", std::string(name) == "run" ? "options" : name}));
  }
}

TEST_CASE("exit 2: the command line is wrong") {
  Folder folder;
  const std::string file = folder.file("a.tr", doubling);
  const auto problem = [&](const std::vector<std::string>& arguments) {
    const Ended ended = start(arguments);
    CHECK(ended.code == 2);
    CHECK(ended.out.empty());
    return ended.err;
  };
  CHECK(contains(problem({"run", folder / "none.tr"}), "No such file"));
  CHECK(contains(problem({"run", folder.path().string()}), "it is a directory"));
  CHECK(contains(problem({"run"}), "needs a file"));
  CHECK(contains(problem({"run", file, file}), "takes one file"));
  CHECK(contains(problem({"run", file, "--jsn"}), "did you mean `--json`?"));
  CHECK(contains(problem({"run", file, "-D", "m=3"}), "no parameter or size `m`"));
  CHECK(contains(problem({"run", file, "-D", "m=x"}), "`x` is not a number"));
  CHECK(contains(problem({"run", file, "-D", "m"}), "such as -D n=100"));
  CHECK(contains(problem({"run", file, "-D"}), "needs a value"));
  CHECK(contains(problem({"run", file, "--set", "order"}), "--set needs"));
  CHECK(contains(problem({"run", file, "--set", "order=k"}), "no kernel has all of these indices"));
  CHECK(contains(problem({"run", file, "--backend", "gpu"}), "jit or native"));
  CHECK(contains(problem({"run", file, "--threads", "0"}), "1 to 1024"));
  CHECK(contains(problem({"run", file, "--timeout", "-1"}), "positive"));
  CHECK(contains(problem({"run", file, "--memory", "lots"}), "4G"));
  CHECK(contains(problem({"rnu", file}), "did you mean `trellis run`?"));
  CHECK(contains(problem({"explain", file, "--jsn"}), "did you mean `--json`?"));
  CHECK(contains(problem({"run", file, "--treads=2"}), "did you mean `--threads`?"));
#ifndef __SANITIZE_ADDRESS__  // the program that measures is not built then
  CHECK(contains(problem({"bench", "none"}), "there is no benchmark `none`"));
  CHECK(contains(problem({"bench", "--none"}), "does not know `--none`"));
  CHECK(contains(problem({"bench", "--data"}), "needs a folder"));
#endif
}

TEST_CASE("a companion that is not beside the program is said to be missing") {
  const std::string problem = trellis::repl::exec_companion("none", {"bench"});
  CHECK(contains(problem, "/trellis-none`"));
  CHECK(contains(problem, "No such file"));
}

TEST_CASE("exit 3: a kernel failed, and its tensors are as before") {
  const Ended divided = run("tensor a(2): i32; tensor q(2): i32; fill_with q [5, 6]\nq(i) = 1 / a(i)\nrun\n");
  CHECK(divided.code == 3);
  CHECK(contains(divided.err, "<stdin>:2:8: error[E0502]: kernel main stopped: integer division by zero"));
  const Ended slow = run(endless, {"--timeout", "0.4"});
  CHECK(slow.code == 3);
  CHECK(slow.seconds < 20);
  CHECK(contains(slow.err, "error[E0504]"));
}

TEST_CASE("exit 4: check found a difference") {
  const Ended ended =
      run("tensor x(3); tensor s; loops { for k { s += x(k) } }; order k-; fill_with x [1, 1e16, -1e16]; run; check\n");
  CHECK(ended.code == 4);
  CHECK(contains(ended.out, "differs at s"));
}

TEST_CASE("exit 130: Ctrl-C ends a kernel") {
  Surroundings surroundings;
  surroundings.input = endless;
  surroundings.interrupt_after = 1.5;
  const Ended ended = start({"run", "-"}, surroundings);
  CHECK(ended.code == 130);
  CHECK(ended.seconds < 20);
  CHECK(contains(ended.err, "interrupted"));
}

TEST_CASE("two signals at once, as from timeout, are one Ctrl-C") {
  Surroundings surroundings;
  surroundings.input = endless;
  surroundings.interrupt_after = 1.0;
  surroundings.interrupts = 2;
  const Ended ended = start({"run", "-"}, surroundings);
  CHECK(ended.code == 130);
  CHECK(contains(ended.err, "interrupted"));
}

TEST_CASE("too little memory is an error before anything is allocated") {
  const Ended ended = run("tensor A(2000, 2000)\nrandom A\n", {"--memory", "1M"});
  CHECK(ended.code == 1);
  CHECK(contains(ended.err, "error[E0410]"));
}

TEST_CASE("texts that are no program") {
  CHECK(run("").code == 0);
  CHECK(run("").out.empty());
  CHECK(run("\n\n# only a comment").code == 0);
  std::string garbage;
  for (int k = 0; k < 20000; ++k) garbage += static_cast<char>((k * 7919 + k / 13) % 256);
  const Ended ended = run(garbage);
  CHECK(ended.code == 1);
  CHECK(ended.err.size() < 20000);
  CHECK(run(std::string(200000, '(')).code == 1);
}

TEST_CASE("files that are no matrix") {
  Folder folder;
  const std::string banner = "%%MatrixMarket matrix coordinate real general\n";
  folder.file("cut.mtx", banner + "3 3 4\n1 1 2\n2 2 2\n");
  folder.file("huge.mtx", "%%MatrixMarket matrix array real general\n20000 20000\n1\n");
  folder.file("garbage.mtx", std::string("\x00\x01\xff\x7f\n", 5));
  folder.file("empty.mtx", "");
  const auto load = [&](const std::string& name, const std::vector<std::string>& options = {}) {
    std::vector<std::string> arguments = {"run", folder.file("p.tr", "tensor A(n, m)\nload A \"" + name + "\"\n")};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Ended ended = start(arguments);
    CHECK(ended.code == 1);
    CHECK(ended.seconds < 10);
    return ended.err;
  };
  CHECK(contains(load("cut.mtx"), "error[E0407]"));
  CHECK(contains(load("huge.mtx", {"--memory", "1G"}), "error[E04"));
  CHECK(contains(load("huge.mtx"), "error[E04"));
  CHECK(contains(load("garbage.mtx"), "error[E0403]"));
  CHECK(contains(load("empty.mtx"), "error[E0403]"));
  CHECK(contains(load("."), "error[E0"));
  CHECK(contains(load("none.mtx"), "error[E0400]"));
  std::filesystem::create_directory(folder.path() / "dir.mtx");
  CHECK(contains(load("dir.mtx"), "directory"));
}

TEST_CASE("save leaves a whole file or none, beside the program") {
  Folder folder;
  const std::string good = folder.file("good.tr", doubling + "run\nsave y \"y.mtx\"\n");
  CHECK(start({"run", good}).code == 0);
  CHECK(std::filesystem::exists(folder.path() / "y.mtx"));
  const std::string bad = folder.file("bad.tr", doubling + "run\nsave y \"no/y.mtx\"\n");
  CHECK(start({"run", bad}).code == 1);
  CHECK(folder.count() == 3);
}

TEST_CASE("examples are listed, printed, and run as they are printed") {
  const Ended list = start({"examples"});
  CHECK(list.code == 0);
  CHECK(contains(list.out, "cholesky "));
  const Ended one = start({"examples", "fibonacci"});
  CHECK(one.code == 0);
  CHECK(run(one.out).code == 0);
  const Ended none = start({"examples", "fibonaci"});
  CHECK(none.code == 2);
  CHECK(contains(none.err, "did you mean `examples fibonacci`?"));
}

TEST_CASE("explain shows every stage of every kernel and runs nothing, unless it writes a page") {
  Folder folder;
  const std::string file = folder.file(
      "a.tr",
      "param n = 4; tensor L(n, n); tensor b(n)\nload L \"none.mtx\"\n"
      "kernel solve { x(i) = b(i) - sum(j)(L(i,j) * x(j)) : j < i; order i j }\ny(i) = 2 * x(i)\nrun\nprint y\n");
  const Ended page = start({"explain", file});
  CHECK(page.code == 0);
  for (const char* part : {"Kernel solve\n============", "Kernel main", "tx(i) += L(i,j)*x(j)", "certified for all",
                           "Loops, as", "for (", "orders are legal"})
    CHECK_MESSAGE(contains(page.out, part), part);
  CHECK(contains(start({"explain", file, "--set", "solve.order=i-,j"}).out, "error[E0101]"));
  CHECK(start({"explain", file, "--set", "solve.order=i-,j"}).code == 1);
  CHECK(start({"explain", folder / "none.tr"}).code == 2);
  CHECK(start({"explain"}).code == 2);
  CHECK(contains(start({"explain", file, "-o"}).err, "-o needs a file name"));
  const std::string refused = folder.file(
      "c.tr", "param n = 3; tensor U(n, n); tensor b(n)\nx(i) = b(i) - sum(j)(U(i,j) * x(j)) : i < j\norder i j\n");
  CHECK(contains(start({"explain", refused, "-o", folder / "page.html"}).out, "wrote "));
  CHECK(start({"explain", refused, "-o", folder / "page.html"}).code == 0);
  CHECK(start({"explain", refused, "-o", folder / "none/page.html"}).code == 2);
  CHECK(start({"explain", file, "-o", folder / "page.html"}).code == 1);  // its data is not there
  CHECK(start({"explain", folder.file("b.tr", "y(i) = z(i)\n")}).code == 1);
}

TEST_CASE("orders time keeps what was measured when Ctrl-C ends it") {
  Surroundings surroundings;
  surroundings.input =
      "param n = 220\ntensor A(n, n); tensor B(n, n)\nC(i,j) = sum(k)(A(i,k) * B(k,j))\nrandom A; random B\norders "
      "down time\n";
  surroundings.interrupt_after = 4;
  const Ended ended = start({"run", "-", "--json"}, surroundings);
  CHECK(ended.code == 130);
  CHECK(ended.seconds < 20);
  const auto orders = objects(ended.out).back();
  REQUIRE(orders["command"] == "orders");
  int measured = 0, left = 0;
  for (const auto& order : orders["orders"]) (order["median_ms"].is_number() ? measured : left)++;
  CHECK(measured > 0);
  CHECK(left > 0);
}

TEST_CASE("where nobody types, the prompt runs its input, with a file before it") {
  const Folder folder;
  const std::string file = folder.file("a.tr", doubling);
  Surroundings surroundings;
  surroundings.input = doubling;
  CHECK(start({}, surroundings).out == "y = [2 4 6]\n");
  surroundings.input = "run\nprint y\nquit\nprint y\n";
  CHECK(start({file}, surroundings).out == "y = [2 4 6]\n");
  CHECK(start({folder / "none.tr"}, surroundings).code == 2);
  CHECK(start({"--frob"}, surroundings).code == 2);
  surroundings.input = "print nothing\n";
  CHECK(start({file}, surroundings).code == 1);
}

TEST_CASE("a command behind a file's own, on the command line") {
  const Folder folder;
  const std::string file = folder.file("a.tr", doubling + "print y\n");
  CHECK(start({"check", file}).out == "main: agrees with the reference on 3 elements (largest relative error 0)\n");
  const Ended shown = start({"show", file, "loops"});
  CHECK(contains(shown.out, "y(i) = 2*x(i)"));
  CHECK(!contains(shown.out, "y = "));
  CHECK(start({"show", "loops", file}).out == shown.out);
  CHECK(contains(start({"why", file, "i-"}).out, "legal"));
  CHECK(contains(start({"orders", file, "--json"}).out, "\"command\":\"orders\""));
  CHECK(contains(start({"count", file}).out, "steps"));
  CHECK(start({"show", file, "nothing"}).code == 1);
  CHECK(start({"check", folder / "none.tr"}).code == 2);
  CHECK(contains(start({"explain", "E0101"}).out, "loop order is illegal"));
}

TEST_CASE("a misused command of the command line shows its own form, with an example") {
  const Ended check = start({"check"});
  CHECK(check.code == 2);
  CHECK(contains(check.err, "needs a file"));
  CHECK(contains(check.err, "as in  trellis show product.tr loops"));
  CHECK(!contains(check.err, "trellis bench"));
  CHECK(contains(start({"frobnicate"}).err, "trellis bench"));
}

TEST_CASE("help and version") {
  CHECK(contains(start({"help"}).out, "usage: trellis [FILE.tr]"));
  CHECK(contains(start({"--help"}).out, "random TENSOR"));
  CHECK(contains(start({"help", "load"}).out, "load TENSOR"));
  CHECK(contains(start({"help", "E0101"}).out, "loop order is illegal"));
  CHECK(start({"help", "nothing"}).code == 2);
  CHECK(start({"--version"}).out.substr(0, 8) == "trellis ");
}

TEST_CASE("a file that cannot be saved is refused before anything runs") {
  Folder folder;
  const std::string file = folder.file("a.tr", "tensor x(2, 2)\ny(i,j) = x(i,j)\nrun\nsave y \"y.pgm\"\n");
  const Ended ended = start({"run", file});
  CHECK(ended.code == 1);
  CHECK(contains(ended.err, "E0413"));
  CHECK(contains(ended.err, "or cast it: y8(i,j) = u8(y(i,j)), and save y8"));
  CHECK(!contains(ended.err, "ran main"));
}
