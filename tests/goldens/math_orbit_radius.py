import warp as wp


@wp.func
def kepler_root(mean: wp.float64, eccentricity: wp.float64) -> wp.float64:
    """The eccentric anomaly E of Kepler's equation M = E − e·sin(E), by Newton's steps."""
    anomaly = mean + eccentricity * wp.sin(mean)
    for _ in range(8):
        error = anomaly - eccentricity * wp.sin(anomaly) - mean
        anomaly -= error / (wp.float64(1.0) - eccentricity * wp.cos(anomaly))
    return anomaly


@wp.func
def eccentric_by_mean(mean: wp.float64, eccentricity: wp.float64, adj: wp.float64) -> wp.float64:
    """dE/dM = 1/(1 − e·cos(E))."""
    return adj / (wp.float64(1.0) - eccentricity * wp.cos(kepler_root(mean, eccentricity)))


@wp.func
def eccentric_by_eccentricity(
    mean: wp.float64,
    eccentricity: wp.float64,
    adj: wp.float64,
) -> wp.float64:
    """dE/de = sin(E)/(1 − e·cos(E))."""
    anomaly = kepler_root(mean, eccentricity)
    return adj * wp.sin(anomaly) / (wp.float64(1.0) - eccentricity * wp.cos(anomaly))


@wp.func
def eccentric_anomaly(mean: wp.float64, eccentricity: wp.float64) -> wp.float64:
    """The same with the derivatives of the root, instead of those of the steps that lead to it."""
    return kepler_root(mean, eccentricity)


@wp.func_grad(eccentric_anomaly)
def adj_eccentric_anomaly(mean: wp.float64, eccentricity: wp.float64, adj_ret: wp.float64):
    wp.adjoint[mean] += eccentric_by_mean(mean, eccentricity, adj_ret)
    wp.adjoint[eccentricity] += eccentric_by_eccentricity(mean, eccentricity, adj_ret)


@wp.kernel
def orbit_radius(
    semi_major_axis: wp.float64,
    eccentricity: wp.array(dtype=wp.float64),
    mean_anomaly: wp.array(dtype=wp.float64),
    radius: wp.array(dtype=wp.float64),
):
    """Distance from the focus on an elliptic orbit: r = a·(1 − e·cos(E)), E by Kepler's equation from the mean anomaly."""
    i = wp.tid()
    anomaly = eccentric_anomaly(mean_anomaly[i], eccentricity[i])
    radius[i] = semi_major_axis * (wp.float64(1.0) - eccentricity[i] * wp.cos(anomaly))
