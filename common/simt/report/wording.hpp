// A finding in words, which it has from the catalogue (catalogue.hpp).
#pragma once

#include "simt/report/report.hpp"

#include <string>
#include <vector>

namespace simt {

/// Gives it the facts of its id and kind, none of which says anything yet. False if the catalogue has no such findings.
bool set_blank_facts(Finding& finding);

/// What it says. Without the element: "an element of tile in another block", where another one would be the same mistake.
std::string message_of(const Finding& finding, bool element = true);
/// What one of its participants does: "writes 4 bytes of it", "waits at __syncthreads()".
std::string action_of(const Finding& finding, std::size_t participant);
std::vector<std::string> notes_of(const Finding& finding);
/// What helps against it.
std::string cure_of(const Finding& finding);

/// A text of the catalogue with the finding's facts in it. Throws std::out_of_range if it asks for one that there is not.
std::string filled(const char* text, const Finding& finding);

/// The memory that it is about, without a place in it: "tile", "a block of 512 bytes from cudaMalloc".
std::string memory(const Finding& finding);
/// "tile[3][5] of block (1,0,0)", as the message calls the place that it is about; empty where unknown.
std::string place_text(const Finding& finding, bool element = true);
/// "[3][5]"
std::string index_text(const Finding& finding);

/// "out + 4", "5003".
std::string argument_text(const Argument& argument);
/// "copy_kernel(out + 4, in + 4, 5003)", as far as it is known.
std::string launch_text(const std::string& kernel, const HostLaunch& launch);

/// 1,234,567
std::string separated(std::uint64_t number);
/// "1 block", "1,234 blocks"
std::string counted(std::uint64_t number, const std::string& thing);
/// "(1,0,0)"
std::string triple(const Extent& extent);

} // namespace simt
