// mutant: cluster too large for the device
// item: histogram_cluster leaves bins alone where it says that it cannot
// diagnosis[sim]: invalid-launch
// diagnosis[cuda]: cuda-error
//
// The mistake: whether the device can run the cluster is found out by launching it. The launch fails, and
// no block has counted.
// Read: the handout, "Launching clusters".

  // TODO(4)
  cudaFuncSetAttribute(histogram_cluster_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       static_cast<int>(config.dynamicSmemBytes));
  if (!succeeds(
          cudaFuncSetAttribute(histogram_cluster_kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1)))
    return false;
  config.gridDim.x = cluster_size * 8;
  // END TODO(4)
