#pragma once
/// Which source lines made a call expensive, for the details of a technique item's failure.

#include <cstdint>
#include <string>
#include <vector>

#include "grader/reply.hpp"

namespace warpbook {

/// The source lines with the most `cost` for each of `requests` (two fields of simt::Counters), dearest
/// first, at most `most` of them: two entries each, "coalescing.cu:16 | a[offset + i] += T{1};" and "  32.00
/// sectors per request, 2048 requests". Of a kernel that is given it is the line of the TODO that asks for the launch, and
/// what it asks for: "coalescing.cu:130 | copy<float>(out, in, n);" and "  4.00 sectors per request, 512 requests, by
/// copy_kernel<float>(out, in, 16384) in line 104". Lines that made no such request are left out. Empty unless the call was
/// made with CallOptions::sites.
Details costly_lines(const Reply& reply, std::uint64_t simt::Counters::*cost,
                     std::uint64_t simt::Counters::*requests, const std::string& unit, std::size_t most = 3);

} // namespace warpbook
