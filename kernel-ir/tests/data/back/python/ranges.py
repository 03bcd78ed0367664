import warp as wp


@wp.kernel
def ranges(n: int, u: wp.uint32, out: wp.array(dtype=wp.int32)):
    i = wp.tid()
    s = int(0)
    for j in range(4):
        if j == 3:
            continue
        s += s * 2 + j
        s = s % 1000
    for j in range(2, n):
        if j == 3:
            continue
        s += s * 2 + j
        s = s % 1000
    j = int(0)
    while j < n:
        j += 1
        if j == 3:
            continue
        s += s * 2 + j
        s = s % 1000
    j = int(n)
    while j > 0:
        j -= 1
        if j == 3:
            continue
        s += s * 2 + j
        s = s % 1000
    for j in range(n, -5, -3):
        if j == 3:
            continue
        s += s * 2 + j
        s = s % 1000
    for trip in range(0, wp.max(n, -3) - -3, 2):
        j = -3 + trip
        if j == 3:
            continue
        s += s * 2 + j
        s = s % 1000
    for trip_1 in range(int(u)):
        j_1 = wp.uint32(trip_1)
        if int(j_1) == 3:
            continue
        s += s * 2 + int(j_1)
        s = s % 1000
    for trip_2 in range(3):
        j_2 = wp.uint32(4294967293) + wp.uint32(trip_2)
        if int(j_2) == 3:
            continue
        s += s * 2 + int(j_2)
        s = s % 1000
    for trip_3 in range(int(wp.max(u, wp.uint32(9)) - wp.uint32(9))):
        j_3 = u - wp.uint32(trip_3 + 1)
        if int(j_3) == 3:
            continue
        s += s * 2 + int(j_3)
        s = s % 1000
    for trip_4 in range(0, int(wp.max(u, wp.uint32(1)) - wp.uint32(1)), 2):
        j_4 = u - wp.uint32(trip_4 + 1)
        if int(j_4) == 3:
            continue
        s += s * 2 + int(j_4)
        s = s % 1000
    start = u - wp.uint32(2)
    for trip_5 in range(int(wp.max(u, start) - start) + int(u >= start)):
        j_5 = start + wp.uint32(trip_5)
        if int(j_5) == 3:
            continue
        s += s * 2 + int(j_5)
        s = s % 1000
    end = wp.int64(n)
    for trip_6 in range(int(wp.max(end, wp.int64(-2)) - wp.int64(-2)) + int(end >= wp.int64(-2))):
        j_6 = end - wp.int64(trip_6)
        if int(j_6) == 3:
            continue
        s += s * 2 + int(j_6)
        s = s % 1000
    for trip_7 in range(0, 7, 2):
        j_7 = wp.int64(-2) + wp.int64(trip_7)
        if int(j_7) == 3:
            continue
        s += s * 2 + int(j_7)
        s = s % 1000
    for j in range(5, 2):
        if j == 3:
            continue
        s += s * 2 + j
        s = s % 1000
    out[i] = s
