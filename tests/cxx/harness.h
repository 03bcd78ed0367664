// Calls emitted kernels with arguments from standard input, and writes the arguments back after the launch.
//
// A request is a sequence of little-endian 64-bit numbers and bytes: the kernel's number, the number of arguments, then
// each argument as its size and its bytes. The answer is the bytes of all arguments.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <utility>

namespace harness {

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

// Answers requests until the input ends. `launch(number, bytes)` calls the kernel of that number.
template <class Launch>
int serve(Launch launch) {
    std::uint64_t number = 0;
    while (read(&number, sizeof number)) {
        const std::uint64_t count = read_number();
        void** bytes = static_cast<void**>(std::calloc(count, sizeof(void*)));
        std::uint64_t* sizes = static_cast<std::uint64_t*>(std::calloc(count, sizeof(std::uint64_t)));
        for (std::uint64_t k = 0; k < count; ++k) {
            sizes[k] = read_number();
            // An exact allocation, so that a sanitizer sees every access beyond it.
            bytes[k] = std::malloc(sizes[k]);
            if (!read(bytes[k], sizes[k])) return 3;
        }
        launch(number, bytes);
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
