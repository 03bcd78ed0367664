// Runs the threads of a grid, one after the other, block after block.
template <class Run>
void each_thread(const harness::Grid& grid, Run run) {
    gridDim = {grid.blocks[0], grid.blocks[1], grid.blocks[2]};
    blockDim = {grid.threads[0], grid.threads[1], grid.threads[2]};
    for (blockIdx.z = 0; blockIdx.z < gridDim.z; ++blockIdx.z)
        for (blockIdx.y = 0; blockIdx.y < gridDim.y; ++blockIdx.y)
            for (blockIdx.x = 0; blockIdx.x < gridDim.x; ++blockIdx.x)
                for (threadIdx.z = 0; threadIdx.z < blockDim.z; ++threadIdx.z)
                    for (threadIdx.y = 0; threadIdx.y < blockDim.y; ++threadIdx.y)
                        for (threadIdx.x = 0; threadIdx.x < blockDim.x; ++threadIdx.x) run();
}
