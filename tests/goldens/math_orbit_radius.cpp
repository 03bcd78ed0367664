#include <cmath>

using index_t = unsigned int;

/// The eccentric anomaly E of Kepler's equation M = E − e·sin(E), by Newton's steps.
static double kepler_root(double mean, double eccentricity) {
    double anomaly = mean + eccentricity * sin(mean);
    for (int k = 0; k < 8; ++k) {
        const double error = anomaly - eccentricity * sin(anomaly) - mean;
        anomaly -= error / (1.0 - eccentricity * cos(anomaly));
    }
    return anomaly;
}

/// The same with the derivatives of the root, instead of those of the steps that lead to it.
static double eccentric_anomaly(double mean, double eccentricity) {
    return kepler_root(mean, eccentricity);
}

/// Distance from the focus on an elliptic orbit: r = a·(1 − e·cos(E)), E by Kepler's equation from the mean anomaly.
extern "C" void orbit_radius(
    double semi_major_axis,
    const double* __restrict__ eccentricity,
    const double* __restrict__ mean_anomaly,
    double* __restrict__ radius,
    index_t dim
) {
    for (index_t i = 0; i < dim; ++i) {
        const double anomaly = eccentric_anomaly(mean_anomaly[i], eccentricity[i]);
        radius[i] = semi_major_axis * (1.0 - eccentricity[i] * cos(anomaly));
    }
}
