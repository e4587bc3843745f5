// mutant: error left behind
// item: histogram_cluster leaves bins alone where it says that it cannot
// diagnosis: cuda-error
//
// The mistake: the answer is right, but the error of the failed query stays for whoever asks next.
// Read: the handout, "Launching clusters".

// GIVEN(succeeds)
// Whether a call succeeded.
bool succeeds(cudaError_t error) { return error == cudaSuccess; }
// END GIVEN(succeeds)

  // TODO(4)
  if (config.dynamicSmemBytes > most_shared_bytes()) return false;
  if (!succeeds(cudaFuncSetAttribute(histogram_cluster_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     static_cast<int>(config.dynamicSmemBytes))))
    return false;
  if (!succeeds(
          cudaFuncSetAttribute(histogram_cluster_kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1)))
    return false;
  int most = 0;
  if (!succeeds(cudaOccupancyMaxActiveClusters(&most, histogram_cluster_kernel, &config)) || most == 0)
    return false;
  const std::size_t needed = divide_up(n, std::size_t{cluster_size} * threads_per_block);
  config.gridDim.x = cluster_size * static_cast<unsigned>(
                                        std::clamp<std::size_t>(needed, 1, static_cast<std::size_t>(most)));
  // END TODO(4)
