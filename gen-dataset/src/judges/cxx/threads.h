// Runs the threads of a grid, block after block.
template <class Run>
void each_thread(const harness::Grid& grid, Run run) {
    // Axes that the launch does not have run one block of one thread, but report a nonsense size. So a kernel that
    // mistakes one axis for another gives wrong results.
    const unsigned int nonsense = 1000;
    gridDim = {grid.blocks[0], nonsense, nonsense};
    blockDim = {grid.threads[0], nonsense, nonsense};
    if (grid.axes > 1) gridDim.y = grid.blocks[1], blockDim.y = grid.threads[1];
    if (grid.axes > 2) gridDim.z = grid.blocks[2], blockDim.z = grid.threads[2];
    for (blockIdx.z = 0; blockIdx.z < grid.blocks[2]; ++blockIdx.z)
        for (blockIdx.y = 0; blockIdx.y < grid.blocks[1]; ++blockIdx.y)
            for (blockIdx.x = 0; blockIdx.x < grid.blocks[0]; ++blockIdx.x)
                weft_block::run({grid.threads[0], grid.threads[1], grid.threads[2]}, run);
}
