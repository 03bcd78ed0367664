// Runs the threads of a grid. All blocks are in one wave: they begin with the same memory, as blocks that run at the same
// time on a GPU may.
template <class Run>
void each_thread(const harness::Grid& grid, Run run) {
    // Axes that the launch does not have run one block of one thread, but report a nonsense size. So a kernel that
    // mistakes one axis for another gives wrong results.
    const unsigned int nonsense = 1000;
    uint3 blocks = {grid.blocks[0], nonsense, nonsense}, threads = {grid.threads[0], nonsense, nonsense};
    if (grid.axes > 1) blocks.y = grid.blocks[1], threads.y = grid.threads[1];
    if (grid.axes > 2) blocks.z = grid.blocks[2], threads.z = grid.threads[2];
    const uint3 all_blocks = {grid.blocks[0], grid.blocks[1], grid.blocks[2]};
    const uint3 all_threads = {grid.threads[0], grid.threads[1], grid.threads[2]};
    const unsigned int wave = all_blocks.x * all_blocks.y * all_blocks.z;
    weft_grid::run(all_blocks, all_threads, wave, false, [&] {
        gridDim = blocks;
        blockDim = threads;
        run();
    });
}
