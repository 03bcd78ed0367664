// The harness of a server: reads requests from standard input, calls the kernel, and writes the arguments back.
//
// A request is a sequence of little-endian 64-bit numbers and bytes: the number of the kernel, the grid (blocks and
// threads along x, y, z, and the number of axes of the launch), the time limit in seconds, the number of arguments,
// then each argument as its size and its bytes; the largest number in the place of the size stands for a null pointer. The
// response is the bytes of all arguments.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>
#include <type_traits>
#include <utility>

namespace harness {

struct Grid {
    unsigned int blocks[3], threads[3], axes;
};

template <class Argument>
Argument as(void* bytes) {
    if constexpr (std::is_pointer_v<Argument>) {
        return static_cast<Argument>(bytes);
    } else {
        return *static_cast<Argument*>(bytes);
    }
}

template <class... Arguments, std::size_t... Places>
void apply(void (*kernel)(Arguments...), void** bytes, std::index_sequence<Places...>) {
    kernel(as<Arguments>(bytes[Places])...);
}

template <class... Arguments>
void call(void (*kernel)(Arguments...), void** bytes) {
    apply(kernel, bytes, std::index_sequence_for<Arguments...>{});
}

inline bool read(void* into, std::size_t size) {
    return std::fread(into, 1, size, stdin) == size;
}

inline std::uint64_t read_number() {
    std::uint64_t number = 0;
    if (!read(&number, sizeof number)) std::exit(3);
    return number;
}

// Ends the process after this many seconds of CPU time. 0 removes the limit.
inline void limit(std::uint64_t seconds) {
    itimerval timer = {};
    timer.it_value.tv_sec = static_cast<time_t>(seconds);
    setitimer(ITIMER_VIRTUAL, &timer, nullptr);
}

#ifdef WEFT_GUARD_PAGES
const std::size_t page_size = 4096;

// The pages of an argument: one of filling in front, those of the argument, and one without access. The argument ends
// where the last page begins.
inline std::size_t pages(std::size_t size) {
    return (size + page_size - 1) / page_size * page_size + 2 * page_size;
}

// The first byte of the pages of an argument at `bytes`.
inline char* first_page(void* bytes, std::size_t size) {
    return static_cast<char*>(bytes) + size + page_size - pages(size);
}

inline void* allocate(std::size_t size) {
    void* first = mmap(nullptr, pages(size), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (first == MAP_FAILED) std::exit(4);
    char* end = static_cast<char*>(first) + pages(size) - page_size;
    if (mprotect(end, page_size, PROT_NONE) != 0) std::exit(4);
    // NaN as floats, and no likely integer.
    std::memset(first, 0xff, static_cast<std::size_t>(end - static_cast<char*>(first)) - size);
    return end - size;
}

inline void release(void* bytes, std::size_t size) {
    char* first = first_page(bytes, size);
    for (const char* p = first; p < bytes; ++p) {
        if (*p != static_cast<char>(0xff)) {
            std::fprintf(stderr, "ERROR: a store before the start of an array\n");
            std::abort();
        }
    }
    munmap(first, pages(size));
}
#else
// An allocation of the exact size, so that the address sanitizer sees every access beyond it.
inline void* allocate(std::size_t size) { return std::malloc(size); }
inline void release(void* bytes, std::size_t) { std::free(bytes); }
#endif

// Serves requests until the input ends. `launch(number, grid, bytes)` calls the kernel of that number.
template <class Launch>
int serve(Launch launch) {
    // A kernel may print. That goes to the log, so the answers have the pipe for themselves.
    std::FILE* answers = fdopen(dup(STDOUT_FILENO), "wb");
    if (answers == nullptr || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return 5;
    std::uint64_t number = 0;
    while (read(&number, sizeof number)) {
        Grid grid;
        for (unsigned int& blocks : grid.blocks) blocks = static_cast<unsigned int>(read_number());
        for (unsigned int& threads : grid.threads) threads = static_cast<unsigned int>(read_number());
        grid.axes = static_cast<unsigned int>(read_number());
        const std::uint64_t seconds = read_number();
        const std::uint64_t count = read_number();
        void** bytes = static_cast<void**>(std::calloc(count, sizeof(void*)));
        std::uint64_t* sizes = static_cast<std::uint64_t*>(std::calloc(count, sizeof(std::uint64_t)));
        for (std::uint64_t k = 0; k < count; ++k) {
            sizes[k] = read_number();
            if (sizes[k] == ~std::uint64_t{0}) {
                sizes[k] = 0;
                continue;
            }
            bytes[k] = allocate(sizes[k]);
            if (!read(bytes[k], sizes[k])) return 3;
        }
#ifdef WEFT_MEMORY
        for (std::uint64_t k = 0; k < count; ++k) {
            if (bytes[k] != nullptr && !weft_memory::track(static_cast<char*>(bytes[k]), sizes[k])) return 4;
        }
#endif
        limit(seconds);
        launch(number, grid, bytes);
        limit(0);
#ifdef WEFT_MEMORY
        for (std::uint64_t k = 0; k < count; ++k) if (bytes[k] != nullptr) weft_memory::forget(bytes[k]);
#endif
        for (std::uint64_t k = 0; k < count; ++k) {
            if (bytes[k] == nullptr) continue;
            std::fwrite(bytes[k], 1, sizes[k], answers);
            release(bytes[k], sizes[k]);
        }
        std::fflush(answers);
        std::free(bytes);
        std::free(sizes);
    }
    return 0;
}

}  // namespace harness
