#include "simt/runtime/machine/code_map.hpp"

#include "simt/elf/symbols.hpp"
#include "text/demangle.hpp"

#include <link.h>
#include <pthread.h>
#include <unistd.h>
#include <unordered_map>
#include <unwind.h>
#include <utility>
#include <vector>

namespace simt {

namespace {

std::vector<std::uintptr_t> call_sites = {0};
struct SiteFacts {
  std::uint16_t number = 0;
  std::uint8_t bytes = 0; ///< of an access; 0: of several sizes
};
std::unordered_map<std::uintptr_t, SiteFacts> site_facts;

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

} // namespace

CodeAddress code_address(std::uintptr_t return_address) {
  if (return_address == 0) return {};
  // The call itself ends just before the address that it returns to.
  return search_modules(return_address - 1).found;
}

std::pair<std::uintptr_t, std::size_t> host_stack() {
  static std::uintptr_t begin = 0;
  static std::size_t bytes = 0;
  if (bytes == 0) {
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {};
    void* base = nullptr;
    pthread_attr_getstack(&attributes, &base, &bytes);
    pthread_attr_destroy(&attributes);
    begin = reinterpret_cast<std::uintptr_t>(base);
  }
  return {begin, bytes};
}

bool is_main_program(std::uintptr_t code) {
  Search search = search_modules(code);
  return search.module && (!search.module->dlpi_name || search.module->dlpi_name[0] == '\0');
}

Symbol find_variable(std::uintptr_t address) {
  const CodeAddress where = search_modules(address).found;
  for (const ElfSymbol& symbol :
       read_symbols(where.module, SymbolTable::all).value_or(std::vector<ElfSymbol>())) {
    if (!symbol.is_object || where.offset - symbol.value >= symbol.bytes) continue;
    const std::string name = warpbook::demangled(symbol.name); // "(anonymous namespace)::count"
    const std::size_t scope = name.rfind("::");
    return {scope == name.npos ? name : name.substr(scope + 2), where.offset - symbol.value, symbol.bytes};
  }
  return {};
}

std::vector<std::uintptr_t> host_frames(std::uintptr_t innermost, std::size_t most) {
  struct Walk {
    std::uintptr_t begin;
    std::size_t most;
    std::vector<std::uintptr_t> found = {};
  } walk{innermost, most};
  _Unwind_Backtrace(
      [](_Unwind_Context* frame, void* data) {
        Walk& into = *static_cast<Walk*>(data);
        const std::uintptr_t address = _Unwind_GetIP(frame);
        if (into.found.empty() && address != into.begin) return _URC_NO_REASON; // the simulator's own
        into.found.push_back(address);
        return into.found.size() < into.most ? _URC_NO_REASON : _URC_END_OF_STACK;
      },
      &walk);
  return walk.found;
}

std::vector<CodeAddress> callers_at(const std::vector<std::uintptr_t>& frames) {
  std::vector<CodeAddress> callers;
  for (const std::uintptr_t frame : frames) {
    CodeAddress where = code_address(frame);
    if (!callers.empty() && where.module != callers.front().module) break;
    callers.push_back(std::move(where));
  }
  return callers;
}

HostRange classify_host_address(std::uintptr_t address) {
  if (const auto [begin, bytes] = host_stack(); address - begin < bytes) return HostRange::stack;
  Search search = search_modules(address);
  if (!search.module) return HostRange::elsewhere;
  return search.writable ? HostRange::writable : HostRange::read_only;
}

std::uint16_t site_number(std::uintptr_t site, unsigned bytes) {
  struct Known {
    std::uintptr_t site;
    SiteFacts facts;
  };
  static Known known[1024];
  Known& recent = known[site / 4 % 1024];
  if (recent.site == site && (recent.facts.bytes == bytes || recent.facts.bytes == 0))
    return recent.facts.number;
  const auto [position, is_new] =
      site_facts.try_emplace(site, SiteFacts{.bytes = static_cast<std::uint8_t>(bytes)});
  SiteFacts& facts = position->second;
  if (is_new && call_sites.size() <= 0xffff) {
    facts.number = static_cast<std::uint16_t>(call_sites.size());
    call_sites.push_back(site);
  }
  if (facts.bytes != bytes) facts.bytes = 0;
  recent = {site, facts};
  return facts.number;
}

std::uintptr_t site_of_number(unsigned number) { return call_sites[number]; }

unsigned bytes_at_site(std::uintptr_t site) {
  const auto position = site_facts.find(site);
  return position == site_facts.end() ? 0 : position->second.bytes;
}

} // namespace simt
