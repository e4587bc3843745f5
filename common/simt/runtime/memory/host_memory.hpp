// Memory of the host is out of a kernel's reach on a GPU. Here kernels run in its process: while they do, what host code of the
// submission has is closed to the processor, which are the variables of its module and what it has allocated (host_heap.hpp).
// A kernel's access is then a SIGSEGV (signals.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace simt {

struct Grid;

/// Until open_host_memory(). The variables are those of the module that the grid's kernel is in. What stays open is returned: what is
/// beside device variables in their pages, and what the submission's functions have on the stack of the thread that launches.
std::vector<std::span<unsigned char>> close_host_memory(const Grid& grid);
void open_host_memory();

/// What lies below the stack that is in use, if it is the host_stack(), is gone: it belongs to no function.
void empty_stack_below();

/// Opens it, or closes it again, as the system's calls alone do: a signal handler may call this.
void let_pass(bool all);

/// Whether a thread of the host, which does not run the grid, may find it open if it tries again later. A signal handler asks.
bool host_waits(std::uintptr_t address);

/// Whether it is closed there. The signal handler of the thread that runs the grid asks.
bool is_closed_to_kernels(std::uintptr_t address);

/// The closed pages that an access there needs: first address and bytes.
std::pair<std::uintptr_t, std::size_t> closed_pages(std::uintptr_t address, std::size_t bytes);

/// While one lives, no kernel runs, and threads of the host have their memory.
class OpenToHost {
public:
  OpenToHost();
  ~OpenToHost();
  OpenToHost(const OpenToHost&) = delete;
  OpenToHost& operator=(const OpenToHost&) = delete;

private:
  bool was_closed_;
};

} // namespace simt
