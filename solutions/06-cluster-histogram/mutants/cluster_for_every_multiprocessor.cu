// mutant: cluster for every multiprocessor
// item: histogram_cluster launches as many clusters as the device holds at once
// diagnosis: more-than-the-device-holds
//
// The mistake: as many clusters as there are multiprocessors. Of clusters of 2 small blocks that many run, of
// larger ones they do not: the answer of the query is not used.
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
  const std::size_t needed = divide_up(n, threads_per_block);
  const auto clusters = static_cast<std::size_t>(attribute(cudaDevAttrMultiProcessorCount));
  config.gridDim.x = cluster_size * static_cast<unsigned>(std::clamp<std::size_t>(needed, 1, clusters));
  // END TODO(4)
