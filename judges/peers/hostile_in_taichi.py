"""The torture cases with infinity and NaN in Taichi and Quadrants."""

NO_RETURN = "a kernel over a parallel loop has no `return` from one of its trips"
NOT_EXPRESSIBLE = {"returns_from_the_loop": NO_RETURN}


def add(ti, kernel, product_of_quaternions):
    """Adds the kernels to those of Taichi or of Quadrants, whichever `ti` is."""
    tm, inf, nan, any_field = ti.math, ti.math.inf, ti.math.nan, ti.template()

    # Both systems refuse to differentiate a kernel that calls their own `isnan` or `isinf`.
    @ti.func
    def is_nan(x):
        return not (x == x)

    @ti.func
    def is_finite(x):
        return abs(x) < inf

    # ---- Overflow ------------------------------------------------------------------------------------------------------

    @kernel
    def factor_of_an_overflow(a: any_field, x: any_field, y: any_field):
        for i in y:
            y[i] = a[None] * (x[i] * x[i])

    @kernel
    def factor_of_an_overflow_f64(a: any_field, x: any_field, y: any_field):
        for i in y:
            y[i] = a[None] * (x[i] * x[i])

    @kernel
    def guarded_product(x: any_field, y: any_field):
        for i in y:
            product = x[0] * x[1]
            if x[0] < 1e10:
                y[i] = product
            else:
                y[i] = 2.0 * x[0]

    @kernel
    def guarded_product_f64(x: any_field, y: any_field):
        for i in y:
            product = x[0] * x[0] * x[1]
            if x[0] < 1e100:
                y[i] = product
            else:
                y[i] = x[1] * x[1]

    @kernel
    def guarded_quotient(x: any_field, y: any_field):
        for i in y:
            quotient = x[0] / x[1]
            if abs(x[1]) > 0.25:
                y[i] = quotient
            else:
                y[i] = x[0] * x[0]

    @kernel
    def guarded_dot(x: any_field, y: any_field):
        for i in y:
            dot = x[0].dot(x[1])
            if dot < 1e30:
                y[i] = dot
            else:
                y[i] = x[0][1] * x[1][2]

    @kernel
    def guarded_cast(x: any_field, y: any_field):
        for i in y:
            narrow = ti.cast(x[0] * x[0], ti.f32)
            square = narrow * narrow
            if x[0] < 1e10:
                y[i] = square
            else:
                y[i] = ti.cast(x[1] * x[1], ti.f32)

    @kernel
    def guarded_sum(x: any_field, y: any_field):
        for i in y:
            total = 0.0
            for k in range(x.shape[0]):
                total += x[k]
            mean = total * total
            if total < 1e30:
                y[i] = mean
            else:
                y[i] = x[0] * x[1]

    @kernel
    def bounded_length(v: any_field, y: any_field):
        for i in y:
            y[i] = ti.min(v[0].norm(), 5.0 * v[0][1] * v[0][2])

    @kernel
    def guarded_exponential(x: any_field, y: any_field):
        for i in y:
            exponential = ti.exp(x[0])
            if x[0] < 50.0:
                y[i] = exponential
            else:
                y[i] = 2.0 * x[0]

    @kernel
    def bounded_power(x: any_field, y: any_field):
        for i in y:
            y[i] = ti.min((x[0] * x[0]) ** 4.0, x[1] * x[1] + 9.0)

    @kernel
    def guarded_polynomial(x: any_field, y: any_field):
        for i in y:
            s = x[1]
            for _k in range(8):
                s = s * x[0] + x[1]
            if is_finite(s):
                y[i] = s
            else:
                y[i] = x[0] * x[1]

    @kernel
    def returns_before_the_overflow(x: any_field, y: any_field):
        for i in y:
            if x[0] > 1e10:
                y[i] = 0.5 * x[0]
            else:
                y[i] = x[0] * x[0] * x[0]

    @kernel
    def sigmoid(x: any_field, y: any_field):
        for i in y:
            y[i] = 1.0 / (1.0 + ti.exp(-x[0]))

    @kernel
    def guarded_softplus(x: any_field, y: any_field):
        for i in y:
            formula = ti.log(1.0 + ti.exp(x[0]))
            if x[0] < 20.0:
                y[i] = formula
            else:
                y[i] = x[0]

    @kernel
    def robust_weight(x: any_field, y: any_field):
        for i in y:
            r = x[0] * x[0]
            y[i] = x[1] / (1.0 + r * r) + x[1] * x[1]

    @kernel
    def gaussian_of_an_outlier(x: any_field, y: any_field):
        for i in y:
            r = x[0] * x[0]
            y[i] = ti.exp(-(r * r)) * x[1] + x[1] * x[1]

    @kernel
    def integer_times_a_large_constant(n: any_field, a: any_field, y: any_field):
        for i in y:
            y[i] = a[None] * (n[i] * 1e37)

    @kernel
    def infinity_as_a_factor(x: any_field, y: any_field):
        for i in y:
            product = x[0] * inf
            if x[1] > 0.25:
                y[i] = x[0] * x[1]
            else:
                y[i] = product

    @kernel
    def guarded_rotation(q: any_field, v: any_field, y: any_field):
        for i in y:
            product = product_of_quaternions(q[0], q[0])
            inner = product.dot(q[0])
            if q[0][0] < 1e10:
                y[i] = inner
            else:
                y[i] = v[0].dot(v[0])

    @kernel
    def guarded_determinant(c: any_field, y: any_field):
        for i in y:
            determinant = ti.Matrix.cols([c[0], c[1], c[2]]).determinant()
            if c[0][0] < 1e100:
                y[i] = determinant
            else:
                y[i] = c[1][1] * c[2][2]

    # ---- Searches ------------------------------------------------------------------------------------------------------

    @kernel
    def nearest_by_branches(x: any_field, y: any_field):
        for i in y:
            nearest = inf
            for k in range(x.shape[0]):
                t = 2.0 / (x[k] * x[k])
                if t < nearest:
                    nearest = t
            y[i] = nearest * nearest

    @kernel
    def nearest_by_min(x: any_field, y: any_field):
        for i in y:
            nearest = inf
            for k in range(x.shape[0]):
                nearest = ti.min(nearest, 2.0 / (x[k] * x[k]))
            y[i] = nearest * nearest

    @kernel
    def weighted_by_the_nearest(x: any_field, y: any_field):
        for i in y:
            nearest = inf
            weight = 0.0
            for k in range(x.shape[0]):
                scaled = nearest * x[k]
                if x[k] < nearest:
                    weight += ti.min(scaled, 8.0)
                    nearest = x[k]
            y[i] = nearest * weight

    @kernel
    def two_nearest(x: any_field, y: any_field):
        for i in y:
            first = inf
            second = inf
            for k in range(x.shape[0]):
                d = x[k] * x[k]
                if d < first:
                    second = first
                    first = d
                elif d < second:
                    second = d
            y[i] = second / first

    @kernel
    def largest_from_minus_infinity(x: any_field, y: any_field):
        for i in y:
            top = -inf
            for k in range(x.shape[0]):
                top = ti.max(top, ti.log(x[k]))
            y[i] = top * top

    @kernel
    def smallest_from_nan(x: any_field, y: any_field):
        for i in y:
            least = nan
            for k in range(x.shape[0]):
                least = ti.min(least, x[k] * x[k])
            y[i] = least

    @kernel
    def ray_and_sphere(x: any_field, y: any_field):
        for i in y:
            discriminant = x[0] * x[0] - x[1]
            t = x[0] - ti.sqrt(discriminant)
            if discriminant > 0.0:
                y[i] = t
            else:
                y[i] = x[0] * x[1]

    @kernel
    def ray_and_box(ray: any_field, y: any_field):
        for i in y:
            inverse = 1.0 / ray[1]
            near = (-2.0 - ray[0]) * inverse
            far = (2.0 - ray[0]) * inverse
            entry = ti.min(near, far).max()
            exit = ti.max(near, far).min()
            y[i] = exit * exit + entry

    @kernel
    def clamped_ratio(x: any_field, y: any_field):
        for i in y:
            y[i] = tm.clamp(x[0] / (x[1] * x[1]), 0.0, 4.0) * x[0]

    @kernel
    def min_leaves_out_infinity(x: any_field, y: any_field):
        for i in y:
            y[i] = ti.min(1.0 / (x[0] * x[0]), x[1] * x[1])

    @kernel
    def max_leaves_out_a_logarithm(x: any_field, y: any_field):
        for i in y:
            y[i] = ti.max(ti.log(x[0] * x[0]), x[1] * x[1] - 3.0)

    @kernel
    def max_leaves_out_nan(x: any_field, y: any_field):
        for i in y:
            y[i] = ti.max(x[0] * x[0], x[1] * x[1])

    @kernel
    def min_of_vectors(v: any_field, y: any_field):
        for i in y:
            least = ti.min(v[0] / (v[1] * v[1]), v[2] * v[2])
            y[i] = least.sum()

    @kernel
    def largest_component(x: any_field, y: any_field):
        for i in y:
            v = ti.Vector([ti.log(x[0] * x[0]), x[1] * x[2], -1.0 / (x[0] * x[0])])
            y[i] = v.max() * x[2]

    # ---- Missing data --------------------------------------------------------------------------------------------------

    @kernel
    def factor_of_missing(a: any_field, x: any_field, y: any_field):
        for i in y:
            product = a[None] * x[i]
            if is_nan(x[i]):
                y[i] = 0.0
            else:
                y[i] = product

    @kernel
    def factor_under_a_mask(a: any_field, mask: any_field, x: any_field, y: any_field):
        for i in y:
            product = a[None] * x[i] * x[i]
            if mask[i] == 0:
                y[i] = 0.0
            else:
                y[i] = product

    @kernel
    def distances_from_a_center(center: any_field, points: any_field, y: any_field):
        for i in y:
            distance = (points[i] - center[None]).norm_sqr()
            if distance < 1e30:
                y[i] = distance
            else:
                y[i] = 0.0

    @kernel
    def total_of_present(a: any_field, x: any_field, total: any_field):
        for i in x:
            square = a[None] * x[i] * x[i]
            if x[i] < 1e10:
                total[0] += square

    @kernel
    def recurrence_of_many_threads(a: any_field, x: any_field, y: any_field):
        for i in y:
            s = 0.0
            for k in range(8):
                s += a[None] * x[i * 8 + k] * x[i * 8 + k]
            y[i] = s

    @kernel
    def residuals_of_a_line(slope: any_field, offset: any_field, x: any_field, label: any_field, y: any_field):
        for i in y:
            residual = slope[None] * x[i] + offset[None] - label[i]
            square = residual * residual
            if is_nan(label[i]):
                y[i] = 0.0
            else:
                y[i] = square

    @kernel
    def missing_neighbour(x: any_field, y: any_field):
        for i in y:
            mean = 0.5 * (x[i] + x[i + 1]) * x[i]
            if is_nan(x[i + 1]) or is_nan(x[i]):
                y[i] = 1.0
            else:
                y[i] = mean

    @kernel
    def sum_of_present(x: any_field, y: any_field):
        for i in y:
            total = 0.0
            for k in range(x.shape[0]):
                square = x[k] * x[k]
                if not is_nan(x[k]):
                    total += square
            y[i] = total

    @kernel
    def mean_of_present(x: any_field, y: any_field):
        for i in y:
            total = 0.0
            count = 0.0
            for k in range(x.shape[0]):
                scaled = x[k] * x[k]
                total += ti.select(is_finite(x[k]), scaled, 0.0)
                count += ti.select(is_finite(x[k]), 1.0, 0.0)
            y[i] = ti.sqrt(total / count)

    @kernel
    def turned_points(q: any_field, points: any_field, y: any_field):
        for i in y:
            point = ti.Vector([points[i][0], points[i][1], points[i][2], 0.0])
            conjugate = ti.Vector([-q[None][0], -q[None][1], -q[None][2], q[None][3]])
            turned = product_of_quaternions(product_of_quaternions(q[None], point), conjugate)
            if is_nan(points[i][0]):
                y[i] = 0.0
            else:
                y[i] = turned[0] * turned[1]

    @kernel
    def transformed_points(first: any_field, points: any_field, y: any_field):
        for i in y:
            moved = ti.Matrix.cols([first[None], points[i]]) @ points[i]
            if is_finite(points[i][1]):
                y[i] = moved[0] * moved[1]
            else:
                y[i] = 3.0

    # ---- Vectors, matrices, quaternions ------------------------------------------------------------------------------------

    @kernel
    def unused_inverse(c: any_field, y: any_field):
        for i in y:
            m = ti.Matrix.cols([c[0], ti.Vector([-c[1][0], c[1][1]])])
            solved = m.inverse() @ c[1]
            if abs(m.determinant()) > 0.5:
                y[i] = solved[0]
            else:
                y[i] = c[0][0] * c[1][1]

    @kernel
    def unused_inverse_f64(c: any_field, y: any_field):
        for i in y:
            first = c[0] + ti.Vector([1.0, 0.0, 0.0])
            second = c[1] + ti.Vector([0.0, 1.0, 0.0])
            third = c[2] + ti.Vector([0.0, 0.0, 1.0])
            m = ti.Matrix.cols([first, second, third])
            solved = m.inverse() @ c[0]
            if abs(m.determinant()) > 0.1:
                y[i] = solved[0]
            else:
                y[i] = c[0][0] * c[1][1]

    @kernel
    def guarded_normal(v: any_field, y: any_field):
        for i in y:
            normal = v[0] / v[0].norm()
            if v[0].norm() > 0.25:
                y[i] = normal.dot(v[1])
            else:
                y[i] = v[0][0] * v[1][1] + v[1][2]

    @kernel
    def guarded_direction(v: any_field, y: any_field):
        for i in y:
            offset = v[1] - v[0]
            direction = offset / ti.sqrt(offset.dot(offset))
            if offset.dot(offset) > 0.1:
                y[i] = direction[0]
            else:
                y[i] = v[0].dot(v[1])

    @kernel
    def guarded_quaternion(q: any_field, y: any_field):
        for i in y:
            unit = q[0] / q[0].norm()
            if q[0].norm_sqr() > 0.1:
                y[i] = unit[0] * unit[3]
            else:
                y[i] = q[0][0] + 2.0 * q[0][3]

    @kernel
    def rotation_vector(q: any_field, y: any_field):
        for i in y:
            sine = ti.sqrt(1.0 - q[0][3] * q[0][3])
            angle = 2.0 * ti.acos(q[0][3])
            part = q[0][0] / sine * angle
            if sine > 0.1:
                y[i] = part
            else:
                y[i] = 2.0 * q[0][0] + q[0][1]

    @kernel
    def slerp(q: any_field, y: any_field):
        for i in y:
            cosine = q[0].dot(q[1])
            angle = ti.acos(cosine)
            first = ti.sin(0.75 * angle) / ti.sin(angle)
            second = ti.sin(0.25 * angle) / ti.sin(angle)
            along = q[0] * first + q[1] * second
            straight = q[0] * 0.75 + q[1] * 0.25
            if cosine > 0.9:
                y[i] = straight[0] + straight[3]
            else:
                y[i] = along[0]

    @kernel
    def angle_of_parallels(v: any_field, y: any_field):
        for i in y:
            cosine = v[0].dot(v[1])
            angle = ti.acos(cosine)
            if cosine < 0.9:
                y[i] = angle
            else:
                y[i] = v[0].cross(v[1])[2] + cosine

    @kernel
    def one_component_of_a_cross_product(v: any_field, y: any_field):
        for i in y:
            y[i] = v[0].cross(v[1])[0]

    @kernel
    def one_row_of_a_product(c: any_field, y: any_field):
        for i in y:
            product = ti.Matrix.cols([c[0], c[1]]) @ c[2]
            y[i] = product[1]

    @kernel
    def projection_on_nothing(v: any_field, y: any_field):
        for i in y:
            projected = v[1] * (v[0].dot(v[1]) / v[1].dot(v[1]))
            if v[1].norm_sqr() > 0.1:
                y[i] = projected[0]
            else:
                y[i] = v[0][0] * v[0][1]

    @kernel
    def barycentric(v: any_field, y: any_field):
        for i in y:
            area = v[0][0] * v[1][1] - v[0][1] * v[1][0]
            scale = 1.0 / area
            first = (v[2][0] * v[1][1] - v[2][1] * v[1][0]) * scale
            if abs(area) > 0.1:
                y[i] = first
            else:
                y[i] = v[2][0] * v[2][1]

    @kernel
    def half_way(v: any_field, y: any_field):
        for i in y:
            total = v[0] + v[1]
            specular = total[0] / total.norm()
            if total.norm_sqr() > 0.1:
                y[i] = specular
            else:
                y[i] = v[0][1] * v[1][1]

    @kernel
    def total_reflection(x: any_field, y: any_field):
        for i in y:
            k = 1.0 - x[0] * x[0] * (1.0 - x[1] * x[1])
            refracted = x[0] * x[1] - ti.sqrt(k)
            if k > 0.0:
                y[i] = refracted
            else:
                y[i] = x[0] * x[1]

    @kernel
    def square_of_a_length(v: any_field, y: any_field):
        for i in y:
            length = v[0].norm()
            y[i] = length * length

    @kernel
    def cube_of_a_distance(x: any_field, y: any_field):
        for i in y:
            r = ti.sqrt(x[0] * x[0] + x[1] * x[1])
            y[i] = r * r * r

    # ---- Iterations ----------------------------------------------------------------------------------------------------

    @kernel
    def rejected_iteration(x: any_field, y: any_field):
        for i in y:
            v = x[0]
            for _k in range(20):
                v = v * v - x[1] * v
            if abs(v) < 10.0:
                y[i] = v
            else:
                y[i] = x[0] * x[1]

    @kernel
    def rejected_newton(x: any_field, y: any_field):
        for i in y:
            v = ti.max(x[1] - 1.0, 0.0)
            for _k in range(6):
                v -= (v * v - x[0]) / (2.0 * v)
            if is_finite(v):
                y[i] = v
            else:
                y[i] = x[0] * x[0]

    @kernel
    def aitken(x: any_field, y: any_field):
        for i in y:
            first = x[0] * x[0]
            second = first * first
            change = second - 2.0 * first + x[0]
            better = second - (second - first) * (second - first) / change
            if abs(change) > 0.1:
                y[i] = better
            else:
                y[i] = second

    @kernel
    def product_with_resets(x: any_field, y: any_field):
        for i in y:
            product = 1.0
            for k in range(x.shape[0]):
                product *= x[k]
                if not is_finite(product):
                    product = 1.0
            y[i] = product

    @kernel
    def through_infinity(x: any_field, y: any_field):
        for i in y:
            s = x[0]
            for k in range(1, x.shape[0]):
                square = s * s
                s = 1.0 / (1.0 + square * square) + x[k] * x[k]
            y[i] = s

    @kernel
    def last_finite_power(x: any_field, y: any_field):
        for i in y:
            s = x[0]
            kept = 0.0
            for _k in range(8):
                if is_finite(s):
                    kept = s
                s = s * s
            y[i] = kept

    @kernel
    def while_finite(x: any_field, y: any_field):
        for i in y:
            s = x[0]
            trips = 0
            while is_finite(s) and trips < 3:
                square = s * s
                s = square * square
                trips += 1
            if is_finite(s):
                y[i] = s
            else:
                y[i] = x[1] * trips

    @kernel
    def leaves_at_infinity(x: any_field, y: any_field):
        for i in y:
            s = x[0]
            total = x[1]
            for _k in range(10):
                square = s * s
                s = square * square
                if not is_finite(s):
                    break
                total = total * x[1] + 1.0 / (1.0 + s)
            y[i] = total

    @kernel
    def log_sum_exp(x: any_field, y: any_field):
        for i in y:
            top = x[0]
            for k in range(1, x.shape[0]):
                top = ti.max(top, x[k])
            total = 0.0
            for k in range(x.shape[0]):
                total += ti.exp(x[k] - top)
            y[i] = top + ti.log(total)

    @kernel
    def masked_log_sum_exp(mask: any_field, x: any_field, y: any_field):
        for i in y:
            total = 0.0
            for k in range(x.shape[0]):
                term = ti.exp(x[k])
                total += ti.select(mask[k] == 0, 0.0, term)
            y[i] = ti.log(total)

    @kernel
    def masked_attention(mask: any_field, score: any_field, value: any_field, y: any_field):
        for i in y:
            total = 0.0
            weighted = 0.0
            for k in range(3):
                square = score[k] * score[k]
                weight = ti.exp(ti.select(mask[k] == 0, -inf, square))
                total += weight
                weighted += weight * value[k]
            y[i] = weighted / total

    @kernel
    def entropy(p: any_field, y: any_field):
        for i in y:
            total = 0.0
            for k in range(p.shape[0]):
                term = p[k] * ti.log(p[k])
                total -= ti.select(p[k] > 0.1, term, 0.0)
            y[i] = total

    @kernel
    def harmonic_mean(x: any_field, y: any_field):
        for i in y:
            total = 0.0
            for k in range(x.shape[0]):
                term = 1.0 / x[k]
                if abs(x[k]) > 0.1:
                    total += term
            y[i] = 1.0 / total

    # ---- Masks ---------------------------------------------------------------------------------------------------------

    @kernel
    def masked_root(x: any_field, y: any_field):
        for i in y:
            root = ti.sqrt(x[0])
            if x[0] > 0.2:
                y[i] = root
            else:
                y[i] = x[0] * x[1]

    @kernel
    def masked_logarithm(x: any_field, y: any_field):
        for i in y:
            logarithm = ti.log(x[0])
            if x[0] > 0.2:
                y[i] = logarithm
            else:
                y[i] = x[0] * x[1]

    @kernel
    def masked_power(x: any_field, y: any_field):
        for i in y:
            power = (x[0]) ** x[1]
            if x[0] > 0.2:
                y[i] = power
            else:
                y[i] = x[0] * x[1]

    @kernel
    def masked_quotient_of_itself(x: any_field, y: any_field):
        for i in y:
            quotient = x[0] / x[0] * x[1]
            if x[0] > 0.2:
                y[i] = quotient
            else:
                y[i] = x[0] * x[1]

    @kernel
    def masked_cube_root(x: any_field, y: any_field):
        for i in y:
            root = x[0] ** (1.0 / 3.0)
            if x[0] > 0.2:
                y[i] = root
            else:
                y[i] = x[0] * x[1]

    @kernel
    def masked_arc_sine(x: any_field, y: any_field):
        for i in y:
            angle = ti.asin(x[0] * x[0])
            if x[0] < 0.8:
                y[i] = angle
            else:
                y[i] = x[0] * x[1]

    @kernel
    def masked_arc_cosine(x: any_field, y: any_field):
        for i in y:
            angle = ti.acos(-x[0])
            if x[0] < 0.8:
                y[i] = angle
            else:
                y[i] = x[0] * x[1]

    @kernel
    def sinc(x: any_field, y: any_field):
        for i in y:
            ratio = ti.sin(x[0]) / x[0]
            if abs(x[0]) > 0.1:
                y[i] = ratio
            else:
                y[i] = 1.0 - x[0] * x[0] / 6.0 + 0.5 * x[0]

    @kernel
    def relative_growth(a: any_field, x: any_field, y: any_field):
        for i in y:
            ratio = (ti.exp(a[None] * x[i]) - 1.0) / x[i]
            if abs(x[i]) > 0.1:
                y[i] = ratio
            else:
                y[i] = a[None] + x[i]

    @kernel
    def masked_angle(x: any_field, y: any_field):
        for i in y:
            angle = ti.atan2(x[0], x[1])
            if abs(x[0]) + abs(x[1]) > 0.2:
                y[i] = angle
            else:
                y[i] = x[0] + 2.0 * x[1]

    @kernel
    def bump(x: any_field, y: any_field):
        for i in y:
            y[i] = ti.exp(-1.0 / (x[0] * x[0])) + x[1] * x[1]

    @kernel
    def square_of_a_hypotenuse(x: any_field, y: any_field):
        for i in y:
            h = ti.Vector([x[0], x[1]]).norm()
            y[i] = h * h + x[0]

    @kernel
    def size_times_square(x: any_field, y: any_field):
        for i in y:
            square = x[0] * x[0]
            y[i] = ti.sqrt(square) * square

    @kernel
    def roots(x: any_field, middle: any_field):
        for i in middle:
            middle[i] = ti.sqrt(x[i])

    @kernel
    def kept(mask: any_field, middle: any_field, y: any_field):
        for i in y:
            if mask[i] == 0:
                y[i] = 1.0
            else:
                y[i] = middle[i] * middle[i] * middle[i]

    @kernel
    def quotients(a: any_field, x: any_field, middle: any_field):
        for i in middle:
            middle[i] = a[None] / (x[i] * x[i])

    @kernel
    def bounded(bound: any_field, middle: any_field, y: any_field):
        for i in y:
            y[i] = ti.min(middle[i], bound[None] * bound[None])

    # ---- Conventions ---------------------------------------------------------------------------------------------------

    @kernel
    def square_of_a_root(x: any_field, y: any_field):
        for i in y:
            root = ti.sqrt(x[0])
            y[i] = root * root

    @kernel
    def parallel_resistors(x: any_field, y: any_field):
        for i in y:
            y[i] = 1.0 / (1.0 / x[0] + 1.0 / x[1])

    @kernel
    def arc_tangent_of_a_reciprocal(x: any_field, y: any_field):
        for i in y:
            y[i] = ti.atan2(1.0 / x[0], 1.0)

    @kernel
    def exponential_of_a_logarithm(x: any_field, y: any_field):
        for i in y:
            y[i] = ti.exp(ti.log(x[0]))

    @kernel
    def cube_of_a_cube_root(x: any_field, y: any_field):
        for i in y:
            root = x[0] ** (1.0 / 3.0)
            y[i] = root * root * root

    @kernel
    def power_of_a_power(x: any_field, y: any_field):
        for i in y:
            root = (x[0]) ** 0.25
            y[i] = (root * root) * (root * root)

    @kernel
    def continued_fraction(x: any_field, y: any_field):
        for i in y:
            s = x[0]
            for k in range(1, x.shape[0]):
                s = x[k] + 1.0 / s
            y[i] = s

    @kernel
    def mean_of_equals_by_min_and_max(x: any_field, y: any_field):
        for i in y:
            y[i] = ti.min(x[0], x[1]) + ti.max(x[0], x[1])

    @kernel
    def identity_by_two_ramps(x: any_field, y: any_field):
        for i in y:
            y[i] = ti.max(x[0], 0.0) - ti.max(-x[0], 0.0)

    @kernel
    def stable_softplus(x: any_field, y: any_field):
        for i in y:
            y[i] = ti.max(x[0], 0.0) + ti.log(1.0 + ti.exp(-abs(x[0])))

    @kernel
    def root_of_a_masked_square(x: any_field, mask: any_field, y: any_field):
        for i in y:
            y[i] = ti.sqrt(mask[0] * x[0] * x[0]) + x[1] * x[1]

    @kernel
    def root_of_a_fourth_power(x: any_field, y: any_field):
        for i in y:
            square = x[0] * x[0]
            y[i] = ti.sqrt(square * square)
