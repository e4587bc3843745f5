// A module as text, where programs expect PTX: they handle it as a string that ends with a null.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace simt {

/// The module in letters and digits, behind a line that says what it is.
std::string text_of_image(std::string_view image);

/// The module that a text stands for; nothing if it is another text, or has been cut off.
std::optional<std::string> image_of_text(std::string_view text);

} // namespace simt
