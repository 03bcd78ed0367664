// The memory of a GPU as its threads see it, in warps of 32 threads. The threads of a block see the stores of a thread
// after a synchronisation: a barrier or a shuffle. Other blocks see them after a fence, or after the end of the wave of
// blocks. All threads see the result of an atomic operation at once. If several threads store to one address, the last
// store wins. So a missing atomic operation is visible, within a block and between blocks.
#define WEFT_MEMORY

#include <cstdlib>
#include <cstring>
#include <vector>

namespace weft_memory {

/// An array of the device, in several states.
struct Area {
    /// As the running thread sees it: the array that the kernel gets.
    char* seen;
    /// As it was at the last synchronisation of the block.
    char* met;
    /// With all stores of the block.
    char* latest;
    /// As a block of this wave finds it at its start.
    char* base;
    /// With all stores of the blocks of this wave.
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

/// Makes the result of an atomic operation at `p` visible to all threads at once.
static inline void publish_bytes(const void* p, size_t size) {
    at(p, [&](const Area& area, size_t place) {
        for (char* copy : {area.met, area.latest, area.base, area.after}) std::memcpy(copy + place, p, size);
    });
}
template <class T> void publish(const T* p) { publish_bytes(p, sizeof *p); }

/// Calls `visit` for each byte that the running thread has stored since the last synchronisation.
template <class Visit> void stored(const Area& area, Visit visit) {
    if (std::memcmp(area.seen, area.met, area.size) == 0) return;
    for (size_t k = 0; k < area.size; ++k) {
        if (area.seen[k] != area.met[k]) visit(k);
    }
}

/// Saves the stores of the running thread before another thread runs.
static inline void leave() {
    for (const Area& area : areas) {
        stored(area, [&](size_t k) { area.latest[k] = area.seen[k], area.seen[k] = area.met[k]; });
    }
}

/// Makes all stores of the running thread visible to all threads.
static inline void fence() {
    for (const Area& area : areas) {
        stored(area, [&](size_t k) {
            for (char* copy : {area.met, area.latest, area.base, area.after}) copy[k] = area.seen[k];
        });
    }
}

/// Synchronises a block: its threads see the stores of all of them.
static inline void meet() {
    for (const Area& area : areas) {
        std::memcpy(area.seen, area.latest, area.size);
        std::memcpy(area.met, area.latest, area.size);
    }
}

/// Starts a launch with the stores of the host.
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

/// Ends a wave: the next one, and the host, see the stores of its blocks.
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

/// Removes the area at `p`.
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
