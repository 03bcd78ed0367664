// Threads as a GPU runs them, in warps of 32, and memory as they see it. A thread finds what other threads of its block
// have stored after it has met them, at a barrier or a shuffle. It finds what threads of other blocks have stored once
// they have passed a fence, or when the wave of blocks has ended. What an atomic operation stores, all threads find at
// once. Where several threads store to one place, the last one stays. So an atomic operation that is missing shows,
// within a block and between blocks.
#define WEFT_AS_ON_GPU

#include <cstdlib>
#include <cstring>
#include <vector>

namespace weft_memory {

/// An array of the device, in several states.
struct Area {
    /// As the running thread sees it. This is the array that the kernel gets.
    char* seen;
    /// As the threads of the block found it when they last met.
    char* met;
    /// With all that the block has stored.
    char* latest;
    /// As a block of this wave finds it when it begins.
    char* base;
    /// With all that the blocks of this wave have stored.
    char* after;
    size_t size;
};

static std::vector<Area> areas;

/// Calls `visit(area, place)` for the area that holds `p`.
template <class Visit> void at(const void* p, Visit visit) {
    for (const Area& area : areas) {
        const char* place = static_cast<const char*>(p);
        if (place >= area.seen && place < area.seen + area.size) visit(area, (size_t)(place - area.seen));
    }
}

/// All threads find what an atomic operation has stored at `p`.
static inline void publish_bytes(const void* p, size_t size) {
    at(p, [&](const Area& area, size_t place) {
        for (char* copy : {area.met, area.latest, area.base, area.after}) std::memcpy(copy + place, p, size);
    });
}
template <class T> void publish(const T* p) { publish_bytes(p, sizeof *p); }

/// Calls `visit` for each byte that the running thread has stored since threads met last.
template <class Visit> void stored(const Area& area, Visit visit) {
    if (std::memcmp(area.seen, area.met, area.size) == 0) return;
    for (size_t k = 0; k < area.size; ++k) {
        if (area.seen[k] != area.met[k]) visit(k);
    }
}

/// The running thread makes room for another one.
static inline void leave() {
    for (const Area& area : areas) {
        stored(area, [&](size_t k) { area.latest[k] = area.seen[k], area.seen[k] = area.met[k]; });
    }
}

/// All threads find what the running thread has stored.
static inline void fence() {
    for (const Area& area : areas) {
        stored(area, [&](size_t k) {
            for (char* copy : {area.met, area.latest, area.base, area.after}) copy[k] = area.seen[k];
        });
    }
}

/// Threads of a block have met: all of them find what each has stored.
static inline void meet() {
    for (const Area& area : areas) {
        std::memcpy(area.seen, area.latest, area.size);
        std::memcpy(area.met, area.latest, area.size);
    }
}

/// A launch begins with what the host has stored.
static inline void begin_launch() {
    for (const Area& area : areas) {
        std::memcpy(area.base, area.seen, area.size);
        std::memcpy(area.after, area.seen, area.size);
    }
}

static inline void begin_block() {
    for (const Area& area : areas) {
        for (char* copy : {area.seen, area.met, area.latest}) std::memcpy(copy, area.base, area.size);
    }
}

static inline void end_block() {
    for (const Area& area : areas) {
        for (size_t k = 0; k < area.size; ++k) {
            if (area.latest[k] != area.base[k]) area.after[k] = area.latest[k];
        }
    }
}

/// The next wave of blocks, or the host, finds what the blocks of this one have stored.
static inline void end_wave() {
    for (const Area& area : areas) {
        std::memcpy(area.base, area.after, area.size);
        std::memcpy(area.seen, area.after, area.size);
    }
}

/// Makes an area of the `size` bytes at `seen`.
static inline bool track(char* seen, size_t size) {
    char* copies = static_cast<char*>(std::malloc(4 * size + 1));
    if (copies == nullptr) return false;
    areas.push_back({seen, copies, copies + size, copies + 2 * size, copies + 3 * size, size});
    return true;
}

static inline void* allocate(size_t size) {
    char* bytes = static_cast<char*>(std::calloc(1, size ? size : 1));
    return bytes != nullptr && track(bytes, size) ? bytes : nullptr;
}

/// `p` is no area any more.
static inline void forget(void* p) {
    for (size_t k = 0; k < areas.size(); ++k) {
        if (areas[k].seen != p) continue;
        std::free(areas[k].met);
        areas.erase(areas.begin() + (long)k);
        return;
    }
}

static inline void free(void* p) {
    forget(p);
    std::free(p);
}

}  // namespace weft_memory
