#pragma once
// Tokens of design: colours by what they mean, in five themes, and sizes. Pages and windows read the same file,
// tokens.json, which says what each is for.

#include <string_view>

namespace trellis::view {

/// {"use": {"ink": "text; the present"}, "themes": {"dark": {"ink": "#E8ECF2", …}, …}, "fills": …, "space": …}
extern const std::string_view tokens_json;

}  // namespace trellis::view
