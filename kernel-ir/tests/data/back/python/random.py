import warp as wp


@wp.kernel
def random(seed: int, x: wp.array(dtype=wp.float32), n: wp.array(dtype=wp.int32)):
    i = wp.tid()
    rng = wp.rand_init(seed, i)
    a = wp.randf(rng)
    x[i] = wp.randf(rng, -1.0, a)
    x[i] = wp.randf(wp.uint32(rng), -1.0, float(rng))
    rng = wp.randu(wp.uint32(rng))
    b = wp.randn(rng)
    c = wp.randn(wp.uint32(rng))
    rng = wp.randu(wp.uint32(rng))
    n[i] = wp.randi(rng, 0, 6)
    n[i] += wp.randi(wp.uint32(wp.randu(wp.uint32(wp.rand_init(seed)))))
    x[i] = b + c
