// A stand-in for NVIDIA's driver and for NVRTC, for machines without a GPU: the functions of both that the runtime calls,
// under their own names, with memory of the host for memory of the device. A program that loads it for libcuda.so and
// libnvrtc.so takes the very way that it takes on a GPU, up to the machine code.
//
// "Compiling" makes a shared library of the CUDA text by the host's C++ compiler, behind the header `cuda_on_host.h` in the
// folder WEFT_STAND_IN; "launching" calls it for one block after the other. What is asked of a stream happens
// as late as it may: when somebody waits for it. So a stream that should have waited for another one finds what was there
// before. Wrong handles and sizes are errors where they are easy to see, as they are there.

#include <dlfcn.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

enum Result { SUCCESS = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, INVALID_DEVICE = 101, INVALID_IMAGE = 200, NOT_FOUND = 500 };

using Launch = void (*)(const unsigned* grid, const unsigned* block, void** args);

struct Function { Launch launch; size_t args; const size_t* sizes; };
/// What was asked of a stream and has not happened yet, and how much was asked and has happened.
struct Stream { std::deque<std::function<void()>> waiting; size_t asked = 0, done = 0; };
using Time = std::chrono::steady_clock::time_point;
/// The point of a stream at which it was recorded, and when that was reached.
struct Event { Stream* stream = nullptr; size_t point = 0; std::shared_ptr<Time> time = std::make_shared<Time>(); };
/// A launch with its own copy of the arguments.
struct Node {
    const Function* function;
    unsigned grid[3], block[3];
    std::vector<std::vector<char>> args;

    Node(const void* of, const unsigned* blocks, const unsigned* threads, void** values)
        : function(static_cast<const Function*>(of)) {
        std::memcpy(grid, blocks, sizeof grid);
        std::memcpy(block, threads, sizeof block);
        for (size_t i = 0; i < function->args; ++i) {
            const char* value = static_cast<const char*>(values[i]);
            args.emplace_back(value, value + function->sizes[i]);
        }
    }
    bool fits() const {
        const unsigned long long threads = 1ull * block[0] * block[1] * block[2];
        return threads != 0 && threads <= 1024 && grid[0] <= 0x7fffffff && grid[1] <= 65535 && grid[2] <= 65535;
    }
    void run() {
        std::vector<void*> values;
        for (auto& arg : args) values.push_back(arg.data());
        function->launch(grid, block, values.data());
    }
};
struct Graph { std::vector<Node> nodes; };

std::mutex memory_lock;
/// The allocations: address and size.
std::map<uint64_t, size_t> memory;
thread_local void* current = nullptr;
int context;

/// Whether all the bytes are of one allocation.
bool is_ours(uint64_t address, size_t bytes) {
    const std::lock_guard<std::mutex> guard(memory_lock);
    auto next = memory.upper_bound(address);
    if (next == memory.begin()) return false;
    const auto& [start, size] = *--next;
    return address + bytes <= start + size;
}

std::string folder() {
    const char* folder = std::getenv("WEFT_STAND_IN");
    return folder ? folder : ".";
}

std::string contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// A file name that no other has.
std::string fresh() {
    static std::mutex lock;
    static int count = 0;
    const std::lock_guard<std::mutex> guard(lock);
    return folder() + "/text-" + std::to_string(getpid()) + "-" + std::to_string(count++);
}

/// Held while streams are asked or waited for. What happens then may wait for another stream.
std::recursive_mutex stream_lock;
std::set<Stream*> streams;

int ask(void* of, std::function<void()> work) {
    const std::lock_guard<std::recursive_mutex> guard(stream_lock);
    Stream* stream = static_cast<Stream*>(of);
    if (!current || !streams.count(stream)) return INVALID_VALUE;
    stream->waiting.push_back(std::move(work));
    ++stream->asked;
    return SUCCESS;
}

/// Makes everything happen up to a point of a stream. A stream that is no more has come to its end.
void reach(Stream* stream, size_t point) {
    const std::lock_guard<std::recursive_mutex> guard(stream_lock);
    while (streams.count(stream) && stream->done < point) {
        const std::function<void()> work = std::move(stream->waiting.front());
        stream->waiting.pop_front();
        work();
        ++stream->done;
    }
}

struct Program { std::string source, name, log; std::vector<char> image; };

/// How an image starts; its length and a shared library follow.
const char MAGIC[] = "stand-in";

/// The name of the kernel in a text.
std::string entry(const std::string& source) {
    const std::string head = "extern \"C\" __global__ void ";
    const size_t start = source.find(head);
    if (start == std::string::npos) return "";
    size_t name = start + head.size();
    // A block kernel says first how many threads a block has.
    if (source.compare(name, 17, "__launch_bounds__") == 0) name = source.find(' ', name) + 1;
    return source.substr(name, source.find('(', name) - name);
}

/// Launches a function of any parameters on arguments of their sizes.
const char TRAMPOLINE[] = R"(
#include <cstddef>
#include <utility>
template <class... A, size_t... I>
static void stand_in_call(void (*f)(A...), void** args, std::index_sequence<I...>) { f(*static_cast<A*>(args[I])...); }
template <class... A> static void stand_in_each(void (*f)(A...), const unsigned* grid, const unsigned* block, void** args) {
    gridDim = {grid[0], grid[1], grid[2]};
    blockDim = {block[0], block[1], block[2]};
    uint3 b;
    for (b.z = 0; b.z < grid[2]; ++b.z) for (b.y = 0; b.y < grid[1]; ++b.y) for (b.x = 0; b.x < grid[0]; ++b.x) {
        blockIdx = b;
        weft_block::run(blockDim, [&] { stand_in_call(f, args, std::index_sequence_for<A...>()); });
    }
}
template <class... A> static constexpr size_t stand_in_count(void (*)(A...)) { return sizeof...(A); }
template <class... A> static const size_t* stand_in_sizes(void (*)(A...)) {
    static const size_t sizes[] = {sizeof(A)..., 0};
    return sizes;
}
extern "C" void stand_in_launch(const unsigned* grid, const unsigned* block, void** args) {
    stand_in_each(&STAND_IN_ENTRY, grid, block, args);
}
extern "C" size_t stand_in_arg_count() { return stand_in_count(&STAND_IN_ENTRY); }
extern "C" const size_t* stand_in_arg_sizes() { return stand_in_sizes(&STAND_IN_ENTRY); }
)";

}  // namespace

extern "C" {

int cuInit(unsigned) { return SUCCESS; }
int cuGetErrorName(int error, const char** name) {
    *name = error == OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY" : error == INVALID_VALUE ? "CUDA_ERROR_INVALID_VALUE" : "CUDA_ERROR";
    return SUCCESS;
}
int cuGetErrorString(int, const char** text) { *text = "as the stand-in sees it"; return SUCCESS; }
int cuDeviceGetCount(int* count) { *count = 1; return SUCCESS; }
int cuDeviceGet(int* device, int ordinal) { *device = ordinal; return ordinal == 0 ? SUCCESS : INVALID_DEVICE; }
int cuDeviceGetName(char* name, int length, int) { std::snprintf(name, length, "host stand-in"); return SUCCESS; }
int cuDeviceGetAttribute(int* value, int attribute, int) {
    // 75 and 76 are the compute capability, 115 says that there are memory pools.
    *value = attribute == 75 ? 9 : attribute == 76 ? 0 : 1;
    return SUCCESS;
}
int cuDeviceGetDefaultMemPool(void** pool, int) { *pool = &context; return SUCCESS; }
int cuMemPoolSetAttribute(void*, int, void*) { return SUCCESS; }
int cuDevicePrimaryCtxRetain(void** out, int) { *out = &context; return SUCCESS; }
int cuDevicePrimaryCtxRelease_v2(int) { return SUCCESS; }
int cuCtxSetCurrent(void* of) { current = of; return SUCCESS; }
int cuCtxGetCurrent(void** out) { *out = current; return SUCCESS; }
int cuCtxSynchronize() {
    const std::lock_guard<std::recursive_mutex> guard(stream_lock);
    for (Stream* stream : streams) reach(stream, stream->asked);
    return SUCCESS;
}

int cuStreamCreate(void** out, unsigned) {
    const std::lock_guard<std::recursive_mutex> guard(stream_lock);
    Stream* stream = new Stream;
    streams.insert(stream);
    *out = stream;
    return SUCCESS;
}
int cuStreamSynchronize(void* of) {
    const std::lock_guard<std::recursive_mutex> guard(stream_lock);
    Stream* stream = static_cast<Stream*>(of);
    if (!current || !streams.count(stream)) return INVALID_VALUE;
    reach(stream, stream->asked);
    return SUCCESS;
}
int cuStreamDestroy_v2(void* of) {
    const std::lock_guard<std::recursive_mutex> guard(stream_lock);
    Stream* stream = static_cast<Stream*>(of);
    if (!streams.count(stream)) return INVALID_VALUE;
    reach(stream, stream->asked);
    // Its memory stays: another stream may still wait for a point of this one, and must not take a new stream for it.
    streams.erase(stream);
    return SUCCESS;
}
int cuStreamWaitEvent(void* of, void* event, unsigned) {
    const Event& point = *static_cast<Event*>(event);
    return ask(of, [stream = point.stream, at = point.point] { reach(stream, at); });
}

int cuMemAllocAsync(uint64_t* address, size_t bytes, void*) {
    if (bytes == 0) return INVALID_VALUE;
    void* block = bytes > (size_t{1} << 34) ? nullptr : std::malloc(bytes);
    if (!block) return OUT_OF_MEMORY;
    // What nobody wrote is not zero.
    std::memset(block, 0xcb, bytes);
    const std::lock_guard<std::mutex> guard(memory_lock);
    memory[*address = reinterpret_cast<uint64_t>(block)] = bytes;
    return SUCCESS;
}
int cuMemFreeAsync(uint64_t address, void* stream) {
    {
        const std::lock_guard<std::mutex> guard(memory_lock);
        if (!memory.count(address)) return INVALID_VALUE;
    }
    return ask(stream, [=] {
        const std::lock_guard<std::mutex> guard(memory_lock);
        memory.erase(address);
        std::free(reinterpret_cast<void*>(address));
    });
}
int cuMemHostAlloc(void** block, size_t bytes, unsigned) {
    *block = std::malloc(bytes);
    if (!*block) return OUT_OF_MEMORY;
    std::memset(*block, 0xcb, bytes);
    return SUCCESS;
}
int cuMemFreeHost(void* block) { std::free(block); return SUCCESS; }
int cuMemcpyHtoDAsync_v2(uint64_t to, const void* from, size_t bytes, void* stream) {
    if (!is_ours(to, bytes)) return INVALID_VALUE;
    // Pageable memory is read before the call returns.
    std::vector<char> copy(static_cast<const char*>(from), static_cast<const char*>(from) + bytes);
    return ask(stream, [to, copy] { std::memcpy(reinterpret_cast<void*>(to), copy.data(), copy.size()); });
}
int cuMemcpyDtoHAsync_v2(void* to, uint64_t from, size_t bytes, void* stream) {
    if (!is_ours(from, bytes)) return INVALID_VALUE;
    return ask(stream, [=] { std::memcpy(to, reinterpret_cast<void*>(from), bytes); });
}
int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, void* stream) {
    if (!is_ours(to, bytes) || !is_ours(from, bytes)) return INVALID_VALUE;
    return ask(stream, [=] { std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<void*>(from), bytes); });
}
int cuMemsetD8Async(uint64_t to, unsigned char byte, size_t bytes, void* stream) {
    if (!is_ours(to, bytes)) return INVALID_VALUE;
    return ask(stream, [=] { std::memset(reinterpret_cast<void*>(to), byte, bytes); });
}

int cuModuleLoadData(void** module, const void* image) {
    const char* bytes = static_cast<const char*>(image);
    if (std::memcmp(bytes, MAGIC, sizeof MAGIC) != 0) return INVALID_IMAGE;
    size_t length;
    std::memcpy(&length, bytes + sizeof MAGIC, sizeof length);
    const std::string path = fresh() + ".so";
    std::ofstream(path, std::ios::binary).write(bytes + sizeof MAGIC + sizeof length, static_cast<std::streamsize>(length));
    *module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    unlink(path.c_str());
    return *module ? SUCCESS : INVALID_IMAGE;
}
int cuModuleGetFunction(void** function, void* module, const char* name) {
    const auto launch = reinterpret_cast<Launch>(dlsym(module, "stand_in_launch"));
    const auto count = reinterpret_cast<size_t (*)()>(dlsym(module, "stand_in_arg_count"));
    const auto sizes = reinterpret_cast<const size_t* (*)()>(dlsym(module, "stand_in_arg_sizes"));
    if (!launch || !count || !sizes || !dlsym(module, name)) return NOT_FOUND;
    *function = new Function{launch, count(), sizes()};
    return SUCCESS;
}
int cuLaunchKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned,
                   void* stream, void** args, void**) {
    const unsigned grid[] = {gx, gy, gz}, block[] = {bx, by, bz};
    Node node(function, grid, block, args);
    return node.fits() ? ask(stream, [node]() mutable { node.run(); }) : INVALID_VALUE;
}

int cuEventCreate(void** event, unsigned) { *event = new Event; return SUCCESS; }
int cuEventDestroy_v2(void* event) { delete static_cast<Event*>(event); return SUCCESS; }
int cuEventRecord(void* of, void* stream) {
    const std::lock_guard<std::recursive_mutex> guard(stream_lock);
    Event& event = *static_cast<Event*>(of);
    if (const int error = ask(stream, [time = event.time] { *time = std::chrono::steady_clock::now(); })) return error;
    event.stream = static_cast<Stream*>(stream);
    event.point = event.stream->asked;
    return SUCCESS;
}
int cuEventSynchronize(void* of) {
    const Event& event = *static_cast<Event*>(of);
    reach(event.stream, event.point);
    return SUCCESS;
}
int cuEventElapsedTime(float* milliseconds, void* start, void* end) {
    const auto passed = *static_cast<Event*>(end)->time - *static_cast<Event*>(start)->time;
    *milliseconds = std::chrono::duration<float, std::milli>(passed).count();
    return SUCCESS;
}

struct KernelNodeParams {
    void* function;
    unsigned grid[3], block[3], shared;
    void** args;
    void **extra, *kernel, *context;
};
int cuGraphCreate(void** graph, unsigned) { *graph = new Graph; return SUCCESS; }
int cuGraphDestroy(void* graph) { delete static_cast<Graph*>(graph); return SUCCESS; }
int cuGraphAddKernelNode_v2(void** node, void* graph, void* const* after, size_t count, const KernelNodeParams* params) {
    std::vector<Node>& nodes = static_cast<Graph*>(graph)->nodes;
    // Only a sequence: each launch after the one before it.
    const bool follows = nodes.empty() ? count == 0 : count == 1 && reinterpret_cast<size_t>(after[0]) == nodes.size();
    if (!follows) return INVALID_VALUE;
    nodes.emplace_back(params->function, params->grid, params->block, params->args);
    if (!nodes.back().fits()) return INVALID_VALUE;
    *node = reinterpret_cast<void*>(nodes.size());
    return SUCCESS;
}
int cuGraphInstantiateWithFlags(void** exec, void* graph, unsigned long long) {
    *exec = new Graph(*static_cast<Graph*>(graph));
    return SUCCESS;
}
int cuGraphExecDestroy(void* exec) { delete static_cast<Graph*>(exec); return SUCCESS; }
int cuGraphLaunch(void* exec, void* stream) {
    return ask(stream, [nodes = static_cast<Graph*>(exec)->nodes]() mutable {
        for (Node& node : nodes) node.run();
    });
}

int nvrtcVersion(int* major, int* minor) { *major = 0; *minor = 1; return SUCCESS; }
const char* nvrtcGetErrorString(int) { return "as the stand-in sees it"; }
int nvrtcCreateProgram(void** program, const char* source, const char* name, int, const char* const*, const char* const*) {
    *program = new Program{source, name, "", {}};
    return SUCCESS;
}
int nvrtcDestroyProgram(void** program) { delete static_cast<Program*>(*program); return SUCCESS; }
// `-Bsymbolic`: a kernel may be called like a function of the C library. Launches are small, so that compiling and linking is
// what takes time: nothing is optimised, and only the libraries that are needed are looked at.
int nvrtcCompileProgram(void* of, int, const char* const*) {
    Program& program = *static_cast<Program*>(of);
    const std::string path = fresh();
    std::ofstream(path + ".cpp") << "#line 1 \"" << program.name << "\"\n" << program.source << "\n#define STAND_IN_ENTRY "
                                 << entry(program.source) << TRAMPOLINE;
    const std::string command = "g++ -std=c++17 -O0 -ffp-contract=off -fno-strict-aliasing -w -shared -fPIC -nostdlib -Wl,-Bsymbolic -I \"" + folder() + "\" -include \"" + folder() +
                                "/cuda_on_host.h\" -o \"" + path + ".so\" \"" + path + ".cpp\" -lm -lc -lgcc 2> \"" + path + ".log\"";
    const bool failed = std::system(command.c_str()) != 0;
    program.log = contents(path + ".log");
    const std::string library = contents(path + ".so");
    for (const char* end : {".cpp", ".so", ".log"}) unlink((path + end).c_str());
    if (failed) return 6;
    const size_t length = library.size();
    program.image.assign(MAGIC, MAGIC + sizeof MAGIC);
    program.image.insert(program.image.end(), reinterpret_cast<const char*>(&length), reinterpret_cast<const char*>(&length + 1));
    program.image.insert(program.image.end(), library.begin(), library.end());
    return SUCCESS;
}
int nvrtcGetCUBINSize(void* program, size_t* size) { *size = static_cast<Program*>(program)->image.size(); return SUCCESS; }
int nvrtcGetCUBIN(void* program, char* image) {
    const std::vector<char>& made = static_cast<Program*>(program)->image;
    std::memcpy(image, made.data(), made.size());
    return SUCCESS;
}
int nvrtcGetProgramLogSize(void* program, size_t* size) { *size = static_cast<Program*>(program)->log.size() + 1; return SUCCESS; }
int nvrtcGetProgramLog(void* program, char* log) {
    std::strcpy(log, static_cast<Program*>(program)->log.c_str());
    return SUCCESS;
}

}  // extern "C"
