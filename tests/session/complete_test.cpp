// What completion offers, and where.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "engine/session/command/commands.hpp"
#include "engine/session/typing/complete.hpp"
#include "tests/folder.hpp"
#include "tests/session/transcript.hpp"

namespace trellis::testing {
namespace {

using session::Completion;

/// A session with something to name.
Transcript session_with_names() {
  Transcript transcript;
  transcript.say(
      "param n = 3\ntensor A(n, n): csr\ntensor Abc(n)\ntensor s\ndef relu(x) = max(x, 0)\n"
      "kernel first { y(i) = sum(j)(A(i,j) * Abc(j)) }\nkernel second { s = sum(m)(y(m)) }\n");
  return transcript;
}

Completion at(Transcript& transcript, const std::string& text) {
  return session::complete(transcript.session().state(), text, text.size());
}

std::string offered(Transcript& transcript, const std::string& text) {
  std::string all;
  for (const std::string& word : at(transcript, text).words) all += (all.empty() ? "" : " ") + word;
  return all;
}

bool offers(Transcript& transcript, const std::string& text, const std::string& word) {
  const Completion found = at(transcript, text);
  return std::ranges::find(found.words, word) != found.words.end();
}

}  // namespace

TEST_CASE("completion: the first word is a command, a declaration or a tensor") {
  Transcript t = session_with_names();
  CHECK(offered(t, "unv") == "");
  CHECK(offered(t, "sho") == "show");
  CHECK(at(t, "sho").closing == " ");
  CHECK(offered(t, "te") == "tensor");
  CHECK(offered(t, "Ab") == "Abc");
  CHECK(at(t, "Ab").closing == "(");
  CHECK(offered(t, "run; sugg") == "suggest");
  CHECK(at(t, "run; sugg").begin == 5);
  CHECK(offered(t, "kernel k {\n  orde") == "order orders");
  CHECK(offers(t, "", "print"));
}

TEST_CASE("completion: a command's words come from its line in the table") {
  Transcript t = session_with_names();
  CHECK(offered(t, "print ") == "A Abc s y");
  CHECK(offered(t, "print A") == "A Abc");
  CHECK(offered(t, "print A w") == "whole");
  CHECK(offered(t, "print A(0,n - 1) ") == "whole xor");
  CHECK(!offers(t, "print A + ", "whole"));
  CHECK(offered(t, "show la") == "lattice");
  CHECK(offered(t, "show as") == "asm");
  CHECK(offered(t, "show asm ") == "first second");
  CHECK(offered(t, "show loops ") == "first second");
  CHECK(offered(t, "show ranks la") == "latency");
  CHECK(offered(t, "show ranks 4 first b") == "bandwidth");
  CHECK(offers(t, "show ranks ", "first"));
  CHECK(offers(t, "show formats ", "Abc"));
  CHECK(offers(t, "show formats ", "bcsr"));
  CHECK(offers(t, "show formats ", "second"));
  CHECK(offered(t, "run f") == "first");
  CHECK(offered(t, "run first n") == "native");
  CHECK(offered(t, "order ") == "auto i j m");
  CHECK(offered(t, "order j ") == "i m");
  CHECK(offered(t, "why first: i ") == "j m second");
  CHECK(offered(t, "goto ") == "end i= j= m= start");
  CHECK(at(t, "goto i").closing == "");
  CHECK(offered(t, "next ") == "violation write");
  CHECK(offered(t, "next write ") == "A Abc s y");
  CHECK(offered(t, "why first: ") == "i i j j j i m second");
  CHECK(offered(t, "format A cs") == "csc csf csr");
  CHECK(offered(t, "format A au") == "auto");
  CHECK(offered(t, "random A seed 1 de") == "density");
  CHECK(offered(t, "random A seed 1 density 0.5 se") == "");
  CHECK(offered(t, "mask A au") == "auto");
  CHECK(offered(t, "mask A y v") == "values");
  CHECK(offered(t, "explain E061") == "E0610 E0611 E0612 E0613 E0614 E0615 E0616 E0617 E0619");
  CHECK(offered(t, "help hyp") == "hypot");
  CHECK(offered(t, "?hyp") == "hypot");
  CHECK(at(t, "?hyp").begin == 1);
  CHECK(offered(t, "examples cholesky_") == "cholesky_solve");
  CHECK(offered(t, "export d") == "dot");
  CHECK(offered(t, "export dot ") == "algebra first flow graph lattice second");
  CHECK(offered(t, "export svg fl") == "flow");
  CHECK(offered(t, "export json l") == "lattice loops");
  CHECK(offered(t, "export c ") == "first second");
  CHECK(offered(t, "prune A") == "A Abc");
  t.say("snapshot before");
  CHECK(offered(t, "restore ") == "before");
  CHECK(offered(t, "diff b") == "before");
  t.say("why first: m i");
  t.say("print Abd");
}

TEST_CASE("completion: an order is completed to legal ones") {
  Transcript t;
  REQUIRE(t.say("param n = 3\ntensor A(n, n); tensor B(n, n)\nV(i,j) = max(k)(V(k,j-1) * A(k,i) * B(i,j)) : 1 <= "
                "j\nV(i,0) = 1")
              .ok());
  CHECK(offered(t, "order ") == "auto i j j i k j k i k");
  CHECK(at(t, "order ").words == std::vector<std::string>{"auto", "i", "j", "j i k", "j k i", "k"});
  CHECK(at(t, "order j ").words == std::vector<std::string>{"i", "i k", "k", "k i"});
  CHECK(at(t, "order j ").begin == 8);
  CHECK(at(t, "order i ").words == std::vector<std::string>{"j", "k"});
  CHECK(at(t, "order j i ").words == std::vector<std::string>{"k"});
  CHECK(at(t, "why j k").words == std::vector<std::string>{"k", "k i"});
  CHECK(offers(t, "core ", "j k i"));
  CHECK(at(t, "order j- ").words == std::vector<std::string>{"i", "k"});
  CHECK(t.session().state().offer.fixes.empty());
  t.say("order i j k\nrun");
  const auto offer = t.session().state().offer.fixes.size();
  CHECK(offer > 0);
  at(t, "order ");
  CHECK(t.session().state().offer.fixes.size() == offer);
}

TEST_CASE("completion: orders of many indices are few, those of loop programs none") {
  Transcript t;
  REQUIRE(t.say("param n = 3\ntensor x(n)\nT(a,b) = sum(c,d,e,f)(x(a)*x(b)*x(c)*x(d)*x(e)*x(f))").ok());
  CHECK(at(t, "order ").words.size() == 7);  // nothing is known yet
  REQUIRE(t.say("order a b c d e f\nrun").ok());
  const auto begin = std::chrono::steady_clock::now();
  const auto words = at(t, "order ").words;
  MESSAGE("completing an order of six loops took ",
          std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count(), " ms");
  CHECK(words.size() > 7);
  CHECK(words.size() <= 15);
  CHECK(std::ranges::find(words, "a b c d e f") != words.end());
  Transcript loops;
  REQUIRE(loops.say("param n = 3\ntensor s\nloops { for i in 0:n { for j in 0:n { s += i*j } } }").ok());
  CHECK(at(loops, "order ").words == std::vector<std::string>{"auto", "i", "j"});
}

TEST_CASE("completion: expressions take tensors, sizes, indices, functions of the language and of the user") {
  Transcript t = session_with_names();
  CHECK(offered(t, "z(i) = sq") == "sqrt");
  CHECK(at(t, "z(i) = sq").closing == "(");
  CHECK(offered(t, "z(i) = rel") == "relu");
  CHECK(offered(t, "z(i) = arg") == "argmax argmin");
  CHECK(offered(t, "z(row) = Abc(ro") == "roll round row");
  CHECK(offered(t, "tensor B(n, n): d") == "dcsc dcsr decreasing dense dia");
  CHECK(offered(t, "tensor B(n): {d") == "dense");
  CHECK(offered(t, "tensor B(n): f") == "f32 f64 fill");
  CHECK(offered(t, "z(i) = 1 # sq") == "");
}

TEST_CASE("completion: names of files stand in quotes") {
  Transcript t = session_with_names();
  const Folder folder;
  folder.file("one.mtx", "");
  folder.file("two.tns", "");
  std::filesystem::create_directory(folder.path() / "more");
  const std::string start = "load A \"" + (folder / "");
  CHECK(offered(t, start) == "more/ one.mtx two.tns");
  CHECK(offered(t, start + "o") == "one.mtx");
  CHECK(at(t, start + "o").closing == "\"");
  CHECK(at(t, start + "m").closing == "");
  CHECK(at(t, start + "o").begin == start.size());
  CHECK(offered(t, "load A \"" + (folder / "none/")) == "");
}

TEST_CASE("completion: a program with errors still has its names, and nothing that is asked for changes the state") {
  Transcript t = session_with_names();
  const auto version = t.session().state().version();
  for (const session::CommandInfo& command : session::commands())
    for (const char* more : {"", " ", " A ", " A A A A ", " \"", " [", " {(", " : ", " \\", "\n:"})
      at(t, std::string(command.name) + more);
  for (const char* text : {"}", "{", "((((", "\"", "#", "'", "loops {", "for i {", "def f(x) {", "\xff\xfe", "tensor",
                           "tensor A(n", "?", "? ?"})
    at(t, text);
  CHECK(t.session().state().version() == version);
}

}  // namespace trellis::testing
