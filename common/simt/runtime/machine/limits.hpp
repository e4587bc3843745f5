// The simulated device: what it can hold, and where the simulator keeps it.
#pragma once

#include <array>
#include <cstddef>

namespace simt {

inline constexpr unsigned lanes_per_warp = 32;
inline constexpr unsigned max_threads_per_block = 1024;
/// In each direction.
inline constexpr std::array<unsigned, 3> max_block_extent{1024, 1024, 64};
inline constexpr std::array<unsigned, 3> max_grid_extent{0x7fffffff, 65535, 65535};
inline constexpr unsigned max_warps_per_block = max_threads_per_block / lanes_per_warp;
inline constexpr std::size_t default_shared_limit = 48 * 1024;
inline constexpr std::size_t opt_in_shared_limit = 227 * 1024;
inline constexpr std::size_t shared_per_multiprocessor = 228 * 1024;
inline constexpr std::size_t reserved_shared_per_block = 1024;
inline constexpr unsigned multiprocessors = 132;
inline constexpr unsigned threads_per_multiprocessor = 2048;
inline constexpr unsigned blocks_per_multiprocessor = 32;

/// Blocks that the simulator keeps alive at once, and the threads they may have together. A real device holds
/// more; waiting for a block that is not resident never ends on either.
inline constexpr unsigned max_resident_blocks = 128;
inline constexpr unsigned max_resident_threads = 32 * 1024;

/// A cooperative grid is resident as a whole, as far as the device can hold it.
inline constexpr unsigned max_cooperative_blocks = multiprocessors * blocks_per_multiprocessor;
inline constexpr unsigned max_cooperative_threads = multiprocessors * threads_per_multiprocessor;

/// Blocks in a cluster: on any device that has clusters, and on this one if a kernel asks for it.
inline constexpr unsigned portable_cluster_blocks = 8;
inline constexpr unsigned max_cluster_blocks = 16;

/// Address space of global memory: addresses are not reused while this lasts, so that stale pointers are
/// found.
inline constexpr std::size_t global_span = 256ull << 30;
inline constexpr std::size_t red_zone = 64 * 1024;

inline constexpr unsigned sector_bytes = 32;

/// Address space of one block's shared memory: all variables, and red zones between them.
inline constexpr std::size_t shared_window = 1 << 20;
inline constexpr std::size_t shared_span = shared_window * max_cooperative_blocks;
inline constexpr std::size_t shared_red_zone = 4096;

/// Memory for race checks of global memory, for words and for bytes or pairs of them that are accessed singly:
/// enough for kernels that use 32 MiB in all ways, and 2 MiB in bytes.
inline constexpr std::size_t word_shadow_bytes = 256ull << 20;
inline constexpr std::size_t byte_shadow_bytes = 64ull << 20;
/// The same for memory that warps access by whole rows, for each size of its elements.
inline constexpr std::size_t row_shadow_bytes = 64ull << 20;

/// Textures and surfaces, in texels: arrays, arrays of layers, and memory that is no array.
inline constexpr std::array<int, 2> max_texture_2d{131072, 65536};
inline constexpr int max_texture_1d = max_texture_2d[0];
inline constexpr std::array<int, 3> max_texture_3d{16384, 16384, 16384};
inline constexpr std::array<int, 3> max_texture_layers{32768, 32768, 2048}; ///< width, height, layers
/// Width, height, and the faces of all layers.
inline constexpr std::array<int, 3> max_texture_cubemaps{32768, 32768, 2046};
inline constexpr unsigned cubemap_faces = 6;
inline constexpr int max_texture_1d_linear = 1 << 28;
inline constexpr std::array<int, 2> max_texture_2d_linear{131072, 65000};
/// In bytes: where such memory begins, and how far apart its rows are.
inline constexpr int texture_alignment = 512;
inline constexpr int texture_pitch_alignment = 32;

inline constexpr std::size_t stack_bytes = 64 * 1024;

/// Of the machine that simulates it.
inline constexpr std::size_t processor_page = 4096;
inline constexpr int populate_write =
    23; ///< MADV_POPULATE_WRITE, which is in the headers of Linux 5.14 and later

/// Addresses below this are taken for a null pointer, and what lies behind it.
inline constexpr std::size_t null_page = 64 * 1024;

/// A stamp's clock (see race.hpp) holds the lane's warp clock, and above it the cluster barriers that it has arrived at.
inline constexpr unsigned warp_clock_bits = 20;

} // namespace simt
