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

/// The place of a float among all of its type; the two zeros are one.
template <class S> long long place(S x) {
    unsigned long long bits = 0;
    std::memcpy(&bits, &x, sizeof x);
    const unsigned long long sign = 1ULL << (8 * sizeof x - 1);
    return bits & sign ? -(long long)(bits - sign) : (long long)bits;
}

/// How many floats lie between two numbers; NaN and unequal integers are as far apart as can be.
template <class S> unsigned long long distance(S a, S b) {
    if (!std::is_floating_point<S>::value || a != a || b != b) {
        return a == b ? 0 : ~0ULL;
    }
    const long long first = place(a), second = place(b);
    return first > second ? (unsigned long long)first - second : (unsigned long long)second - first;
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

/// Whether an array on the device holds the expected numbers, of type `S`: the same bits, or floats at most `ulp` apart.
template <class S, class T>
bool holds(const T* device, const T* expected, size_t count, const char* name, unsigned long long ulp) {
    std::vector<char> found(count * sizeof(T));
    check(cudaMemcpy(found.data(), device, found.size(), cudaMemcpyDeviceToHost), "cudaMemcpy to the host");
    for (size_t k = 0; k < found.size() / sizeof(S); ++k) {
        S is, should;
        std::memcpy(&is, found.data() + k * sizeof(S), sizeof(S));
        std::memcpy(&should, reinterpret_cast<const char*>(expected) + k * sizeof(S), sizeof(S));
        const bool same = std::memcmp(&is, &should, sizeof(S)) == 0;
        if (!same && (ulp == 0 || distance(is, should) > ulp)) {
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
