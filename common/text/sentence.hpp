#pragma once
/// Text that a reader reads.

#include <concepts>
#include <string>
#include <utility>

namespace warpbook {

/// It is joined and printed, and neither searched nor compared: what a decision hangs on is an id, a place or a value, which
/// a better wording leaves as they are.
class Sentence {
public:
  Sentence() = default;
  template <std::convertible_to<std::string> Text>
  Sentence(Text&& text) : text_(std::forward<Text>(text)) {}

  bool empty() const { return text_.empty(); }
  const std::string& to_print() const { return text_; }

  Sentence& operator+=(const Sentence& more) {
    text_ += more.text_;
    return *this;
  }
  friend Sentence operator+(Sentence text, const Sentence& more) { return std::move(text += more); }
  friend bool operator==(const Sentence&, const Sentence&) = delete;

private:
  std::string text_;
};

} // namespace warpbook
