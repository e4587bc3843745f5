#pragma once

#include "simt/translate/source.hpp"

#include <optional>

namespace simt::compiler {

/// What lacks its partner in a program that does not compile: a comment that begins in a TODO region and ends behind it, a
/// bracket of a region whose own do not match, as those of every starter do, or else the only bracket of the file that has
/// no partner by its layout. Nothing where that is not sure.
std::optional<TranslationError> without_partner(const Source& source);

} // namespace simt::compiler
