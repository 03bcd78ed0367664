let atomic_add_1 = tid();
atomic_add(&mut y[atomic_add_1], __weft_tid[atomic_add_1]);
atomic_max(&mut y[0], 1.0);
