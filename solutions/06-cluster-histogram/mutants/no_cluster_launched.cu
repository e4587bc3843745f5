// mutant: no cluster launched
// item: histogram_cluster launches as many clusters as the device holds at once
// diagnosis: no-clusters
//
// The mistake: all that decides about clusters is there, and then the values are counted in global memory,
// without a cluster.
// Read: the handout, "Launching clusters".

// GIVEN(histogram_cluster)
bool histogram_cluster(const int* in, std::size_t n, unsigned* bins, unsigned nbins, unsigned cluster_size) {
  cudaLaunchAttribute cluster = {};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim.x = cluster_size;
  cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.attrs = &cluster;
  config.numAttrs = 1;
  config.gridDim = cluster_size; // one cluster
  config.blockDim = threads_per_block;
  config.dynamicSmemBytes = bins_per_block(nbins, cluster_size) * sizeof(unsigned);
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
  const std::size_t needed = divide_up(n, std::size_t{cluster_size} * threads_per_block);
  config.gridDim.x = cluster_size * static_cast<unsigned>(
                                        std::clamp<std::size_t>(needed, 1, static_cast<std::size_t>(most)));
  clear(bins, nbins);
  histogram_global_kernel<<<config.gridDim.x, threads_per_block>>>(in, n, bins, nbins);
  return true;
}
// END GIVEN(histogram_cluster)
