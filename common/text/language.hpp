#pragma once
/// The language of what Warpbook says. Messages are in English in the sources; a catalogue, a .mo file of GNU gettext, has
/// them in another language (docs/translating.md). The environment variable WARPBOOK_MESSAGES has its path, and without
/// it, or with a file that is none, everything stays in English.

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace warpbook {

/// The messages of a .mo file. Source of the format: the manual of GNU gettext, "The Format of GNU MO Files".
class MessageCatalogue {
public:
  MessageCatalogue() = default;
  /// Reads the bytes of a file. A file that is damaged in any place gives no message.
  explicit MessageCatalogue(std::string bytes);
  MessageCatalogue(const MessageCatalogue&) = delete; // its messages lie in its bytes
  MessageCatalogue& operator=(const MessageCatalogue&) = delete;

  /// The translation; the English text itself, and not a copy of it, if there is none.
  std::string_view translated(std::string_view context, std::string_view english) const;
  bool is_empty() const { return messages_.empty(); }
  /// Which form of a noun goes with a count, by the rule of the file's header; of English, if it has none: 0 for one.
  std::size_t form_for(std::uint64_t count) const;

private:
  std::string bytes_;
  std::unordered_map<std::string_view, std::string_view> messages_;
  std::string_view rule_; ///< of Plural-Forms: an expression of C in n
};

/// The catalogue that WARPBOOK_MESSAGES names, read at the first call; one without messages while an InEnglish is there. A
/// program that gives rights away calls this before.
const MessageCatalogue& spoken();

/// What is said during its life is said in English.
class InEnglish {
public:
  InEnglish();
  ~InEnglish();
  InEnglish(const InEnglish&) = delete;
};

/// The value of a plural rule such as "n%10==1 && n%100!=11 ? 0 : 1" for n; 0 if the rule is none.
std::size_t plural_form(std::string_view rule, std::uint64_t n);

} // namespace warpbook
