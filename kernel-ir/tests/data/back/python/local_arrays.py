#- first values, and none
import warp as wp


@wp.kernel
def k(x: wp.array(dtype=wp.float32), y: wp.array(dtype=wp.float32)):
    i = wp.tid()
    w = wp.zeros(shape=3, dtype=float)
    w[0] = 0.25
    w[1] = x[i]
    w[2] = 0.25
    v = wp.zeros(shape=2, dtype=wp.vec3)
    v[0] = wp.vec3(x[i])
    v[1] = wp.vec3(x[i], 1.0, 2.0)
    b = wp.zeros(shape=2, dtype=bool)
    b[0] = x[i] > 0.0
    b[1] = b[0]
    count = wp.zeros(shape=2, dtype=int)
    m = wp.zeros(shape=2, dtype=wp.mat33)
    for j in range(3):
        count[j % 2] += 1
        v[j % 2].x = v[j % 2].x * w[j]
        v[j % 2][j] -= w[j]
        m[j % 2][:, j] = v[0]
        m[1][1, 1] += 1.0
    if b[count[0] % 2]:
        y[i] = v[count[1] % 2].x + m[0][0, 2]
