// mutant: one slow cluster
// item: histogram_cluster counts 65536 bins as fast as remote atomics can be
// diagnosis: too-slow
// backends: cuda
//
// The mistake: one cluster of two blocks goes through all values, on two of 132 multiprocessors.
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
  // END TODO(4)
