#pragma once
// A function that is called while its caller runs, and not kept: two words, nothing copied. For what is handed a
// visitor, so that it need not be a template.
//
//   void for_each_child(const Expr& expr, FunctionRef<void(const Expr&)> visit);

#include <memory>
#include <type_traits>
#include <utility>

namespace trellis::text {

template <class Signature>
class FunctionRef;

template <class Result, class... Arguments>
class FunctionRef<Result(Arguments...)> {
 public:
  FunctionRef(Result (*function)(Arguments...))
      : object_(reinterpret_cast<void*>(function)), call_([](void* object, Arguments... arguments) -> Result {
          return reinterpret_cast<Result (*)(Arguments...)>(object)(std::forward<Arguments>(arguments)...);
        }) {}

  /// What a callable returns beside a `void` that is wanted is dropped.
  template <class F>
  requires(std::is_class_v<std::remove_cvref_t<F>> && !std::is_same_v<std::remove_cvref_t<F>, FunctionRef>)
      FunctionRef(F&& callable)
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(callable)))),
        call_([](void* object, Arguments... arguments) -> Result {
          auto& called = *static_cast<std::remove_reference_t<F>*>(object);
          if constexpr (std::is_void_v<Result>) static_cast<void>(called(std::forward<Arguments>(arguments)...));
          else return called(std::forward<Arguments>(arguments)...);
        }) {}

  Result operator()(Arguments... arguments) const { return call_(object_, std::forward<Arguments>(arguments)...); }

 private:
  void* object_;
  Result (*call_)(void*, Arguments...);
};

}  // namespace trellis::text
