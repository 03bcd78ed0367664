import warp as wp


@wp.kernel
def edit_distance(
    first_len: int,
    second_len: int,
    first: wp.array2d(dtype=wp.uint32),
    second: wp.array2d(dtype=wp.uint32),
    costs: wp.array2d(dtype=wp.uint32),
    distance: wp.array(dtype=wp.uint32),
):
    """Levenshtein's edit distance of two words a row. `costs` is each thread's line of the table:
    in the end the cost of turning the first word into each beginning of the second.
    """
    i = wp.tid()
    for k in range(second_len + 1):
        costs[i, k] = wp.uint32(k)
    for j in range(first_len):
        diagonal = costs[i, 0]
        costs[i, 0] = wp.uint32(j) + wp.uint32(1)
        for k in range(second_len):
            above = costs[i, k + 1]
            replaced = diagonal + (wp.uint32(0) if first[i, j] == second[i, k] else wp.uint32(1))
            costs[i, k + 1] = wp.min(
                wp.min(replaced, above + wp.uint32(1)),
                costs[i, k] + wp.uint32(1),
            )
            diagonal = above
    distance[i] = costs[i, second_len]
