// What the driver API and the runtime API share of libraries of code.
#pragma once

#include "simt/runtime/driver/loaded_code.hpp"

namespace simt {

/// Loads an image, or without one a file.
CUresult load_library(CUlibrary* library, const void* image, const char* file, std::uintptr_t caller);

enum class Variables { all, managed };

/// Where a variable lies, and its size; either may be null.
CUresult find_variable(void** pointer, std::size_t* bytes, const LoadedCode& code, const char* name,
                       Variables which);

} // namespace simt
