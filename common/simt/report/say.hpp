// What is said of findings, in the reader's language. common/languages/extract.py finds these texts by the name `say`.
#pragma once

#include "text/say.hpp"

#include <string>
#include <type_traits>

namespace simt {

inline constexpr const char* finding_context = "finding"; // of these messages in the catalogues of languages

/// A sentence, or a part of one, with values in its named places.
template <typename... Values>
std::string say(const std::type_identity_t<warpbook::Said<Values...>>& text, const Values&... values) {
  return text.with(finding_context, values...);
}

} // namespace simt
