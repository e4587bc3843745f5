#pragma once
/// What the CUDA runner does with kernels of its own, so that large inputs need not be made by the host.

#include <cstddef>
#include <vector>

#include "call/call.hpp"
#include "timing/provenance.hpp"

namespace warpbook::device_work {

/// Writes `count` values, bit for bit those of generated_element(). Returns before the device has finished.
void generate(const Generator& generator, void* device, std::size_t count);

/// Copies the elements at `indices` into `target`, one behind the other.
void gather(const void* device, std::size_t element_size, const std::vector<std::size_t>& indices,
            std::byte* target);

/// Device, clock under load, driver and toolkit.
Provenance provenance();

} // namespace warpbook::device_work
