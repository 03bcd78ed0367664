// The threads that a CUDA text runs on, on the host: one thread at a time. Whoever calls a kernel sets the four index
// variables first. With their initial values, one call takes a grid-stride loop through the whole launch.
//
// `memory.h`, if it stands before this header, says what threads see of each other's stores. `block.h`
// runs the threads of a block side by side.

// With the overloads for `float` in the global namespace.
#include <math.h>
#include <stdlib.h>
#include <cstdio>
#include <cstring>

static inline void __trap() { abort(); }

#ifndef WEFT_MEMORY
namespace weft_memory {
template <class T> void publish(const T*) {}
static inline void leave() {}
static inline void meet() {}
static inline void fence() {}
}  // namespace weft_memory
#endif

#define __shared__ static

struct uint3 { unsigned int x, y, z; };
static uint3 threadIdx = {0, 0, 0}, blockIdx = {0, 0, 0}, blockDim = {1, 1, 1}, gridDim = {1, 1, 1};

