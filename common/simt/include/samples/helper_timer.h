// What NVIDIA's samples find in helper_timer.h, written for the simulator: times are those of the host.
#ifndef SIMT_INCLUDE_SAMPLES_HELPER_TIMER_H
#define SIMT_INCLUDE_SAMPLES_HELPER_TIMER_H

#include <chrono>

class StopWatchInterface {
public:
  void start() {
    begun_ = std::chrono::steady_clock::now();
    running_ = true;
  }
  void stop() {
    total_ += since();
    ++sessions_;
    running_ = false;
  }
  void reset() {
    total_ = 0;
    sessions_ = 0;
    begun_ = std::chrono::steady_clock::now();
  }
  /// Milliseconds.
  float getTime() { return total_ + (running_ ? since() : 0); }
  float getAverageTime() { return sessions_ > 0 ? total_ / sessions_ : 0; }

private:
  float since() const {
    return std::chrono::duration<float, std::milli>(std::chrono::steady_clock::now() - begun_).count();
  }
  std::chrono::steady_clock::time_point begun_;
  float total_ = 0;
  int sessions_ = 0;
  bool running_ = false;
};
typedef StopWatchInterface StopWatchLinux;

inline bool sdkCreateTimer(StopWatchInterface** timer) {
  *timer = new StopWatchInterface;
  return true;
}
inline bool sdkDeleteTimer(StopWatchInterface** timer) {
  delete *timer;
  *timer = nullptr;
  return true;
}
inline bool sdkStartTimer(StopWatchInterface** timer) {
  (*timer)->start();
  return true;
}
inline bool sdkStopTimer(StopWatchInterface** timer) {
  (*timer)->stop();
  return true;
}
inline bool sdkResetTimer(StopWatchInterface** timer) {
  (*timer)->reset();
  return true;
}
inline float sdkGetTimerValue(StopWatchInterface** timer) { return (*timer)->getTime(); }
inline float sdkGetAverageTimerValue(StopWatchInterface** timer) { return (*timer)->getAverageTime(); }

#endif
