#pragma once
// `random A(4, 4) density 0.1` and `load A "file.mtx"` of a tensor that nothing declares: declarations as well.

#include <optional>
#include <string>

#include "engine/session/state/state.hpp"
#include "engine/tensor/file.hpp"

namespace trellis::session {

/// How the session reads a file: within what a tensor may take, on as many threads as there are, and says how far it
/// is. The state must outlive it.
tensor::FileRequest file_request(const State& state, const std::string& path, text::Span at,
                                 const std::optional<tensor::RecordChoice>& record = std::nullopt);

struct ImpliedDeclaration {
  lang::syntax::Statement declaration;  ///< tensor A(4, 4)
  lang::syntax::Command filling;        ///< random A density 0.1
};

/// Empty where the command implies none: it fills nothing, its tensor has a meaning in what is declared, or its file
/// cannot be read, which its own command reports. What a file holds in few places becomes compressed, csr or csf, the
/// rest dense.
std::optional<ImpliedDeclaration> implied_declaration(State& state, const lang::syntax::Statement& statement);

}  // namespace trellis::session
