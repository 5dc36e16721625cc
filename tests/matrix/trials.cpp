#include "tests/matrix/trials.hpp"

#include <algorithm>
#include <array>

namespace trellis::matrix {
namespace {

constexpr int size = 5;

// Empty rows and columns, runs along rows and columns, and something of every block.
constexpr int elements[size][size] = {
    {4, 4, 0, 0, 1}, {0, 5, 5, 0, 0}, {0, 0, 0, 0, 0}, {2, 0, 0, 6, 6}, {3, 3, 3, 0, 7}};
constexpr int places[size] = {1, 0, -1, 3, 3};  // one element of some rows

int element(Shape shape, int i, int j) {
  switch (shape) {
    case Shape::any: return elements[i][j];
    case Shape::lower: return j <= i ? elements[i][j] : 0;
    case Shape::upper: return i <= j ? elements[i][j] : 0;
    case Shape::symmetric: return elements[std::max(i, j)][std::min(i, j)];
    case Shape::near_diagonal: return std::abs(i - j) <= 1 ? elements[i][j] : 0;
    case Shape::one_a_row: return places[i] == j ? i + 2 : 0;
    case Shape::run_a_row: return i != 2 && i / 2 <= j && j <= i ? i + 2 : 0;
    case Shape::one_row: return i == 3 ? elements[i][j] : 0;
    case Shape::equal_rows: return i == 1 || i == 2 ? elements[3][j] : 0;
  }
  return 0;
}

std::string matrix_of(Shape shape, bool transposed) {
  std::string text = "[";
  for (int i = 0; i < size; ++i) {
    text += i > 0 ? ", [" : "[";
    for (int j = 0; j < size; ++j)
      text += (j > 0 ? ", " : "") + std::to_string(transposed ? element(shape, j, i) : element(shape, i, j));
    text += "]";
  }
  return text + "]";
}

std::string vector_of(Shape shape) {
  if (shape == Shape::one_a_row) return "[0, 0, 3, 0, 0]";
  if (shape == Shape::run_a_row) return "[0, 3, 3, 3, 0]";
  return "[2, 2, 0, 1, 4]";
}

bool uses(const std::string& text, const std::string& name) {
  for (const char* open : {"(", "["})
    if (text.find(name + open) != std::string::npos) return true;
  return false;
}

bool is_result(const Program& program, const std::string& tensor) {
  return std::ranges::find(program.results, tensor) != program.results.end();
}

std::string declared(const std::string& name, const Trial& trial, Written how) {
  const bool tried = name == trial.tensor && how == Written::tried;
  return tried ? trial.stored->written : name == "B" ? "csr" : name == "p" ? "i64" : "dense";
}

std::string shape_text(const std::string& name) {
  if (name == "c") return "(25)";
  if (name == "S") return "(10, 5)";
  return name == "A" || name == "B" || name == "R" ? "(5, 5)" : "(5)";
}

/// Whether it is part of what is computed, not only of how.
bool means_something(const std::string& command) { return command.starts_with("mask") && !command.ends_with("auto"); }

}  // namespace

int dimensions_of(const Program&, const std::string& tensor) {
  return shape_text(tensor).find(',') == std::string::npos ? 1 : 2;
}

std::vector<std::string> commands(const Program& program, const std::string& tensor) {
  const std::string outer = program.loops.front(), inner = program.loops.back(), result = program.results.front();
  std::string turned;
  for (auto v = program.loops.rbegin(); v != program.loops.rend(); ++v) turned += " " + *v;
  const bool step = outer == "t", matrix = dimensions_of(program, result) == 2;
  const std::string first = step ? program.loops[1] : outer;
  std::vector<std::string> all{"",
                               "order" + turned,
                               "unroll " + inner + " 3",
                               "vectorize " + inner,
                               "vectorize " + inner + " 4",
                               "parallel " + first,
                               "parallel " + tensor,
                               "lead " + tensor,
                               "march " + tensor + " " + first,
                               "inplace " + result,
                               "mask " + result + " M",
                               "mask " + result + " auto",
                               "supernodes " + result + " relax 48"};
  for (const std::string& v : {first, inner}) {
    all.push_back("split " + v + " 2");
    all.push_back("jam " + v + " 2");
    if (first == inner) break;
  }
  if (first != inner) {
    all.push_back("parallel " + inner);
    all.push_back("tile " + first + " " + inner + " 2 3");
    all.push_back("skew " + first + " " + inner);
    all.push_back("reorder " + inner + " " + first);
  }
  for (const char* how : {"merge", "scan", "gallop", "binary", "table", "hash", "auto"})
    all.push_back("find " + tensor + " " + how);
  const std::string others = matrix ? "(" + first + ",:) " : "(:) ";
  for (const char* kind : {"bytemap", "hash", "sort", "dense"})
    all.push_back("workspace w for " + result + others + kind);
  if (matrix) all.push_back("workspace w for " + result + "(:,:) hash");
  if (matrix) all.push_back("workspace w for " + result + "(:,:) sort");
  if (!is_result(program, tensor))
    all.push_back("workspace w for " + tensor + (dimensions_of(program, tensor) == 2 ? "(:,:) hash" : "(:) hash"));
  return all;
}

std::vector<Trial> trials() {
  std::vector<Trial> all;
  for (const Program& program : programs())
    for (const std::string& tensor : program.tensors)
      for (const Stored& stored : formats(dimensions_of(program, tensor)))
        for (const std::string& command : commands(program, tensor))
          all.push_back({&program, tensor, &stored, command});
  return all;
}

std::string program_of(const Trial& trial, Written how) {
  const Program& program = *trial.program;
  std::string text;
  if (how == Written::tried && !trial.stored->layout.empty()) text += trial.stored->layout + "\n";
  for (const char* name : {"A", "B", "R", "S", "x", "y", "c", "p"}) {
    if (!uses(program.text, name)) continue;
    text += "tensor " + (name + shape_text(name)) + ": " + declared(name, trial, how) + "\n";
    if (is_result(program, name)) continue;
    const bool matrix = dimensions_of(program, name) == 2;
    const bool mine = (dimensions_of(program, trial.tensor) == 2) == matrix;
    const Shape shape = mine ? trial.stored->shape : Shape::any;
    text += std::string("fill_with ") + name + " " +
            (std::string(name) == "p" ? "[3, 1, 4, 0, 1]"
             : matrix                 ? matrix_of(shape, mine && trial.stored->transposed)
                                      : vector_of(shape)) +
            "\n";
  }
  text += program.text + "\n";
  if (trial.command == "mask " + program.results.front() + " M") {
    const bool matrix = dimensions_of(program, program.results.front()) == 2;
    text += "tensor M" + shape_text(program.results.front()) + ": " + (matrix ? "csr" : "{compressed}") + "\n";
    const bool square = shape_text(program.results.front()) == "(5, 5)";
    text += square ? "fill_with M " + matrix_of(trial.stored->shape, trial.stored->transposed) + "\n"
                   : "random M seed 1 density 0.5\n";
  }
  if (how == Written::tried || means_something(trial.command)) text += trial.command + "\n";
  return text;
}

std::string title(const Trial& trial) {
  return trial.program->name + ", " + trial.tensor + ": " + trial.stored->written +
         (trial.command.empty() ? "" : ", " + trial.command);
}

}  // namespace trellis::matrix
