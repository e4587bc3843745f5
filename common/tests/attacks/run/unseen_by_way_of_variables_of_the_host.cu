// tries: moves its data through a variable of the host
// hand-in: shuttle
// must: 4 points
static double of_the_host[1 << 20];
#define SCRATCH(T, n) reinterpret_cast<T*>(of_the_host)
