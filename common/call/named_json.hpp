#pragma once
/// What nlohmann's macros for JSON lack: enumerations by the names of their values, of which another name is refused and not
/// taken for the first, and values that may not be there.

#include <algorithm>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace warpbook {

using Names = std::vector<const char*>;

template <typename T>
const char* name_in(const Names& names, T value) {
  return names.at(static_cast<std::size_t>(value));
}

template <typename T>
T named(const Names& names, const std::string& name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) throw std::runtime_error("unknown word in a message: " + name);
  return static_cast<T>(found - names.begin());
}

} // namespace warpbook

/// The names of an enumeration's values, in their order; in the enumeration's namespace, and for one file.
#define WARPBOOK_NAMED_JSON(type, ...)                                                                       \
  static const warpbook::Names& names_of(type) {                                                             \
    static const warpbook::Names names = {__VA_ARGS__};                                                      \
    return names;                                                                                            \
  }                                                                                                          \
  static void to_json(nlohmann::json& json, type value) {                                                    \
    json = warpbook::name_in(names_of(value), value);                                                        \
  }                                                                                                          \
  static void from_json(const nlohmann::json& json, type& value) {                                           \
    value = warpbook::named<type>(names_of(value), json.get_ref<const std::string&>());                      \
  }

/// null: nothing.
template <typename T>
struct nlohmann::adl_serializer<std::optional<T>> {
  static void to_json(json& json, const std::optional<T>& value) {
    if (value) json = *value;
  }
  static void from_json(const json& json, std::optional<T>& value) {
    value = json.is_null() ? std::nullopt : std::optional(json.get<T>());
  }
};
