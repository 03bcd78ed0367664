//! Reserved names: the keywords of C++, and the names that the headers of CUDA and C define.
//!
//! A local may hide a function of these headers (`y0`, `exp`) if nothing calls it. A kernel must not have its name,
//! because both are in the global namespace.

use crate::back::names::WordSet;
use crate::ir::{Kernel, Type};
use std::sync::LazyLock;

/// Whether `name` has a meaning everywhere: it is a keyword, a macro, or a built-in of CUDA.
pub(super) fn is_word(name: &str) -> bool {
    static WORDS: LazyLock<WordSet> = LazyLock::new(|| words(&[CPP, CUDA, MACROS]));
    WORDS.contains(name)
}

/// Whether `name` cannot be the name of a global function.
pub(super) fn is_global(name: &str) -> bool {
    static FUNCTIONS: LazyLock<WordSet> = LazyLock::new(|| words(&[LIBRARY]));
    let base = name.strip_suffix(['f', 'l']).unwrap_or(name);
    is_word(name) || FUNCTIONS.contains(name) || FUNCTIONS.contains(base) || Type::from_name(name).is_some()
}

/// The name of the emitted function: that of the kernel, with underscores appended if C++ or CUDA use it.
pub fn entry_name(kernel: &Kernel) -> String {
    let mut name = kernel.name.trim_start_matches("r#").to_owned();
    while is_global(&name) {
        name.push('_');
    }
    name
}

fn words(lists: &[&'static str]) -> WordSet {
    WordSet::new(lists.iter().flat_map(|list| list.split_ascii_whitespace()))
}

/// C++20's keywords, and the names that the writer defines.
const CPP: &str = "
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class compl
    concept const consteval constexpr constinit const_cast continue co_await co_return co_yield decltype default delete
    do double dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable
    namespace new noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast
    requires return short signed sizeof static static_assert static_cast struct switch template this thread_local throw
    true try typedef typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq typeof index_t
    std weft bfloat16
";

/// The names that CUDA's compilers define.
const CUDA: &str = "
    threadIdx blockIdx blockDim gridDim warpSize dim3 uint3 cudaError_t cudaStream_t
    char1 char2 char3 char4 uchar1 uchar2 uchar3 uchar4 short1 short2 short3 short4 ushort1 ushort2 ushort3 ushort4
    int1 int2 int3 int4 uint1 uint2 uint4 long1 long2 long3 long4 ulong1 ulong2 ulong3 ulong4
    longlong1 longlong2 longlong3 longlong4 ulonglong1 ulonglong2 ulonglong3 ulonglong4
    float1 float2 float3 float4 double1 double2 double3 double4
";

/// Macros of the headers, and of compilers in their GNU modes.
const MACROS: &str = "
    INFINITY NAN NULL HUGE_VAL HUGE_VALF HUGE_VALL FP_NAN FP_INFINITE FP_ZERO FP_SUBNORMAL FP_NORMAL FP_ILOGB0
    FP_ILOGBNAN MATH_ERRNO MATH_ERREXCEPT RAND_MAX EXIT_SUCCESS EXIT_FAILURE
    M_E M_LOG2E M_LOG10E M_LN2 M_LN10 M_PI M_PI_2 M_PI_4 M_1_PI M_2_PI M_2_SQRTPI M_SQRT2 M_SQRT1_2
    assert errno linux unix i386 offsetof
";

/// What `<cmath>`, `<cstdlib>`, NVRTC or CUDA's headers for floats of 16 bits declare in the global namespace, without the
/// suffixes `f` and `l`.
const LIBRARY: &str = "
    acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh cospi cyl_bessel_i0 cyl_bessel_i1 drem erf erfc
    erfcinv erfcx erfinv exp exp10 exp2 expm1 fabs fdim fdivide finite floor fma fmax fmin fmod fpclassify frexp gamma
    hypot ilogb isfinite isgreater isgreaterequal isinf isless islessequal islessgreater isnan isnormal isunordered j0
    j1 jn ldexp lgamma llrint llround log log10 log1p log2 logb lrint lround max min modf nan nearbyint nextafter
    nexttoward norm norm3d norm4d normcdf normcdfinv pow pow10 powi rcbrt remainder remquo rhypot rint rnorm rnorm3d
    rnorm4d round rsqrt scalb scalbln scalbn signbit signgam significand sin sincos sincospi sinh sinpi sqrt tan tanh
    tgamma trunc y0 y1 yn
    main abort abs aligned_alloc at_quick_exit atexit atof atoi atol atoll bsearch calloc clearenv div drand48 ecvt erand48
    exit fcvt free gcvt getenv getloadavg getsubopt initstate jrand48 labs lcong48 ldiv llabs lldiv llmax llmin lrand48
    malloc mblen mbstowcs mbtowc mkdtemp mkstemp mktemp mrand48 nrand48 on_exit putenv qecvt qfcvt qgcvt qsort
    quick_exit rand rand_r random realloc reallocarray realpath rpmatch seed48 select setenv setstate srand srand48
    srandom strtod strtol strtoll strtoq strtoul strtoull strtouq system ullmax ullmin umax umin unsetenv valloc
    wcstombs wctomb
    assert clock memcpy memmove memset memcmp printf puts putchar strlen tex1D tex2D tex3D
    half half2 nv_bfloat16 nv_bfloat162
    atomicAdd atomicSub atomicExch atomicMin atomicMax atomicInc atomicDec atomicCAS atomicAnd atomicOr atomicXor
";
