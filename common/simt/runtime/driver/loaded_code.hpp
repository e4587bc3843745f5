// Code that a program loads while it runs: a module that `simtcc --fatbin` has built, in memory or in a file.
#pragma once

#include "simt_shim/entry_points.h"

#include "cuda.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace simt {

/// What was loaded once. Its variables are its own, however often the same image is loaded. Its code stays in memory when it is
/// unloaded, because findings and counters name its lines at the end of the program; only its kernels are forgotten.
class LoadedCode {
public:
  struct Symbol {
    std::uintptr_t address;
    std::size_t bytes;
    bool is_function;
  };

  LoadedCode(const LoadedCode&) = delete;
  LoadedCode& operator=(const LoadedCode&) = delete;

  /// The kernel of that name, mangled as C++ mangles it unless it is extern "C"; null if there is none.
  const simt_kernel_entry* kernel(const std::string& name) const;
  /// All kernels, by their names.
  std::vector<const simt_kernel_entry*> kernels() const;
  /// A variable in memory of the device, __constant__ and __managed__ ones too; null if there is none of that name.
  const Symbol* variable(const std::string& name) const;

  bool is_library = false; ///< loaded as one, so no call for modules unloads it

private:
  friend CUresult load_code(LoadedCode*& code, const void* image, std::uintptr_t caller);
  LoadedCode() = default;

  std::map<std::string, Symbol> symbols_;
};

/// The module that an image which simtcc has built stands for, as bytes or as text; empty if it is none.
std::string image_of(const void* image);

/// The error for an image that simtcc has not built, and for code for a GPU a finding at `caller`.
CUresult refuse_image(const void* image, std::uintptr_t caller);

/// Loads an image. What is code for a GPU, PTX among it, is refused with a finding at `caller`, where the program asks.
CUresult load_code(LoadedCode*& code, const void* image, std::uintptr_t caller);
/// The same for a file.
CUresult load_file(LoadedCode*& code, const char* name, std::uintptr_t caller);
/// All of a file; false if it cannot be read.
bool read_image(std::string& bytes, const char* name);

/// What a handle stands for; null if for nothing that is loaded.
LoadedCode* loaded_code(const void* handle);
/// What a kernel belongs to; null if to the program itself.
LoadedCode* code_of_kernel(const void* kernel);
/// Afterwards the handles of the code and of its kernels are invalid.
void unload(LoadedCode* code);

} // namespace simt
