// tries: closes every open file, the channel among them
// hand-in: nothing
// must: channel-closed
#define IN_CALL() run()
static void run() {
  for (int file = 0; file < 1024; ++file) ::close(file);
}
