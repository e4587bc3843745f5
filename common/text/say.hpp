#pragma once
/// Sentences with values in named places, in the reader's language (language.hpp). {name} stands for a value, {name:noun}
/// for "1 noun" or "2 nouns", and {name?text|other text} for one of two texts, which may have places themselves. In a
/// translation the places may stand in another order, and {name:form|other form} has the noun's forms in the order of the
/// catalogue's rule for plurals.

#include "text/language.hpp"
#include "text/sentence.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace warpbook {

/// What stands in a place.
struct SaidValue {
  template <typename T>
  explicit SaidValue(const T& value) {
    if constexpr (std::same_as<T, bool>) {
      holds = value;
    } else if constexpr (std::integral<T>) {
      text = std::to_string(value);
      count = value < T{} ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
    } else if constexpr (std::same_as<T, Sentence>) {
      text = value.to_print();
    } else {
      text = value;
    }
  }
  std::string text;
  std::uint64_t count = 0; ///< of a number: how many
  bool holds = false;      ///< of a condition
};

/// The text's translation in this context with values in its places. `names` has the values' names, with commas in
/// between; what follows a name behind : or ? is not read. A translation that has a place of no such name is left out, and
/// the English text said. Throws a std::logic_error if the English text has one. `used` gets the values that make a difference
/// to what is said, and no words.
std::string said(const MessageCatalogue& catalogue, std::string_view context, std::string_view english,
                 std::string_view names, std::span<const SaidValue> values, std::string* used = nullptr);

/// How many sentences this thread has said for which a catalogue had no translation.
std::size_t untranslated();

/// Of the forms of a noun in a translation, with | in between, the one that goes with a count; the last if that is missing.
std::string form_of(const MessageCatalogue& catalogue, std::string_view forms, std::uint64_t count);

/// The names of a text's places, each once, in the order in which they first appear.
template <std::size_t Most>
struct PlaceNames {
  constexpr explicit PlaceNames(std::string_view text) {
    for (std::size_t open = text.find('{'); open != text.npos; open = text.find('{', open + 1)) {
      const std::size_t end = text.find_first_of(":?}", open);
      if (end == text.npos) throw std::invalid_argument("a { without its }");
      const std::string_view name = text.substr(open + 1, end - open - 1);
      bool is_known = false;
      for (std::size_t i = 0; i < count; ++i) is_known = is_known || names[i] == name;
      if (is_known) continue;
      if (count == Most) throw std::invalid_argument("more places than values");
      kinds[count] = text[end];
      names[count++] = name;
    }
  }
  std::array<std::string_view, Most + 1> names = {};
  std::array<char, Most + 1> kinds = {};
  std::size_t count = 0;
};

/// A text that takes values of these types, in the order in which their names first appear; a compile error if it does not.
template <typename... Values>
struct Said {
  consteval Said(const char* text) : english(text) {
    const PlaceNames<sizeof...(Values)> places(english);
    if (places.count != sizeof...(Values)) throw std::invalid_argument("more values than places");
    std::size_t i = 0;
    [[maybe_unused]] const auto next_fits = [&]<typename T>(std::type_identity<T>) {
      const char kind = places.kinds[i];
      names[i] = places.names[i];
      ++i;
      return kind == '?' ? std::same_as<T, bool> : kind == ':' ? std::integral<T> : !std::same_as<T, bool>;
    };
    if (!(next_fits(std::type_identity<Values>()) && ...))
      throw std::invalid_argument("the values do not fit the places of this text");
  }

  std::string with(std::string_view context, const Values&... values) const {
    std::string list;
    for (std::size_t i = 0; i < sizeof...(Values); ++i) list += std::string(names[i]) + ',';
    const std::array<SaidValue, sizeof...(Values)> all = {SaidValue(values)...};
    return said(spoken(), context, english, list, all);
  }

  std::string_view english;
  std::array<std::string_view, sizeof...(Values) + 1> names = {};
};

} // namespace warpbook
