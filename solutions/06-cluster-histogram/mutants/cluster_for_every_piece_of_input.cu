// mutant: cluster for every piece of input
// item: histogram_cluster launches as many clusters as the device holds at once
// diagnosis: more-than-the-device-holds
//
// The mistake: as many clusters as values need, one for each thread. Each of them clears all counters and
// adds them to `bins` for a few thousand values.
// Read: the handout, "How many clusters?".

  // TODO(4)
  if (cluster_size > 16 || config.dynamicSmemBytes > most_shared_bytes()) return false;
  if (!succeeds(cudaFuncSetAttribute(histogram_cluster_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     static_cast<int>(config.dynamicSmemBytes))))
    return false;
  if (!succeeds(
          cudaFuncSetAttribute(histogram_cluster_kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1)))
    return false;
  int most = 0;
  if (!succeeds(cudaOccupancyMaxActiveClusters(&most, histogram_cluster_kernel, &config)) || most == 0)
    return false;
  config.gridDim.x = cluster_size * static_cast<unsigned>(std::max<std::size_t>(
                                        divide_up(n, std::size_t{cluster_size} * threads_per_block), 1));
  // END TODO(4)
