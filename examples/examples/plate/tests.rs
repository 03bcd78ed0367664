//! The descent on a small plate.

use super::plot;
use super::simulation::{Descent, Experiment, Plate};
use kernel_rt::Device;

const SMALL: Plate = Plate { cells: 24, steps: 40, every: 10 };

#[test]
fn the_loss_falls_to_a_hundredth() {
    let mut descent = Descent::new(Experiment::new(&Device::cpu(), SMALL).unwrap()).unwrap();
    let error = descent.error().unwrap();
    let losses: Vec<f64> = (0..40).map(|_| descent.step().unwrap()).collect();
    assert!(losses[39] < 0.01 * losses[0], "{losses:?}");
    assert!(descent.error().unwrap() < 0.5 * error);
}

#[test]
fn the_gradient_is_that_of_central_differences() {
    let mut descent = Descent::new(Experiment::new(&Device::cpu(), SMALL).unwrap()).unwrap();
    for _ in 0..3 {
        descent.step().unwrap();
    }
    let (_, gradient) = descent.gradient().unwrap();
    let gradient = gradient.to_array().unwrap();
    let largest = gradient.as_slice().iter().fold(0.0, |max: f64, g| max.max(g.abs()));
    let p = descent.p.to_array().unwrap();
    for cell in [[0, 0], [0, 13], [7, 23], [12, 12], [23, 5]] {
        let loss = |by: f64| {
            let mut p = p.clone();
            p[cell] += by;
            let p = Device::cpu().array_from_nd(&p).unwrap();
            descent.experiment.loss(&Device::cpu(), &p).unwrap().to_vec().unwrap()[0]
        };
        let expected = (loss(1e-4) - loss(-1e-4)) / 2e-4;
        let found = gradient[cell];
        assert!((found - expected).abs() < 1e-6 * largest, "{cell:?}: {found:e}, by differences {expected:e}");
    }
}

#[test]
fn the_pictures_can_be_read() {
    let folder = std::env::temp_dir().join(format!("weft-heat-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let descent = Descent::new(Experiment::new(&Device::cpu(), SMALL).unwrap()).unwrap();
    let (svg, png) = (folder.join("loss.svg"), folder.join("field.png"));
    plot::curve(&svg, "loss", &[1.0, 0.1, 0.005]).unwrap();
    plot::field(&png, &[descent.truth().unwrap(), descent.found().unwrap()], super::simulation::CONDUCTIVITY).unwrap();

    let text = std::fs::read_to_string(&svg).unwrap();
    assert!(text.contains("60.0,60.0 320.0,153.3 580.0,"), "{text}");
    let reader = png::Decoder::new(std::io::BufReader::new(std::fs::File::open(&png).unwrap())).read_info().unwrap();
    assert_eq!(reader.info().size(), (24 + 8 + 24, 24));
    std::fs::remove_dir_all(folder).unwrap();
}
