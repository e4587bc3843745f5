#include "simt/runtime/driver/loaded_code.hpp"

#include "simt/diagnostics/diagnose.hpp"
#include "simt/elf/image_text.hpp"
#include "simt/elf/symbols.hpp"
#include "simt/runtime/api/launching.hpp"
#include "simt/runtime/memory/global_memory.hpp"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <fstream>
#include <iterator>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

namespace simt {

namespace {

std::vector<std::unique_ptr<LoadedCode>> all_code;

/// Code for a GPU: cubins are ELF files for another machine, fat binaries and their wrappers begin with a number, and PTX is text.
bool is_gpu_code(const void* image) {
  constexpr std::uint16_t cuda_machine = 190;
  constexpr std::uint32_t fat_binary = 0xba55ed50, wrapper = 0x466243b1;
  std::uint32_t first = 0;
  std::memcpy(&first, image, 1);
  const bool is_text = first == '\t' || first == '\n' || first == '\r' || (first >= ' ' && first <= '~');
  if (is_text) return true;
  std::memcpy(&first, image, sizeof first);
  if (first == fat_binary || first == wrapper) return true;
  if (std::memcmp(image, ELFMAG, SELFMAG) != 0) return false;
  Elf64_Ehdr header;
  std::memcpy(&header, image, sizeof header);
  return header.e_machine == cuda_machine;
}

/// nvcc calls a static variable what the source calls it, and a static kernel as if it were not static; g++ marks both with an L.
std::string name_in_module(const ElfSymbol& symbol) {
  constexpr std::string_view mark = "_ZL";
  if (!symbol.name.starts_with(mark)) return symbol.name;
  if (symbol.is_function) return "_Z" + symbol.name.substr(mark.size());
  return symbol.name.substr(
      std::min(symbol.name.find_first_not_of("0123456789", mark.size()), symbol.name.size()));
}

/// A file of these bytes that has no name in any folder. It stays open, because lines of the code are looked up in it.
std::string unnamed_file(std::string_view bytes) {
  const int file = ::memfd_create("loaded-code", MFD_CLOEXEC);
  if (file < 0) return {};
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written <= 0) return ::close(file), std::string();
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return "/proc/self/fd/" + std::to_string(file);
}

} // namespace

std::string image_of(const void* image) {
  Elf64_Ehdr header;
  const char* bytes = static_cast<const char*>(image);
  if (bytes[0] == '/') return image_of_text(bytes).value_or(std::string());
  if (std::strncmp(bytes, ELFMAG, SELFMAG) != 0) return {};
  std::memcpy(&header, image, sizeof header);
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_type != ET_DYN || header.e_machine != EM_X86_64)
    return {};
  // Linkers write the table of sections behind all else.
  return {bytes, header.e_shoff + header.e_shentsize * header.e_shnum};
}

const simt_kernel_entry* LoadedCode::kernel(const std::string& name) const {
  const auto found = symbols_.find(name);
  if (found == symbols_.end() || !found->second.is_function) return nullptr;
  return find_entry(reinterpret_cast<const void*>(found->second.address));
}

std::vector<const simt_kernel_entry*> LoadedCode::kernels() const {
  std::vector<const simt_kernel_entry*> found;
  for (const auto& [name, symbol] : symbols_)
    if (const simt_kernel_entry* entry = kernel(name)) found.push_back(entry);
  return found;
}

const LoadedCode::Symbol* LoadedCode::variable(const std::string& name) const {
  const auto found = symbols_.find(name);
  if (found == symbols_.end() || found->second.is_function) return nullptr;
  return find_section(found->second.address) ? &found->second : nullptr;
}

CUresult refuse_image(const void* image, std::uintptr_t caller) {
  if (!is_gpu_code(image)) return CUDA_ERROR_INVALID_IMAGE;
  report({"unsupported", "gpu-code"}, caller);
  return CUDA_ERROR_NO_BINARY_FOR_GPU;
}

CUresult load_code(LoadedCode*& code, const void* image, std::uintptr_t caller) {
  const std::string bytes = image_of(image);
  if (bytes.empty()) return refuse_image(image, caller);
  const std::string file = unnamed_file(bytes);
  if (file.empty()) return CUDA_ERROR_OUT_OF_MEMORY;
  void* handle = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  link_map* map = nullptr;
  const auto symbols = read_symbols(file, SymbolTable::all);
  if (!handle || !symbols || ::dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0) return CUDA_ERROR_INVALID_IMAGE;
  code = all_code.emplace_back(new LoadedCode).get();
  for (const ElfSymbol& symbol : *symbols)
    if (symbol.is_defined && (symbol.is_function || symbol.is_object))
      code->symbols_.try_emplace(name_in_module(symbol), map->l_addr + symbol.value, symbol.bytes,
                                 symbol.is_function);
  return CUDA_SUCCESS;
}

bool read_image(std::string& bytes, const char* name) {
  std::ifstream file(name, std::ios::binary);
  if (!file) return false;
  bytes.assign(std::istreambuf_iterator<char>(file), {});
  const std::size_t size = bytes.size();
  bytes.resize(std::max(size + 1, sizeof(Elf64_Ehdr))); // a file may be shorter than what is looked at
  Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof header);
  // Of one whose end is missing nothing is looked at.
  const bool is_elf = bytes.starts_with(ELFMAG);
  if (is_elf && (header.e_shoff > size || header.e_shoff + header.e_shentsize * header.e_shnum > size))
    bytes[0] = '\x7e';
  return true;
}

CUresult load_file(LoadedCode*& code, const char* name, std::uintptr_t caller) {
  std::string bytes;
  if (!read_image(bytes, name)) return CUDA_ERROR_FILE_NOT_FOUND;
  return load_code(code, bytes.data(), caller);
}

LoadedCode* loaded_code(const void* handle) {
  const auto found = std::ranges::find(all_code, handle, &std::unique_ptr<LoadedCode>::get);
  return found == all_code.end() ? nullptr : found->get();
}

LoadedCode* code_of_kernel(const void* kernel) {
  for (const auto& code : all_code)
    for (const simt_kernel_entry* entry : code->kernels())
      if (entry->kernel == kernel) return code.get();
  return nullptr;
}

void unload(LoadedCode* code) {
  for (const simt_kernel_entry* entry : code->kernels()) forget_entry(entry->kernel);
  std::erase_if(all_code, [&](const auto& known) { return known.get() == code; });
}

} // namespace simt
