// Threads of a block as a GPU runs them, in warps of 32, and memory as they see it: what a thread stores, the others find
// when they have met, at a barrier, a shuffle, a fence or the end of the block. Where several store in one place, the last
// one stays, as on a GPU; so an atomic operation that is missing shows.
#define WEFT_AS_ON_GPU

#include <cstdlib>
#include <cstring>
#include <vector>

namespace weft_memory {

/// Memory as the running thread sees it, as it was when threads met last, and with what all have stored since.
struct Area {
    char *seen, *met, *latest;
    size_t size;
};

static std::vector<Area> areas;

/// What an atomic operation has stored at `p`, all threads find at once.
template <class T> void publish(const T* p) {
    for (const Area& area : areas) {
        const size_t at = (size_t)((const char*)p - area.seen);
        if ((const char*)p < area.seen || at >= area.size) continue;
        std::memcpy(area.met + at, p, sizeof *p);
        std::memcpy(area.latest + at, p, sizeof *p);
    }
}

/// The running thread makes room for another one.
static inline void leave() {
    for (const Area& area : areas) {
        if (std::memcmp(area.seen, area.met, area.size) == 0) continue;
        for (size_t k = 0; k < area.size; ++k) {
            if (area.seen[k] != area.met[k]) area.latest[k] = area.seen[k];
        }
        std::memcpy(area.seen, area.met, area.size);
    }
}

/// Threads have met: all of them find what each has stored.
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
