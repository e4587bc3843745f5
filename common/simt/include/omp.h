// OpenMP with a team of one thread, which is what the simulator runs: its directives mean nothing then, and its
// functions have these answers. One thread is a team that every OpenMP program has to be right with.
#ifndef SIMT_INCLUDE_OMP_H
#define SIMT_INCLUDE_OMP_H

#include <chrono>

typedef struct {
} omp_lock_t;
typedef omp_lock_t omp_nest_lock_t;
typedef enum {
  omp_sched_static = 1,
  omp_sched_dynamic = 2,
  omp_sched_guided = 3,
  omp_sched_auto = 4
} omp_sched_t;

inline void omp_set_num_threads(int) {}
inline int omp_get_num_threads() { return 1; }
inline int omp_get_max_threads() { return 1; }
inline int omp_get_thread_num() { return 0; }
inline int omp_get_num_procs() { return 1; }
inline int omp_in_parallel() { return 0; }
inline void omp_set_dynamic(int) {}
inline int omp_get_dynamic() { return 0; }
inline void omp_set_nested(int) {}
inline int omp_get_nested() { return 0; }
inline int omp_get_level() { return 0; }
inline int omp_get_thread_limit() { return 1; }
inline void omp_set_schedule(omp_sched_t, int) {}
inline void omp_init_lock(omp_lock_t*) {}
inline void omp_destroy_lock(omp_lock_t*) {}
inline void omp_set_lock(omp_lock_t*) {}
inline void omp_unset_lock(omp_lock_t*) {}
inline int omp_test_lock(omp_lock_t*) { return 1; }
/// Seconds since some moment.
inline double omp_get_wtime() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
inline double omp_get_wtick() { return 1e-9; }

#endif
