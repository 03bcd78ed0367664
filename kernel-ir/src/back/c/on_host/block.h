// The threads of a block, side by side. `threads.h` and `words.h` stand before it.
//
// Each thread has a stack of its own and runs until it waits for others, which they do at a barrier or a shuffle. Warps
// take turns from barrier to barrier, and in the other direction after each, so that a barrier that is missing shows: what
// one warp should have found is not there yet, or no longer. A thread that waits for others that never come, and a mask
// that names the wrong ones, end the process.
//
// That goes for emitted texts, which promise more than a GPU asks for. With `WEFT_AS_ON_GPU` it is as there: nobody waits
// for a thread that has ended, a shuffle is of the threads that its mask names, and a warp has 32.

#include <sys/mman.h>
#include <ucontext.h>
#include <cstdio>

#ifdef WEFT_AS_ON_GPU
static const int warpSize = 32;
#else
// Less than on a GPU, so that small blocks have several warps.
static const int warpSize = 8;
#endif

namespace weft_block {

enum State { READY, AT_SHUFFLE, AT_BARRIER, DONE };

struct Thread {
    ucontext_t context;
    uint3 index;
    State state;
    /// What it votes at a barrier.
    int vote;
    /// What it shuffles, and with which threads of its warp.
    unsigned char value[16];
    unsigned int mask;
};

/// A block has at most 32 warps.
const unsigned int MOST = 32 * warpSize;
/// As much as a program of the host has. What nobody touches costs nothing.
#ifndef WEFT_STACK
#define WEFT_STACK (8 << 20)
#endif
const size_t STACK = WEFT_STACK;
/// Each byte of the last page of a stack, where no thread comes that has enough of it.
const char MARK = 0x5a;
const size_t PAGE = 4096;

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

/// The stacks of a block, for as long as the kernel is loaded. They are one mapping: each kernel of a process has its own, and
/// a process may have 65,530.
static char* stacks = nullptr;

static inline char* stack_of(unsigned int thread) {
    if (stacks == nullptr) {
        const int kind = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
        void* mapped = mmap(nullptr, MOST * STACK, PROT_READ | PROT_WRITE, kind, -1, 0);
        if (mapped == MAP_FAILED) fail("there is no memory for its stack");
        // A thread touches little of its stack.
        madvise(mapped, MOST * STACK, MADV_NOHUGEPAGE);
        stacks = static_cast<char*>(mapped);
    }
    return stacks + thread * STACK;
}

// Not as that of an object, for which a kernel that is linked without the runtime of C++ has nobody.
__attribute__((destructor)) static void free_stacks() {
    if (stacks != nullptr) munmap(stacks, MOST * STACK);
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
    const char* end = stack_of(thread);
    if (end[0] != MARK || std::memcmp(end, end + 1, PAGE - 1) != 0) fail("needs more stack than it has");
    weft_memory::leave();
    running = MOST;
}

#ifdef WEFT_AS_ON_GPU

/// Whether a thread of those waits there.
static inline bool any_wait(State state, unsigned int first, unsigned int end) {
    bool waits = false;
    for (unsigned int thread = first; thread < end; ++thread) waits |= threads[thread].state == state;
    return waits;
}

/// Whether threads of a warp shuffle, each with those that its mask names.
static inline bool shuffles(unsigned int first, unsigned int end) {
    unsigned int waiting = 0, missed = 0;
    for (unsigned int thread = first; thread < end; ++thread) {
        if (threads[thread].state == AT_SHUFFLE) waiting |= 1u << (thread - first);
        else if (threads[thread].state != DONE) missed |= 1u << (thread - first);
    }
    for (running = first; running < end; ++running) {
        const unsigned int mask = threads[running].mask;
        if (!(waiting >> (running - first) & 1)) continue;
        if (!(mask >> (running - first) & 1) || mask & missed) fail("shuffles with a mask that does not name who shuffles");
    }
    running = MOST;
    return waiting != 0;
}

#else

/// Whether the threads wait there: all of them, or none.
static inline bool any_wait(State state, unsigned int first, unsigned int end) {
    const bool waits = threads[first].state == state;
    for (running = first; running < end; ++running) {
        if ((threads[running].state == state) != waits) fail("does not wait where others wait");
    }
    running = MOST;
    return waits;
}

static inline bool shuffles(unsigned int first, unsigned int end) {
    const bool waits = any_wait(AT_SHUFFLE, first, end);
    for (running = first; waits && running < end; ++running) {
        if (threads[running].mask != 0xffffffffu >> (32 - (end - first))) fail("names other threads than those of its warp");
    }
    running = MOST;
    return waits;
}

#endif

/// Those that wait there go on, and find what the others have stored.
static inline void go_on(State state, unsigned int first, unsigned int end) {
    weft_memory::meet();
    for (unsigned int thread = first; thread < end; ++thread) {
        if (threads[thread].state == state) threads[thread].state = READY;
    }
}

/// Runs the threads of a warp until all of them are at a barrier or at their end.
static inline void run_warp(unsigned int first, unsigned int end) {
    for (;;) {
        for (unsigned int thread = first; thread < end; ++thread) {
            if (threads[thread].state == READY) resume(thread);
        }
        if (!shuffles(first, end)) return;
        go_on(AT_SHUFFLE, first, end);
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

static inline void prepare(unsigned int thread, uint3 index, void (*enter)()) {
    Thread& made = threads[thread];
    char* stack = stack_of(thread);
    std::memset(stack, MARK, PAGE);
    getcontext(&made.context);
    made.context.uc_stack.ss_sp = stack;
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
#ifdef WEFT_AS_ON_GPU
    const bool waits = true;
#else
    // Most kernels wait nowhere: where the first thread comes to its end, the others need no stacks.
    const bool waits = threads[0].state != DONE;
#endif
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
        const bool meets = any_wait(AT_BARRIER, 0, count);
        go_on(AT_BARRIER, 0, count);
        if (!meets) return;
    }
}

/// Replaces the `size` bytes of `value` by those of the thread of number `from` of the same warp, if it takes part.
static inline void exchange_bytes(unsigned int mask, void* value, size_t size, unsigned int from) {
    if (running == MOST) fail("shuffles with threads that did not wait for it");
    const unsigned int first = running / warpSize * warpSize, end = min(first + warpSize, count);
    Thread& own = threads[running];
    std::memcpy(own.value, value, size);
    own.mask = mask;
    wait(AT_SHUFFLE);
    if (from >= first && from < end && threads[from].state != DONE && mask >> (from - first) & 1) {
        std::memcpy(value, threads[from].value, size);
    }
    // Nobody shuffles the next value before all have this one.
    wait(AT_SHUFFLE);
}

/// The value of the thread of number `from` of the same warp, or `v` if that thread does not take part.
template <class T> T exchange(unsigned int mask, T v, unsigned int from) {
    static_assert(sizeof v <= sizeof threads[0].value, "a shuffle is of numbers");
    exchange_bytes(mask, &v, sizeof v, from);
    return v;
}

static inline void barrier() { wait(AT_BARRIER); }

/// Waits at a barrier. Returns for how many threads of the block `vote` is not 0.
static inline int votes(int vote) {
    if (running == MOST) fail("votes with threads that did not wait for it");
    threads[running].vote = vote;
    barrier();
    int sum = 0;
    for (unsigned int thread = 0; thread < count; ++thread) sum += threads[thread].vote != 0 && threads[thread].state != DONE;
    // Nobody votes again before all have counted.
    barrier();
    return sum;
}

/// The number of the running thread in its block.
static inline unsigned int thread() { return running; }

/// The first thread of the running one's group of `width` in its warp.
static inline unsigned int group(int width) { return running / (unsigned int)width * (unsigned int)width; }

}  // namespace weft_block
