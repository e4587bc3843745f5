#pragma once

#include "simt/translate/lexer.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace simt::compiler {

/// What to say of a message of g++ about a variable without a first value, and whether to say nothing of it.
struct SaidOfUnset {
  std::string text; ///< in place of the message's, or empty
  bool nothing = false;
};

/// g++ warns of variables that have a value on some paths only: mostly there is none of the others. Here it is believed where all
/// that is ever stored in the variable is made of what was in it before, as by `sum += x`. `message` is what
/// follows the place, from the severity on; any other message is left as it is.
SaidOfUnset said_of_unset(const TokenStream& stream, const std::string& file, std::uint32_t line, std::string_view message);

} // namespace simt::compiler
