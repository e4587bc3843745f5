#pragma once

#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <string>

namespace warpbook {

/// A symbol as C++ writes it: "ns::twice(float)" from "_ZN2ns5twiceEf".
inline std::string demangled(const std::string& symbol) {
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, nullptr), &std::free);
  return text ? text.get() : symbol;
}

} // namespace warpbook
