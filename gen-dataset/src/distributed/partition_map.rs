//! The partition map: the partition that each kernel belongs to.
//!
//! Each partition owns a range of skeleton hashes. Kernels that are equal, or differ only in names and constants, have
//! the same skeleton and so the same owner. So no two partitions write the same kernel, whoever runs them and when.
//!
//! The owner of a sample is the owner of its first draft, which is much cheaper than a proven record. Still, every
//! partition would have to draft all samples to find its own. So owners are computed in blocks and shared through the
//! store: a worker first computes its part of the blocks, then reads those of others. Any worker may compute any block,
//! because a block follows from seed and families alone.

use super::store::Store;
use crate::error::Error;
use crate::model::read_kernel;
use crate::panics;
use crate::pipeline::Share;
use crate::source::identity::skeleton_id;
use crate::source::registry::Candidate;
use crate::synth::{self, Family};
use kernel_ir::ir::Kernel;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// The number of samples in a block.
const BLOCK: u64 = 1024;
/// The size of the hash at the end of a block, in bytes.
const HASH: usize = 32;

/// Maps kernels to the partitions that own them.
pub(crate) struct PartitionMap {
    store: Store,
    partitions: u32,
    seed: u64,
    families: Vec<&'static Family>,
    blocks: Mutex<BTreeMap<u64, Arc<[u32]>>>,
}

impl PartitionMap {
    /// The map of the samples of `seed` to `partitions` owners, shared through `store`.
    pub(crate) fn new(store: Store, partitions: u32, seed: u64, families: Vec<&'static Family>) -> PartitionMap {
        PartitionMap { store, partitions, seed, families, blocks: Mutex::default() }
    }

    /// The owner of a registered kernel. A kernel that cannot be read goes to partition 0, which rejects it.
    fn of_registered(&self, candidate: &Candidate) -> u32 {
        read_kernel(candidate.info.ir).map_or(0, |kernel| owner(&kernel, self.partitions))
    }

    /// The next `count` samples of `partition`, from the sample `from` on.
    fn next(&self, partition: u32, from: u64, count: usize, pool: &rayon::ThreadPool) -> Result<Vec<u64>, Error> {
        let mut found = Vec::new();
        let mut block = from / BLOCK;
        while found.len() < count {
            let owners = self.block(block, pool)?;
            let samples = (block * BLOCK..).zip(&*owners);
            found.extend(
                samples.filter(|(index, owner)| **owner == partition && *index >= from).map(|(index, _)| index),
            );
            block += 1;
        }
        found.truncate(count);
        Ok(found)
    }

    /// Computes and stores the owners of every block below `samples` for which `mine` holds, until `stopped`.
    pub(crate) fn share(
        &self,
        samples: u64,
        mine: impl Fn(u64) -> bool,
        pool: &rayon::ThreadPool,
        stopped: &dyn Fn() -> bool,
    ) -> Result<(), Error> {
        let blocks = (0..samples.div_ceil(BLOCK)).filter(|block| mine(*block));
        blocks.take_while(|_| !stopped()).try_for_each(|block| self.block(block, pool).map(drop))
    }

    fn block(&self, block: u64, pool: &rayon::ThreadPool) -> Result<Arc<[u32]>, Error> {
        if let Some(owners) = self.blocks.lock().unwrap_or_else(PoisonError::into_inner).get(&block) {
            return Ok(Arc::clone(owners));
        }
        let name = format!("scan/{block:08}.owners");
        let owners = match self.store.read(&name)?.and_then(|bytes| decode(&bytes)) {
            Some(owners) => owners,
            None => {
                let samples = block * BLOCK..(block + 1) * BLOCK;
                let owners: Vec<u32> =
                    pool.install(|| samples.into_par_iter().map(|index| self.of_sample(index)).collect());
                self.store.write(&name, &encode(&owners))?;
                owners.into()
            }
        };
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner).insert(block, Arc::clone(&owners));
        Ok(owners)
    }

    fn of_sample(&self, index: u64) -> u32 {
        let draft = panics::caught(|| synth::draft(synth::family(&self.families, index), self.seed, index));
        // If the generator panics on a sample, partition 0 owns it and reports the panic.
        draft.map_or(0, |kernel| owner(&kernel, self.partitions))
    }
}

/// The kernels of one partition.
pub(crate) struct Partition<'a> {
    /// Maps kernels to partitions.
    pub(crate) map: &'a PartitionMap,
    /// Which partition.
    pub(crate) number: u32,
}

impl Share for Partition<'_> {
    fn has(&self, candidate: &Candidate) -> bool {
        self.map.of_registered(candidate) == self.number
    }

    fn next(&self, from: u64, count: usize, pool: &rayon::ThreadPool) -> Result<Vec<u64>, Error> {
        self.map.next(self.number, from, count, pool)
    }
}

impl fmt::Debug for PartitionMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PartitionMap")
            .field("partitions", &self.partitions)
            .field("seed", &self.seed)
            .finish_non_exhaustive()
    }
}

/// The partition that owns the skeleton of `kernel`. `no_grad` is ignored: it is decided only after the draft.
fn owner(kernel: &Kernel, partitions: u32) -> u32 {
    let skeleton = skeleton_id(&Kernel { no_grad: false, ..kernel.clone() });
    // Scales the first 64 bits of the hash to `0..partitions`.
    let place = u64::from_str_radix(&skeleton[..16], 16).unwrap_or_default();
    ((u128::from(place) * u128::from(partitions)) >> 64) as u32
}

fn encode(owners: &[u32]) -> Vec<u8> {
    let mut bytes: Vec<u8> = owners.iter().flat_map(|owner| owner.to_le_bytes()).collect();
    bytes.extend(blake3::hash(&bytes).as_bytes());
    bytes
}

/// The owners in a block. `None` if the block is damaged; it is then computed again.
fn decode(bytes: &[u8]) -> Option<Arc<[u32]>> {
    let (owners, hash) = bytes.split_at_checked(bytes.len().checked_sub(HASH)?)?;
    let is_whole = owners.len() as u64 == 4 * BLOCK && blake3::hash(owners).as_bytes() == hash;
    let owner = |bytes: &[u8]| bytes.try_into().map_or(0, u32::from_le_bytes);
    is_whole.then(|| owners.chunks_exact(4).map(owner).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synth::FAMILIES;

    fn owners(store: &std::path::Path) -> PartitionMap {
        PartitionMap::new(Store::folder(store), 7, 3, FAMILIES.iter().collect())
    }

    #[test]
    fn a_block_is_made_once_and_again_if_it_is_damaged() {
        let folder = tempfile::tempdir().unwrap();
        let pool = rayon::ThreadPoolBuilder::new().build().unwrap();
        let first = owners(folder.path()).next(2, 0, 50, &pool).unwrap();
        let file = folder.path().join("scan/00000000.owners");
        let bytes = std::fs::read(&file).unwrap();
        assert_eq!(decode(&bytes).unwrap().len(), BLOCK as usize);
        std::fs::write(&file, &bytes[1..]).unwrap();
        assert_eq!(owners(folder.path()).next(2, 0, 50, &pool).unwrap(), first);
        assert_eq!(std::fs::read(&file).unwrap(), bytes);
        let rest = owners(folder.path()).next(2, first[9] + 1, 40, &pool).unwrap();
        assert_eq!(rest, first[10..]);
    }

    #[test]
    fn the_owner_of_a_draft_is_that_of_the_kernel_that_comes_of_it() {
        for index in 0..60 {
            let family = synth::family(&FAMILIES.iter().collect::<Vec<_>>(), index);
            if let (Some(sample), _) = synth::sample(family, 3, index, 1) {
                assert_eq!(owner(&sample.kernel, 64), owner(&synth::draft(family, 3, index), 64));
            }
        }
    }
}
