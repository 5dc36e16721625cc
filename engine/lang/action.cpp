#include "engine/lang/action.hpp"

namespace trellis::lang::action {

std::vector<Expr> expressions(const Action& action) {
  using Exprs = std::vector<Expr>;
  return action.match([](const Block&) { return Exprs{}; }, [](const Declare&) { return Exprs{}; },
                      [](const For& f) {
                        Exprs all{f.low, f.high};
                        if (f.until) all.push_back(*f.until);
                        return all;
                      },
                      [](const While& w) { return Exprs{w.condition}; }, [](const If& i) { return Exprs{i.condition}; },
                      [](const Let& l) { return Exprs{l.value}; },
                      [](const Assign& a) {
                        return Exprs{a.value, a.target};
                      },
                      [](const Reset& r) { return Exprs{r.value}; }, [](const Lifecycle&) { return Exprs{}; });
}

std::vector<const Actions*> bodies(const Action& action) {
  using Bodies = std::vector<const Actions*>;
  return action.match([](const Block& b) { return Bodies{&b.actions}; }, [](const Declare&) { return Bodies{}; },
                      [](const For& f) { return Bodies{&f.body}; }, [](const While& w) { return Bodies{&w.body}; },
                      [](const If& i) {
                        return Bodies{&i.then, &i.otherwise};
                      },
                      [](const Let& l) { return Bodies{&l.body}; }, [](const Assign&) { return Bodies{}; },
                      [](const Reset&) { return Bodies{}; }, [](const Lifecycle&) { return Bodies{}; });
}

void for_each(const Action& action, const std::function<void(const Action&)>& visit) {
  visit(action);
  for (const Actions* body : bodies(action))
    for (const Action& inner : *body) for_each(inner, visit);
}

}  // namespace trellis::lang::action
