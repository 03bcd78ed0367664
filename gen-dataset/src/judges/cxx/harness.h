// The harness of a server: reads requests from standard input, calls the kernel, and writes the arguments back.
//
// A request is a sequence of little-endian 64-bit numbers and bytes: the number of the kernel, the grid (blocks and
// threads along x, y, z, and the number of axes of the launch), the time limit in seconds, the number of arguments,
// then each argument as its size and its bytes. The response is the bytes of all arguments.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sys/time.h>
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

// Serves requests until the input ends. `launch(number, grid, bytes)` calls the kernel of that number.
template <class Launch>
int serve(Launch launch) {
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
            // An allocation of the exact size, so that the address sanitizer sees every access beyond it.
            bytes[k] = std::malloc(sizes[k]);
            if (!read(bytes[k], sizes[k])) return 3;
        }
        limit(seconds);
        launch(number, grid, bytes);
        limit(0);
        for (std::uint64_t k = 0; k < count; ++k) {
            std::fwrite(bytes[k], 1, sizes[k], stdout);
            std::free(bytes[k]);
        }
        std::fflush(stdout);
        std::free(bytes);
        std::free(sizes);
    }
    return 0;
}

}  // namespace harness
