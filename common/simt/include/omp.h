// OpenMP of the compiler's where simtcc asks for it, which is where a program includes this, or is built with -fopenmp. Else, as with a
// clang++ without libomp, a team has one thread: directives mean nothing then, and the functions have these answers.
#ifdef _OPENMP
#include_next <omp.h>
#elif !defined(SIMT_INCLUDE_OMP_H)
#define SIMT_INCLUDE_OMP_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct {
  char unused;
} omp_lock_t;
typedef omp_lock_t omp_nest_lock_t;
typedef enum {
  omp_sched_static = 1,
  omp_sched_dynamic = 2,
  omp_sched_guided = 3,
  omp_sched_auto = 4
} omp_sched_t;

/// A program that divides its work among so many would do a part of it.
static inline void omp_set_num_threads(int threads) {
  if (threads <= 1) return;
  fprintf(stderr,
          "The program asks OpenMP for %d threads, and this compiler has no OpenMP: a team has one thread. Install "
          "libomp-dev, or build with g++.\n",
          threads);
  exit(1);
}
static inline int omp_get_num_threads(void) { return 1; }
static inline int omp_get_max_threads(void) { return 1; }
static inline int omp_get_thread_num(void) { return 0; }
static inline int omp_get_num_procs(void) { return 1; }
static inline int omp_in_parallel(void) { return 0; }
static inline void omp_set_dynamic(int) {}
static inline int omp_get_dynamic(void) { return 0; }
static inline void omp_set_nested(int) {}
static inline int omp_get_nested(void) { return 0; }
static inline int omp_get_level(void) { return 0; }
static inline int omp_get_thread_limit(void) { return 1; }
static inline void omp_set_schedule(omp_sched_t, int) {}
static inline void omp_init_lock(omp_lock_t*) {}
static inline void omp_destroy_lock(omp_lock_t*) {}
static inline void omp_set_lock(omp_lock_t*) {}
static inline void omp_unset_lock(omp_lock_t*) {}
static inline int omp_test_lock(omp_lock_t*) { return 1; }
/// Seconds since some moment.
static inline double omp_get_wtime(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
static inline double omp_get_wtick(void) { return 1e-9; }

#endif
