#include "text/say.hpp"

#include <algorithm>

namespace warpbook {

namespace {

/// Where `end` stands first outside of inner places; the end of the text if it does not.
std::size_t end_of(std::string_view text, std::size_t from, char end) {
  int depth = 0;
  for (std::size_t i = from; i < text.size(); ++i) {
    if (depth == 0 && text[i] == end) return i;
    depth += text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
  }
  return text.size();
}

class Filler {
public:
  Filler(const MessageCatalogue& catalogue, std::string_view names, std::span<const SaidValue> values,
         bool is_english, std::string* used)
      : catalogue_(catalogue), names_(names), values_(values), is_english_(is_english), used_(used) {}

  std::string fill(std::string_view text) const {
    std::string filled;
    for (std::size_t open = text.find('{'); open != text.npos; open = text.find('{')) {
      const std::size_t close = end_of(text, open + 1, '}');
      if (close == text.size()) throw std::logic_error("a { without its }");
      filled += text.substr(0, open);
      filled += in_place_of(text.substr(open + 1, close - open - 1));
      text.remove_prefix(close + 1);
    }
    return filled += text;
  }

private:
  std::string in_place_of(std::string_view place) const {
    const std::size_t mark = std::min(place.find_first_of(":?"), place.size());
    const SaidValue& value = of(place.substr(0, mark));
    if (used_ != nullptr) *used_ += '\n' + value.text + (value.holds ? "yes" : "");
    if (mark == place.size()) return value.text;
    const std::string_view rest = place.substr(mark + 1);
    if (place[mark] == ':') return value.text + ' ' + noun(rest, value.count);
    const std::size_t bar = end_of(rest, 0, '|');
    return value.holds ? fill(rest.substr(0, bar)) : bar < rest.size() ? fill(rest.substr(bar + 1)) : "";
  }

  std::string noun(std::string_view forms, std::uint64_t count) const {
    return is_english_ ? std::string(forms) + (count == 1 ? "" : "s") : form_of(catalogue_, forms, count);
  }

  const SaidValue& of(std::string_view name) const {
    std::string_view rest = names_;
    for (const SaidValue& value : values_) {
      const std::size_t end = std::min(rest.find(','), rest.size());
      if (rest.substr(0, std::min(rest.find_first_of(":?"), end)) == name) return value;
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    throw std::logic_error("a message has no value " + std::string(name));
  }

  const MessageCatalogue& catalogue_;
  std::string_view names_;
  std::span<const SaidValue> values_;
  bool is_english_;
  std::string* used_;
};

} // namespace

std::string form_of(const MessageCatalogue& catalogue, std::string_view forms, std::uint64_t count) {
  for (std::size_t form = catalogue.form_for(count); form != 0 && forms.find('|') != forms.npos; --form)
    forms.remove_prefix(forms.find('|') + 1);
  return std::string(forms.substr(0, forms.find('|')));
}

static thread_local std::size_t untranslated_sentences = 0;

std::string said(const MessageCatalogue& catalogue, std::string_view context, std::string_view english,
                 std::string_view names, std::span<const SaidValue> values, std::string* used) {
  const std::string_view text = catalogue.translated(context, english);
  if (text.data() != english.data()) {
    try {
      return Filler(catalogue, names, values, false, used).fill(text);
    } catch (const std::logic_error&) { // what a translator has mistyped is no reason to say nothing
    }
  }
  std::string text_in_english = Filler(catalogue, names, values, true, used).fill(english);
  if (!catalogue.is_empty() && !text_in_english.empty()) ++untranslated_sentences;
  return text_in_english;
}

std::size_t untranslated() { return untranslated_sentences; }

} // namespace warpbook
