// Stands before the text of an answer: CUDA's words, over threads that another object runs (`host.cpp`). The answer's
// object has nothing of that object but the names of these functions.
#define WEFT_AS_ON_GPU

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <cstring>
#include <utility>

// The host fills it with nonsense before each block.
#define __shared__ static __thread

struct uint3 { unsigned int x, y, z; };

extern "C" {
extern uint3 threadIdx, blockIdx, blockDim, gridDim;
/// All threads find what an atomic operation has stored there.
void weft_publish(const void* p, size_t size);
void weft_fence(void);
void weft_barrier(void);
int weft_votes(int vote);
void weft_exchange(unsigned int mask, void* value, size_t size, unsigned int from);
unsigned int weft_thread(void);
unsigned int weft_active(void);
[[noreturn]] void weft_trap(void);
}

static const int warpSize = 32;

namespace weft_memory {
template <class T> void publish(const T* p) { weft_publish(p, sizeof *p); }
static inline void fence() { weft_fence(); }
}  // namespace weft_memory

namespace weft_block {
static inline void barrier() { weft_barrier(); }
static inline int votes(int vote) { return weft_votes(vote); }
static inline unsigned int thread() { return weft_thread(); }
static inline unsigned int group(int width) { return weft_thread() / (unsigned int)width * (unsigned int)width; }
template <class T> T exchange(unsigned int mask, T v, unsigned int from) {
    static_assert(sizeof v <= 16, "a shuffle is of numbers");
    weft_exchange(mask, &v, sizeof v, from);
    return v;
}
}  // namespace weft_block
