#pragma once

#include "simt/translate/source.hpp"
#include "simt/translate/translation.hpp"

#include <string_view>

namespace simt::compiler {

/// Whether one of the files that the preprocessed text comes from (and that are no system headers nor the
/// simulator's own) asks for `__CUDA_ARCH__` or uses the macros of <nv/target>, so that host and device may see different
/// code.
bool asks_for_architecture(std::string_view preprocessed, const TranslationOptions& options);

/// Puts the two views of one source together, as preprocessed without and with `__CUDA_ARCH__`: functions of
/// the host get the host's body, functions of the device the device's, and those of both get both and choose
/// when they are called. Everything else is the device's.
std::string merge_architectures(std::string_view host, std::string_view device,
                                const TranslationOptions& options);

/// Of the body of a function for both sides, whose brace is token `open`, to which side merge_architectures() has left token
/// i: false and false where both have it.
struct Half {
  bool device = false;
  bool host = false;
};
Half half_of(const Source& source, std::size_t open, std::size_t i);

} // namespace simt::compiler
