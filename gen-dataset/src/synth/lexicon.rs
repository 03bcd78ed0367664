//! The lexicon: names of inputs with their usual ranges, of results and of locals, by theme.
//!
//! A vector must not have the name of a Warp function (`load`, `step`): Warp 1.19 reads `load.z` as an argument as the
//! function.

/// A name, and the ends of its usual range.
pub(super) type Word = (&'static str, f64, f64);

/// Names that occur together.
#[derive(Debug)]
pub(super) struct Theme {
    /// Names of floats, by value or in arrays.
    pub(super) floats: &'static [Word],
    /// Names of vectors.
    pub(super) vectors: &'static [Word],
    /// Names of integers.
    pub(super) counts: &'static [Word],
    /// Names of outputs.
    pub(super) results: &'static [&'static str],
    /// Names of intermediate values.
    pub(super) locals: &'static [&'static str],
}

/// The themes of kernels.
pub(super) static THEMES: [Theme; 14] = [
    Theme {
        floats: &[
            ("mass", 0.5, 5.0),
            ("speed", -3.0, 3.0),
            ("stiffness", 0.5, 4.0),
            ("damping", 0.05, 0.9),
            ("dt", 0.01, 0.2),
            ("charge", -1.0, 1.0),
            ("height", 0.0, 5.0),
            ("friction", 0.1, 0.8),
            ("energy", 0.2, 6.0),
            ("displacement", -1.5, 1.5),
            ("restitution", 0.2, 0.95),
            ("torque", -2.0, 2.0),
        ],
        vectors: &[
            ("position", -4.0, 4.0),
            ("velocity", -2.0, 2.0),
            ("force", -3.0, 3.0),
            ("anchor", -2.0, 2.0),
            ("momentum", -1.5, 1.5),
            ("gravity", -1.0, 1.0),
            ("axis", 0.2, 1.0),
        ],
        counts: &[("body", 0.0, 16.0), ("contacts", 0.0, 9.0), ("substeps", 1.0, 7.0), ("material", 0.0, 6.0)],
        results: &["acceleration", "impulse", "kinetic", "potential", "next_state", "reaction", "work", "stress"],
        locals: &["spring", "drag", "push", "offset", "rate", "strain", "pull", "swing"],
    },
    Theme {
        floats: &[
            ("brightness", 0.0, 1.0),
            ("gain", 0.5, 2.0),
            ("contrast", 0.5, 1.8),
            ("gamma", 0.6, 2.2),
            ("pixels", 0.0, 1.0),
            ("exposure", 0.25, 3.0),
            ("alpha", 0.05, 0.95),
            ("depth", 0.5, 8.0),
            ("noise_level", -0.2, 0.2),
            ("luma", 0.0, 1.0),
            ("saturation", 0.0, 1.5),
        ],
        vectors: &[
            ("color", 0.0, 1.0),
            ("tint", 0.2, 1.0),
            ("light", -1.0, 1.0),
            ("uv", 0.0, 1.0),
            ("albedo", 0.05, 0.95),
        ],
        counts: &[("palette", 0.0, 12.0), ("levels", 2.0, 9.0), ("mask", 0.0, 4.0), ("tile", 0.0, 8.0)],
        results: &["filtered", "shaded", "blurred", "graded", "composite", "edges", "toned", "frame"],
        locals: &["tone", "shade", "glow", "blend", "coverage", "highlight", "shadow", "sharp"],
    },
    Theme {
        floats: &[
            ("price", 5.0, 50.0),
            ("strike", 5.0, 50.0),
            ("rate", 0.01, 0.1),
            ("volatility", 0.1, 0.6),
            ("maturity", 0.1, 3.0),
            ("yield_curve", 0.01, 0.08),
            ("spread", -0.5, 0.5),
            ("weight", 0.0, 1.0),
            ("returns", -0.2, 0.2),
            ("cost", 0.5, 9.0),
            ("demand", 1.0, 20.0),
        ],
        vectors: &[("exposure_vec", -2.0, 2.0), ("factors", -1.0, 1.0), ("holdings", 0.0, 4.0)],
        counts: &[("periods", 1.0, 9.0), ("shares", 0.0, 50.0), ("rating", 0.0, 7.0), ("orders", 0.0, 20.0)],
        results: &["payoff", "value", "margin", "profit", "discounted", "hedge", "premium", "risk"],
        locals: &["drift", "growth", "discount", "fee", "carry", "excess", "hurdle", "bonus"],
    },
    Theme {
        floats: &[
            ("signal", -1.0, 1.0),
            ("samples", -2.0, 2.0),
            ("cutoff", 0.1, 0.9),
            ("phase", -3.0, 3.0),
            ("frequency", 0.2, 4.0),
            ("amplitude", 0.2, 2.0),
            ("decay", 0.1, 0.95),
            ("threshold", -0.5, 0.5),
            ("feedback", -0.6, 0.6),
            ("bias", -1.0, 1.0),
            ("envelope", 0.0, 1.0),
        ],
        vectors: &[("stereo", -1.0, 1.0), ("iq", -1.0, 1.0), ("bands", 0.0, 1.0), ("taps", -0.5, 0.5)],
        counts: &[("lag", 0.0, 6.0), ("channel", 0.0, 8.0), ("codes", 0.0, 64.0), ("bits", 1.0, 12.0)],
        results: &["output", "spectrum", "smoothed", "modulated", "denoised", "mixed", "power", "response"],
        locals: &["tap", "wave", "echo", "carrier", "attenuated", "peak", "wet", "dry"],
    },
    Theme {
        floats: &[
            ("temperature", 0.0, 4.0),
            ("conductivity", 0.1, 2.0),
            ("heat", -1.0, 2.0),
            ("pressure", 0.5, 3.0),
            ("density", 0.2, 2.5),
            ("humidity", 0.0, 1.0),
            ("viscosity", 0.05, 1.5),
            ("diffusivity", 0.02, 0.24),
            ("albedo_level", 0.1, 0.9),
            ("salinity", 0.0, 2.0),
            ("altitude", 0.0, 6.0),
        ],
        vectors: &[("wind", -3.0, 3.0), ("flux", -1.0, 1.0), ("gradient", -2.0, 2.0), ("current", -1.5, 1.5)],
        counts: &[("zone", 0.0, 10.0), ("layer", 0.0, 6.0), ("season", 0.0, 4.0), ("stations", 1.0, 12.0)],
        results: &["cooled", "transport", "diffused", "evaporation", "balance", "forecast", "tendency", "anomaly"],
        locals: &["loss", "source", "buoyancy", "mixing", "lapse", "feed", "surplus", "inflow"],
    },
    Theme {
        floats: &[
            ("logits", -3.0, 3.0),
            ("activations", -2.0, 2.0),
            ("learning_rate", 0.01, 0.3),
            ("momentum_term", 0.1, 0.95),
            ("targets", -1.0, 1.0),
            ("slope", 0.01, 0.5),
            ("scores", -2.0, 2.0),
            ("keep", 0.1, 0.9),
            ("scale", 0.5, 2.0),
            ("shift", -1.0, 1.0),
            ("features", -2.0, 2.0),
        ],
        vectors: &[("embedding", -1.0, 1.0), ("query", -1.0, 1.0), ("key", -1.0, 1.0), ("hidden", -1.5, 1.5)],
        counts: &[("labels", 0.0, 10.0), ("heads", 1.0, 6.0), ("tokens", 0.0, 32.0), ("batch", 0.0, 8.0)],
        results: &["loss", "activated", "normalized", "updated", "attention", "residual", "gated", "penalty"],
        locals: &["gate", "error", "hinge", "logit", "squash", "stride", "excitation", "mixture"],
    },
    Theme {
        floats: &[
            ("radius", 0.2, 3.0),
            ("angle", -3.0, 3.0),
            ("width", 0.5, 4.0),
            ("distance", 0.1, 5.0),
            ("curvature", -1.0, 1.0),
            ("elevation", -2.0, 2.0),
            ("tilt", -1.2, 1.2),
            ("thickness", 0.05, 0.8),
            ("aspect", 0.5, 2.0),
            ("inset", 0.0, 0.4),
        ],
        vectors: &[
            ("point", -3.0, 3.0),
            ("normal", -1.0, 1.0),
            ("corner", -2.0, 2.0),
            ("direction", 0.1, 1.0),
            ("center", -1.0, 1.0),
            ("extent", 0.2, 2.0),
            ("origin", -1.0, 1.0),
        ],
        counts: &[("face", 0.0, 12.0), ("edge", 0.0, 20.0), ("sides", 3.0, 9.0), ("cell", 0.0, 16.0)],
        results: &["area", "outline", "projected", "mirrored", "bend", "hull", "clearance", "transformed"],
        locals: &["chord", "span", "sweep", "bulge", "ridge", "reach", "rim", "twist"],
    },
    Theme {
        floats: &[
            ("concentration", 0.05, 2.0),
            ("dose", 0.1, 3.0),
            ("absorption", 0.1, 0.9),
            ("growth_rate", 0.1, 1.5),
            ("capacity", 1.0, 6.0),
            ("mortality", 0.01, 0.4),
            ("prey", 0.1, 3.0),
            ("predators", 0.1, 2.0),
            ("affinity", 0.2, 2.0),
            ("ph", 4.0, 9.0),
            ("uptake", 0.0, 1.0),
        ],
        vectors: &[("chemotaxis", -1.0, 1.0), ("species", 0.1, 2.0), ("genes", 0.0, 1.0)],
        counts: &[("generation", 0.0, 8.0), ("colony", 0.0, 12.0), ("codon", 0.0, 64.0), ("litter", 1.0, 7.0)],
        results: &["population", "clearance_rate", "infected", "response_level", "survival", "yield_level", "fitness"],
        locals: &["birth", "decline", "competition", "saturation_level", "inhibition", "crowding", "turnover"],
    },
    Theme {
        floats: &[
            ("values", -2.0, 2.0),
            ("mean", -0.5, 0.5),
            ("variance", 0.2, 2.0),
            ("observed", -3.0, 3.0),
            ("expected", -1.5, 1.5),
            ("confidence", 0.1, 0.9),
            ("prior", 0.05, 0.95),
            ("likelihood", 0.1, 1.0),
            ("sigma", 0.3, 1.5),
            ("outlier_bound", 1.0, 3.0),
        ],
        vectors: &[("moments", -1.0, 1.0), ("sample_pair", -2.0, 2.0), ("weights_vec", 0.0, 1.0)],
        counts: &[("bins", 2.0, 10.0), ("group", 0.0, 8.0), ("trials", 1.0, 12.0), ("rank", 0.0, 30.0)],
        results: &["deviation", "zscore", "posterior", "estimate", "robust", "entropy", "moment", "standardized"],
        locals: &["centered", "squared", "surprise", "odds", "influence", "shrunk", "tail", "bulk"],
    },
    Theme {
        floats: &[
            ("health", 0.0, 10.0),
            ("armor", 0.1, 0.9),
            ("attack", 0.5, 6.0),
            ("stamina", 0.0, 3.0),
            ("range_limit", 1.0, 8.0),
            ("cooldown", 0.1, 2.0),
            ("speed_boost", 0.8, 1.6),
            ("luck", 0.0, 1.0),
            ("fuel", 0.0, 5.0),
            ("shield", 0.0, 2.0),
        ],
        vectors: &[("player", -5.0, 5.0), ("target", -5.0, 5.0), ("aim", -1.0, 1.0), ("heading", 0.1, 1.0)],
        counts: &[("team", 0.0, 4.0), ("level", 1.0, 20.0), ("ammo", 0.0, 30.0), ("combo", 0.0, 8.0)],
        results: &["damage", "threat", "reward", "remaining", "steering", "priority", "bounty", "score"],
        locals: &["hit", "block", "crit", "effort", "chase", "dodge", "morale", "bonus_hit"],
    },
    Theme {
        floats: &[
            ("voltage", -2.0, 2.0),
            ("resistance", 0.5, 5.0),
            ("capacitance", 0.2, 2.0),
            ("current_in", -1.0, 1.0),
            ("leakage", 0.01, 0.3),
            ("conductance", 0.1, 1.5),
            ("load_level", 0.2, 3.0),
            ("setpoint", -1.0, 1.0),
            ("error_gain", 0.1, 1.5),
            ("duty", 0.1, 0.9),
        ],
        vectors: &[("phasor", -1.0, 1.0), ("dq_frame", -1.0, 1.0), ("field", -2.0, 2.0)],
        counts: &[("pin", 0.0, 16.0), ("pulses", 0.0, 12.0), ("register", 0.0, 256.0), ("opcode", 0.0, 8.0)],
        results: &["control", "potential_drop", "charged", "spike", "regulated", "ripple", "drive", "throughput"],
        locals: &["leak", "spike_rate", "control_error", "ramp", "clip", "surge", "droop", "boost"],
    },
    Theme {
        floats: &[
            ("traffic", 0.0, 4.0),
            ("travel_time", 0.5, 6.0),
            ("capacity_ratio", 0.2, 1.2),
            ("toll", 0.0, 2.0),
            ("queue", 0.0, 5.0),
            ("headway", 0.3, 2.5),
            ("priority_weight", 0.1, 1.0),
            ("delay", 0.0, 3.0),
            ("fare", 0.5, 4.0),
        ],
        vectors: &[("route", -3.0, 3.0), ("waypoint", -4.0, 4.0), ("lane_offset", -1.0, 1.0)],
        counts: &[("stop", 0.0, 14.0), ("passengers", 0.0, 40.0), ("lanes", 1.0, 6.0), ("shift_id", 0.0, 3.0)],
        results: &["flow", "cost_to_go", "congestion", "arrival", "utility", "detour", "throughput_rate", "wait"],
        locals: &["slack", "penalty_time", "jam", "merge", "bottleneck", "urgency", "backlog"],
    },
    Theme {
        floats: &[
            ("flux_in", 0.1, 3.0),
            ("redshift", 0.01, 1.5),
            ("magnitude", -1.0, 4.0),
            ("eccentricity", 0.05, 0.8),
            ("anomaly_angle", -3.0, 3.0),
            ("orbit", 0.5, 4.0),
            ("opacity", 0.1, 1.5),
            ("luminosity", 0.2, 5.0),
            ("parallax", 0.1, 1.0),
        ],
        vectors: &[
            ("star", -3.0, 3.0),
            ("proper_motion", -0.5, 0.5),
            ("line_of_sight", 0.1, 1.0),
            ("observer", -1.0, 1.0),
        ],
        counts: &[
            ("catalog", 0.0, 24.0),
            ("pixel_id", 0.0, 64.0),
            ("exposures", 1.0, 8.0),
            ("spectral_class", 0.0, 7.0),
        ],
        results: &["brightness_map", "ephemeris", "attenuation", "transit", "corrected", "lensing", "phase_curve"],
        locals: &["dimming", "wobble", "limb", "haze", "drift_angle", "seeing", "eclipse"],
    },
    Theme {
        floats: &[
            ("a", -2.0, 2.0),
            ("b", -2.0, 2.0),
            ("c", -1.0, 1.0),
            ("x", -3.0, 3.0),
            ("y", -3.0, 3.0),
            ("t", 0.0, 1.0),
            ("r", 0.2, 2.0),
            ("theta", -3.0, 3.0),
            ("mu", 0.1, 1.0),
            ("omega", 0.5, 3.0),
            ("eps", 0.05, 0.5),
        ],
        vectors: &[("u", -2.0, 2.0), ("v", -2.0, 2.0), ("p", -3.0, 3.0), ("q", -1.0, 1.0), ("w", 0.1, 2.0)],
        counts: &[("n", 1.0, 9.0), ("m", 0.0, 12.0), ("bucket", 0.0, 16.0), ("digits", 1.0, 10.0)],
        results: &["out", "z", "result", "f", "g", "total", "h"],
        locals: &["s", "d", "lhs", "rhs", "inner", "outer", "root", "ratio"],
    },
];

/// Names of matrices.
pub(super) const MATRICES: [Word; 10] = [
    ("transform", -1.5, 1.5),
    ("basis", -1.0, 1.0),
    ("jacobian", -1.5, 1.5),
    ("covariance", -0.8, 1.2),
    ("inertia", 0.1, 1.2),
    ("stiffness_matrix", -1.0, 1.0),
    ("mixing_matrix", -1.0, 1.0),
    ("deformation", -0.7, 1.3),
    ("hessian", -1.2, 1.2),
    ("frame_matrix", -1.0, 1.0),
];
/// Names of quaternions.
pub(super) const QUATERNIONS: [Word; 6] = [
    ("rotation", 0.1, 1.0),
    ("orientation", 0.2, 1.0),
    ("attitude", 0.1, 0.9),
    ("spin", 0.05, 0.7),
    ("joint", 0.2, 0.9),
    ("twist_quat", 0.1, 0.8),
];
/// Names of integers that use all their bits.
pub(super) const BITS: [Word; 8] = [
    ("seed", 0.0, 4e9),
    ("key", 0.0, 4e9),
    ("state", 1.0, 4e9),
    ("packed", 0.0, 4e9),
    ("hash", 0.0, 4e9),
    ("word", 0.0, 4e9),
    ("bitset", 0.0, 4e9),
    ("signature", 0.0, 4e9),
];
/// Names of truth values.
pub(super) const FLAGS: [&str; 6] = ["enabled", "inverted", "strict", "periodic", "clip_output", "use_prior"];
/// Names of arrays of flags that are read.
pub(super) const MASKS: [&str; 8] =
    ["mask", "active", "valid", "selected", "is_boundary", "visible", "occupied", "frozen"];
/// Names of arrays of flags that are written.
pub(super) const FOUND: [&str; 6] = ["flags", "is_outlier", "kept", "in_range", "changed", "hit"];
/// Names of extents.
pub(super) const SIZES: [&str; 10] = [
    "columns",
    "channels",
    "neighbors",
    "steps",
    "terms",
    "entries",
    "samples_per_item",
    "rounds",
    "links",
    "depth_count",
];
/// Names of arrays of indices.
pub(super) const POINTERS: [&str; 8] =
    ["index", "parent", "neighbor", "permutation", "lookup", "owner", "slot", "source_index"];
/// Names of sums.
pub(super) const SUMS: [&str; 8] = ["sum", "acc", "total", "accumulated", "partial", "energy_sum", "weighted", "tally"];
/// Names of states that a loop carries.
pub(super) const STATES: [&str; 10] =
    ["state", "z", "value", "estimate", "current", "level", "guess", "p", "amount", "phase"];
/// Names of counters.
pub(super) const COUNTERS: [&str; 4] = ["iteration", "count", "trip", "n_steps"];
/// Names of loop variables.
pub(super) const LOOPS: [&str; 6] = ["j", "k", "m", "n", "s", "tap"];
/// Words before the name of a further local.
pub(super) const QUALIFIERS: [&str; 10] =
    ["net", "raw", "base", "scaled", "local", "prior", "partial", "extra", "mean", "final"];
