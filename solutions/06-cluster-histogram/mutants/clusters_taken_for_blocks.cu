// mutant: clusters taken for blocks
// item: histogram_cluster launches as many clusters as the device holds at once
// diagnosis: too-few-clusters
//
// The mistake: the answer of the query counts clusters, and is taken for a number of blocks.
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
  const auto clusters = std::max<unsigned>(static_cast<unsigned>(most) / cluster_size, 1);
  config.gridDim.x = clusters * cluster_size;
  // END TODO(4)
