import warp as wp


@wp.kernel
def control(n: int, out: wp.array(dtype=wp.int32)):
    i = wp.tid()
    last = int(0)
    count = int(0)
    while True:
        count += 1
        if count % 2 == 0:
            continue
        if count > i:
            last = count * 10
            break
        last = int(-1)
    go = bool(True)
    n_1 = n
    while go:
        n_1 -= 1
        if n_1 < 2:
            go = bool(False)
    for a in range(3):
        for b in range(n):
            t = int(1)
            t += b
            count += t
    if i == 2:
        out[i] = -7
        return
    out[i] = last + count * 1000 + n_1
