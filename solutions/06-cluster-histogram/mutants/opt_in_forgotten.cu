// mutant: opt in forgotten
// item: histogram_cluster takes as many bins as fit into the shared memory of all its blocks
// diagnosis: refused
//
// The mistake: more than 48 KiB per block have to be asked for; without that cudaOccupancyMaxActiveClusters
// says that no cluster can run.
// Read: the handout, "How much shared memory?".

  // TODO(4)
  if (cluster_size > 16 || config.dynamicSmemBytes > most_shared_bytes()) return false;
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
