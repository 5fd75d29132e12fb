interface Lane {
  /** Most concurrent attempts. */
  maxRunning: number;
  /** Most concurrent attempts for one operator. */
  maxPerOperator: number;
  /** Most concurrent attempts for one receiver. */
  maxPerReceiver: number;
}

/**
 * Receivers whose last attempt was slow, and new receivers, have a separate lane, so that unreachable
 * receivers never use the capacity of the fast ones.
 */
const LANES = {
  fast: { maxRunning: 16, maxPerOperator: 8, maxPerReceiver: 4 },
  slow: { maxRunning: 16, maxPerOperator: 4, maxPerReceiver: 2 },
} satisfies Record<string, Lane>;

/** The queue of a receiver. */
export interface ReceiverQueue {
  readonly operatorSeq: number;
  /** Number of queued deliveries. */
  readonly waiting: number;
  /** Number of running attempts. */
  running: number;
  /** True if the last attempt was slow, or there was none yet. */
  slow: boolean;
}

/** An operator's receivers in a lane. */
interface OperatorReceivers<Of> {
  running: number;
  /** Receivers with queued deliveries and capacity, least recently served first. */
  ready: Set<Of>;
}

/**
 * Schedules deliveries fairly: operators take turns, and so do the receivers of each. The cost does not grow
 * with their number.
 */
export class FairScheduler<Of extends ReceiverQueue> {
  private readonly fastLane = new LaneScheduler<Of>(LANES.fast);
  private readonly slowLane = new LaneScheduler<Of>(LANES.slow);

  /** Updates a receiver's turn after its queue changed. */
  update(queue: Of): void {
    const [lane, otherLane] = queue.slow ? [this.slowLane, this.fastLane] : [this.fastLane, this.slowLane];
    otherLane.unmarkReady(queue);
    if (queue.waiting > 0 && queue.running < lane.lane.maxPerReceiver) lane.markReady(queue);
    else lane.unmarkReady(queue);
  }

  /** Returns the next receiver; null if there is none. `begin` reserves capacity and returns its release. */
  next(): { receiver: Of; begin(): () => void } | null {
    for (const lane of [this.fastLane, this.slowLane]) {
      const queue = lane.next();
      if (queue === null) continue;
      return {
        receiver: queue,
        begin: () => {
          queue.running += 1;
          const release = lane.start(queue);
          this.update(queue);
          return () => {
            queue.running -= 1;
            release();
            this.update(queue);
          };
        },
      };
    }
    return null;
  }
}

/** Schedules the receivers of one lane. */
class LaneScheduler<Of extends ReceiverQueue> {
  private readonly groups = new Map<number, OperatorReceivers<Of>>();
  /** Operators with a ready receiver and capacity, least recently served first. */
  private readonly turns = new Set<OperatorReceivers<Of>>();
  private running = 0;

  constructor(readonly lane: Lane) {}

  markReady(queue: Of): void {
    const group = this.groups.get(queue.operatorSeq) ?? { running: 0, ready: new Set() };
    this.groups.set(queue.operatorSeq, group);
    group.ready.add(queue);
    this.updateTurn(queue.operatorSeq, group);
  }

  unmarkReady(queue: Of): void {
    const group = this.groups.get(queue.operatorSeq);
    if (group?.ready.delete(queue)) this.updateTurn(queue.operatorSeq, group);
  }

  next(): Of | null {
    if (this.running >= this.lane.maxRunning) return null;
    for (const { ready } of this.turns) for (const queue of ready) return queue;
    return null;
  }

  /**
   * Reserves capacity for a ready receiver; it and its operator go to the end of their turns.
   * @returns the function that releases it
   */
  start(queue: Of): () => void {
    const { operatorSeq } = queue;
    const group = this.groups.get(operatorSeq) ?? { running: 0, ready: new Set() };
    this.groups.set(operatorSeq, group);
    this.running += 1;
    group.running += 1;
    group.ready.delete(queue);
    this.turns.delete(group);
    this.updateTurn(operatorSeq, group);
    return () => {
      this.running -= 1;
      group.running -= 1;
      this.updateTurn(operatorSeq, group);
    };
  }

  private updateTurn(operatorSeq: number, group: OperatorReceivers<Of>): void {
    if (group.ready.size > 0 && group.running < this.lane.maxPerOperator) this.turns.add(group);
    else this.turns.delete(group);
    if (group.ready.size === 0 && group.running === 0) this.groups.delete(operatorSeq);
  }
}
