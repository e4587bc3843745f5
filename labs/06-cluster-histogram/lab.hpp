#pragma once

// The contract of lab 06. Your file, cluster_histogram.cu, implements these functions; the build includes
// this header in front of it. Keep the signatures: with another result type a function does not compile,
// and with other parameters it is another function in C++, which the check reports.
//
// Rules of every contract: pointers are device pointers; work goes to the default stream; a function may
// return before the device has finished; n may be 0. Nothing outside the arrays may be read or written, and
// arrays do not overlap. Arrays begin on a 256-byte boundary.
//
// The device computes the results. In one call at most 16 bytes to the host (a flag, say) and at most 4096 bytes to the
// device (parameters, say) may cross between the two, by copies or in any other way.
//
// For all functions of this lab:
//
// in       device array of n ints, read only. A value v counts in bin v. One below 0 counts in the first bin,
//          one of nbins or more in the last.
// n        number of values, below 2^32, so that 32 bits hold any count; often more than 2^31.
// bins     device array of nbins counts, overwritten: bins[b] becomes the number of values that count in bin
//          b, exactly. What it holds before the call is of no use.
// nbins    number of bins, 1 to 2^24.
//
// A block may have as many bytes of shared memory as cudaDevAttrMaxSharedMemoryPerBlockOptin says: 232,448 on
// an H200 and on the simulated device, which are 58,112 counters of 4 bytes.

#include <cstddef>

/// Where histogram() kept the counters while it counted.
enum class Regime : int {
  global,     ///< in `bins` itself, in global memory
  shared,     ///< in a block's shared memory, a copy for every block
  distributed ///< in the shared memory of a cluster's blocks, a copy for every cluster
};

extern "C" {

/// Counts with atomics in global memory; takes any number of bins.
void histogram_global(const int* in, std::size_t n, unsigned* bins, unsigned nbins);

/// Counts in shared memory: every block has counters of its own for all bins, and adds them to `bins` once.
///
/// Returns whether that was possible. It must be where nbins counters of 4 bytes fit into the shared memory
/// that a block may have. Otherwise it may return false, and then leaves `bins` as it is, and no CUDA error
/// behind.
bool histogram_shared(const int* in, std::size_t n, unsigned* bins, unsigned nbins);

/// Counts in distributed shared memory: the blocks of a cluster share out the bins among them, and count in
/// one another's shared memory; each cluster adds its counters to `bins` once.
///
/// cluster_size  blocks in a cluster, at least 1. It need not divide nbins.
///
/// Returns whether that was possible. It must be where the device can run clusters of that size (16 on an
/// H200, above 8 by cudaFuncAttributeNonPortableClusterSizeAllowed) and the nbins counters of 4 bytes fit,
/// shared out evenly, into the shared memory that its blocks may have. Otherwise it may return false (and has
/// to above 16, and on devices without clusters), and then leaves `bins` as it is, and no CUDA error behind.
bool histogram_cluster(const int* in, std::size_t n, unsigned* bins, unsigned nbins, unsigned cluster_size);

/// Counts in the nearest memory that holds the counters, and returns which: a block's shared memory if nbins
/// counters of 4 bytes fit into it, else that of a cluster if they fit into one of at most 16 blocks that the
/// device can run, else global memory. Clusters have at most twice as many blocks as the counters need. (Who
/// packs counters into fewer bytes may use nearer memory than that, not farther.)
Regime histogram(const int* in, std::size_t n, unsigned* bins, unsigned nbins);
}
