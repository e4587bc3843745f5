// mutant: portable sizes only
// item: histogram_cluster runs clusters of up to 16 blocks
// diagnosis: refused
//
// The mistake: clusters of more than 8 blocks are not portable, and a kernel has to say that it wants them
// all the same.
// Read: the handout, "Launching clusters".

  // TODO(4)
  if (cluster_size > 16 || config.dynamicSmemBytes > most_shared_bytes()) return false;
  if (!succeeds(cudaFuncSetAttribute(histogram_cluster_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     static_cast<int>(config.dynamicSmemBytes))))
    return false;
  int most = 0;
  if (!succeeds(cudaOccupancyMaxActiveClusters(&most, histogram_cluster_kernel, &config)) || most == 0)
    return false;
  const std::size_t needed = divide_up(n, std::size_t{cluster_size} * threads_per_block);
  config.gridDim.x = cluster_size * static_cast<unsigned>(
                                        std::clamp<std::size_t>(needed, 1, static_cast<std::size_t>(most)));
  // END TODO(4)
