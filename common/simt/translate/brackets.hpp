#pragma once

#include "simt/translate/source.hpp"

#include <optional>

namespace simt::compiler {

/// Of a program whose brackets do not match the one that is the reason: in a TODO region whose own do not match, as those
/// of every starter do, or else the only one of the file that has no partner by its layout. Nothing where that is not sure.
std::optional<TranslationError> unbalanced_bracket(const Source& source);

} // namespace simt::compiler
