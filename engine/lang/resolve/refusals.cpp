// Constructs of the language that this version knows by name only: each is refused where it stands.

#include <array>

#include "engine/lang/resolve/resolve.hpp"
#include "engine/lang/resolve/walk.hpp"

namespace trellis::lang::resolving {

namespace {

void refuse(Resolution& resolution, const char* code, text::Span span, const std::string& what) {
  resolution.error(code, span, what + " not available yet");
}

constexpr std::array shape_operators{"collapse", "split", "concat", "slice", "stack", "roll", "pad", "reshape"};
constexpr std::array later_commands{"lead", "find"};

class Refusals {
 public:
  explicit Refusals(Resolution& resolution) : resolution_(resolution) {}
  bool found = false;

  void visit(const syntax::Expr& e) {
    if (const auto* r = e.as<syntax::Reference>(); r && !visit_reference(e, *r)) return;
    for_each_child(e, [&](const syntax::Expr& child) { visit(child); });
  }

 private:
  void report(const char* code, text::Span span, const std::string& what) {
    refuse(resolution_, code, span, what);
    found = true;
  }

  /// False when its arguments need no further look.
  bool visit_reference(const syntax::Expr& e, const syntax::Reference& r) {
    if (!r.arguments || resolution_.tensor(r.name.text)) return true;
    for (const char* op : shape_operators)
      if (r.name.text == op) {
        report("E0906", e->span, std::string("the shape operator ") + op + " is");
        return false;
      }
    return true;
  }

  Resolution& resolution_;
};

}  // namespace

bool refuse_unavailable(Resolution& resolution, const syntax::Expr& expr) {
  Refusals refusals(resolution);
  refusals.visit(expr);
  return refusals.found;
}

bool refuse_unavailable(Resolution& resolution, const syntax::Equation& equation) {
  Refusals refusals(resolution);
  refusals.visit(equation.left);
  refusals.visit(equation.right);
  for (const syntax::Constraint& constraint : equation.constraints)
    for (const syntax::Expr& side : constraint.sides) refusals.visit(side);
  return refusals.found;
}

bool refuse_unavailable(Resolution& resolution, const syntax::Statement& statement) {
  if (!statement.as<syntax::LayoutDecl>()) return false;
  refuse(resolution, "E0905", statement->span, "layouts are");
  return true;
}

bool refuse_command(Resolution& resolution, const syntax::Command& command) {
  for (const char* name : later_commands)
    if (command.name.text == name) {
      refuse(resolution, "E0911", command.name.span, std::string("the schedule command ") + name + " is");
      return true;
    }
  return false;
}

}  // namespace trellis::lang::resolving
