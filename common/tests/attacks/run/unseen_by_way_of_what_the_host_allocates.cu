// tries: moves its data through memory that host code allocates with new
// hand-in: shuttle
// must: 4 points
#define SCRATCH(T, n) new T[n]
#define GIVE_BACK(memory) delete[] memory
