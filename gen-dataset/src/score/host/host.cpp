// Runs the kernel of an answer on launches that its parent has drawn. The answer is a shared library of its own; this
// program is built before any answer is seen.
//
//     host ANSWER.so CALLER.so ENTRY
//
// File descriptor 3 holds the request, as little-endian 64-bit numbers: a magic number, the number of launches, the place
// and length of the system-call filter that is installed before the kernel runs, then the launches. A launch is blocks
// and threads along x, y, z, the number of blocks in a wave, whether the blocks of a wave run backwards, the most work
// that may be done, the place of the report, the number of arguments, and for each argument its kind, size and place.
//
// The program writes arrays back to where they came from, and after each launch a report: how it ended, the work of all
// threads, and that of the longest thread. The parent reads both when no process of this one is left, and decides. What
// this program prints or returns decides nothing.

#include <cstdint>
#include <cstdio>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <math.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

struct uint3 { unsigned int x, y, z; };
extern "C" {
uint3 threadIdx, blockIdx, blockDim, gridDim;
}

#define WEFT_AS_ON_GPU
#define WEFT_STACK (1 << 20)
//@memory
//@words
//@block
//@grid

namespace {

const int REQUEST = 3;
const std::uint64_t MAGIC = 0x57656674'53636f72;
enum Kind : std::uint64_t { VALUE, READ_ONLY, WRITTEN };
enum End : std::uint64_t { NEVER, DONE, TOO_MUCH_WORK };

[[noreturn]] void fail(const char* what) {
    std::fprintf(stderr, "%s\n", what);
    std::_Exit(3);
}

void read_at(void* into, std::size_t size, std::uint64_t place) {
    char* bytes = static_cast<char*>(into);
    while (size > 0) {
        const ssize_t got = pread(REQUEST, bytes, size, (off_t)place);
        if (got <= 0) fail("the request is cut off");
        bytes += got, place += (std::uint64_t)got, size -= (std::size_t)got;
    }
}

void write_at(const void* from, std::size_t size, std::uint64_t place) {
    const char* bytes = static_cast<const char*>(from);
    while (size > 0) {
        const ssize_t put = pwrite(REQUEST, bytes, size, (off_t)place);
        if (put <= 0) fail("the results cannot be written");
        bytes += put, place += (std::uint64_t)put, size -= (std::size_t)put;
    }
}

// ---- Work ----

// The text of the answer counts its instructions at `%gs:0`, in a page whose address no register and no variable holds.
void count_work() {
    void* page = mmap(nullptr, weft_block::PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) fail("there is no memory");
    const long ARCH_SET_GS = 0x1001;
    if (syscall(SYS_arch_prctl, ARCH_SET_GS, page) != 0) fail("work cannot be counted");
}

std::uint64_t counted() {
    std::uint64_t count;
    asm volatile("movq %%gs:0, %0" : "=r"(count));
    return count;
}

/// The work of each thread of the block.
std::uint64_t work[weft_block::MOST];
std::uint64_t total, longest, most, since;

void stop_counting() { work[weft_block::running] += counted() - since; }
void start_counting() { since = counted(); }

/// Adds up the work of the block that has run.
void end_work() {
    for (std::uint64_t& of_thread : work) {
        total += of_thread;
        if (of_thread > longest) longest = of_thread;
        of_thread = 0;
    }
}

// ---- The answer ----

/// The answer's shared memory, which is thread-local there.
char* shared = nullptr;
std::size_t shared_size = 0;

int find_shared(dl_phdr_info* info, std::size_t, void* module) {
    if (info->dlpi_tls_modid != *static_cast<std::size_t*>(module)) return 0;
    for (int k = 0; k < info->dlpi_phnum; ++k) {
        if (info->dlpi_phdr[k].p_type == PT_TLS) shared_size = info->dlpi_phdr[k].p_memsz;
    }
    return 1;
}

struct Index {
    unsigned long module, offset;
};
extern "C" void* __tls_get_addr(Index*);

void open_shared(void* answer) {
    std::size_t module = 0;
    if (dlinfo(answer, RTLD_DI_TLS_MODID, &module) != 0 || module == 0) return;
    dl_iterate_phdr(find_shared, &module);
    Index start = {module, 0};
    shared = static_cast<char*>(__tls_get_addr(&start));
}

void* open(const char* path) {
    void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) fail(dlerror());
    return library;
}

// ---- A launch ----

struct Argument {
    Kind kind;
    std::uint64_t size, place;
    char* bytes;
};

/// An array whose end is at the end of a page, with pages around it that nobody may touch.
char* guarded(std::uint64_t size) {
    const std::uint64_t room = (size + 15) / 16 * 16, pages = (room + weft_block::PAGE - 1) / weft_block::PAGE * weft_block::PAGE;
    void* all = mmap(nullptr, pages + 2 * weft_block::PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) fail("there is no memory");
    char* first = static_cast<char*>(all) + weft_block::PAGE;
    if (pages != 0 && mprotect(first, pages, PROT_READ | PROT_WRITE) != 0) fail("there is no memory");
    std::memset(first, 0x5a, pages);
    return first + pages - room;
}

void protect(const Argument& argument) {
    const std::uint64_t place = (std::uint64_t)argument.bytes / weft_block::PAGE * weft_block::PAGE;
    const std::uint64_t end = ((std::uint64_t)argument.bytes + argument.size + weft_block::PAGE - 1) / weft_block::PAGE * weft_block::PAGE;
    if (end > place) mprotect(reinterpret_cast<void*>(place), end - place, PROT_READ);
}

using Caller = void (*)(void* kernel, void** arguments);

}  // namespace

extern "C" {
void weft_publish(const void* p, size_t size) { weft_memory::publish_bytes(p, size); }
void weft_fence() { weft_memory::fence(); }
void weft_barrier() { stop_counting(), weft_block::barrier(), start_counting(); }
int weft_votes(int vote) {
    stop_counting();
    const int votes = weft_block::votes(vote);
    start_counting();
    return votes;
}
void weft_exchange(unsigned int mask, void* value, size_t size, unsigned int from) {
    stop_counting(), weft_block::exchange_bytes(mask, value, size, from), start_counting();
}
unsigned int weft_thread() { return weft_block::running; }
unsigned int weft_active() {
    const unsigned int first = weft_block::running / 32 * 32;
    unsigned int mask = 0;
    for (unsigned int k = first; k < first + 32 && k < weft_block::count; ++k) {
        if (weft_block::threads[k].state != weft_block::DONE) mask |= 1u << (k - first);
    }
    return mask;
}
void weft_trap() { fail("the kernel traps"); }
// Each byte that these functions touch is work.
void weft_count(std::uint64_t bytes) {
    const std::uint64_t operations = bytes / 8;
    asm volatile("addq %0, %%gs:0" : : "r"(operations) : "memory");
}
void* weft_memcpy(void* to, const void* from, size_t size) { return weft_count(size), std::memcpy(to, from, size); }
void* weft_memmove(void* to, const void* from, size_t size) { return weft_count(size), std::memmove(to, from, size); }
void* weft_memset(void* to, int byte, size_t size) { return weft_count(size), std::memset(to, byte, size); }
int weft_memcmp(const void* a, const void* b, size_t size) { return weft_count(size), std::memcmp(a, b, size); }
}

int main(int count, char** words) {
    if (count != 4) fail("usage: host ANSWER.so CALLER.so ENTRY");
    std::uint64_t place = 0;
    const auto number = [&] {
        std::uint64_t value = 0;
        read_at(&value, sizeof value, place);
        place += sizeof value;
        return value;
    };
    if (number() != MAGIC) fail("file descriptor 3 holds no request");
    const std::uint64_t launches = number(), filter_place = number(), filter_length = number();

    const auto caller = reinterpret_cast<Caller>(dlsym(open(words[2]), "weft_call"));
    if (caller == nullptr) fail("the caller has no function");
    void* answer = open(words[1]);
    void* kernel = dlsym(answer, words[3]);
    if (kernel == nullptr) fail("the answer has no such kernel");
    open_shared(answer);
    count_work();
    weft_block::stack_of(0);

    static sock_filter filter[4096];
    if (filter_length > sizeof filter / sizeof *filter) fail("the filter is too long");
    if (filter_length != 0) {
        read_at(filter, filter_length * sizeof *filter, filter_place);
        sock_fprog program = {(unsigned short)filter_length, filter};
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
            fail("the filter cannot be installed");
        }
    }

    for (std::uint64_t launch = 0; launch < launches; ++launch) {
        uint3 blocks, threads;
        for (uint3* extents : {&blocks, &threads}) {
            for (unsigned int* extent : {&extents->x, &extents->y, &extents->z}) *extent = (unsigned int)number();
        }
        const unsigned int wave = (unsigned int)number();
        const bool backwards = number() != 0;
        most = number();
        const std::uint64_t report = number();
        std::vector<Argument> arguments(number());
        std::vector<void*> given;
        for (Argument& argument : arguments) {
            argument.kind = (Kind)number(), argument.size = number(), argument.place = number();
            argument.bytes = guarded(argument.size);
            read_at(argument.bytes, argument.size, argument.place);
            if (argument.kind == READ_ONLY) protect(argument);
            if (argument.kind == WRITTEN && !weft_memory::track(argument.bytes, argument.size)) fail("there is no memory");
        }
        for (Argument& argument : arguments) {
            given.push_back(argument.kind == VALUE ? (void*)argument.bytes : (void*)&argument.bytes);
        }
        total = longest = 0;
        std::uint64_t end[3] = {DONE, 0, 0};
        weft_grid::run(blocks, threads, wave, backwards, [&] {
            if (weft_block::running == 0) {
                end_work();
                if (most != 0 && total > most) {
                    end[0] = TOO_MUCH_WORK, end[1] = total, end[2] = longest;
                    write_at(end, sizeof end, report);
                    std::_Exit(0);
                }
                std::memset(shared, 0xc7, shared_size);
            }
            start_counting(), caller(kernel, given.data()), stop_counting();
        });
        end_work();
        end[1] = total, end[2] = longest;
        for (const Argument& argument : arguments) {
            if (argument.kind == WRITTEN) write_at(argument.bytes, argument.size, argument.place);
            if (argument.kind == WRITTEN) weft_memory::forget(argument.bytes);
        }
        write_at(end, sizeof end, report);
    }
    std::_Exit(0);
}
