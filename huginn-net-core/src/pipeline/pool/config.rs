//! What can be set for a pool, and what its workers did.

use core::time::Duration;

/// How analysis is spread over workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PoolConfig {
    /// Copies of the analyzers that work at the same time, 1 to 64, among which flows are shared out. Of a
    /// [live](crate::Source::is_live) source each has a thread of its own, and one more reads and decodes; of another there are no
    /// more of them than [`max_threads`](Self::max_threads).
    pub workers: usize,
    /// The most threads that take turns with another source than a live one; with who asks for events, who does what is to be done where
    /// it would have to wait. There is one in any case.
    pub max_threads: usize,
    /// Batches that each worker may have on their way, 1 to 4,096: waiting for it, or done and waiting for their events to be
    /// taken. When there are as many, a live source drops packets, counted. Another one waits, and has no more than two for each
    /// thread and two more.
    pub queue: usize,
    /// Packets of a batch of a live source, and frames of one of another, 1 to 65,536; about as many where a file is read ahead.
    pub batch_packets: usize,
    /// Bytes after which a batch is full, 64 MiB at most; the packet that reaches it is the last one. Batches without packets have
    /// none. Of a file that is read ahead, pieces have 256 KiB at most, whatever this is.
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
            max_threads: cores(),
            queue,
            batch_packets: 1_024,
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

    /// With this [`max_threads`](Self::max_threads).
    #[must_use]
    pub const fn with_max_threads(self, max_threads: usize) -> Self {
        Self { max_threads, ..self }
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
    /// A worker and a thread for each core that the process may use, with a queue of 100 batches of 1,024 packets or 256 KiB; 20
    /// milliseconds.
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
    /// that are held no longer depends on when the reader learns of it. Of another than a live source they are all packets of
    /// its flows, whether some analyzer wants them or not.
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
