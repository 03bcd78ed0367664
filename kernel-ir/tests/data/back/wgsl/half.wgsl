WGSL has no type `f16`
