#include "simt/elf/symbols.hpp"

#include "call/file_descriptor.hpp"

#include <gelf.h>
#include <memory>

namespace simt {

std::optional<std::vector<ElfSymbol>> read_symbols(const std::string& path, SymbolTable table) {
  const warpbook::FileDescriptor file = warpbook::open_contents(path);
  elf_version(EV_CURRENT);
  const std::unique_ptr<Elf, decltype(&elf_end)> elf(elf_begin(file.get(), ELF_C_READ_MMAP, nullptr),
                                                     &elf_end);
  if (!elf || gelf_getclass(elf.get()) != ELFCLASS64) return std::nullopt;
  Elf_Data* entries = nullptr;
  Elf_Data* versions = nullptr;
  GElf_Shdr section = {}, names = {};
  for (Elf_Scn* next = elf_nextscn(elf.get(), nullptr); next; next = elf_nextscn(elf.get(), next)) {
    if (!gelf_getshdr(next, &section)) continue;
    if (section.sh_type == (table == SymbolTable::dynamic ? SHT_DYNSYM : SHT_SYMTAB)) {
      entries = elf_getdata(next, nullptr);
      names = section;
    } else if (section.sh_type == SHT_GNU_versym && table == SymbolTable::dynamic) {
      versions = elf_getdata(next, nullptr);
    }
  }
  std::vector<ElfSymbol> symbols;
  GElf_Sym symbol;
  for (int i = 1; entries && gelf_getsym(entries, i, &symbol); ++i) { // the first one stands for none
    const char* name = elf_strptr(elf.get(), names.sh_link, symbol.st_name);
    const auto type = GELF_ST_TYPE(symbol.st_info);
    if (!name || type == STT_FILE) continue;
    GElf_Versym version = 0;
    if (versions) gelf_getversym(versions, i, &version);
    symbols.push_back({name, symbol.st_value, symbol.st_size, type == STT_FUNC, type == STT_OBJECT,
                       type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE,
                       GELF_ST_BIND(symbol.st_info) == STB_GLOBAL, symbol.st_shndx != SHN_UNDEF,
                       (version & 0x7fff) > VER_NDX_GLOBAL});
  }
  return symbols;
}

} // namespace simt
