#pragma once
/// What the grader itself says, in the reader's language. common/languages/extract.py finds these texts by the name `say`.

#include <string>
#include <type_traits>

#include "text/say.hpp"

namespace warpbook {

/// A sentence with values in its named places: say("{count:element} of {name} are wrong.", count, name).
template <typename... Values>
std::string say(const std::type_identity_t<Said<Values...>>& text, const Values&... values) {
  return text.with("grader", values...);
}

} // namespace warpbook
