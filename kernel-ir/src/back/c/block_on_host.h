// The threads of a block, side by side: behind `cuda_on_host.h`, for those who launch blocks of several threads.
//
// Each thread has a stack of its own and runs until it waits for others, which they do at a barrier or a shuffle. Warps
// take turns from barrier to barrier, and in the other direction after each, so that a barrier that is missing shows: what
// one warp should have found is not there yet, or no longer. A thread that waits for others that never come, and a mask
// that names the wrong ones, end the process.

#include <sys/mman.h>
#include <ucontext.h>
#include <cstdio>

// Less than on a GPU, so that small blocks have several warps.
static const int warpSize = 8;

namespace weft_block {

enum State { READY, AT_SHUFFLE, AT_BARRIER, DONE };

struct Thread {
    ucontext_t context;
    uint3 index;
    State state;
    /// What it shuffles.
    unsigned char value[8];
    char* stack;
};

/// A block has at most 32 warps.
const unsigned int MOST = 32 * warpSize;
/// As much as a program of the host has. What nobody touches costs nothing.
const size_t STACK = 8 << 20;

static Thread threads[MOST];
/// How many of them the block has.
static unsigned int count;
static ucontext_t scheduler;
/// The thread that runs, unless it runs on the stack of the caller.
static unsigned int running = MOST;

[[noreturn]] static inline void fail(const char* what) {
    std::fprintf(stderr, "thread %u of a block of %u: %s\n", running, count, what);
    std::abort();
}

/// Leaves the thread that runs until its state is `READY` again.
static inline void wait(State state) {
    if (running == MOST) fail("waits for threads that did not wait for it");
    threads[running].state = state;
    swapcontext(&threads[running].context, &scheduler);
}

static inline void resume(unsigned int thread) {
    running = thread;
    threadIdx = threads[thread].index;
    swapcontext(&scheduler, &threads[thread].context);
    running = MOST;
}

/// Whether the threads wait there: all of them, or none.
static inline bool all_wait(State state, unsigned int first, unsigned int end) {
    const bool waits = threads[first].state == state;
    for (running = first; running < end; ++running) {
        if ((threads[running].state == state) != waits) fail("does not wait where others wait");
    }
    running = MOST;
    return waits;
}

static inline void make_ready(unsigned int first, unsigned int end) {
    for (unsigned int thread = first; thread < end; ++thread) threads[thread].state = READY;
}

/// Runs the threads of a warp until all of them are at a barrier or at their end.
static inline void run_warp(unsigned int first, unsigned int end) {
    for (;;) {
        for (unsigned int thread = first; thread < end; ++thread) {
            if (threads[thread].state == READY) resume(thread);
        }
        if (!all_wait(AT_SHUFFLE, first, end)) return;
        make_ready(first, end);
    }
}

/// What a thread does, for `makecontext`, which takes no arguments.
template <class Kernel> struct Body {
    static Kernel* kernel;
    static void enter() {
        (*kernel)();
        threads[running].state = DONE;
    }
};
template <class Kernel> Kernel* Body<Kernel>::kernel;

/// Memory for a stack, with a page below it that nobody may touch.
static inline char* new_stack() {
    void* stack = mmap(nullptr, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stack == MAP_FAILED || mprotect(stack, 4096, PROT_NONE) != 0) fail("there is no memory for a stack");
    return static_cast<char*>(stack);
}

static inline void prepare(unsigned int thread, uint3 index, void (*enter)()) {
    Thread& made = threads[thread];
    if (made.stack == nullptr) made.stack = new_stack();
    getcontext(&made.context);
    made.context.uc_stack.ss_sp = made.stack;
    made.context.uc_stack.ss_size = STACK;
    made.context.uc_link = &scheduler;
    makecontext(&made.context, enter, 0);
    made.index = index;
    made.state = READY;
}

/// Calls `kernel` once for each thread of a block of these extents.
template <class Kernel> void run(uint3 extents, Kernel kernel) {
    Body<Kernel>::kernel = &kernel;
    count = extents.x * extents.y * extents.z;
    if (count > MOST) fail("there are too many");
    prepare(0, {0, 0, 0}, Body<Kernel>::enter);
    resume(0);
    // Most kernels wait nowhere: where the first thread comes to its end, the others need no stacks.
    const bool waits = threads[0].state != DONE;
    for (unsigned int thread = 1; thread < count; ++thread) {
        const uint3 index = {thread % extents.x, thread / extents.x % extents.y, thread / extents.x / extents.y};
        if (waits) {
            prepare(thread, index, Body<Kernel>::enter);
        } else {
            threadIdx = index;
            kernel();
        }
    }
    if (!waits) return;
    const unsigned int warps = (count + warpSize - 1) / warpSize;
    for (bool forwards = true;; forwards = !forwards) {
        for (unsigned int k = 0; k < warps; ++k) {
            const unsigned int first = (forwards ? k : warps - 1 - k) * warpSize;
            run_warp(first, min(first + warpSize, count));
        }
        if (!all_wait(AT_BARRIER, 0, count)) return;
        make_ready(0, count);
    }
}

}  // namespace weft_block

static inline void __syncthreads() { weft_block::wait(weft_block::AT_BARRIER); }

template <class T> T __shfl_down_sync(unsigned int mask, T v, unsigned int step) {
    using namespace weft_block;
    static_assert(sizeof v <= sizeof threads[0].value, "a shuffle is of numbers");
    if (running == MOST) fail("shuffles with threads that did not wait for it");
    const unsigned int own = running, lane = own % warpSize, lanes = min(count - (own - lane), (unsigned int)warpSize);
    if (mask != 0xffffffffu >> (32 - lanes)) fail("names other threads than those of its warp");
    std::memcpy(threads[own].value, &v, sizeof v);
    wait(AT_SHUFFLE);
    T found = v;
    if (lane + step < lanes) std::memcpy(&found, threads[own + step].value, sizeof found);
    // Nobody shuffles the next value before all have this one.
    wait(AT_SHUFFLE);
    return found;
}
