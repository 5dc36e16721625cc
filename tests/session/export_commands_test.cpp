// export: what is written compiles under a strict compiler, and the exported kernel gives what the session gives.
#include <dlfcn.h>
#include <doctest/doctest.h>

#include <cstdint>
#include <nlohmann/json.hpp>

#include "engine/run/process.hpp"
#include "tests/folder.hpp"
#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::Folder;
using testing::Transcript;

namespace {

const std::vector<std::string> strict = {"cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-fwrapv"};

run::Finished compile(std::vector<std::string> rest) {
  std::vector<std::string> command = strict;
  command.insert(command.end(), rest.begin(), rest.end());
  return run::run_program(command);
}

/// Exports `kernel`, compiles everything with every warning, and runs the example: what it prints.
std::string example(const std::string& program, const std::string& kernel, const std::vector<std::string>& flags = {}) {
  const Folder folder;
  Transcript t;
  const auto answer = t.say(program + "\nexport c " + kernel + " \"" + folder / "k.c" + "\"");
  if (!answer.ok()) return answer.messages();
  std::vector<std::string> rest = flags;
  rest.insert(rest.end(), {folder / "k.c", folder / "k_example.c", "-lm", "-o", folder / "k"});
  const run::Finished built = compile(rest);
  if (!built.succeeded()) return built.output;
  const run::Finished ran = run::run_program({folder / "k"});
  return ran.output + (ran.succeeded() ? "" : "status " + std::to_string(ran.ending.code));
}

/// What the example of an exported kernel prints when something is changed before its call.
std::string changed_example(const Folder& folder, const std::string& name, const std::string& change) {
  std::ifstream stream(folder / (name + "_example.c"));
  std::string changed(std::istreambuf_iterator<char>(stream), {});
  changed.replace(changed.find("  status = " + name + "("), 0, "  " + change + "\n");
  folder.file("changed.c", changed);
  REQUIRE(compile({folder / (name + ".c"), folder / "changed.c", "-lm", "-o", folder / "changed"}).output == "");
  return run::run_program({folder / "changed"}).output;
}

/// The function of an exported kernel, loaded into this process.
class Loaded {
 public:
  Loaded(Transcript& t, const std::string& kernel, const char* function) {
    const auto answer = t.say("export c " + kernel + " \"" + folder_ / "k.c" + "\"");
    CHECK(answer.ok());
    CHECK(answer.last("export")["function"] == function);
    CHECK(compile({"-shared", "-fPIC", folder_ / "k.c", "-lm", "-o", folder_ / "k.so"}).output == "");
    library_ = dlopen((folder_ / "k.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    REQUIRE(library_);
    symbol_ = dlsym(library_, function);
    REQUIRE(symbol_);
  }
  Loaded(const Loaded&) = delete;
  Loaded& operator=(const Loaded&) = delete;
  ~Loaded() { dlclose(library_); }
  template <class Function>
  Function* as() const {
    return reinterpret_cast<Function*>(symbol_);
  }

 private:
  Folder folder_;
  void* library_ = nullptr;
  void* symbol_ = nullptr;
};

template <class T>
T* data(Transcript& t, const std::string& name) {
  text::Diagnostics sink;
  const lang::TensorInfo* info = t.session().state().program(sink)->tensor(name);
  REQUIRE(info);
  return static_cast<T*>(t.session().state().tensor(*info, {}, sink)->data());
}

const std::string cholesky =
    "param n = 5\ntensor A(n, n); random A spd seed 3\nkernel factor {\n"
    "L(i,j) = (A(i,j) - sum(k)(L(i,k)*L(j,k))) / L(j,j) : k < j < i\nL(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2)) : k < "
    "i\norder i j k\n}";

}  // namespace

TEST_CASE("an exported kernel gives what the session gives") {
  Transcript t;
  REQUIRE(t.say(cholesky + "\nrun").ok());
  const Loaded kernel(t, "factor", "factor");
  std::vector<double> result(25, 0);
  CHECK(kernel.as<int(std::int64_t, const double*, double*)>()(5, data<double>(t, "A"), result.data()) == 0);
  const double* expected = data<double>(t, "L");
  CHECK(result == std::vector<double>(expected, expected + 25));
}

TEST_CASE("faults of exported kernels are statuses") {
  Transcript t;
  REQUIRE(t.say("tensor a(n): i64; tensor T(m): i64; fill_with a [1, 0]; fill_with T [7, 8, 9]\nkernel look { y(i) = "
                "T(a(i)) / a(i) }")
              .ok());
  const Loaded kernel(t, "look", "look");
  const auto call =
      kernel.as<int(std::int64_t, std::int64_t, const std::int64_t*, const std::int64_t*, std::int64_t*)>();
  std::int64_t y[2] = {0, 0};
  const std::int64_t table[] = {7, 8, 9}, fine[] = {1, 2}, zero[] = {1, 0}, outside[] = {1, 3};
  CHECK(call(2, 3, fine, table, y) == 0);
  CHECK(y[0] == 8);
  CHECK(y[1] == 4);
  CHECK(call(2, 3, zero, table, y) == 1);
  CHECK(call(2, 3, outside, table, y) == 3);
}

TEST_CASE("the three files compile without a warning, and the example prints checksums") {
  CHECK(example(cholesky, "factor") == "L: checksum 39.98941533\n");
  CHECK(example("tensor a(n): u8; tensor s: i32\ns = sum(i)(i32(a(i)))", "") == "s: checksum 2\n");
  CHECK(example("param int = 3\ntensor x(int, int): f32 @ (1, 0)\ny(i) = sum(j)(x(i,j)) * 2", "") ==
        "y: checksum 252\n");
  CHECK(example("tensor x(n+1): bool\ntensor y(n): bool\ny(i) = x(i+1) && !x(i)", "") == "y: checksum 2\n");
  CHECK(example("param n = 0\ntensor x(n)\ny(i) = x(i) * 2", "") == "y: checksum 0\n");
  const std::string parallel = "tensor x(n)\ny(i) = x(i) * 2\nparallel i";
  CHECK(example(parallel, "") == "y: checksum 20\n");
  CHECK(example(parallel, "", {"-fopenmp"}) == "y: checksum 20\n");
}

TEST_CASE("a graph for Graphviz, a stage as JSON") {
  const Folder folder;
  Transcript t;
  REQUIRE(t.say(cholesky).ok());
  const auto read = [&](const std::string& name) {
    std::ifstream stream(folder / name);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  };
  CHECK(t.say("export dot graph factor \"" + folder / "g.dot" + "\"").ok());
  CHECK(read("g.dot").starts_with("digraph \"factor\" {"));
  CHECK(read("g.dot").find("[label=\"A(i,j)\"") != std::string::npos);
  CHECK(t.say("export svg graph factor \"" + folder / "g.svg" + "\"").ok());
  CHECK(read("g.svg").starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  CHECK(read("g.svg").find(">A(i,j)</text>") != std::string::npos);
  CHECK(read("g.svg").find("class=\"input\"") != std::string::npos);
  CHECK(read("g.svg").find("class=\"frame\"") != std::string::npos);
  CHECK(t.say("export json graph factor \"" + folder / "g.json" + "\"").ok());
  const auto shown = t.say("show graph factor").last("show");
  const auto written = nlohmann::ordered_json::parse(read("g.json"));
  CHECK(written["model"] == shown["model"]);
  CHECK(written["text"] == shown["text"]);
}

TEST_CASE("what cannot be exported is refused, and leaves nothing behind") {
  const Folder folder;
  Transcript t;
  REQUIRE(t.say(cholesky).ok());
  REQUIRE(t.say("show equations factor").ok());  // so that the result is announced before
  const auto codes = [&](const std::string& command, const std::string& name) {
    return t.say(command + " \"" + folder / name + "\"").codes;
  };
  CHECK(codes("export c", "k.h") == "E0617");
  CHECK(codes("export svg graph", "g.dot") == "E0617");
  CHECK(codes("export svg loops", "g.svg") == "E0601");
  CHECK(codes("export report", "g.svg") == "E0617");
  CHECK(codes("export report", "none/g.html") == "E0412");
  CHECK(codes("export pdf", "g.pdf") == "E0601");
  CHECK(codes("export c nothing", "k.c") == "E0605");
  CHECK(codes("export c", "none/k.c") == "E0412");
  CHECK(codes("export json nonsense", "k.json") == "E0603");
  CHECK(t.say("export").codes == "E0601");
  CHECK(folder.count() == 0);
}

TEST_CASE("kernels of tensors with gaps are exported with what builds them") {
  const Folder folder;
  Transcript t;
  REQUIRE(t.say("param n = 3; tensor A(n, n): csr; tensor C(n, n); random A seed 1; C(i,j) = A(i,j)").ok());
  CHECK(t.say("export c \"" + folder / "k.c" + "\"").ok());
  CHECK(folder.count() == 6);
  REQUIRE(t.say("tensor S(n, n): coo; S(i,j) = C(i,j)").ok());
  CHECK(t.say("export c \"" + folder / "coo.c" + "\"").ok());
  CHECK(folder.count() == 9);
  const run::Finished made = run::run_program({"make", "-C", folder.path().string(), "CFLAGS=-O1 -Wall -Werror"});
  REQUIRE_MESSAGE(made.succeeded(), made.output);
  CHECK(run::run_program({folder / "coo_example"}).output ==
        "C: 9 stored, checksum 5.852289159\nS: 9 stored, checksum 5.852289159\n");
}

TEST_CASE("files that build kernels do not take the place of others") {
  const Folder folder;
  Transcript t;
  folder.file("Makefile", "all:\n\techo mine\n");
  REQUIRE(t.say("tensor x(3): compressed; s = x(i); export c \"" + folder / "k.c" + "\"").ok());
  std::ifstream stream(folder / "Makefile");
  CHECK(std::string(std::istreambuf_iterator<char>(stream), {}) == "all:\n\techo mine\n");
  CHECK(folder.count() == 6);
}

TEST_CASE("a kernel that is handed other tensors than it was compiled for says so") {
  const Folder folder;
  Transcript t;
  REQUIRE(t.say("param n = 2; tensor A(n, n): csr; fill_with A [[1, 2], [0, 3]]; tensor x(n); fill_with x [1, 2]; "
                "y(i) = A(i,j) * x(j); export c \"" +
                folder / "spmv.c" + "\"")
              .ok());
  const auto says = [&](const std::string& change) { return changed_example(folder, "spmv", change); };
  CHECK(says(";") == "y: 2 stored, checksum 11\n");
  CHECK(says("t0_A.abi = 2;") ==
        "spmv: A is made for another version of the interface: the kernel takes f64 csr, n x n\n");
  CHECK(says("t0_A.type = TRELLIS_F32;") == "spmv: A is of another type: the kernel takes f64 csr, n x n\n");
  CHECK(says("t0_A.storage[1].kind = TRELLIS_RLE;") ==
        "spmv: A is stored in another format: the kernel takes f64 csr, n x n\n");
  CHECK(says("t0_A.fill.real = 1;") == "spmv: A is filled with another value: the kernel takes f64 csr, n x n\n");
  CHECK(says("t0_A.values.count = 1;") ==
        "spmv: A is missing, or one of its arrays is, or is too short: the kernel takes f64 csr, n x n\n");
  CHECK(says("{ static const int64_t three[] = {3}; t1_x.shape = three; t1_x.storage[0].size = 3; }") ==
        "spmv: x is missing, or one of its arrays is, or is too short: the kernel takes f64 dense, n\n");
  CHECK(says("t2_y.values = t1_x.values;").starts_with("spmv: y overlaps x"));
  CHECK(says("t2_y.values = t1_x.values; t2_y.values.data = (double *)t2_y.values.data + 1;")
            .starts_with("spmv: y overlaps x"));
  CHECK(says("drop(&t2_y); t2_y.values.data = 0; t2_y.values.count = t2_y.values.capacity = 0; t2_y.grow = 0;") ==
        "spmv: there is no room for the result y\n");
}

TEST_CASE("an exported kernel refuses sizes that it was not compiled for") {
  const Folder folder;
  Transcript t;
  REQUIRE(t.say("param n = 3; tensor a(n): compressed; tensor b(3); fill_with a [1, 2, 3]; fill_with b [1, 1, 1]; "
                "y(i) = a(i) * b(i); export c \"" +
                folder / "k.c" + "\"")
              .ok());
  std::ifstream stream(folder / "k.c");
  const std::string source(std::istreambuf_iterator<char>(stream), {});
  CHECK(source.find("the kernel takes sizes for which ") != std::string::npos);
}

TEST_CASE("an exported kernel refuses an empty tensor of which it would read an element, and takes others") {
  const Folder folder;
  Transcript t;
  REQUIRE(t.say("tensor A(n): compressed; tensor x(m); fill_with A [1, 0, 2]; fill_with x [5, 6]; y(i) = A(i) * x(0); "
                "export c \"" +
                folder / "k.c" + "\"")
              .ok());
  const auto says = [&](const std::string& change) { return changed_example(folder, "k", change); };
  const auto sized = [](const std::string& tensor, int size) {
    return "{ static const int64_t shape[] = {" + std::to_string(size) + "}; " + tensor + ".shape = shape; " + tensor +
           ".storage[0].size = " + std::to_string(size) + "; }";
  };
  CHECK(says(sized("t1_x", 0)) == "k: the kernel takes sizes for which 1 <= m\n");
  CHECK(says(sized("t1_x", 1)).ends_with("checksum 15\n"));
  const std::string no_entries = "((int32_t *)t0_A.storage[0].arrays[0].data)[1] = 0; t0_A.storage[0].entries = 0; ";
  CHECK(says(no_entries).ends_with("checksum 0\n"));
  CHECK(says(no_entries + sized("t0_A", 0) + sized("t2_y", 0)).ends_with("checksum 0\n"));
}

TEST_CASE("a kernel that only empties a result leaves it empty, here and where it is exported to") {
  const Folder folder;
  Transcript t;
  REQUIRE(t.say("param n = 4; tensor y(n): compressed; random y seed 1 density 0.9; loops { y .= 0 }; run").ok());
  CHECK(t.say("print y").output.find("0 entries") != std::string::npos);
  REQUIRE(t.say("export c \"" + folder / "k.c" + "\"").ok());
  REQUIRE(compile({folder / "k.c", folder / "k_example.c", "-lm", "-o", folder / "k"}).output == "");
  CHECK(run::run_program({folder / "k"}).output == "y: 0 stored, checksum 0\n");
}

TEST_CASE("the example of a kernel whose operands nobody filled has numbers") {
  const Folder folder;
  Transcript t;
  REQUIRE(
      t.say("param n = 3; tensor A(n, n): csr; tensor x(n); y(i) = A(i,j) * x(j); export c \"" + folder / "k.c" + "\"")
          .ok());
  REQUIRE(compile({folder / "k.c", folder / "k_example.c", "-lm", "-o", folder / "k"}).output == "");
  const std::string output = run::run_program({folder / "k"}).output;
  CHECK(output.starts_with("y: 3 stored, checksum "));
  CHECK(output != "y: 3 stored, checksum 0\n");
}

TEST_CASE("plot draws into the terminal or into a file") {
  const Folder folder;
  Transcript t;
  REQUIRE(t.say("param n = 2; tensor A(n, n); tensor x(n); tensor s; tensor T(n, n, n); fill_with A [[1, 0], [0, 1]]; "
                "random x")
              .ok());
  CHECK(t.say("plot A spy").output ==
        "0..1 │⠑\n     └─\n      0 1\nA: 2 x 2, 2 elements differ from the fill (50 %)\n");
  CHECK(t.say("plot A").last("plot")["text"] == "0 │██··\n1 │··██\n  └────\n   0  1\nA: 2 x 2, from · 0 to █ 1\n");
  CHECK(t.say("plot A histogram").output.ends_with("A: 4 elements, from 0 to 1\n"));
  CHECK(t.say("plot T histogram 5").ok());
  CHECK(t.say("plot A histogram 0").codes == "E0601");
  CHECK(t.say("plot A histogram \"" + folder / "h.svg" + "\"").ok());
  CHECK(t.say("plot x \"" + folder / "x.png" + "\"").last("plot")["path"] == folder / "x.png");
  CHECK(t.say("plot A spy \"" + folder / "a.png" + "\"").ok());
  CHECK(folder.count() == 3);
  CHECK(t.say("plot x spy").codes == "E0619");
  CHECK(t.say("plot s").codes == "E0619");
  CHECK(t.say("plot T").codes == "E0619");
  CHECK(t.say("plot x \"x.jpg\"").codes == "E0617");
  CHECK(t.say("plot nothing").codes == "E0615");
  CHECK(t.say("plot A nonsense").codes == "E0601");
}

TEST_CASE("exported kernels may name things like the headers that they include") {
  const auto program = [](const std::string& tensor, const std::string& kernel) {
    return "param n = 3\ntensor " + tensor + "(n)\nrandom " + tensor + " seed 1\nkernel " + kernel + " {\ny(i) = 2*" +
           tensor + "(i)\n}";
  };
  const std::string plain = example(program("x", "twice"), "twice");
  CHECK(plain.find("error") == std::string::npos);
  for (const char* name : {"printf", "NULL", "EOF", "size_t", "INT64_MAX", "free", "stdout", "__LINE__"}) {
    CAPTURE(name);
    CHECK(example(program(name, "twice"), "twice") == plain);
  }
  for (const char* name : {"stdin", "printf", "main", "defined", "EOF"}) {
    CAPTURE(name);
    CHECK(example(program("x", name), name).find("error") == std::string::npos);
  }
}
