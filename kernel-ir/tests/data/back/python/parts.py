from typing import Any

import warp as wp


@wp.func
def mat_mul(a: Any, b: Any):
    r = a * b
    for j in range(len(b[0])):
        r[:, j] = a * b[:, j]
    return r


@wp.kernel
def range_(lambda_: wp.array2d(dtype=wp.vec3), double_: wp.array2d(dtype=wp.mat22)):
    i, int_ = wp.tid()
    x = lambda_[i, int_][int_]
    x_1 = lambda_[i, int_]
    x_1.x *= x
    x_1[int_] += 2.0
    x_1 = wp.cw_mul(x_1, x_1)
    lambda_[i, int_] = x_1
    lambda_[i, int_].y = x
    lambda_[i, int_].y = lambda_[i, int_].y / 2.0
    lambda_[i, int_].z -= 2.0
    y = double_[i, int_]
    y[:, 1] = wp.vec2(8.0, 2.0)
    y[:, 0] = y[:, 0] * 2.0
    y[1, 0] -= x
    double_[i, int_] = mat_mul(double_[i, int_], y)
    double_[i, int_][0, 1] = double_[i, int_][0, 1] * 2.0
    matrix = double_[i, int_]
    matrix[:, 0] = wp.vec2(8.0, 2.0)
    double_[i, int_] = matrix
    matrix_1 = double_[i, int_]
    matrix_1[:, 0] -= wp.vec2(8.0, 2.0)
    double_[i, int_] = matrix_1
    matrix_2 = double_[i, int_]
    matrix_2[:, 0] += y * wp.vec2(8.0, 2.0)
    double_[i, int_] = matrix_2
