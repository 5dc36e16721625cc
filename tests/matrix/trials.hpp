#pragma once
// What the matrix of trials is made of: programs with a tensor that takes any format, formats with the data that fits
// them, and the commands of a schedule. A trial is one of each.
//
//   program   y(i) = A(i,j) * x(j), trying A         format   bcsr(2, 3)         command   parallel i

#include <string>
#include <vector>

namespace trellis::matrix {

/// Which elements differ from the fill where a format does not hold all.
enum class Shape { any, lower, upper, symmetric, near_diagonal, one_a_row, run_a_row, one_row, equal_rows };

struct Stored {
  std::string written;      ///< as behind the colon of a declaration
  std::string layout = "";  ///< its declaration, if it is not the language's own
  Shape shape = Shape::any;
  bool transposed = false;  ///< the data is, too
};

/// What a tensor with so many dimensions is stored in: each level format below and above others, each layout, in each
/// order of dimensions.
const std::vector<Stored>& formats(int dimensions);

struct Program {
  std::string name;
  std::string text;                  ///< of the kernel
  std::vector<std::string> loops;    ///< outermost first, as the command `order` takes them
  std::vector<std::string> tensors;  ///< whose format is tried, each in trials of its own
  std::vector<std::string> results;
};
const std::vector<Program>& programs();

/// How many dimensions the tensor of the program has.
int dimensions_of(const Program& program, const std::string& tensor);

/// Schedule commands for a program where one tensor is tried, with their words filled in; the first one is none.
std::vector<std::string> commands(const Program& program, const std::string& tensor);

struct Trial {
  const Program* program = nullptr;
  std::string tensor;
  const Stored* stored = nullptr;
  std::string command;
};
std::vector<Trial> trials();

/// As a user writes it, up to where it runs. `plain`: the tensor is dense, and the command only stands there where it
/// changes what is computed.
enum class Written { tried, plain };
std::string program_of(const Trial& trial, Written how);

/// "reduction, A: bcsr(2, 3), parallel i"
std::string title(const Trial& trial);

}  // namespace trellis::matrix
