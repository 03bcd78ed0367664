import warp as wp


@wp.struct
class Light:
    """A light."""

    at: wp.vec3
    power: float


@wp.struct
class Body:
    """A moving point."""

    x: wp.vec3
    v: wp.vec3
    mass: float
    fixed: bool


@wp.kernel
def steps(
    dt: float,
    lights: wp.array(dtype=Light),
    sun: Light,
    bodies: wp.array(dtype=Body),
    energy: wp.array(dtype=wp.float32),
):
    i = wp.tid()
    body = bodies[i]
    if body.fixed:
        return
    force = (sun.at - body.x) * sun.power
    for k in range(lights.shape[0]):
        light = lights[k]
        force += (light.at - body.x) * light.power
    bodies[i].v += force * (dt / body.mass)
    bodies[i].x += bodies[i].v * dt
    bodies[i].x.y = wp.max(bodies[i].x.y, 0.0)
    wp.atomic_add(energy, 0, 0.5 * bodies[i].mass * wp.length_sq(bodies[i].v))
