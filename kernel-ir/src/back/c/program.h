#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <vector>

namespace weft {

/// Ends the program if CUDA reports an error.
static inline void check(cudaError_t error, const char* what) {
    if (error != cudaSuccess) {
        std::printf("FAIL: %s: %s\n", what, cudaGetErrorString(error));
        std::exit(2);
    }
}

/// A copy of `count` elements in the memory of the device.
template <class T> T* upload(const T* elements, size_t count) {
    void* p = nullptr;
    check(cudaMalloc(&p, count * sizeof(T)), "cudaMalloc");
    check(cudaMemcpy(p, elements, count * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy to the device");
    return static_cast<T*>(p);
}

/// Prints a number in as many digits as its type needs.
template <class S> void print(S value) {
    if (std::is_floating_point<S>::value) {
        std::printf("%.*g", sizeof(S) == 4 ? 9 : 17, (double)value);
    } else if (std::is_signed<S>::value) {
        std::printf("%lld", (long long)value);
    } else {
        std::printf("%llu", (unsigned long long)value);
    }
}

/// A number as a `double`.
template <class S> double wide(S value) { return (double)value; }

/// The type of the tolerances of numbers of type `S`.
template <class S> struct tolerance_of { using type = S; };

//@halves
/// Number `k` of an array of elements made of numbers of type `S`.
template <class S> S number(const void* elements, size_t k) {
    S value;
    std::memcpy(&value, static_cast<const char*>(elements) + k * sizeof(S), sizeof(S));
    return value;
}

/// Whether the elements of an array on the device hold the expected numbers: the same bits, or floats at most `tolerance`
/// apart if there is one. An element has `numbers` numbers of type `S`, which begin `offset` bytes after its start.
template <class S, class T>
bool holds(const T* device, const T* expected, const void* tolerance, size_t count, const char* name, size_t offset = 0,
           size_t numbers = sizeof(T) / sizeof(S)) {
    std::vector<char> found(count * sizeof(T));
    check(cudaMemcpy(found.data(), device, found.size(), cudaMemcpyDeviceToHost), "cudaMemcpy to the host");
    for (size_t k = 0; k < count * numbers; ++k) {
        const size_t start = k / numbers * sizeof(T) + offset;
        const S is = number<S>(found.data() + start, k % numbers);
        const S should = number<S>(reinterpret_cast<const char*>(expected) + start, k % numbers);
        bool same = std::memcmp(&is, &should, sizeof(S)) == 0;
        if (!same && tolerance != nullptr) {
            const double allowed = wide(number<typename tolerance_of<S>::type>(tolerance, k));
            same = allowed > 0 && std::fabs(wide(is) - wide(should)) <= allowed;
        }
        if (!same) {
            std::printf("FAIL: number %llu of `%s` is ", (unsigned long long)k, name);
            print(is);
            std::printf(", not ");
            print(should);
            std::printf("\n");
            return false;
        }
    }
    return true;
}

}  // namespace weft
