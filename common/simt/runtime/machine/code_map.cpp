#include "simt/runtime/machine/code_map.hpp"

#include <cstdlib>
#include <cxxabi.h>
#include <fstream>
#include <iterator>
#include <link.h>
#include <pthread.h>
#include <unistd.h>
#include <unordered_map>
#include <vector>

namespace simt {

namespace {

std::vector<std::uintptr_t> call_sites = {0};
std::unordered_map<std::uintptr_t, std::uint16_t> site_numbers;

struct Search {
  std::uintptr_t address;
  const dl_phdr_info* module = nullptr;
  bool writable = false;
  CodeAddress found;
};

std::string executable_path() {
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  return length > 0 ? std::string(path, static_cast<std::size_t>(length)) : std::string();
}

int visit_module(dl_phdr_info* info, std::size_t, void* data) {
  Search& search = *static_cast<Search*>(data);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    std::uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
    if (search.address - begin >= segment.p_memsz) continue;
    if (segment.p_type == PT_LOAD) {
      search.module = info;
      search.writable |= (segment.p_flags & PF_W) != 0;
      std::string path = info->dlpi_name ? info->dlpi_name : "";
      search.found = {path.empty() ? executable_path() : path, search.address - info->dlpi_addr};
    }
  }
  if (!search.module) return 0;
  // Constants that needed relocation sit in a writable segment, but were made read-only after loading.
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    if (segment.p_type == PT_GNU_RELRO &&
        search.address - (info->dlpi_addr + segment.p_vaddr) < segment.p_memsz)
      search.writable = false;
  }
  return 1;
}

Search search_modules(std::uintptr_t address) {
  Search search{address, nullptr, false, {}};
  dl_iterate_phdr(visit_module, &search);
  return search;
}

/// "count" from "_ZN12_GLOBAL__N_15countE".
std::string plain_name(const char* symbol) {
  int status = 0;
  char* demangled = abi::__cxa_demangle(symbol, nullptr, nullptr, &status);
  std::string name = demangled ? demangled : symbol;
  std::free(demangled);
  std::size_t scope = name.rfind("::");
  return scope == std::string::npos ? name : name.substr(scope + 2);
}

bool on_host_stack(std::uintptr_t address) {
  static std::uintptr_t begin = 0;
  static std::size_t bytes = 0;
  if (bytes == 0) {
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return false;
    void* base = nullptr;
    pthread_attr_getstack(&attributes, &base, &bytes);
    pthread_attr_destroy(&attributes);
    begin = reinterpret_cast<std::uintptr_t>(base);
  }
  return address - begin < bytes;
}

} // namespace

CodeAddress code_address(std::uintptr_t return_address) {
  if (return_address == 0) return {};
  // The call itself ends just before the address that it returns to.
  return search_modules(return_address - 1).found;
}

bool is_main_program(std::uintptr_t code) {
  Search search = search_modules(code);
  return search.module && (!search.module->dlpi_name || search.module->dlpi_name[0] == '\0');
}

Symbol find_variable(std::uintptr_t address) {
  CodeAddress where = search_modules(address).found;
  std::ifstream file(where.module, std::ios::binary);
  std::vector<char> bytes((std::istreambuf_iterator<char>(file)), {});
  if (bytes.size() < sizeof(ElfW(Ehdr))) return {};
  const auto& header = *reinterpret_cast<const ElfW(Ehdr)*>(bytes.data());
  if (header.e_shoff + header.e_shnum * sizeof(ElfW(Shdr)) > bytes.size()) return {};
  const auto* sections = reinterpret_cast<const ElfW(Shdr)*>(bytes.data() + header.e_shoff);
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    if (sections[i].sh_type != SHT_SYMTAB) continue;
    const auto* symbols = reinterpret_cast<const ElfW(Sym)*>(bytes.data() + sections[i].sh_offset);
    const char* names = bytes.data() + sections[sections[i].sh_link].sh_offset;
    for (std::size_t s = 0; s < sections[i].sh_size / sizeof(ElfW(Sym)); ++s)
      if (ELF64_ST_TYPE(symbols[s].st_info) == STT_OBJECT &&
          where.offset - symbols[s].st_value < symbols[s].st_size)
        return {plain_name(names + symbols[s].st_name), where.offset - symbols[s].st_value,
                symbols[s].st_size};
  }
  return {};
}

HostRange classify_host_address(std::uintptr_t address) {
  if (on_host_stack(address)) return HostRange::stack;
  Search search = search_modules(address);
  if (!search.module) return HostRange::elsewhere;
  return search.writable ? HostRange::writable : HostRange::read_only;
}

std::uint16_t site_number(std::uintptr_t site) {
  struct Known {
    std::uintptr_t site;
    std::uint16_t number;
  };
  static Known known[1024];
  Known& recent = known[site / 4 % 1024];
  if (recent.site == site) return recent.number;
  auto [position, is_new] = site_numbers.try_emplace(site, std::uint16_t{0});
  if (is_new && call_sites.size() <= 0xffff) {
    position->second = static_cast<std::uint16_t>(call_sites.size());
    call_sites.push_back(site);
  }
  recent = {site, position->second};
  return position->second;
}

std::uintptr_t site_of_number(unsigned number) { return call_sites[number]; }

} // namespace simt
