// The memory of a GPU as its threads see it, in warps of 32 threads. Other threads see the stores of a thread only after a
// synchronisation: a barrier, a shuffle, a fence or the end of the block. If several threads store to one address, the last
// store wins, as on a GPU. So a missing atomic operation is visible.
#define WEFT_AS_ON_GPU

#include <cstdlib>
#include <cstring>
#include <vector>

namespace weft_memory {

/// The memory as the running thread sees it (`seen`), as it was at the last synchronisation (`met`), and with all stores
/// since then (`latest`).
struct Area {
    char *seen, *met, *latest;
    size_t size;
};

static std::vector<Area> areas;

/// Makes the result of an atomic operation at `p` visible to all threads at once.
template <class T> void publish(const T* p) {
    for (const Area& area : areas) {
        const size_t at = (size_t)((const char*)p - area.seen);
        if ((const char*)p < area.seen || at >= area.size) continue;
        std::memcpy(area.met + at, p, sizeof *p);
        std::memcpy(area.latest + at, p, sizeof *p);
    }
}

/// Saves the stores of the running thread before another thread runs.
static inline void leave() {
    for (const Area& area : areas) {
        if (std::memcmp(area.seen, area.met, area.size) == 0) continue;
        for (size_t k = 0; k < area.size; ++k) {
            if (area.seen[k] != area.met[k]) area.latest[k] = area.seen[k];
        }
        std::memcpy(area.seen, area.met, area.size);
    }
}

/// Synchronises: all threads see the stores of all threads.
static inline void meet() {
    for (const Area& area : areas) {
        std::memcpy(area.seen, area.latest, area.size);
        std::memcpy(area.met, area.latest, area.size);
    }
}

static inline void* allocate(size_t size) {
    const size_t room = size ? size : 1;
    char* bytes = static_cast<char*>(std::calloc(3, room));
    if (bytes != nullptr) areas.push_back({bytes, bytes + room, bytes + 2 * room, room});
    return bytes;
}

static inline void free(void* p) {
    for (size_t k = 0; k < areas.size(); ++k) {
        if (areas[k].seen == p) areas.erase(areas.begin() + (long)k);
    }
    std::free(p);
}

}  // namespace weft_memory
