// The pre-pass on any text at all: it must not crash, hang or lose a line, because what the student has written
// may be anything.
#include "simt/translate/architecture.hpp"
#include "simt/translate/translator.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace simt::compiler;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Translation translation = translate(text);
  require(std::count(translation.text.begin(), translation.text.end(), '\n') ==
          std::count(text.begin(), text.end(), '\n'));
  for (const TranslationError& error : translation.errors) require(!to_string(error).empty());
  // Two views of one source, the text and the first half of it, together are one again.
  translate(merge_architectures(text, text.substr(0, size / 2), {}));
  return 0;
}
