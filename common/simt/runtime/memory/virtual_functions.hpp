// Objects with virtual functions hold the address of their class's table of functions. On a GPU the tables of host and device are
// two, and a kernel cannot use an object that the host has constructed. Here there is one table: which side has constructed objects
// of a class is known by the writes of that address.
#pragma once

#include <cstdint>

namespace simt {

/// A constructor, or a destructor, writes the address of a table into an object.
void note_table_written(std::uintptr_t table);

/// A thread reads 8 bytes of a module's constants: if that is an entry of a table that it has by an object of the host's, the kernel
/// ends. Stays silent where a kernel has constructed any object of the class, or where the object may be a device variable's.
void check_table_read(std::uintptr_t entry, std::uintptr_t site);
/// The same where a compiler tells of the read of the table's address from an object, and not of the entry's.
void check_object_read(std::uintptr_t address, std::uintptr_t site);

} // namespace simt
