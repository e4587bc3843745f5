// mutant: grid no multiple of the cluster
// item: histogram_cluster counts every value in its bin
// diagnosis[sim]: invalid-launch
// diagnosis[cuda]: cuda-error
//
// The mistake: as many blocks as the values need: their number has to be a multiple of the cluster size as
// well.
// Read: the handout, "Launching clusters".

  // TODO(4)
  if (cluster_size > 16 || config.dynamicSmemBytes > most_shared_bytes()) return false;
  if (!succeeds(cudaFuncSetAttribute(histogram_cluster_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     static_cast<int>(config.dynamicSmemBytes))))
    return false;
  if (!succeeds(
          cudaFuncSetAttribute(histogram_cluster_kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1)))
    return false;
  config.gridDim.x = static_cast<unsigned>(std::clamp<std::size_t>(divide_up(n, threads_per_block), 1, 128));
  // END TODO(4)
