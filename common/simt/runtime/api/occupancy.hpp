// What the simulated device can hold at once. Registers are not modelled: a kernel is never refused or
// thinned out for them.
#pragma once

#include "simt/runtime/machine/kernels.hpp"
#include "simt/runtime/machine/machine.hpp"

namespace simt {

/// Blocks of a kernel that fit on a multiprocessor: by threads (whole warps), by shared memory (dynamic,
/// static as far as it is known, and 1 KiB that the system takes), and at most 32. 0 if one alone cannot run.
unsigned blocks_per_multiprocessor_for(const KernelTraits* known, unsigned threads,
                                       std::size_t dynamic_bytes);

/// The cluster of a launch: as asked for, else as the kernel says, else a single block.
simt_index3 cluster_extent(const simt_launch_config& config, const KernelTraits* known);

/// Whether the device accepts clusters of `requested` blocks (zeros: not given) for this kernel and grid.
bool fits_cluster(const KernelTraits* known, const simt_index3& requested, const simt_index3& grid);

} // namespace simt
