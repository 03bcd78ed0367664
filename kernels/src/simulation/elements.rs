//! Finite elements: forces of solids, and stiffness matrices.

use kernel_rt::prelude::*;

/// An elastic material.
#[device]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elastic {
    /// The shear modulus μ, in Pa.
    pub shear: f32,
    /// The first parameter of Lamé, λ, in Pa.
    pub bulk: f32,
    /// Viscosity, in Pa·s.
    pub viscosity: f32,
}

/// The derivative of the determinant of a matrix by its elements: the matrix of cofactors.
#[device]
fn cofactors(m: Mat3) -> Mat3 {
    Mat3::from_cols(m.y_axis.cross(m.z_axis), m.z_axis.cross(m.x_axis), m.x_axis.cross(m.y_axis))
}

/// The first Piola-Kirchhoff stress of the stable neo-Hookean material, which stands elements that are turned inside out
/// (Smith, de Goes and Kim, 2018): μ·F + λ·(det F − 1 − μ/λ)·∂det F/∂F.
#[device]
fn neo_hookean_stress(material: Elastic, deformation: Mat3) -> Mat3 {
    let rest = 1.0 + material.shear / material.bulk;
    let pressure = material.bulk * (deformation.determinant() - rest);
    deformation * material.shear + cofactors(deformation) * pressure
}

/// Forces (N) of tetrahedra of rubber on their nodes, with viscosity, and the elastic energy (J) of all. `inverse_rest` is the
/// inverse of the matrix of the three edges from the first node of each element, at rest. Lengths are in m.
#[kernel(family = "atomic")]
pub fn neo_hookean_forces(
    #[domain(0.5..2.0)] material: Elastic,
    #[shape(dim0 / 2 + 4)]
    #[domain(-1.0..1.0)]
    position: &[Vec3],
    #[shape(position.len())]
    #[domain(-1.0..1.0)]
    velocity: &[Vec3],
    #[domain(0..position.len())] nodes: &[UVec4],
    #[domain(-1.0..1.0)] inverse_rest: &[Mat3],
    #[domain(0.1..0.5)] volume: &[f32],
    #[shape(position.len())] forces: &mut [Vec3],
    #[shape(1)] energy: &mut [f32],
) {
    let element = tid();
    let mut edges = Mat3::ZERO;
    let mut rates = Mat3::ZERO;
    let first = nodes[element].x as usize;
    for k in 0..3 {
        let node = nodes[element][k + 1] as usize;
        *edges.col_mut(k) = position[node] - position[first];
        *rates.col_mut(k) = velocity[node] - velocity[first];
    }
    let deformation = edges * inverse_rest[element];
    let rate = rates * inverse_rest[element];
    let mut stress = neo_hookean_stress(material, deformation);
    stress += rate * material.viscosity;

    // Each node gets a column of −V·P·Dm⁻ᵀ; the first one gets the opposite of their sum.
    let pull = stress * inverse_rest[element].transpose() * -volume[element];
    let mut sum = Vec3::ZERO;
    for k in 0..3 {
        let force = pull.col(k);
        atomic_add(&mut forces[nodes[element][k + 1] as usize], force);
        sum += force;
    }
    atomic_sub(&mut forces[first], sum);

    let stretch = (deformation.transpose() * deformation).trace() - 3.0;
    let growth = deformation.determinant() - 1.0;
    let shear = 0.5 * material.shear * (stretch - 2.0 * growth);
    atomic_add(&mut energy[0], volume[element] * (shear + 0.5 * material.bulk * growth * growth));
}

/// Stiffness matrices of flat quadrilaterals with four nodes, in plane stress, by 2 × 2 points of Gauss: K = ∑ Bᵀ·D·B·|J|·t.
/// Unknowns are (u, v) of each node, anticlockwise. The nodes are those of the unit square, moved by `shift`, in m; `young`
/// is in Pa, `thickness` in m. `load` is the force (N) on each unknown of a `pull` on the volume, in N/m³. (Bathe, "Finite element
/// procedures", section 5.3.)
#[kernel(family = "matrix")]
pub fn quadrilateral_stiffness(
    #[domain(1.0..4.0)] young: f64,
    #[domain(0.1..0.4)] poisson: f64,
    #[domain(0.01..0.1)] thickness: f64,
    #[shape(dim0, 4)]
    #[domain(-0.2..0.2)]
    shift: &Array2<DVec2>,
    #[domain(-10.0..10.0)] pull: DVec2,
    stiffness: &mut [Matrix<f64, 8, 8>],
    load: &mut [Vector<f64, 8>],
    area: &mut [f64],
) {
    const SIDE_X: [f64; 4] = [-1.0, 1.0, 1.0, -1.0];
    const SIDE_Y: [f64; 4] = [-1.0, -1.0, 1.0, 1.0];
    const GAUSS: f64 = 0.577350269189626;
    let element = tid();
    let shared = young / (1.0 - poisson * poisson);
    let elasticity = DMat3::from_cols(
        DVec3::new(shared, shared * poisson, 0.0),
        DVec3::new(shared * poisson, shared, 0.0),
        DVec3::new(0.0, 0.0, 0.5 * shared * (1.0 - poisson)),
    );
    let mut sum = Matrix::<f64, 8, 8>::ZERO;
    let mut forces = Vector::<f64, 8>::ZERO;
    let mut covered = 0.0;
    for point in 0..4 {
        let xi = GAUSS * SIDE_X[point];
        let eta = GAUSS * SIDE_Y[point];
        // The slopes of the shape functions in the square, and from them the Jacobian matrix of the map to the element.
        let mut slopes = [DVec2::ZERO; 4];
        let mut jacobian = DMat2::ZERO;
        for node in 0..4 {
            let along_x = 0.25 * SIDE_X[node] * (1.0 + SIDE_Y[node] * eta);
            let along_y = 0.25 * SIDE_Y[node] * (1.0 + SIDE_X[node] * xi);
            slopes[node] = DVec2::new(along_x, along_y);
            let corner = DVec2::new(SIDE_X[node], SIDE_Y[node]) * 0.5;
            jacobian += slopes[node].outer(corner + shift[[element, node]]);
        }
        let size = jacobian.determinant();
        let to_space = jacobian.inverse();
        // Strains (εx, εy, γxy) by the displacements.
        let mut strain = Matrix::<f64, 3, 8>::ZERO;
        for node in 0..4 {
            let slope = to_space * slopes[node];
            *strain.col_mut(2 * node) = DVec3::new(slope.x, 0.0, slope.y);
            *strain.col_mut(2 * node + 1) = DVec3::new(0.0, slope.y, slope.x);
        }
        for node in 0..4 {
            let share = 0.25 * (1.0 + SIDE_X[node] * xi) * (1.0 + SIDE_Y[node] * eta) * size * thickness;
            forces[2 * node] += share * pull.x;
            forces[2 * node + 1] += share * pull.y;
        }
        sum += strain.transpose() * (elasticity * strain) * (size * thickness);
        covered += size;
    }
    stiffness[element] = sum;
    load[element] = forces;
    area[element] = covered;
}
