using index_t = unsigned int;

__device__ inline unsigned char min(unsigned char a, unsigned char b) { return a < b ? a : b; }
__device__ inline short wrapping_mul(short a, short b) { return (short)(a * b); }

// The bits move as if unsigned: a negative value may be shifted.
__device__ inline short shl(short x, short n) { return (short)((unsigned short)x << n); }

__device__ inline unsigned short abs_diff(unsigned short a, unsigned short b) { return a > b ? a - b : b - a; }
__device__ inline unsigned short clamp(unsigned short x, unsigned short low, unsigned short high) { return x < low ? low : x > high ? high : x; }

extern "C" __global__ void narrow(
    unsigned char n,
    const signed char* __restrict__ a,
    const unsigned short* __restrict__ b,
    unsigned char* __restrict__ bytes,
    short* __restrict__ words,
    unsigned short* __restrict__ words_2,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        bytes[i] = (unsigned char)((unsigned char)(n + 200) >> 1);
        bytes[i] = (unsigned char)(n > 9 ? n : 9);
        bytes[i] = min(n, (unsigned char)5);
        bytes[i] += (unsigned char)~n;
        words[i] = wrapping_mul((short)a[i], (short)-300);
        words[i] = shl(words[i], (short)2);
        words_2[i] = (unsigned short)((unsigned int)b[i] * 40503);
        words_2[i] = clamp(abs_diff(b[i], (unsigned short)7), (unsigned short)1, (unsigned short)(b[i] / 2));
        for (unsigned char k = 0; k < n; ++k) {
            bytes[(index_t)k] = (unsigned char)(signed char)-a[i];
        }
        for (signed char k = 100; k >= -100; k -= 3) {
            words[i] -= (short)k;
        }
        const unsigned short k_start = b[i];
        for (unsigned short k = k_start, more = true; more; more = k < 65535, k += more) {
            words_2[i] ^= k;
        }
    }
}
