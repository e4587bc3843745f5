#include "simt/report/debug_information.hpp"

#include <cstring>
#include <filesystem>
#include <gelf.h>
#include <sstream>

namespace simt {

DebugInformation::DebugInformation(const std::string& path)
    : file_(warpbook::open_contents(path)), information_(dwarf_begin(file_.get(), DWARF_C_READ), &dwarf_end) {
  std::istringstream folders{std::string(section("simt_foreign").bytes)};
  for (std::string folder; std::getline(folders, folder);) {
    std::erase(folder, '\0'); // of several sources the linker puts one's behind another's end
    if (!folder.empty()) foreign_.insert(std::filesystem::absolute(folder));
  }
}

DebugInformation::Section DebugInformation::section(const char* name) const {
  Elf* elf = information_ ? dwarf_getelf(information_.get()) : nullptr;
  std::size_t names = 0;
  if (!elf || elf_getshdrstrndx(elf, &names) != 0) return {};
  for (Elf_Scn* next = elf_nextscn(elf, nullptr); next; next = elf_nextscn(elf, next)) {
    GElf_Shdr header;
    if (!gelf_getshdr(next, &header)) continue;
    const char* found = elf_strptr(elf, names, header.sh_name);
    const Elf_Data* data = found && std::strcmp(found, name) == 0 ? elf_getdata(next, nullptr) : nullptr;
    if (data && data->d_buf) return {header.sh_addr, {static_cast<const char*>(data->d_buf), data->d_size}};
  }
  return {};
}

bool DebugInformation::is_foreign(const std::string& file) const {
  if (file.empty() || file[0] == '?' || file[0] == '<') return true;
  if (!foreign_.empty()) return foreign_.contains(file.substr(0, file.rfind('/') + 1));
  return file.starts_with("/usr/include/") || file.starts_with("/usr/lib/") ||
         file.starts_with("/usr/lib64/");
}

bool DebugInformation::next_unit(Dwarf_CU*& unit, Dwarf_Die& die) const {
  return information_ &&
         dwarf_get_units(information_.get(), unit, &unit, nullptr, nullptr, &die, nullptr) == 0;
}

std::optional<Dwarf_Die> DebugInformation::unit_at(Dwarf_Addr offset) const {
  Dwarf_CU* unit = nullptr;
  Dwarf_Die die;
  while (next_unit(unit, die))
    if (dwarf_haspc(&die, offset) > 0) return die;
  return std::nullopt;
}

std::optional<Dwarf_Word> dwarf_number(Dwarf_Die* die, unsigned name) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  if (dwarf_formudata(dwarf_attr_integrate(die, name, &attribute), &value) != 0) return std::nullopt;
  return value;
}

} // namespace simt
