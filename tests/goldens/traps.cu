using index_t = unsigned int;

__device__ inline float atomic_min(float* p, float v) {
    int old = __float_as_int(*p), seen;
    do {
        seen = old;
        old = atomicCAS((int*)p, seen, __float_as_int(fminf(__int_as_float(seen), v)));
    } while (old != seen);
    return __int_as_float(old);
}

/// Atomics give the old value, and happen in the order in which they are written.
extern "C" __global__ void atomic_results(
    const int* __restrict__ x,
    int* __restrict__ counter,
    int* __restrict__ out,
    float* __restrict__ least,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        const int old = atomicAdd(&counter[i], 5);
        const int old_1 = atomicSub(&counter[i], 2);
        const int old_2 = atomicMax(&counter[i], x[i]);
        const int difference = old * 100 - old_1 * 10 + old_2;
        int taken = 0;
        bool holds = x[i] > 3;
        if (holds) {
            const int old_3 = atomicAdd(&counter[i], 1000);
            holds = old_3 > 5;
        }
        if (holds) {
            taken = 1;
        }
        out[i] = difference * 10 + taken + counter[i] * 10000;
        const float old_3 = atomic_min(&least[i], (float)x[i] - 4.0f);
        least[i] = old_3 + least[i] * 10.0f;
    }
}


using index_t = unsigned int;

__device__ inline unsigned int leading_zeros(int x) { return __clz(x); }
__device__ inline unsigned int trailing_zeros(int x) { return x == 0 ? 32 : __ffs(x) - 1; }
__device__ inline unsigned int count_ones(int x) { return __popc((unsigned int)x); }

__device__ inline int rotate_left(int x, unsigned int n) {
    return (int)(((unsigned int)x << (n % 32)) | ((unsigned int)x >> ((32 - n % 32) % 32)));
}

__device__ inline int rotate_right(int x, unsigned int n) {
    return (int)(((unsigned int)x >> (n % 32)) | ((unsigned int)x << ((32 - n % 32) % 32)));
}

__device__ inline unsigned int leading_zeros(long long x) { return __clzll((long long)x); }
__device__ inline unsigned int trailing_zeros(unsigned long long x) { return x == 0 ? 64 : __ffsll((long long)x) - 1; }

/// Counting bits, of zero and of negative numbers too.
extern "C" __global__ void bits(
    const int* __restrict__ x,
    unsigned int* __restrict__ leading,
    unsigned int* __restrict__ trailing,
    unsigned int* __restrict__ ones,
    int* __restrict__ rotated,
    unsigned int* __restrict__ long_,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        leading[i] = leading_zeros(x[i]);
        trailing[i] = trailing_zeros(x[i]);
        ones[i] = count_ones(~x[i]);
        rotated[i] = rotate_left(x[i], (unsigned int)i * 8u) ^ rotate_right(x[i], 33u);
        long_[i] = leading_zeros((long long)x[i]) * 100u + trailing_zeros((unsigned long long)x[i] ^ 1ULL);
    }
}


using index_t = unsigned int;

/// Branches that are expressions, in one another, with locals of their own.
extern "C" __global__ void block_values(
    const int* __restrict__ x,
    int* __restrict__ out,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        int y;
        if (x[i] > 2) {
            const int t = x[i] - 2;
            if (t % 2 == 0) {
                y = t * t;
            } else {
                const int u = t + 1;
                y = u * 10;
            }
        } else if (x[i] < -2) {
            const int t = -x[i];
            y = t * 100;
        } else {
            y = 0;
        }
        const int y_1 = y + 1;
        const int z = y_1 * 2;
        out[i] = y + z;
    }
}


using index_t = unsigned int;

/// Truth values count as 1 and 0.
extern "C" __global__ void bool_to_int(
    const float* __restrict__ x,
    int* __restrict__ signed_,
    unsigned int* __restrict__ unsigned_,
    long long* __restrict__ long_,
    unsigned int* __restrict__ index,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        const bool positive = x[i] > 0.0f;
        signed_[i] = (int)positive - (int)(x[i] < 0.0f);
        unsigned_[i] = 5u * (unsigned int)(x[i] != 0.0f);
        long_[i] = -(long long)positive;
        index[i] = (unsigned int)(i + (index_t)!positive);
    }
}


using index_t = unsigned int;

/// `break` and `continue` belong to the innermost loop.
extern "C" __global__ void break_continue(
    const int* __restrict__ n,
    int* __restrict__ out,
    int* __restrict__ trips,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        int sum = 0;
        int count = 0;
        const int a_end = n[i];
        for (int a = 0; a < a_end; ++a) {
            if (a == 1) {
                continue;
            }
            int b = 0;
            while (b < 10) {
                b += 1;
                if (b % 3 == 0) {
                    continue;
                }
                if (b > a + 4) {
                    break;
                }
                sum += a * 10 + b;
            }
            while (true) {
                count += 1;
                if (count % 4 == 0) {
                    break;
                }
            }
            if (a == 6) {
                break;
            }
        }
        out[i] = sum;
        trips[i] = count;
    }
}


using index_t = unsigned int;

/// A variable gets its only value in one branch or the other.
extern "C" __global__ void deferred_let(
    const float* __restrict__ x,
    float* __restrict__ out,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        float scale;
        if (x[i] > 0.0f) {
            scale = 2.0f;
        } else if (x[i] < 0.0f) {
            scale = -3.0f;
        } else {
            out[i] = 7.0f;
            continue;
        }
        float total = 0.0f;
        for (int j = 0; j < 3; ++j) {
            float term;
            if (j == 1) {
                term = 100.0f;
            } else {
                term = scale * x[i];
            }
            total += term;
        }
        out[i] = total;
    }
}


using index_t = unsigned int;

/// A kernel that is called like a type.
extern "C" __global__ void double_(
    const double* __restrict__ x,
    double* __restrict__ float2_,
    index_t dim
) {
    for (index_t int_ = blockIdx.x * blockDim.x + threadIdx.x; int_ < dim; int_ += gridDim.x * blockDim.x) {
        const bool bool_ = x[int_] > 0.0;
        const double assert_ = bool_ ? x[int_] : 0.5;
        float2_[int_] = assert_ + x[int_];
    }
}


using index_t = unsigned int;

// Towards zero; the nearest int where out of range, 0 for NaN.
__device__ inline int to_i32(double x) {
    if (x != x) return 0;
    return x >= (double)2147483647 ? 2147483647 : x <= (double)(-2147483647 - 1) ? (-2147483647 - 1) : (int)x;
}

// Towards zero; the nearest unsigned int where out of range, 0 for NaN.
__device__ inline unsigned int to_u32(double x) {
    if (!(x > 0)) return 0;
    return x >= (double)4294967295u ? 4294967295u : (unsigned int)x;
}

// Towards zero; the nearest long long where out of range, 0 for NaN.
__device__ inline long long to_i64(double x) {
    if (x != x) return 0;
    return x >= (double)9223372036854775807LL ? 9223372036854775807LL : x <= (double)(-9223372036854775807LL - 1) ? (-9223372036854775807LL - 1) : (long long)x;
}

// Towards zero; the nearest unsigned long long where out of range, 0 for NaN.
__device__ inline unsigned long long to_u64(double x) {
    if (!(x > 0)) return 0;
    return x >= (double)18446744073709551615ULL ? 18446744073709551615ULL : (unsigned long long)x;
}

/// The same from `f64`.
extern "C" __global__ void double_to_int(
    const double* __restrict__ x,
    int* __restrict__ signed_,
    unsigned int* __restrict__ unsigned_,
    long long* __restrict__ long_,
    unsigned long long* __restrict__ unsigned_long,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        signed_[i] = to_i32(x[i]);
        unsigned_[i] = to_u32(x[i]);
        long_[i] = to_i64(x[i]);
        unsigned_long[i] = to_u64(x[i]);
    }
}


using index_t = unsigned int;

/// What one thread does.
static __device__ void early_return_thread(
    const int* __restrict__ wanted,
    int* __restrict__ row,
    int* __restrict__ col,
    index_t i
) {
    row[i] = -1;
    for (int r = 0; r < 5; ++r) {
        for (int c = 0; c < r + 1; ++c) {
            if (r * r + c == wanted[i]) {
                row[i] = r;
                col[i] = c;
                return;
            }
        }
        if (r > 3) {
            return;
        }
    }
    row[i] = -2;
}

/// A thread ends inside two loops.
extern "C" __global__ void early_return(
    const int* __restrict__ wanted,
    int* __restrict__ row,
    int* __restrict__ col,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        early_return_thread(wanted, row, col, i);
    }
}


using index_t = unsigned int;

/// Indices and conditions with effects.
extern "C" __global__ void effects_in_indices(
    const int* __restrict__ x,
    int* __restrict__ out,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        index_t n = i * 4;
        const int before = (int)n;
        n += 1;
        out[n] = before;
        n += 1;
        n += 1;
        out[n] += x[i] + 7;
        int calls = 0;
        calls += 1;
        bool holds = x[i] > 0;
        if (holds) {
            calls += 10;
            holds = x[i] > 1;
        }
        bool holds_1 = holds;
        if (!holds_1) {
            calls += 100;
            holds_1 = false;
        }
        if (holds_1) {
            calls += 1000;
        }
        out[i * 4] = calls;
        calls = 5;
        out[i * 4 + 2] = calls > x[i] ? calls : -calls;
    }
}


using index_t = unsigned int;

/// Operands that change what other operands read.
extern "C" __global__ void effects_in_operands(
    const int* __restrict__ x,
    int* __restrict__ out,
    int* __restrict__ updated,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        int n = x[i];
        const int before = n;
        n += 1;
        const int left = before + n * 10 + n;
        n *= 2;
        const int before_1 = n;
        const int before_2 = n;
        n = 3;
        const int right = before_1 - before_2 * n;
        out[i] = left * 1000 + right;
        n = 10;
        n += n;
        updated[i] = n;
    }
}


using index_t = unsigned int;

/// Ranges that end far before they begin, and one that its body leaves long before its end.
extern "C" __global__ void empty_ranges(
    const long long* __restrict__ first,
    const long long* __restrict__ last,
    int* __restrict__ count,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        const long long j_end = last[i];
        for (long long j = first[i]; j < j_end; ++j) {
            count[i] += 1;
        }
        const long long j_end_1 = last[i] - first[i];
        for (long long j = j_end_1, more = 0LL <= j_end_1; more; more = 0LL < j, j -= more) {
            count[i] += 10;
        }
        const int j_start = (int)first[i];
        const int j_end_2 = (int)last[i];
        for (int j = j_start, more_1 = j_start <= j_end_2; more_1; more_1 = j < j_end_2, j += more_1) {
            count[i] += 100;
        }
        const int j_end_3 = (int)last[i];
        for (int j = 0, more_2 = 0 <= j_end_3; more_2; more_2 = j < j_end_3, j += more_2) {
            count[i] += 1000;
            for (int k = 2147483647; k-- > -5;) {
                for (int l = 1, more_3 = 1 <= k; more_3; more_3 = l < k, l += more_3) {
                    count[i] += 10000;
                    break;
                }
                break;
            }
        }
    }
}


using index_t = unsigned int;

/// Ranges up to the largest and down to the smallest integer.
extern "C" __global__ void ends_of_i32(
    const int* __restrict__ first,
    const int* __restrict__ last,
    int* __restrict__ digits,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        const int a = first[i];
        const int b = last[i];
        for (int j = a, more = a <= b; more; more = j < b, j += more) {
            digits[i * 6] = digits[i * 6] * 10 + (j - a) + 1;
        }
        for (
            int j = a, more_1 = a <= b;
            more_1;
            more_1 = (unsigned int)b - (unsigned int)j >= 2u, j += more_1 ? 2 : 0
        ) {
            digits[i * 6 + 1] = digits[i * 6 + 1] * 10 + (j - a) + 1;
        }
        for (int j = b, more_2 = a <= b; more_2; more_2 = a < j, j -= more_2) {
            digits[i * 6 + 2] = digits[i * 6 + 2] * 10 + (j - a) + 1;
        }
        for (int j = b - (a < b), more_3 = a < b; more_3; more_3 = a < j, j -= more_3) {
            digits[i * 6 + 3] = digits[i * 6 + 3] * 10 + (j - a) + 1;
        }
        for (
            int j = b - (a < b), more_4 = a < b;
            more_4;
            more_4 = (unsigned int)j - (unsigned int)a >= 2u, j -= more_4 ? 2 : 0
        ) {
            digits[i * 6 + 4] = digits[i * 6 + 4] * 10 + (j - a) + 1;
        }
        for (
            int j = 2147483647, more_5 = 2147483647 - 2 <= 2147483647;
            more_5;
            more_5 = (unsigned int)j - (unsigned int)(2147483647 - 2) >= 2u, j -= more_5 ? 2 : 0
        ) {
            digits[i * 6 + 5] = digits[i * 6 + 5] * 10 + (2147483647 - j) + 1;
        }
    }
}


using index_t = unsigned int;

/// Ranges up to the largest and down to the smallest integer.
extern "C" __global__ void ends_of_i64(
    const long long* __restrict__ first,
    const long long* __restrict__ last,
    int* __restrict__ digits,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        const long long a = first[i];
        const long long b = last[i];
        for (long long j = a, more = a <= b; more; more = j < b, j += more) {
            digits[i * 6] = digits[i * 6] * 10 + (int)(j - a) + 1;
        }
        for (
            long long j = a, more_1 = a <= b;
            more_1;
            more_1 = (unsigned long long)b - (unsigned long long)j >= 2ULL, j += more_1 ? 2 : 0
        ) {
            digits[i * 6 + 1] = digits[i * 6 + 1] * 10 + (int)(j - a) + 1;
        }
        for (long long j = b, more_2 = a <= b; more_2; more_2 = a < j, j -= more_2) {
            digits[i * 6 + 2] = digits[i * 6 + 2] * 10 + (int)(j - a) + 1;
        }
        for (long long j = b - (a < b), more_3 = a < b; more_3; more_3 = a < j, j -= more_3) {
            digits[i * 6 + 3] = digits[i * 6 + 3] * 10 + (int)(j - a) + 1;
        }
        for (
            long long j = b - (a < b), more_4 = a < b;
            more_4;
            more_4 = (unsigned long long)j - (unsigned long long)a >= 2ULL, j -= more_4 ? 2 : 0
        ) {
            digits[i * 6 + 4] = digits[i * 6 + 4] * 10 + (int)(j - a) + 1;
        }
        for (
            long long j = 9223372036854775807LL, more_5 = 9223372036854775807LL - 2LL <= 9223372036854775807LL;
            more_5;
            more_5 = (unsigned long long)j - (unsigned long long)(9223372036854775807LL - 2LL) >= 2ULL, j -= more_5
                ? 2
                : 0
        ) {
            digits[i * 6 + 5] = digits[i * 6 + 5] * 10 + (int)(9223372036854775807LL - j) + 1;
        }
    }
}


using index_t = unsigned int;

/// Ranges up to the largest and down to the smallest integer.
extern "C" __global__ void ends_of_u32(
    const unsigned int* __restrict__ first,
    const unsigned int* __restrict__ last,
    int* __restrict__ digits,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        const unsigned int a = first[i];
        const unsigned int b = last[i];
        for (unsigned int j = a, more = a <= b; more; more = j < b, j += more) {
            digits[i * 6] = digits[i * 6] * 10 + (int)(j - a) + 1;
        }
        for (unsigned int j = a, more_1 = a <= b; more_1; more_1 = b - j >= 2u, j += more_1 ? 2u : 0) {
            digits[i * 6 + 1] = digits[i * 6 + 1] * 10 + (int)(j - a) + 1;
        }
        for (unsigned int j = b, more_2 = a <= b; more_2; more_2 = a < j, j -= more_2) {
            digits[i * 6 + 2] = digits[i * 6 + 2] * 10 + (int)(j - a) + 1;
        }
        for (unsigned int j = b; j-- > a;) {
            digits[i * 6 + 3] = digits[i * 6 + 3] * 10 + (int)(j - a) + 1;
        }
        for (unsigned int j = b - 1, more_3 = a < b; more_3; more_3 = j - a >= 2u, j -= more_3 ? 2u : 0) {
            digits[i * 6 + 4] = digits[i * 6 + 4] * 10 + (int)(j - a) + 1;
        }
        for (
            unsigned int j = 4294967295u, more_4 = 4294967295u - 2u <= 4294967295u;
            more_4;
            more_4 = j - (4294967295u - 2u) >= 2u, j -= more_4 ? 2u : 0
        ) {
            digits[i * 6 + 5] = digits[i * 6 + 5] * 10 + (int)(4294967295u - j) + 1;
        }
    }
}


using index_t = unsigned int;

/// Ranges up to the largest and down to the smallest integer.
extern "C" __global__ void ends_of_u64(
    const unsigned long long* __restrict__ first,
    const unsigned long long* __restrict__ last,
    int* __restrict__ digits,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        const unsigned long long a = first[i];
        const unsigned long long b = last[i];
        for (unsigned long long j = a, more = a <= b; more; more = j < b, j += more) {
            digits[i * 6] = digits[i * 6] * 10 + (int)(j - a) + 1;
        }
        for (unsigned long long j = a, more_1 = a <= b; more_1; more_1 = b - j >= 2ULL, j += more_1 ? 2 : 0) {
            digits[i * 6 + 1] = digits[i * 6 + 1] * 10 + (int)(j - a) + 1;
        }
        for (unsigned long long j = b, more_2 = a <= b; more_2; more_2 = a < j, j -= more_2) {
            digits[i * 6 + 2] = digits[i * 6 + 2] * 10 + (int)(j - a) + 1;
        }
        for (unsigned long long j = b; j-- > a;) {
            digits[i * 6 + 3] = digits[i * 6 + 3] * 10 + (int)(j - a) + 1;
        }
        for (unsigned long long j = b - 1, more_3 = a < b; more_3; more_3 = j - a >= 2ULL, j -= more_3 ? 2 : 0) {
            digits[i * 6 + 4] = digits[i * 6 + 4] * 10 + (int)(j - a) + 1;
        }
        for (
            unsigned long long j = 18446744073709551615ULL, more_4 = 18446744073709551615ULL - 2ULL
                <= 18446744073709551615ULL;
            more_4;
            more_4 = j - (18446744073709551615ULL - 2ULL) >= 2ULL, j -= more_4 ? 2 : 0
        ) {
            digits[i * 6 + 5] = digits[i * 6 + 5] * 10 + (int)(18446744073709551615ULL - j) + 1;
        }
    }
}


using index_t = unsigned int;

__device__ inline int rem_euclid(int a, int b) {
    const int r = a % b;
    return r >= 0 ? r : b < 0 ? r - b : r + b;
}

__device__ inline long long rem_euclid(long long a, long long b) {
    const long long r = a % b;
    return r >= 0 ? r : b < 0 ? r - b : r + b;
}

__device__ inline float rem_euclid(float a, float b) {
    const float r = fmodf(a, b);
    return r < 0 ? r + fabsf(b) : r;
}

/// The remainder that is never negative, whatever the signs.
extern "C" __global__ void euclid(
    const int* __restrict__ a,
    const int* __restrict__ b,
    int* __restrict__ remainder,
    long long* __restrict__ long_,
    float* __restrict__ float_,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        remainder[i] = rem_euclid(a[i], b[i]);
        long_[i] = rem_euclid((long long)a[i] * 4294967296LL, (long long)b[i]);
        float_[i] = rem_euclid((float)a[i] / 4.0f, (float)b[i]);
    }
}


using index_t = unsigned int;

/// Constants at the ends of their types.
extern "C" __global__ void extreme_constants(
    int* __restrict__ signed_,
    long long* __restrict__ long_,
    unsigned int* __restrict__ unsigned_,
    unsigned long long* __restrict__ unsigned_long,
    float* __restrict__ float_,
    double* __restrict__ double_,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        signed_[i] = i == 0 ? (-2147483647 - 1) : -2147483647 - 1 + 2147483647;
        long_[i] = i == 0 ? (-9223372036854775807LL - 1) : 9223372036854775807LL - 9223372036854775806LL;
        unsigned_[i] = 4294967295u - (unsigned int)i;
        unsigned_long[i] = 18446744073709551615ULL - 18446744069414584320ULL * (unsigned long long)(i % 2);
        float_[i] = i == 0 ? 3.4028235e38f : 1.1754944e-38f * 0.001f;
        double_[i] = i == 0 ? -1.7976931348623157e308 : 2.220446049250313e-16 + 1e-310;
    }
}


using index_t = unsigned int;

/// The bounds of a range are evaluated once, its variable is new on every trip, and the outer one comes back.
extern "C" __global__ void fixed_bounds(int* __restrict__ n, int* __restrict__ sum, index_t dim) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        int end = n[i];
        int total = 0;
        index_t step = 1;
        const int j_end = end;
        for (int j = 0; j < j_end; ++j) {
            end += 5;
            total = total * 10 + j;
        }
        const int j_end_1 = n[i] + 3;
        const index_t j_step = step + 1;
        for (
            int j = 0, more = 0 < j_end_1;
            more;
            more = (unsigned int)j_end_1 - (unsigned int)j > (unsigned int)(int)j_step, j += more ? (int)j_step : 0
        ) {
            n[i] -= 1;
            step = 7;
            const int j_1 = j + 1;
            for (int j_2 = 0; j_2 < 2; ++j_2) {
                total += j_2;
            }
            total = total * 10 + j_1;
        }
        const int j = end;
        for (index_t j_1 = step; j_1-- > 0;) {
            if (j_1 < 6) {
                break;
            }
            total += (int)j_1 * 1000;
        }
        sum[i] = total + j;
    }
}


using index_t = unsigned int;

/// The float remainder has the sign of the dividend.
extern "C" __global__ void float_remainder(
    const float* __restrict__ x,
    const float* __restrict__ y,
    float* __restrict__ single,
    double* __restrict__ double_,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        single[i] = fmodf(x[i], y[i]);
        double rest = (double)x[i] * 10.0;
        rest = fmod(rest, (double)y[i]);
        double_[i] = rest;
    }
}


using index_t = unsigned int;

// Towards zero; the nearest index_t where out of range, 0 for NaN.
__device__ inline index_t to_usize(float x) {
    if (!(x > 0)) return 0;
    return x >= (float)(index_t)-1 ? (index_t)-1 : (index_t)x;
}

/// An element of a table at a place that is computed in floats; what lies below the table is its first element.
extern "C" __global__ void float_to_index(
    const float* __restrict__ place,
    const float* __restrict__ table,
    index_t table_len,
    float* __restrict__ out,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        out[i] = table[min(to_usize(place[i]), table_len - 1)];
    }
}


using index_t = unsigned int;

// Towards zero; the nearest int where out of range, 0 for NaN.
__device__ inline int to_i32(float x) {
    if (x != x) return 0;
    return x >= (float)2147483647 ? 2147483647 : x <= (float)(-2147483647 - 1) ? (-2147483647 - 1) : (int)x;
}

// Towards zero; the nearest unsigned int where out of range, 0 for NaN.
__device__ inline unsigned int to_u32(float x) {
    if (!(x > 0)) return 0;
    return x >= (float)4294967295u ? 4294967295u : (unsigned int)x;
}

// Towards zero; the nearest long long where out of range, 0 for NaN.
__device__ inline long long to_i64(float x) {
    if (x != x) return 0;
    return x >= (float)9223372036854775807LL ? 9223372036854775807LL : x <= (float)(-9223372036854775807LL - 1) ? (-9223372036854775807LL - 1) : (long long)x;
}

// Towards zero; the nearest unsigned long long where out of range, 0 for NaN.
__device__ inline unsigned long long to_u64(float x) {
    if (!(x > 0)) return 0;
    return x >= (float)18446744073709551615ULL ? 18446744073709551615ULL : (unsigned long long)x;
}

/// Floats outside the range of an integer become its ends, NaN becomes 0.
extern "C" __global__ void float_to_int(
    const float* __restrict__ x,
    int* __restrict__ signed_,
    unsigned int* __restrict__ unsigned_,
    long long* __restrict__ long_,
    unsigned long long* __restrict__ unsigned_long,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        signed_[i] = to_i32(x[i]);
        unsigned_[i] = to_u32(x[i]);
        long_[i] = to_i64(x[i]);
        unsigned_long[i] = to_u64(x[i]);
    }
}


using index_t = unsigned int;

// Towards zero; the nearest signed char where out of range, 0 for NaN.
__device__ inline signed char to_i8(float x) {
    if (x != x) return 0;
    return x >= (float)127 ? 127 : x <= (float)-128 ? -128 : (signed char)x;
}

// Towards zero; the nearest unsigned char where out of range, 0 for NaN.
__device__ inline unsigned char to_u8(float x) {
    if (!(x > 0)) return 0;
    return x >= (float)255 ? 255 : (unsigned char)x;
}

// Towards zero; the nearest short where out of range, 0 for NaN.
__device__ inline short to_i16(float x) {
    if (x != x) return 0;
    return x >= (float)32767 ? 32767 : x <= (float)-32768 ? -32768 : (short)x;
}

// Towards zero; the nearest unsigned short where out of range, 0 for NaN.
__device__ inline unsigned short to_u16(float x) {
    if (!(x > 0)) return 0;
    return x >= (float)65535 ? 65535 : (unsigned short)x;
}

// Towards zero; the nearest signed char where out of range, 0 for NaN.
__device__ inline signed char to_i8(double x) {
    if (x != x) return 0;
    return x >= (double)127 ? 127 : x <= (double)-128 ? -128 : (signed char)x;
}

// Towards zero; the nearest unsigned char where out of range, 0 for NaN.
__device__ inline unsigned char to_u8(double x) {
    if (!(x > 0)) return 0;
    return x >= (double)255 ? 255 : (unsigned char)x;
}

// Towards zero; the nearest short where out of range, 0 for NaN.
__device__ inline short to_i16(double x) {
    if (x != x) return 0;
    return x >= (double)32767 ? 32767 : x <= (double)-32768 ? -32768 : (short)x;
}

// Towards zero; the nearest unsigned short where out of range, 0 for NaN.
__device__ inline unsigned short to_u16(double x) {
    if (!(x > 0)) return 0;
    return x >= (double)65535 ? 65535 : (unsigned short)x;
}

/// Floats outside the range of a narrow integer become its ends, NaN becomes 0.
extern "C" __global__ void float_to_narrow(
    const float* __restrict__ x,
    const double* __restrict__ wide,
    signed char* __restrict__ byte,
    unsigned char* __restrict__ unsigned_byte,
    short* __restrict__ word,
    unsigned short* __restrict__ unsigned_word,
    signed char* __restrict__ wide_byte,
    unsigned char* __restrict__ wide_unsigned,
    short* __restrict__ wide_word,
    unsigned short* __restrict__ wide_unsigned_word,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        byte[i] = to_i8(x[i]);
        unsigned_byte[i] = to_u8(x[i]);
        word[i] = to_i16(x[i]);
        unsigned_word[i] = to_u16(x[i]);
        wide_byte[i] = to_i8(wide[i]);
        wide_unsigned[i] = to_u8(wide[i]);
        wide_word[i] = to_i16(wide[i]);
        wide_unsigned_word[i] = to_u16(wide[i]);
    }
}


using index_t = unsigned int;

// The bits move as if unsigned: a negative value may be shifted.
__device__ inline int shl(int x, int n) { return (int)((unsigned int)x << n); }

/// Parentheses that matter.
extern "C" __global__ void grouping(
    const int* __restrict__ a,
    const int* __restrict__ b,
    int* __restrict__ out,
    int* __restrict__ logic,
    float* __restrict__ float_,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        const int x = a[i];
        const int y = b[i];
        out[i] = x - (y - 3) - (x + y) * (7 / (y * 2) + 40 / y * 2) - -(x - y) - -(-x) + x % (y % 5 + 1) * 3;
        out[i] +=
            (x & 6) + (y | 1) * (x ^ y) + (~x & 15) - (shl(x, 1) & 12) + shl(1, y & 3) + ((x & y) | (x ^ (3 & y)));
        int bits = 0;
        bits += (x & 1) == 1 ? 1 : 0;
        bits += (x < y) == (y < 5) ? 2 : 0;
        bits += !(x == y) != (x > 4) ? 4 : 0;
        bits += x > 2 || (x < 2 && y > 3) ? 8 : 0;
        bits += (x > 2 || x < 2) && y > 3 ? 16 : 0;
        bits += !(x > 2 && y > 2) ? 32 : 0;
        bits += ((x > 2) != (y > 2) && x != y) || y == 8 ? 64 : 0;
        logic[i] = bits;
        const float f = (float)x;
        const float g = (float)y;
        float_[i] =
            f - (g - f * (g + 0.5f)) / (f / g) - -fmaxf(g, f) * -(f + g) + fabsf(-f) - f / g / f / (g * f) * 0.1f;
    }
}


using index_t = unsigned int;

/// `&&` and `||` do not look at their second operand where the first decides.
extern "C" __global__ void guarded_logic(
    const float* __restrict__ x,
    index_t x_len,
    int* __restrict__ peak,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        const index_t n = x_len;
        const bool rises = i == 0 || x[i - 1] < x[i];
        const bool falls = i + 1 == n || x[i + 1] < x[i];
        const bool last_falls = !(i + 1 < n && !(x[i + 1] < x[i]));
        peak[i] = rises && falls && last_falls ? 1 : 0;
    }
}


using index_t = unsigned int;

/// Of an `if` that gives a value only one side is evaluated.
extern "C" __global__ void guarded_select(
    const int* __restrict__ x,
    index_t x_len,
    const int* __restrict__ divisor,
    int* __restrict__ left,
    int* __restrict__ ratio,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        left[i] = (i > 0 ? x[i - 1] : -1) + (i + 2 < x_len ? x[i + 2] : 0);
        ratio[i] = divisor[i] != 0 && x[i] / divisor[i] > 1 ? x[i] / divisor[i] : 100;
    }
}


using index_t = unsigned int;

/// A loop ends before its condition looks beyond the end.
extern "C" __global__ void guarded_while(
    const int* __restrict__ x,
    index_t x_len,
    int* __restrict__ run,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        index_t end = i;
        while (end < x_len && x[end] == x[i]) {
            end += 1;
        }
        run[i] = (int)(end - i);
    }
}


using index_t = unsigned int;

/// Ranges of indices, whose ends are where an unsigned number is about to pass zero.
extern "C" __global__ void index_ranges(
    const unsigned int* __restrict__ n,
    int* __restrict__ digits,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        const index_t end = (index_t)n[i];
        for (index_t j = end; j-- > 0;) {
            digits[i * 5] = digits[i * 5] * 10 + (int)j + 1;
        }
        for (index_t j = end + 1; j-- > 0;) {
            digits[i * 5 + 1] = digits[i * 5 + 1] * 10 + (int)j + 1;
        }
        for (index_t j = end, more = true; more; more = j >= 2, j -= more ? 2 : 0) {
            digits[i * 5 + 2] = digits[i * 5 + 2] * 10 + (int)j + 1;
        }
        for (index_t j = end - 1, more_1 = 0 < end; more_1; more_1 = j >= 3, j -= more_1 ? 3 : 0) {
            digits[i * 5 + 3] = digits[i * 5 + 3] * 10 + (int)j + 1;
        }
        for (index_t j = end; j-- > 2;) {
            digits[i * 5 + 4] = digits[i * 5 + 4] * 10 + (int)j + 1;
        }
    }
}


using index_t = unsigned int;

/// Integers that no float holds go to the nearest, to even where two are as near.
extern "C" __global__ void int_to_float(
    const int* __restrict__ x,
    const unsigned int* __restrict__ u,
    const long long* __restrict__ long_,
    float* __restrict__ single,
    float* __restrict__ from_unsigned,
    float* __restrict__ from_long,
    double* __restrict__ double_,
    double* __restrict__ from_unsigned_long,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        single[i] = (float)x[i];
        from_unsigned[i] = (float)u[i];
        from_long[i] = (float)long_[i];
        double_[i] = (double)long_[i];
        from_unsigned_long[i] = (double)(unsigned long long)long_[i];
    }
}


using index_t = unsigned int;

/// Integers lose their high bits, or get copies of their sign.
extern "C" __global__ void int_to_int(
    const long long* __restrict__ x,
    int* __restrict__ signed_,
    unsigned int* __restrict__ unsigned_,
    unsigned long long* __restrict__ sign_extended,
    long long* __restrict__ zero_extended,
    long long* __restrict__ reread,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        signed_[i] = (int)x[i];
        unsigned_[i] = (unsigned int)x[i];
        sign_extended[i] = (unsigned long long)(int)x[i];
        zero_extended[i] = (long long)(unsigned int)x[i];
        reread[i] = (long long)(int)(unsigned int)x[i];
    }
}


using index_t = unsigned int;

/// Integers lose the bits for which a narrow one has no room; its sign goes on into the bits of a wider one.
extern "C" __global__ void int_to_narrow(
    const long long* __restrict__ x,
    signed char* __restrict__ byte,
    unsigned char* __restrict__ unsigned_byte,
    short* __restrict__ word,
    unsigned short* __restrict__ unsigned_word,
    long long* __restrict__ from_byte,
    unsigned int* __restrict__ from_word,
    unsigned short* __restrict__ between,
    float* __restrict__ float_,
    unsigned char* __restrict__ truth,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        byte[i] = (signed char)x[i];
        unsigned_byte[i] = (unsigned char)(unsigned int)x[i];
        word[i] = (short)(int)x[i];
        unsigned_word[i] = (unsigned short)(unsigned long long)x[i];
        from_byte[i] = (long long)(signed char)x[i] - (long long)(unsigned char)x[i];
        from_word[i] = (unsigned int)(short)x[i] ^ (unsigned int)(unsigned short)x[i];
        between[i] = (unsigned short)(
            (unsigned short)(signed char)x[i] - (unsigned short)(unsigned char)(short)(signed char)(unsigned char)x[i]
        );
        float_[i] = (float)(signed char)x[i] + (float)(unsigned short)x[i];
        truth[i] = (unsigned char)((unsigned char)(x[i] > 0LL) + (unsigned char)((index_t)(unsigned char)x[i] % 2));
    }
}


using index_t = unsigned int;

struct vec3 {
    float x, y, z;
};

__device__ inline float dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// Towards zero; the nearest int where out of range, 0 for NaN.
__device__ inline int to_i32(float x) {
    if (x != x) return 0;
    return x >= (float)2147483647 ? 2147483647 : x <= (float)(-2147483647 - 1) ? (-2147483647 - 1) : (int)x;
}

/// Parameters and locals that other languages keep for themselves.
extern "C" __global__ void lambda(
    float float_,
    int int_,
    const float* __restrict__ dim,
    const int* __restrict__ index_t_,
    float* __restrict__ threadIdx_,
    int* __restrict__ wp,
    index_t dim_1
) {
    for (index_t min = blockIdx.x * blockDim.x + threadIdx.x; min < dim_1; min += gridDim.x * blockDim.x) {
        const float vec3_ = fminf(dim[min], float_);
        const float double_ = vec3_ * 2.0f;
        const float pass = double_ + fmaxf(dim[min], 1.0f);
        const int range = index_t_[min] % 4;
        int def = 0;
        for (int not_ = 0; not_ < range; ++not_) {
            def += not_ * int_;
        }
        const vec3 unsigned_ = vec3{pass, double_, vec3_};
        const float dot_ = dot(unsigned_, unsigned_);
        const float blockDim_ = fabsf(sqrtf(dot_));
        threadIdx_[min] = blockDim_ - dot_;
        wp[min] = def + abs(to_i32(float_));
    }
}


using index_t = unsigned int;

/// Unsigned numbers with the highest bit set are large, not negative.
extern "C" __global__ void large_unsigned(
    const unsigned int* __restrict__ a,
    const unsigned int* __restrict__ b,
    unsigned int* __restrict__ quotient,
    unsigned int* __restrict__ remainder,
    unsigned int* __restrict__ shifted,
    unsigned long long* __restrict__ wide,
    int* __restrict__ less,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        quotient[i] = a[i] / b[i];
        remainder[i] = a[i] % b[i];
        shifted[i] = a[i] >> 3u;
        wide[i] = (unsigned long long)a[i] * (unsigned long long)b[i] / 3ULL + 18446744073709551615ULL / 5ULL;
        less[i] = a[i] < b[i] ? 1 : 0;
    }
}


using index_t = unsigned int;

/// The same with 64 bits.
extern "C" __global__ void long_division(
    const long long* __restrict__ a,
    const long long* __restrict__ b,
    long long* __restrict__ quotient,
    long long* __restrict__ remainder,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        quotient[i] = a[i] / b[i];
        remainder[i] = a[i];
        remainder[i] %= b[i];
    }
}


using index_t = unsigned int;

struct vec2 {
    float x, y;
};

/// Variables begin with constants and change in loops and branches; a copy stays what it was.
extern "C" __global__ void loop_state(
    const int* __restrict__ n,
    int* __restrict__ fibonacci,
    int* __restrict__ found,
    float* __restrict__ moved,
    vec2* __restrict__ corner,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        int a = 0;
        int b = 1;
        bool seen = false;
        int at = -1;
        const int j_end = n[i];
        for (int j = 0; j < j_end; ++j) {
            const int old = a;
            a = b;
            b += old;
            if (!seen && b > 4) {
                seen = true;
                at = j;
            }
        }
        fibonacci[i] = a;
        found[i] = seen ? at : -5;
        vec2 v = vec2{1.0f, 2.0f};
        const vec2 before = v;
        vec2 w = before;
        for (int k = 0; k < 3; ++k) {
            const vec2 t = v;
            v.x += 1.0f;
            v.y = t.x * 10.0f;
            w = t;
        }
        moved[i] = before.x + before.y * 0.5f + w.x * 1000.0f;
        corner[i] = v;
        corner[i].x -= w.y;
    }
}


using index_t = unsigned int;

__device__ inline bool is_nan(float x) { return x != x; }
__device__ inline bool is_finite(float x) { return x - x == 0; }

/// A comparison with NaN is false, so its opposite is not the opposite comparison.
extern "C" __global__ void nan_comparison(
    const float* __restrict__ x,
    const float* __restrict__ y,
    int* __restrict__ out,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        int bits = 0;
        if (!(x[i] < y[i])) {
            bits += 1;
        }
        if (x[i] >= y[i]) {
            bits += 2;
        }
        if (x[i] != y[i]) {
            bits += 4;
        }
        if (!(x[i] > y[i] || x[i] == y[i])) {
            bits += 8;
        }
        bits += is_nan(x[i]) ? 16 : 0;
        bits += is_finite(y[i]) ? 32 : 0;
        out[i] = bits;
    }
}


using index_t = unsigned int;

__device__ inline float clamp(float x, float low, float high) { return x < low ? low : x > high ? high : x; }

/// `min` and `max` prefer a number to NaN; `clamp` lets NaN through.
extern "C" __global__ void nan_order(
    const float* __restrict__ x,
    index_t x_len,
    const float* __restrict__ y,
    float* __restrict__ low,
    float* __restrict__ high,
    float* __restrict__ clamped,
    double* __restrict__ double_,
    float* __restrict__ folded,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        low[i] = fminf(x[i], y[i]);
        high[i] = fmaxf(x[i], y[i]);
        clamped[i] = clamp(x[i], -1.0f, 1.0f);
        double_[i] = fmin((double)x[i], (double)y[i]) + fmax((double)x[i], 0.5);
        float most = 0.0f;
        for (index_t j = 0; j < x_len; ++j) {
            most = fmaxf(most, x[j]);
        }
        folded[i] = most;
    }
}


using index_t = unsigned int;

/// From `f64` to `f32` and back, rounded once; a constant has the type of what surrounds it.
extern "C" __global__ void narrow_float(
    const double* __restrict__ x,
    float* __restrict__ narrow,
    float* __restrict__ scaled,
    double* __restrict__ wide,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        narrow[i] = (float)x[i];
        scaled[i] = (float)x[i] * 0.1f + 0.7f;
        wide[i] = (double)(float)x[i] * 0.1 + 0.7;
    }
}


using index_t = unsigned int;

__device__ inline int rem_euclid(int a, int b) {
    const int r = a % b;
    return r >= 0 ? r : b < 0 ? r - b : r + b;
}

/// Negative numbers made into indices, after they have been brought into range.
extern "C" __global__ void negative_index(
    int shift,
    const float* __restrict__ x,
    index_t x_len,
    float* __restrict__ out,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        const int n = (int)x_len;
        const int left = (int)i - 2;
        out[i] = x[(index_t)rem_euclid((int)i + shift, n)] + x[(index_t)max(left, 0)];
    }
}


using index_t = unsigned int;

#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fc00000)
#endif

__device__ inline bool is_nan(float x) { return x != x; }

/// Infinity and NaN as constants, and what division by zero gives.
extern "C" __global__ void not_finite(
    const float* __restrict__ x,
    float* __restrict__ least,
    float* __restrict__ inverse,
    int* __restrict__ root,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        float smallest = INFINITY;
        float largest = -INFINITY;
        for (index_t j = 0; j < i; ++j) {
            smallest = fminf(smallest, x[j]);
            largest = fmaxf(largest, x[j]);
        }
        least[i] = i == 0 ? 0.0f : smallest - largest;
        const float zero = x[i] - x[i];
        const float limit = is_nan(zero) ? NAN : 1.0f / zero;
        inverse[i] = limit == INFINITY ? 1.0f : 2.0f;
        root[i] = is_nan(sqrtf(x[i] - 9.0f)) ? 1 : 0;
    }
}


using index_t = unsigned int;

__device__ inline int clamp(int x, int low, int high) { return x < low ? low : x > high ? high : x; }

__device__ inline int rem_euclid(int a, int b) {
    const int r = a % b;
    return r >= 0 ? r : b < 0 ? r - b : r + b;
}

// Towards zero; the nearest int where out of range, 0 for NaN.
__device__ inline int to_i32(float x) {
    if (x != x) return 0;
    return x >= (float)2147483647 ? 2147483647 : x <= (float)(-2147483647 - 1) ? (-2147483647 - 1) : (int)x;
}

__device__ inline int wrapping_add(int a, int b) { return (int)((unsigned int)a + (unsigned int)b); }
__device__ inline float signum(float x) { return x != x ? x : copysignf(1.0f, x); }

/// A kernel that is called like a function of C, with names of the helpers that it calls.
extern "C" __global__ void printf_(
    const int* __restrict__ clamp_,
    const float* __restrict__ to_i32_,
    int* __restrict__ rem_euclid_,
    float* __restrict__ signum_,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        const int wrapping_add_ = rem_euclid(clamp(clamp_[i], -3, 3), 5);
        const int max_ = wrapping_add(wrapping_add_, to_i32(to_i32_[i]));
        const int min_ = min(max(max_, 2), 4);
        rem_euclid_[i] = min_ * 10 + max_;
        const float abs = signum(to_i32_[i]);
        signum_[i] = fabsf(abs) + abs;
    }
}


using index_t = unsigned int;

/// A range up and down, with and without its end, in steps.
extern "C" __global__ void ranges_i32(
    const int* __restrict__ first,
    const int* __restrict__ last,
    index_t step,
    int* __restrict__ digits,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        const int a = first[i];
        const int b = last[i];
        for (int j = a; j < b; ++j) {
            digits[i * 8] = digits[i * 8] * 10 + (j - -5);
        }
        for (int j = a, more = a <= b; more; more = j < b, j += more) {
            digits[i * 8 + 1] = digits[i * 8 + 1] * 10 + (j - -5);
        }
        for (int j = b - (a < b), more_1 = a < b; more_1; more_1 = a < j, j -= more_1) {
            digits[i * 8 + 2] = digits[i * 8 + 2] * 10 + (j - -5);
        }
        for (int j = b, more_2 = a <= b; more_2; more_2 = a < j, j -= more_2) {
            digits[i * 8 + 3] = digits[i * 8 + 3] * 10 + (j - -5);
        }
        for (
            int j = a, more_3 = a < b;
            more_3;
            more_3 = (unsigned int)b - (unsigned int)j > (unsigned int)(int)step, j += more_3 ? (int)step : 0
        ) {
            digits[i * 8 + 4] = digits[i * 8 + 4] * 10 + (j - -5);
        }
        for (
            int j = a, more_4 = a <= b;
            more_4;
            more_4 = (unsigned int)b - (unsigned int)j >= 2u, j += more_4 ? 2 : 0
        ) {
            digits[i * 8 + 5] = digits[i * 8 + 5] * 10 + (j - -5);
        }
        for (
            int j = b - (a < b), more_5 = a < b;
            more_5;
            more_5 = (unsigned int)j - (unsigned int)a >= 2u, j -= more_5 ? 2 : 0
        ) {
            digits[i * 8 + 6] = digits[i * 8 + 6] * 10 + (j - -5);
        }
        for (
            int j = b, more_6 = a <= b;
            more_6;
            more_6 = (unsigned int)j - (unsigned int)a >= (unsigned int)(int)step, j -= more_6 ? (int)step : 0
        ) {
            digits[i * 8 + 7] = digits[i * 8 + 7] * 10 + (j - -5);
        }
    }
}


using index_t = unsigned int;

/// A range up and down, with and without its end, in steps.
extern "C" __global__ void ranges_i64(
    const long long* __restrict__ first,
    const long long* __restrict__ last,
    index_t step,
    int* __restrict__ digits,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        const long long a = first[i];
        const long long b = last[i];
        for (long long j = a; j < b; ++j) {
            digits[i * 8] = digits[i * 8] * 10 + (int)(j - -5LL);
        }
        for (long long j = a, more = a <= b; more; more = j < b, j += more) {
            digits[i * 8 + 1] = digits[i * 8 + 1] * 10 + (int)(j - -5LL);
        }
        for (long long j = b - (a < b), more_1 = a < b; more_1; more_1 = a < j, j -= more_1) {
            digits[i * 8 + 2] = digits[i * 8 + 2] * 10 + (int)(j - -5LL);
        }
        for (long long j = b, more_2 = a <= b; more_2; more_2 = a < j, j -= more_2) {
            digits[i * 8 + 3] = digits[i * 8 + 3] * 10 + (int)(j - -5LL);
        }
        for (
            long long j = a, more_3 = a < b;
            more_3;
            more_3 = (unsigned long long)b - (unsigned long long)j > (unsigned long long)(long long)step, j += more_3
                ? (long long)step
                : 0
        ) {
            digits[i * 8 + 4] = digits[i * 8 + 4] * 10 + (int)(j - -5LL);
        }
        for (
            long long j = a, more_4 = a <= b;
            more_4;
            more_4 = (unsigned long long)b - (unsigned long long)j >= 2ULL, j += more_4 ? 2 : 0
        ) {
            digits[i * 8 + 5] = digits[i * 8 + 5] * 10 + (int)(j - -5LL);
        }
        for (
            long long j = b - (a < b), more_5 = a < b;
            more_5;
            more_5 = (unsigned long long)j - (unsigned long long)a >= 2ULL, j -= more_5 ? 2 : 0
        ) {
            digits[i * 8 + 6] = digits[i * 8 + 6] * 10 + (int)(j - -5LL);
        }
        for (
            long long j = b, more_6 = a <= b;
            more_6;
            more_6 = (unsigned long long)j - (unsigned long long)a >= (unsigned long long)(long long)step, j -= more_6
                ? (long long)step
                : 0
        ) {
            digits[i * 8 + 7] = digits[i * 8 + 7] * 10 + (int)(j - -5LL);
        }
    }
}


using index_t = unsigned int;

/// A range up and down, with and without its end, in steps.
extern "C" __global__ void ranges_u32(
    const unsigned int* __restrict__ first,
    const unsigned int* __restrict__ last,
    index_t step,
    int* __restrict__ digits,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        const unsigned int a = first[i];
        const unsigned int b = last[i];
        for (unsigned int j = a; j < b; ++j) {
            digits[i * 8] = digits[i * 8] * 10 + (int)(j - 0u);
        }
        for (unsigned int j = a, more = a <= b; more; more = j < b, j += more) {
            digits[i * 8 + 1] = digits[i * 8 + 1] * 10 + (int)(j - 0u);
        }
        for (unsigned int j = b; j-- > a;) {
            digits[i * 8 + 2] = digits[i * 8 + 2] * 10 + (int)(j - 0u);
        }
        for (unsigned int j = b, more_1 = a <= b; more_1; more_1 = a < j, j -= more_1) {
            digits[i * 8 + 3] = digits[i * 8 + 3] * 10 + (int)(j - 0u);
        }
        for (
            unsigned int j = a, more_2 = a < b;
            more_2;
            more_2 = b - j > (unsigned int)step, j += more_2 ? (unsigned int)step : 0
        ) {
            digits[i * 8 + 4] = digits[i * 8 + 4] * 10 + (int)(j - 0u);
        }
        for (unsigned int j = a, more_3 = a <= b; more_3; more_3 = b - j >= 2u, j += more_3 ? 2u : 0) {
            digits[i * 8 + 5] = digits[i * 8 + 5] * 10 + (int)(j - 0u);
        }
        for (unsigned int j = b - 1, more_4 = a < b; more_4; more_4 = j - a >= 2u, j -= more_4 ? 2u : 0) {
            digits[i * 8 + 6] = digits[i * 8 + 6] * 10 + (int)(j - 0u);
        }
        for (
            unsigned int j = b, more_5 = a <= b;
            more_5;
            more_5 = j - a >= (unsigned int)step, j -= more_5 ? (unsigned int)step : 0
        ) {
            digits[i * 8 + 7] = digits[i * 8 + 7] * 10 + (int)(j - 0u);
        }
    }
}


using index_t = unsigned int;

/// A range up and down, with and without its end, in steps.
extern "C" __global__ void ranges_u64(
    const unsigned long long* __restrict__ first,
    const unsigned long long* __restrict__ last,
    index_t step,
    int* __restrict__ digits,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        const unsigned long long a = first[i];
        const unsigned long long b = last[i];
        for (unsigned long long j = a; j < b; ++j) {
            digits[i * 8] = digits[i * 8] * 10 + (int)(j - 0ULL);
        }
        for (unsigned long long j = a, more = a <= b; more; more = j < b, j += more) {
            digits[i * 8 + 1] = digits[i * 8 + 1] * 10 + (int)(j - 0ULL);
        }
        for (unsigned long long j = b; j-- > a;) {
            digits[i * 8 + 2] = digits[i * 8 + 2] * 10 + (int)(j - 0ULL);
        }
        for (unsigned long long j = b, more_1 = a <= b; more_1; more_1 = a < j, j -= more_1) {
            digits[i * 8 + 3] = digits[i * 8 + 3] * 10 + (int)(j - 0ULL);
        }
        for (
            unsigned long long j = a, more_2 = a < b;
            more_2;
            more_2 = b - j > (unsigned long long)step, j += more_2 ? (unsigned long long)step : 0
        ) {
            digits[i * 8 + 4] = digits[i * 8 + 4] * 10 + (int)(j - 0ULL);
        }
        for (unsigned long long j = a, more_3 = a <= b; more_3; more_3 = b - j >= 2ULL, j += more_3 ? 2 : 0) {
            digits[i * 8 + 5] = digits[i * 8 + 5] * 10 + (int)(j - 0ULL);
        }
        for (unsigned long long j = b - 1, more_4 = a < b; more_4; more_4 = j - a >= 2ULL, j -= more_4 ? 2 : 0) {
            digits[i * 8 + 6] = digits[i * 8 + 6] * 10 + (int)(j - 0ULL);
        }
        for (
            unsigned long long j = b, more_5 = a <= b;
            more_5;
            more_5 = j - a >= (unsigned long long)step, j -= more_5 ? (unsigned long long)step : 0
        ) {
            digits[i * 8 + 7] = digits[i * 8 + 7] * 10 + (int)(j - 0ULL);
        }
    }
}


using index_t = unsigned int;

/// Integers of 32 bits read as the other kind, and widened.
extern "C" __global__ void reread_int(
    const int* __restrict__ x,
    const unsigned int* __restrict__ u,
    unsigned int* __restrict__ unsigned_,
    int* __restrict__ signed_,
    long long* __restrict__ wide,
    unsigned long long* __restrict__ wide_unsigned,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        unsigned_[i] = (unsigned int)x[i];
        signed_[i] = (int)u[i];
        wide[i] = (long long)x[i] * 2LL - (long long)u[i];
        wide_unsigned[i] = (unsigned long long)x[i] ^ (unsigned long long)u[i];
    }
}


using index_t = unsigned int;

/// Ranges of unsigned numbers that were negative.
extern "C" __global__ void reread_ranges(
    const int* __restrict__ first,
    const int* __restrict__ last,
    int* __restrict__ count,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        const unsigned int j_start = (unsigned int)first[i];
        const unsigned int j_end = (unsigned int)last[i];
        for (unsigned int j = j_start, more = j_start <= j_end; more; more = j < j_end, j += more) {
            count[i] += 1 + (int)(j % 2u) * 10;
        }
        const unsigned long long j_start_1 = (unsigned long long)first[i];
        const unsigned long long j_end_1 = (unsigned long long)last[i];
        for (
            unsigned long long j = j_end_1, more_1 = j_start_1 <= j_end_1;
            more_1;
            more_1 = j_start_1 < j, j -= more_1
        ) {
            count[i] += 100 + (int)(j % 2ULL) * 1000;
        }
    }
}


using index_t = unsigned int;

/// Loops after loops over variables of one name and several types, and a local that is called like them afterwards.
extern "C" __global__ void reused_loops(
    const unsigned int* __restrict__ n,
    int* __restrict__ total,
    float* __restrict__ j,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        int sum = 0;
        const int k_end = (int)n[i];
        for (int k = 0; k < k_end; ++k) {
            sum += k;
        }
        const unsigned int k_end_1 = n[i];
        for (unsigned int k = 0u; k < k_end_1; ++k) {
            sum += (int)k * 10;
        }
        const index_t k_end_2 = (index_t)n[i];
        for (index_t k = 0; k < k_end_2; ++k) {
            for (index_t k_1 = 0; k_1 < k; ++k_1) {
                sum += (int)k_1 * 100;
            }
            sum += (int)k * 1000;
        }
        const float k = (float)sum * 0.5f;
        j[i] = k;
        const int sum_1 = sum + 1;
        total[i] = sum_1;
    }
}


using index_t = unsigned int;

__device__ inline float fract(float x) { return x - truncf(x); }

/// Halves go away from zero; what is just below a half does not.
extern "C" __global__ void rounding(
    const float* __restrict__ x,
    float* __restrict__ round_,
    float* __restrict__ floor,
    float* __restrict__ ceil,
    float* __restrict__ trunc,
    float* __restrict__ fract_,
    double* __restrict__ double_,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        round_[i] = roundf(x[i]);
        floor[i] = floorf(x[i]);
        ceil[i] = ceilf(x[i]);
        trunc[i] = truncf(x[i]);
        fract_[i] = fract(x[i]);
        double_[i] = round((double)x[i]);
    }
}


using index_t = unsigned int;

/// A name that stands for one thing after the other, of the same and of other types.
extern "C" __global__ void shadowing(
    const int* __restrict__ x,
    float scale,
    int count,
    float* __restrict__ out,
    int* __restrict__ left,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        float scale_1 = scale;
        int count_1 = count;
        const int x_1 = x[i];
        const int x_2 = x_1 + 1;
        const float x_3 = (float)x_2 * scale_1;
        const bool x_4 = x_3 > 4.0f;
        const int scale_2 = x_4 ? 10 : 20;
        const int y = scale_2 + 1;
        for (int x_5 = 0; x_5 < y; ++x_5) {
            const int y_1 = x_5 * 2;
            count_1 += y_1 % 3;
            const float count_2 = 7.5f;
            scale_1 += count_2;
        }
        if (y > 15) {
            const int x_5 = y;
            count_1 -= x_5;
        }
        const float i_1 = (float)i + x_3;
        out[i] = i_1 + scale_1;
        left[i] = count_1;
    }
}


using index_t = unsigned int;

// The bits move as if unsigned: a negative value may be shifted.
__device__ inline int shl(int x, int n) { return (int)((unsigned int)x << n); }

// The bits move as if unsigned: a negative value may be shifted.
__device__ inline long long shl(long long x, long long n) { return (long long)((unsigned long long)x << n); }

/// The sign fills a signed number that moves down; a bit may move into the sign.
extern "C" __global__ void shifts(
    const int* __restrict__ x,
    const int* __restrict__ n,
    int* __restrict__ down,
    int* __restrict__ up,
    unsigned int* __restrict__ down_unsigned,
    long long* __restrict__ long_,
    int* __restrict__ in_place,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        down[i] = x[i] >> n[i];
        up[i] = shl(x[i], n[i]);
        down_unsigned[i] = (unsigned int)x[i] >> (unsigned int)n[i];
        long_[i] = shl((long long)x[i], 31LL) >> 33LL;
        in_place[i] = x[i] ^ 1;
        in_place[i] >>= 2;
        in_place[i] = shl(in_place[i], 3);
    }
}


using index_t = unsigned int;

/// Quotients go towards zero, remainders have the sign of the dividend.
extern "C" __global__ void signed_division(
    const int* __restrict__ a,
    const int* __restrict__ b,
    int* __restrict__ quotient,
    int* __restrict__ remainder,
    int* __restrict__ in_place,
    int* __restrict__ constant,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        quotient[i] = a[i] / b[i];
        remainder[i] = a[i] % b[i];
        in_place[i] /= b[i];
        in_place[i] = in_place[i] * 100 + quotient[i] / 2;
        in_place[i] %= 7;
        constant[i] = -7 / 2 * 10 + -7 % 2 + a[i] / -4 + a[i] % -4;
    }
}


using index_t = unsigned int;

__device__ inline float signum(float x) { return x != x ? x : copysignf(1.0f, x); }
__device__ inline int signum(int x) { return (x > 0) - (x < 0); }

/// Signs of zeros and of NaN.
extern "C" __global__ void signs(
    const float* __restrict__ x,
    const int* __restrict__ n,
    float* __restrict__ sign,
    float* __restrict__ copied,
    float* __restrict__ negated,
    float* __restrict__ absolute,
    int* __restrict__ whole,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        sign[i] = signum(x[i]);
        copied[i] = copysignf(3.0f, x[i]);
        negated[i] = -x[i];
        absolute[i] = fabsf(-x[i]) + -fabsf(x[i]);
        whole[i] = signum(n[i]) * 10 + abs(n[i]);
    }
}


using index_t = unsigned int;

__device__ inline float signum(float x) { return x != x ? x : copysignf(1.0f, x); }

/// A kernel that calls a helper of its own name.
extern "C" __global__ void signum(const float* __restrict__ x, float* __restrict__ out, index_t dim) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        out[i] = -signum(x[i]) * 2.0f;
    }
}


using index_t = unsigned int;

/// Every thread takes a ticket of its own.
extern "C" __global__ void tickets(
    unsigned int* __restrict__ next,
    unsigned int* __restrict__ order,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        const unsigned int ticket = atomicAdd(&next[0], 1u);
        order[(index_t)ticket] += 1u;
        if (i % 2 == 0) {
            atomicAdd(&next[0], 0u);
        }
    }
}


using index_t = unsigned int;

/// A loop whose bounds are constants and whose variable is not named; Warp writes its body out.
extern "C" __global__ void unnamed_loops(
    int k,
    const unsigned int* __restrict__ n,
    int* __restrict__ out,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        int total = k;
        for (int j = 0; j < 3; ++j) {
            for (unsigned int l = 1u; l <= 2u; ++l) {
                int inner = 0;
                const unsigned int m_end = n[i];
                for (unsigned int m = 0u; m < m_end; ++m) {
                    inner += 1;
                }
                total = total * 2 + inner;
            }
        }
        out[i] = total;
    }
}


using index_t = unsigned int;

__device__ inline unsigned int saturating_sub(unsigned int a, unsigned int b) { return a > b ? a - b : 0; }
__device__ inline unsigned int abs_diff(unsigned int a, unsigned int b) { return a > b ? a - b : b - a; }
__device__ inline unsigned long long saturating_sub(unsigned long long a, unsigned long long b) { return a > b ? a - b : 0; }

/// Differences of unsigned numbers, where a test says that they exist.
extern "C" __global__ void unsigned_difference(
    const unsigned int* __restrict__ a,
    const unsigned int* __restrict__ b,
    unsigned int* __restrict__ difference,
    unsigned int* __restrict__ distance,
    int* __restrict__ below,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        difference[i] = a[i] >= b[i] ? a[i] - b[i] : saturating_sub(a[i], b[i]) + 100u;
        distance[i] = abs_diff(a[i], b[i]);
        int count = 0;
        const index_t j_end = saturating_sub(i, (index_t)1);
        for (index_t j = 0; j < j_end; ++j) {
            if (i - j > 2 && i - j - 2 < (index_t)a[i]) {
                count += 1;
            }
        }
        below[i] = count;
    }
}


using index_t = unsigned int;

/// A list is followed until it does not go up any more.
extern "C" __global__ void while_on_data(
    const unsigned int* __restrict__ next,
    unsigned int* __restrict__ length,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        index_t at = i;
        unsigned int steps = 0u;
        while ((index_t)next[at] > at) {
            at = (index_t)next[at];
            steps += 1u;
        }
        length[i] = steps;
    }
}


using index_t = unsigned int;

__device__ inline int wrapping_add(int a, int b) { return (int)((unsigned int)a + (unsigned int)b); }
__device__ inline int wrapping_sub(int a, int b) { return (int)((unsigned int)a - (unsigned int)b); }
__device__ inline int wrapping_mul(int a, int b) { return (int)((unsigned int)a * (unsigned int)b); }
__device__ inline long long wrapping_mul(long long a, long long b) { return (long long)((unsigned long long)a * (unsigned long long)b); }
__device__ inline long long wrapping_sub(long long a, long long b) { return (long long)((unsigned long long)a - (unsigned long long)b); }
__device__ inline long long wrapping_add(long long a, long long b) { return (long long)((unsigned long long)a + (unsigned long long)b); }

/// Arithmetic modulo 2³² and 2⁶⁴.
extern "C" __global__ void wrapping(
    const int* __restrict__ a,
    const int* __restrict__ b,
    int* __restrict__ sum,
    int* __restrict__ difference,
    int* __restrict__ product,
    unsigned int* __restrict__ unsigned_,
    long long* __restrict__ long_,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        sum[i] = wrapping_add(a[i], b[i]);
        difference[i] = wrapping_sub(a[i], b[i]);
        product[i] = wrapping_mul(a[i], b[i]);
        unsigned_[i] = (unsigned int)a[i] * (unsigned int)b[i] - 1u + 2654435769u;
        const long long wide = (long long)a[i] * 4294967296LL;
        long_[i] =
            wrapping_add(wrapping_sub(wrapping_mul(wide, (long long)b[i] * 3LL), wide), (-9223372036854775807LL - 1));
    }
}


using index_t = unsigned int;

struct vec4 {
    float x, y, z, w;
};

struct mat44 {
    vec4 x_axis, y_axis, z_axis, w_axis;
};

struct vec2 {
    float x, y;
};

struct mat22 {
    vec2 x_axis, y_axis;
};

__device__ inline vec4 splat_vec4(float s) { return {s, s, s, s}; }
__device__ inline mat44 from_diagonal(vec4 d) { return {{d.x, 0, 0, 0}, {0, d.y, 0, 0}, {0, 0, d.z, 0}, {0, 0, 0, d.w}}; }
__device__ inline vec4 operator*(vec4 a, vec4 b) { return {a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w}; }
__device__ inline vec4 operator*(vec4 a, float s) { return {a.x * s, a.y * s, a.z * s, a.w * s}; }
__device__ inline vec4 operator+(vec4 a, vec4 b) { return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w}; }
__device__ inline vec4 operator-(vec4 a, vec4 b) { return {a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w}; }
__device__ inline float element_sum(vec4 v) { return v.x + v.y + v.z + v.w; }
__device__ inline mat44 operator*(mat44 a, float s) { return {a.x_axis * s, a.y_axis * s, a.z_axis * s, a.w_axis * s}; }

// The adjugate divided by the determinant.
__device__ inline mat44 inverse(mat44 m) {
    const vec4 a = m.x_axis, b = m.y_axis, c = m.z_axis, d = m.w_axis;
    // The minors of two columns at a time, for each pair of rows.
    const float cd_zw = c.z * d.w - d.z * c.w, bd_zw = b.z * d.w - d.z * b.w, bc_zw = b.z * c.w - c.z * b.w;
    const float cd_yw = c.y * d.w - d.y * c.w, bd_yw = b.y * d.w - d.y * b.w, bc_yw = b.y * c.w - c.y * b.w;
    const float cd_yz = c.y * d.z - d.y * c.z, bd_yz = b.y * d.z - d.y * b.z, bc_yz = b.y * c.z - c.y * b.z;
    const float cd_xw = c.x * d.w - d.x * c.w, bd_xw = b.x * d.w - d.x * b.w, bc_xw = b.x * c.w - c.x * b.w;
    const float cd_xz = c.x * d.z - d.x * c.z, bd_xz = b.x * d.z - d.x * b.z, bc_xz = b.x * c.z - c.x * b.z;
    const float cd_xy = c.x * d.y - d.x * c.y, bd_xy = b.x * d.y - d.x * b.y, bc_xy = b.x * c.y - c.x * b.y;
    const vec4 zw = {cd_zw, cd_zw, bd_zw, bc_zw};
    const vec4 yw = {cd_yw, cd_yw, bd_yw, bc_yw};
    const vec4 yz = {cd_yz, cd_yz, bd_yz, bc_yz};
    const vec4 xw = {cd_xw, cd_xw, bd_xw, bc_xw};
    const vec4 xz = {cd_xz, cd_xz, bd_xz, bc_xz};
    const vec4 xy = {cd_xy, cd_xy, bd_xy, bc_xy};
    const vec4 x = {b.x, a.x, a.x, a.x};
    const vec4 y = {b.y, a.y, a.y, a.y};
    const vec4 z = {b.z, a.z, a.z, a.z};
    const vec4 w = {b.w, a.w, a.w, a.w};
    const vec4 even = {1, -1, 1, -1};
    const vec4 odd = {-1, 1, -1, 1};
    const mat44 adjugate = {
        (y * zw - z * yw + w * yz) * even,
        (x * zw - z * xw + w * xz) * odd,
        (x * yw - y * xw + w * xy) * even,
        (x * yz - y * xz + z * xy) * odd,
    };
    const vec4 first_row = {adjugate.x_axis.x, adjugate.y_axis.x, adjugate.z_axis.x, adjugate.w_axis.x};
    return adjugate * (1.0f / element_sum(a * first_row));
}

__device__ inline vec2 splat_vec2(float s) { return {s, s}; }
__device__ inline mat22 from_diagonal(vec2 d) { return {{d.x, 0}, {0, d.y}}; }
__device__ inline float determinant(mat22 m) { return m.x_axis.x * m.y_axis.y - m.x_axis.y * m.y_axis.x; }

__device__ inline mat22 inverse(mat22 m) {
    const float r = 1.0f / determinant(m);
    return {{m.y_axis.y * r, m.x_axis.y * -r}, {m.y_axis.x * -r, m.x_axis.x * r}};
}

/// Cofactors that are zero get a sign, too.
extern "C" __global__ void zeros_of_inverses(
    const float* __restrict__ x,
    mat44* __restrict__ four,
    mat22* __restrict__ two,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        four[i] = inverse(from_diagonal(splat_vec4(x[i])));
        two[i] = inverse(from_diagonal(splat_vec2(x[i])));
    }
}
