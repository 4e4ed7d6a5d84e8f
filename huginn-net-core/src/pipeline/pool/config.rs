//! What can be set for a pool, and what its workers did.

use core::time::Duration;

/// How analysis is spread over workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PoolConfig {
    /// Copies of the analyzers that work at the same time, 1 to 64, each in a thread of its own, and one more reads and decodes;
    /// for those that read themselves see [`max_readers`](Self::max_readers).
    pub workers: usize,
    /// The most workers that each read and decode the whole of a capture that can be read any number of times, see
    /// [`Source::fork`](crate::Source::fork): such a capture gets no more workers. With 0 one thread reads for all of them, as it
    /// does of other captures.
    ///
    /// There are fewer threads for them than this, as who asks for events goes on with one where it would have to wait.
    pub max_readers: usize,
    /// Batches that each worker may have on their way, 1 to 4,096: waiting for it, or done and waiting for their events to be
    /// taken. When there are as many, a live source drops packets, counted. A capture waits, and has no more than 8 on their way
    /// in any case, or 4 of workers that read themselves, which is faster than more.
    pub queue: usize,
    /// Packets of a batch, 1 to 65,536; of workers that read themselves, events, or those of 32 times as many frames.
    pub batch_packets: usize,
    /// Bytes after which a batch is full, 64 MiB at most; the packet that reaches it is the last one. Batches without packets have
    /// none.
    pub batch_bytes: usize,
    /// Capture time after which a batch of a live source is sent although it is not full. One that has nothing at the moment
    /// sends everything at once.
    pub linger: Duration,
}

/// The most workers of a pool.
const MAX_WORKERS: usize = 64;
/// The most batches on their way to a worker.
const MAX_QUEUE: usize = 4_096;
/// The most packets of a batch, and bytes.
const MAX_BATCH: (usize, usize) = (1 << 16, 64 << 20);

impl PoolConfig {
    /// So many workers with a queue of so many batches each, and otherwise as by [default](Self::default); what is out of range
    /// is brought into it.
    #[must_use]
    pub fn new(workers: usize, queue: usize) -> Self {
        Self {
            workers,
            max_readers: cores(),
            queue,
            batch_packets: 512,
            batch_bytes: 256 << 10,
            linger: Duration::from_millis(20),
        }
        .in_range()
    }

    /// The same, whatever its fields were set to, within what they may be.
    pub(in crate::pipeline) fn in_range(self) -> Self {
        Self {
            workers: self.workers.clamp(1, MAX_WORKERS),
            queue: self.queue.clamp(1, MAX_QUEUE),
            batch_packets: self.batch_packets.clamp(1, MAX_BATCH.0),
            batch_bytes: self.batch_bytes.min(MAX_BATCH.1),
            ..self
        }
    }

    /// With this number of [`workers`](Self::workers), brought into its range.
    #[must_use]
    pub fn with_workers(self, workers: usize) -> Self {
        Self { workers, ..self }.in_range()
    }

    /// With this [`max_readers`](Self::max_readers).
    #[must_use]
    pub const fn with_max_readers(self, max_readers: usize) -> Self {
        Self { max_readers, ..self }
    }

    /// With this [`queue`](Self::queue), brought into its range.
    #[must_use]
    pub fn with_queue(self, queue: usize) -> Self {
        Self { queue, ..self }.in_range()
    }

    /// With this [`batch_packets`](Self::batch_packets) and [`batch_bytes`](Self::batch_bytes).
    #[must_use]
    pub fn with_batch(self, packets: usize, bytes: usize) -> Self {
        Self { batch_packets: packets, batch_bytes: bytes, ..self }.in_range()
    }

    /// With this [`linger`](Self::linger).
    #[must_use]
    pub const fn with_linger(self, linger: Duration) -> Self {
        Self { linger, ..self }
    }
}

impl Default for PoolConfig {
    /// A worker for each core that the process may use, each of which may read, with a queue of 100 batches of 512 packets or
    /// 256 KiB; 20 milliseconds.
    fn default() -> Self {
        Self::new(cores(), 100)
    }
}

/// Cores that the process may use, as far as that can be known.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// What the workers of a pool did, or those of shards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PoolStats {
    /// By worker.
    pub workers: Vec<WorkerStats>,
}

impl PoolStats {
    /// Packets that all workers together did not get, because their queues were full.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        self.workers.iter().map(|worker| worker.dropped).sum()
    }
}

/// What one worker did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct WorkerStats {
    /// Packets analyzed. One that several analyzers want counts once for each worker that has it. How many are sent of flows
    /// that are held no longer depends on when the reader learns of it. Workers that read themselves have all packets of their
    /// flows, whether some analyzer wants them or not.
    pub packets: u64,
    /// Batches they came in.
    pub batches: u64,
    /// Events reported, before conclusions are drawn from them.
    pub events: u64,
    /// Packets of a live source that it did not get because its queue was full.
    pub dropped: u64,
    /// The most batches that it had on their way at once.
    pub queue_high_water: u64,
}
