let mut g_kept = [0.0f32; 64];
for lane in 0..64 {
    let tid2 = || all(lane);
    let (i, _) = tid2();
    let (_, j) = tid2();
    let g_1 = adj_c[[i, j]];
    g_kept[lane] = g_1;
}
let mut part = [0.0f32; 64];
let mut part_1 = [0.0f32; 64];
for k in (0..a.shape()[1]).rev() {
    if k < a.shape()[1] && k < adj_a.shape()[1] && k < adj_b.shape()[0] && k < b.shape()[0] {
        for lane in 0..64 {
            let tid2 = || all(lane);
            let (i, _) = tid2();
            let (_, j) = tid2();
            let mut g_1 = g_kept[lane];
            part[lane] = g_1 * b[[k, j]];
            part_1[lane] = g_1 * a[[i, k]];
        }
        for lane in 0..64 {
            let tid2 = || all(lane);
            let (i, _) = tid2();
            let (_, j) = tid2();
            atomic_add(&mut adj_b[[k, j]], part_1[lane]);
        }
        {
            let lane = 0;
            let tid2 = || all(lane);
            let (i, _) = tid2();
            let (_, j) = tid2();
            let mut total = adj_a[[i, k]];
            for lane in 0..lanes {
                total += part[lane];
            }
            adj_a[[i, k]] = total;
        }
    } else {
        for lane in 0..64 {
            let tid2 = || all(lane);
            let (i, _) = tid2();
            let (_, j) = tid2();
            let mut g_1 = g_kept[lane];
            part[lane] = g_1 * b[[k, j]];
            part_1[lane] = g_1 * a[[i, k]];
        }
        for lane in 0..64 {
            let tid2 = || all(lane);
            let (i, _) = tid2();
            let (_, j) = tid2();
            atomic_add(&mut adj_b[[k, j]], part_1[lane]);
        }
        {
            let lane = 0;
            let tid2 = || all(lane);
            let (i, _) = tid2();
            let (_, j) = tid2();
            let mut total_1 = adj_a[[i, k]];
            for lane in 0..lanes {
                total_1 += part[lane];
            }
            adj_a[[i, k]] = total_1;
        }
    }
}
