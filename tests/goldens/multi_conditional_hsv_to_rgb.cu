using index_t = unsigned int;

struct vec3 {
    float x, y, z;
};

// Towards zero; the nearest int where out of range, 0 for NaN.
__device__ inline int to_i32(float x) {
    if (x != x) return 0;
    return x >= (float)2147483647 ? 2147483647 : x <= (float)(-2147483647 - 1) ? (-2147483647 - 1) : (int)x;
}

/// Colour from hue, saturation and value (x, y, z, each 0 to 1) to red, green and blue.
extern "C" __global__ void hsv_to_rgb(
    const vec3* __restrict__ hsv,
    vec3* __restrict__ rgb,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        const float scaled = hsv[i].x * 6.0f;
        const int sector = to_i32(scaled);
        const float along = scaled - (float)sector;
        const float value = hsv[i].z;
        const float low = value * (1.0f - hsv[i].y);
        const float falling = value * (1.0f - hsv[i].y * along);
        const float rising = value * (1.0f - hsv[i].y * (1.0f - along));
        rgb[i] = sector == 0
            ? vec3{value, rising, low}
            : sector == 1
            ? vec3{falling, value, low}
            : sector == 2
            ? vec3{low, value, rising}
            : sector == 3
            ? vec3{low, falling, value}
            : sector == 4
            ? vec3{rising, low, value}
            : vec3{value, low, falling};
    }
}
