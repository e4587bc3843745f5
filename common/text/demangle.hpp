#pragma once

#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <string>

namespace warpbook {

/// A symbol as C++ writes it: "ns::twice(float)" from "_ZN2ns5twiceEf". The variable `c` is none: without `_Z` that means char.
inline std::string demangled(const std::string& symbol) {
  if (!symbol.starts_with("_Z")) return symbol;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, nullptr), &std::free);
  return text ? text.get() : symbol;
}

} // namespace warpbook
