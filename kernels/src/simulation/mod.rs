//! Simulation: solids, fluids, contacts, nerves and machines, in steps of methods that simulators are made of.

pub mod articulated;
pub mod bodies;
pub mod cloth;
pub mod collision;
pub mod contact;
pub mod elements;
pub mod fluids;
pub mod machines;
pub mod material_points;
