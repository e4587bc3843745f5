#pragma once
/// The submission under grading: calls its functions in a runner process and checks everything that
/// is wrong with a call whatever the function computes.

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "call/call.hpp"
#include "call/memory.hpp"
#include "grader/contract.hpp"
#include "grader/failure.hpp"
#include "grader/repeater.hpp"
#include "grader/reply.hpp"
#include "timing/provenance.hpp"

namespace warpbook {

enum class Backend { sim, cuda };

/// "sim" or "cuda".
inline const char* name_of(Backend backend) { return backend == Backend::sim ? "sim" : "cuda"; }

/// What to run and how; the grader's command line fills it, a bench fills its own.
struct SubmissionOptions {
  std::string name = "submission";
  std::string kind = "handin"; ///< starter, solution, step, mutant, peer or handin
  std::string module_path;
  std::string source_path; ///< the .cu file, for TODO places and excerpts
  Backend backend = Backend::sim;
  std::string runner_path;
  std::vector<std::string>
      prefix; ///< command in front of the runner, e.g. {"compute-sanitizer", "--tool", "memcheck"}
  std::uint64_t seed = 1;
  UnseenAccess unseen = UnseenAccess::garbles; ///< on the simulator
  bool watches_bounds = false; ///< on the simulator, where unseen accesses pass
  LaunchesLeftOut left_out = {};       ///< on the simulator
  /// For one call: processor time of its host code, or time that it sleeps (Patience); on a GPU of all its work.
  std::chrono::milliseconds timeout{10000};
  std::string contract_path; ///< lab.hpp, for the parameters' names
  ReplayBuild replay = {};   ///< on the simulator

  /// Whether the runner runs under compute-sanitizer.
  bool is_sanitized() const;
};

/// Options of one call; write `CallOptions{.schedule = s}`.
struct CallOptions {
  Schedule schedule = Schedule::forward; ///< simulator only
  /// The function runs this often, with in-out buffers restored and outputs poisoned before each time;
  /// counters are of all repetitions together, times of each, outputs of the last.
  int repetitions = 1;
  int most_repetitions = 1;             ///< on a GPU: go on up to this many until `uncertainty` is reached
  double uncertainty = 0;               ///< of the median time, as a fraction (Summary::uncertainty)
  int warm_ups = 0;                     ///< on a GPU: repetitions before those, not timed
  bool cold = false;                    ///< on a GPU: the L2 cache is flushed before each repetition
  std::chrono::milliseconds timeout{0}; ///< 0: the submission's
  std::vector<std::string> allow = {};  ///< simulator diagnostics that do not fail this call
  bool sites = false;                   ///< simulator counters per source line as well
  bool trace = false; ///< simulator only: the reply has a trace (Reply::trace), whatever Context::trace says
  /// What the function's outputs depend on: where they are wrong, a trace shows whether it was read (wrong_values.hpp).
  Sources sources = {};
  /// Simulator only: a device with little room for launches by device code. Launches beyond it are refused, as
  /// others than those of this program could have filled the queue; a host that asks for more gets it.
  std::optional<LaunchRoom> launch_room = {};
  /// Whether the call in words tells of that. Not where the room ends what no exercise needs, and is of no interest else.
  bool tells_room = true;
  /// Simulator only: of each grid that the host launches only the last block runs, for arrays too long for all of them.
  bool last_block_only = false;
  /// Simulator only: a kernel counts as endless after so many times the steps that an exercise needs. For programs that are
  /// known to end.
  unsigned patience = 1;
};

/// A call in words, and what was counted in it.
struct CountedCall {
  std::string text;
  simt::Counters counters;
};

/// A call as the simulator has seen it, whether it returned or not.
struct TracedCall {
  std::string text; ///< in words
  std::vector<std::pair<std::string, std::string>>
      numbers; ///< the arguments that are none of arrays, by name
  Schedule schedule = Schedule::forward;
  std::shared_ptr<const simt::Trace> trace;
  std::vector<simt::Finding> findings;
};

/// What a backend has to offer, found out without any student code.
struct Availability {
  bool available = false;
  std::string reason; ///< why not, as a sentence
  std::string device; ///< "NVIDIA H200", or the simulated device
  std::array<int, 2> compute_capability = {};
  std::size_t memory_bytes = 0;     ///< of the GPU; 0 on the simulator
  std::size_t l2_bytes = 0;         ///< of the L2 cache; 0 where there is none to speak of
  std::vector<std::string> devices; ///< every GPU's name in CUDA's order (cuda only)
  std::string pci_address;          ///< "0000:1B:00.0"; empty on the simulator
};

/// What a measurement on this backend runs on: device, clock under load, driver, toolkit, date. Starts
/// `options.runner_path --provenance`; throws std::runtime_error if that fails.
Provenance device_provenance(const SubmissionOptions& options);

/// What the runner at `options.runner_path` has to offer; it is started with --probe when it is first asked for,
/// unless a KeptRunner has said so already. Throws std::runtime_error if the runner itself is broken.
const Availability& probe(const SubmissionOptions& options);
/// The same from what a runner said; remembered for probe(). Throws std::runtime_error if it is none.
const Availability& remember_probe(const SubmissionOptions& options, const nlohmann::json& said);

class CallImage;
class RunnerProcess;
struct Notes;

/// A runner that outlives one Submission: on a GPU it has a context, which takes longer to make than most calls take.
/// Empty at first and after every failure, so that no failure reaches another item.
class KeptRunner {
public:
  KeptRunner();
  ~KeptRunner();
  KeptRunner(const KeptRunner&) = delete;
  KeptRunner& operator=(const KeptRunner&) = delete;

  /// Starts the runner, if there is none, and says what its backend has to offer. The module need not be there yet.
  Availability start(const SubmissionOptions& options);
  /// Whether it has answered calls already: what they left behind is in it.
  bool is_used() const;

private:
  friend class Submission;
  std::unique_ptr<RunnerProcess> process_;
  bool is_loaded_ = false;
};

class Submission {
public:
  /// Calls go to a runner of its own, or to `kept`, which it leaves there for the next Submission of these options.
  explicit Submission(SubmissionOptions options, KeptRunner* kept = nullptr);
  ~Submission();
  Submission(const Submission&) = delete;
  Submission& operator=(const Submission&) = delete;

  /// Starts the runner before there is a call, without the module, which need not be there yet.
  void start() { runner_.start(options_); }

  /// Calls a contract's function in the runner and returns what it left. Throws ItemFailed, with a
  /// sentence of its own, if the module does not load, the function is missing, the program ends,
  /// crashes or hangs, CUDA or the simulator reports an error, a guard zone is damaged or an input
  /// was changed. Arguments stand in the contract's order and are checked by the compiler: in() for
  /// `const T*`, inout() or out() for `T*`, scalars without narrowing.
  template <typename R, typename... Ps, typename... Args>
  requires(detail::Callable<R(Ps...), Args...>::value) Reply
      call(const CallOptions& options, Function<R(Ps...)> function, const Args&... arguments) {
    std::vector<detail::PreparedArgument> prepared;
    prepared.reserve(sizeof...(Args));
    std::size_t position = 0;
    (prepared.push_back(detail::prepare<Ps>(arguments, function.name, ++position)), ...);
    detail::ReturnType returned;
    if constexpr (!std::is_void_v<R>) returned = {true, detail::scalar_type<R>(), sizeof(R)};
    return perform(options, function.name, std::move(prepared), returned);
  }
  template <typename R, typename... Ps, typename... Args>
  requires(detail::Callable<R(Ps...), Args...>::value) Reply
      call(Function<R(Ps...)> function, const Args&... arguments) {
    return call(CallOptions{}, function, arguments...);
  }

  const SubmissionOptions& options() const { return options_; }
  Backend backend() const { return options_.backend; }

  /// Ends the runner, unless it is a kept one; with a prefix, its exit status other than 0 fails the item
  /// (ItemFailed).
  void finish();
  /// Ends the runner, a kept one too: what the item found may be in it.
  void discard_runner();

  /// What the submission printed since this was last asked, as lines for a message; empty if nothing.
  Details printed_details();
  /// The same lines without anything around them.
  std::vector<std::string> printed_lines();

  /// Calls made so far: an item that made none has checked nothing.
  std::size_t calls_made() const { return calls_.size(); }
  /// These calls in words.
  const std::vector<std::string>& calls() const { return calls_; }
  /// The counters of the last call, if it returned.
  const simt::Counters& last_counters() const { return last_counters_; }
  /// The last call that returned and was in order, and its counters: a rubric can also make a call to see it fail, and what
  /// such a call reads beside its arrays differs from run to run. Null if there is none.
  const CountedCall* last_call_in_order() const { return in_order_ ? &*in_order_ : nullptr; }
  /// Of the calls that returned, and were in order, the one in which most has crossed between host and device beyond what the
  /// contract allows; null if there is none.
  const Crossing* crossing() const { return crossing_.get(); }
  /// One in which copies of the runtime have done what kernels are judged for; null if there is none.
  const Crossing* copying() const { return copying_.get(); }
  /// Each kernel that the last call launched, in the order of launch; also of a call that failed (simulator only).
  const std::vector<simt::KernelRecord>& last_kernels() const { return last_kernels_; }

  /// The last call that returned, if calls are traced (Context::trace); null otherwise.
  const Reply* last_reply() const { return last_reply_ ? &*last_reply_ : nullptr; }

  /// Sends a call, with its buffers, and returns what the runner answers, whatever that is. Throws ItemFailed if it does not.
  RawReply answer(Call call, const SharedMemory& memory);
  /// The calls so far, to be made again; null where they cannot be (SubmissionOptions::replay).
  std::shared_ptr<Repeater> repeater() const { return repeater_; }

  /// If calls are traced: of those that the runner has answered and whose kernels have accessed memory the last one, or the
  /// one that Context::traced_for names. Null if there is none.
  std::shared_ptr<const TracedCall> last_traced() const { return last_traced_; }

  /// What the simulator found odd, and no mistake, in the last call that returned: where its result is wrong,
  /// this is often why. Lines for the student; empty if there was nothing.
  Details last_remarks() const;

  /// Of calls whose unseen accesses do not pass the replies, as long as each call had one; without buffers where no launch can be
  /// left out.
  std::vector<Reply> take_replies() { return std::move(replies_); }

private:
  void guarded(const std::function<void()>& action);
  RunnerProcess& runner();
  void load_module();
  RawReply exchange(const Call& call, const SharedMemory& memory, std::chrono::milliseconds timeout,
                    Notes& notes);
  void keep(const Reply& reply);
  void keep_trace(TracedCall traced, const std::vector<detail::PreparedArgument>& arguments,
                  const std::vector<std::string>& names);
  std::shared_ptr<const Crossing> crossing_in(const Call& call, std::vector<simt::Transfer> transfers);
  Reply perform(const CallOptions& options, const char* function,
                std::vector<detail::PreparedArgument> arguments, detail::ReturnType returned);

  SubmissionOptions options_;
  std::string contract_text_;
  SharedMemory image_memory_; ///< of the last call, for the next one
  KeptRunner own_;
  KeptRunner& runner_;             ///< own_, or one that is kept
  std::vector<std::string> calls_; ///< in words
  simt::Counters last_counters_;
  std::optional<CountedCall> in_order_;
  std::vector<simt::KernelRecord> last_kernels_;
  std::shared_ptr<const Crossing> crossing_, copying_;
  std::vector<simt::Finding> last_remarks_;
  std::vector<Reply> replies_;
  std::optional<Reply> last_reply_;
  std::shared_ptr<const TracedCall> last_traced_;
  std::shared_ptr<Repeater> repeater_;
};

/// The schedules to grade under: forward, reverse and random on the simulator; one on cuda.
std::vector<Schedule> schedules();

/// The submission that this grader process was started for.
Submission& submission();

/// Whether arrays of so many bytes in all can be graded: a GPU with room for them and a quarter more, and no tool in
/// front of the runner, which would take minutes over them.
bool has_room_for(std::size_t bytes);
/// Makes `s` (or none) the one that submission() and schedules() mean; main() does this.
void set_submission(Submission* s);

} // namespace warpbook
