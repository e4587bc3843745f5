// Which launches have a part in what a call makes. A launch has one if the host, the caller's arrays at the end, or another launch
// that has one, come upon something that it has written. The accesses of others are there to be counted, or by mistake.
//
// It is known of launches whose accesses have to be announced (announced.hpp), by words of four bytes.
#pragma once

#include "simt/runtime/machine/machine.hpp"

#include <cstddef>
#include <cstdint>

namespace simt {

/// A call begins: no launch has written anything.
void begin_lineage();
/// The host launches; what grids read and write from now on is this launch's.
void begin_launch_in_lineage();
/// Its number: they are counted up to the last one, which stands for all that follow and always has a part.
unsigned launch_in_lineage();
constexpr unsigned last_launch_number = 255;

void note_word_reads(std::uintptr_t address, std::size_t bytes);
void note_word_writes(std::uintptr_t address, std::size_t bytes);
/// The runtime copies, or fills from nowhere (`from` 0), or tells the host (`to` 0). Either may be memory of the host.
void note_lineage_of_copy(std::uintptr_t to, std::uintptr_t from, std::size_t bytes);

/// The call is over.
void end_lineage();
/// Whether a launch has had a part in it.
bool has_part(unsigned launch);

} // namespace simt
