#pragma once

#include "simt/translate/lexer.hpp"
#include "simt/translate/messages.hpp"

#include <string>

namespace simt::compiler {

/// What to say of a message of g++ about a variable without a first value, and whether to say nothing of it.
struct SaidOfUnset {
  std::string text; ///< in place of the message's, or empty
  bool nothing = false;
};

/// g++ warns of variables that have a value on some paths only: mostly there is none of the others. Here it is believed where all
/// that is ever stored in the variable is made of what was in it before, as by `sum += x`. Any other message is left as it is.
SaidOfUnset said_of_unset(const TokenStream& stream, const MessagePlace& place);

} // namespace simt::compiler
