#pragma once
// The iteration algebra of a loop: a superset of the coordinates at which its body does something, derived from fill
// values, properties of operations and what updates leave alone. (docs/design/coiteration.md#support)
//
//   y(i) += A(i,j)*x(j)         A(i,j)                    0 annihilates, and += 0 changes nothing
//   C(i,j) = A(i,j) + B(i,j)    A(i,j) ∪ B(i,j)           C is appended to, so that zeros need no place
//   C(i,j) = S(i,j)*t           S(i,j)                    whatever t is

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/coiterate/algebra.hpp"
#include "engine/coiterate/local_writes.hpp"
#include "engine/coiterate/offers.hpp"
#include "engine/text/scoped.hpp"

namespace trellis::coiterate {

/// What a statement's meaning depends on beside its text.
struct Surroundings {
  const lang::Program& program;
  TensorOf tensor;
  std::set<std::string>
      appended;          ///< results and temporaries whose elements are at the fill until their single assignment
  std::set<int> starts;  ///< assignments to temporaries that are written otherwise too, of elements at the fill
  std::set<std::string> results;  ///< those of them that are results: their entries come in the order of storage
};

/// Is the element at its fill until then, so that assigning the fill changes nothing?
bool assigns_first(const loop::Stmt& assign, const Surroundings& around);

/// What it is derived with: where statements do something and expressions differ from a value.
class Support {
  /// What was found of expressions while the same temporaries and elements are being looked into.
  struct Found {
    lang::Expr of;  ///< lives as long
    std::vector<std::pair<format::Value, Algebra>> found;
  };
  using Memo = std::map<const lang::ExprNode*, Found>;

 public:
  Support(const loop::Stmt& body, const Offers& offers, const Surroundings& around);

  /// Where a statement of the body does something.
  Algebra of(const loop::Stmt& s);
  /// Where an expression may be other than t. An operation asks for the same of its operands in several ways, and so do
  /// they.
  Algebra of(const lang::Expr& e, const format::Value& t);
  /// The value of an expression where none of the loop's operands has an entry, if that is the same everywhere.
  std::optional<format::Value> fill(const lang::Expr& e);

  /// A temporary of this body.
  struct Local : LocalWrites {
    bool open = false;                        ///< its support is being computed
    std::optional<format::Value> asked = {};  ///< for this value; none: in order, where it says nothing of itself
  };
  /// Null where the name is that of another tensor.
  Local* local(const std::string& name);

  /// While what is written to a temporary is looked into, what is found of expressions may depend on that.
  class LookInto {
   public:
    LookInto(Support& support, Local& local) : open_(local.open, true), known_(support.known_, {}) {}

   private:
    Scoped<bool> open_;
    Scoped<Memo> known_;
  };

 private:
  /// An element that each iteration appends.
  struct Element {
    loop::Assign assign;
    bool open = false;  ///< its support is being computed
  };

  void note_elements(const loop::Stmt& s);
  Algebra assigned(const loop::Stmt& s, const loop::Assign& a);
  Algebra local(Local& l, const format::Value& t);
  Algebra by_order(Local& l, const format::Value& t);
  Algebra by_writes(Local& l, const format::Value& t);
  Algebra found(const lang::Expr& e, const format::Value& t);
  Algebra access(const lang::Access& a, const format::Value& t);
  Element* element_of(const lang::Access& read);
  Algebra element(const lang::Access& read);
  std::optional<format::Value> element_fill(const lang::Access& read);
  Algebra operation(const lang::Expr& e, const format::Value& t);

  const Offers& offers_;
  const Surroundings& around_;
  std::map<std::string, Local> locals_;
  bool within_local_ = false;  ///< the support of one is being computed
  std::vector<Element> elements_;
  Memo known_;
};

/// Of one loop's body.
Algebra support(const loop::Stmt& body, const Offers& offers, const Surroundings& around);

}  // namespace trellis::coiterate
