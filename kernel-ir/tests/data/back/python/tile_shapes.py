import warp as wp


@wp.func
def k_element(wide: float) -> float:
    return wp.exp(wide)


@wp.func
def k_element_2(value: wp.uint32) -> wp.uint32:
    return value % wp.uint32(8)


@wp.func
def k_element_3(rows: float, value: float, j: int) -> wp.uint32:
    return wp.uint32(j) if rows == value else wp.uint32(8)


@wp.kernel
def k(
    x: wp.array2d(dtype=wp.float32),
    y: wp.array2d(dtype=wp.float32),
    n: wp.array(dtype=wp.int32),
    offsets: wp.array(dtype=wp.int32),
    best: wp.array(dtype=wp.uint32),
    first: wp.array(dtype=wp.uint32),
):
    i = wp.tid()
    rows = wp.tile_load(x, shape=(3, 8), offset=(i * 3, 0))
    wide = wp.tile_reshape(rows, shape=(2, 12))
    wp.tile_store(y, wp.tile_map(k_element, wide), offset=(i * 2, 0))
    wp.tile_store(
        best,
        wp.tile_reshape(
            wp.tile_map(
                k_element_2,
                wp.tile_reshape(
                    wp.tile_reduce(
                        wp.min,
                        wp.tile_map(
                            k_element_3,
                            rows,
                            wp.tile_broadcast(
                                wp.tile_reshape(
                                    wp.tile_reduce(wp.max, rows, axis=1),
                                    shape=(3, 1),
                                ),
                                shape=(3, 8),
                            ),
                            wp.tile_broadcast(
                                wp.tile_reshape(wp.tile_arange(8, dtype=int), shape=(1, 8)),
                                shape=(3, 8),
                            ),
                        ),
                        axis=1,
                    ),
                    shape=(3, 1),
                ),
            ),
            shape=(3,),
        ),
        offset=i * 3,
    )
    counts = wp.tile_reshape(wp.tile_load(n, shape=12, offset=i * 12), shape=(12, 1))
    wp.tile_store(
        offsets,
        wp.tile_reshape(
            wp.tile_scan_exclusive(counts)
                + wp.tile_scan_inclusive(wp.tile_map(wp.mul, counts, 2)),
            shape=(12,),
        ),
        offset=i * 12,
    )
    first[i] = wp.uint32(wp.tile_argmin(wp.tile_reshape(rows, shape=(1, 24)))[0])
