// Runs the threads of a block concurrently on the host. `threads.h` and `words.h` come before this header; a launch of
// blocks with several threads needs it.
//
// Each thread has a stack of its own and runs until it waits for others at a barrier or a shuffle. The warps run one after
// another up to each barrier, and reverse their order after it. Blocks begin in turn with the first and with the last warp.
// So a missing barrier is visible: a warp does not find the values of another warp yet, or finds later ones. The process
// ends if a thread waits for threads that never arrive, or if a mask names the wrong threads.
//
// These rules are for emitted texts, and are stricter than those of a GPU. With `WEFT_AS_ON_GPU` the rules are those of a
// GPU: no thread waits for a thread that has ended, a shuffle takes the threads that its mask names, and a warp has 32
// threads.

#include <sys/mman.h>
#include <ucontext.h>
#include <cstdio>

#ifdef WEFT_AS_ON_GPU
static const int warpSize = 32;
#else
// Smaller than on a GPU, so that small blocks have several warps. A shuffle that names 32 lanes takes those of a group of
// warps, which wait for each other.
static const int warpSize = 8;
#endif

namespace weft_block {

enum State { READY, AT_SHUFFLE, AT_WIDE_SHUFFLE, AT_BARRIER, DONE };

struct Thread {
    ucontext_t context;
    uint3 index;
    State state;
    /// The vote of the thread at a barrier.
    int vote;
    /// The value that the thread shuffles, and the threads of its warp that take part.
    unsigned char value[16];
    unsigned int mask;
    /// Whether the thread took part in the last shuffle of its warp, and its value there.
    bool has_shown;
    unsigned char shown[16];
};

/// The number of threads of a warp of a GPU.
const unsigned int LANES = 32;
/// The largest number of threads of a block.
const unsigned int MOST = 1024;
/// The usual stack size of a process. Pages that are never touched use no memory.
#ifndef WEFT_STACK
#define WEFT_STACK (8 << 20)
#endif
const size_t STACK = WEFT_STACK;
/// The value of each byte of the last page of a stack. A thread that needs no more than its stack leaves it unchanged.
const char MARK = 0x5a;
const size_t PAGE = 4096;

static Thread threads[MOST];
/// The number of threads in the block.
static unsigned int count;
static ucontext_t scheduler;
/// The running thread; `MOST` if it runs on the stack of the caller.
static unsigned int running = MOST;

[[noreturn]] static inline void fail(const char* what) {
    std::fprintf(stderr, "thread %u of a block of %u: %s\n", running, count, what);
    std::abort();
}

/// The stacks of a block. They stay as long as the kernel is loaded. They are one mapping, because each kernel of a process
/// has its own stacks, and a process is limited to 65,530 mappings.
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

// A function and not the destructor of an object, because a kernel may be linked without the C++ runtime.
__attribute__((destructor)) static void free_stacks() {
    if (stacks != nullptr) munmap(stacks, MOST * STACK);
}

/// Suspends the running thread until its state is `READY` again.
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

/// Whether one of the threads is in this state.
static inline bool any_wait(State state, unsigned int first, unsigned int end) {
    bool waits = false;
    for (unsigned int thread = first; thread < end; ++thread) waits |= threads[thread].state == state;
    return waits;
}

/// Whether threads of a warp shuffle. Each shuffles with the threads that its mask names.
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

/// Whether the threads are in this state. Either all of them are, or none.
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

/// Resumes the threads in this state. They see what the other threads shuffle, and what they have stored. A shuffle of 32 lanes
/// says nothing of what is stored.
static inline void go_on(State state, unsigned int first, unsigned int end) {
    if (state != AT_WIDE_SHUFFLE) weft_memory::meet();
    for (unsigned int k = first; k < end; ++k) {
        Thread& thread = threads[k];
        thread.has_shown = thread.state == state;
        if (!thread.has_shown) continue;
        std::memcpy(thread.shown, thread.value, sizeof thread.shown);
        thread.state = READY;
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

/// Runs the warps of a group of 32 threads until all of them are at a barrier or at their end.
static inline void run_group(unsigned int first, unsigned int end, bool forwards) {
    const unsigned int warps = (end - first + warpSize - 1) / warpSize;
    for (;;) {
        for (unsigned int k = 0; k < warps; ++k) {
            const unsigned int start = first + (forwards ? k : warps - 1 - k) * warpSize;
            run_warp(start, min(start + warpSize, end));
        }
        if (!any_wait(AT_WIDE_SHUFFLE, first, end)) return;
        go_on(AT_WIDE_SHUFFLE, first, end);
    }
}

/// The code of a thread as a function without arguments, for `makecontext`.
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
    // Most kernels do not wait. If the first thread ends without waiting, the others need no stacks.
    const bool waits = threads[0].state != DONE;
#endif
    for (unsigned int thread = 1; thread < count; ++thread) {
        const uint3 index = {thread % extents.x, thread / extents.x % extents.y, thread / extents.x / extents.y};
        if (waits) {
            prepare(thread, index, Body<Kernel>::enter);
        } else {
            threadIdx = index;
            kernel();
            weft_memory::leave();
        }
    }
    if (!waits) return;
    const unsigned int groups = (count + LANES - 1) / LANES;
    // Blocks begin in turn with the first and with the last warp: a missing barrier may be visible in one order only.
    static bool begins_forwards = false;
    begins_forwards = !begins_forwards;
    for (bool forwards = begins_forwards;; forwards = !forwards) {
        for (unsigned int k = 0; k < groups; ++k) {
            const unsigned int first = (forwards ? k : groups - 1 - k) * LANES;
            run_group(first, min(first + LANES, count), forwards);
        }
        const bool meets = any_wait(AT_BARRIER, 0, count);
        go_on(AT_BARRIER, 0, count);
        if (!meets) return;
    }
}

/// Replaces the `size` bytes of `value` by those that the thread `from` of the same warp shuffles, if it takes part.
static inline void exchange_bytes(unsigned int mask, void* value, size_t size, unsigned int from) {
    if (running == MOST) fail("shuffles with threads that did not wait for it");
    // A group of 32 whole lanes.
    const bool is_wide = warpSize < (int)LANES && mask == 0xffffffffu && (running / LANES + 1) * LANES <= count;
    const unsigned int lanes = is_wide ? LANES : (unsigned int)warpSize;
    const State state = is_wide ? AT_WIDE_SHUFFLE : AT_SHUFFLE;
    const unsigned int first = running / lanes * lanes, end = min(first + lanes, count);
    Thread& own = threads[running];
    std::memcpy(own.value, value, size);
    own.mask = mask;
    wait(state);
    if (from >= first && from < end && threads[from].has_shown && mask >> (from - first) & 1) {
        std::memcpy(value, threads[from].shown, size);
    }
}

/// The value that the thread `from` of the same warp shuffles; `v` if that thread does not take part.
template <class T> T exchange(unsigned int mask, T v, unsigned int from) {
    static_assert(sizeof v <= sizeof threads[0].value, "a shuffle is of numbers");
    exchange_bytes(mask, &v, sizeof v, from);
    return v;
}

static inline void barrier() { wait(AT_BARRIER); }

/// Waits at a barrier. Returns the number of threads of the block whose `vote` is not 0.
static inline int votes(int vote) {
    if (running == MOST) fail("votes with threads that did not wait for it");
    threads[running].vote = vote;
    barrier();
    int sum = 0;
    for (unsigned int thread = 0; thread < count; ++thread) sum += threads[thread].vote != 0 && threads[thread].state != DONE;
    // No thread may vote again before all have counted.
    barrier();
    return sum;
}

/// The index of the running thread in its block.
static inline unsigned int thread() { return running; }

/// The first thread in the group of `width` threads of the warp to which the running thread belongs.
static inline unsigned int group(int width) { return running / (unsigned int)width * (unsigned int)width; }

}  // namespace weft_block
