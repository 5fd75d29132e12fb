interface Lane {
  /** So many tries are made at once, */
  maxRunning: number;
  /** of them for one operator, */
  maxPerOperator: number;
  /** and for one receiver. */
  maxPerReceiver: number;
}

/**
 * Receivers whose newest try took long, or that were never tried, have places of their own, so that the dead, however many
 * they are and whoever's they are, never take those of the others.
 */
const LANES = {
  fast: { maxRunning: 16, maxPerOperator: 8, maxPerReceiver: 4 },
  slow: { maxRunning: 16, maxPerOperator: 4, maxPerReceiver: 2 },
} satisfies Record<string, Lane>;

/** A receiver with what waits for it. */
export interface ReceiverQueue {
  readonly operatorSeq: number;
  /** How many deliveries wait. */
  readonly waiting: number;
  /** How many are being tried. */
  running: number;
  /** Whether the newest try took long, or there was none. */
  slow: boolean;
}

/** An operator's receivers in a lane. */
interface OperatorReceivers<Of> {
  running: number;
  /** Those for which a try may begin, whose turn is longest ago first. */
  ready: Set<Of>;
}

/** Whose turn it is. Operators take turns, and among themselves the receivers of each; nobody is looked at who cannot go. */
export class FairScheduler<Of extends ReceiverQueue> {
  private readonly fastLane = new LaneScheduler<Of>(LANES.fast);
  private readonly slowLane = new LaneScheduler<Of>(LANES.slow);

  /** To be called when something has come to wait for a receiver, or waits no more. */
  update(queue: Of): void {
    const [own, other] = queue.slow ? [this.slowLane, this.fastLane] : [this.fastLane, this.slowLane];
    other.unmarkReady(queue);
    if (queue.waiting > 0 && queue.running < own.lane.maxPerReceiver) own.markReady(queue);
    else own.unmarkReady(queue);
  }

  /** The receiver whose turn it is; `begin` takes what waits for it. @returns null when none may go */
  next(): { line: Of; begin(): () => void } | null {
    for (const lane of [this.fastLane, this.slowLane]) {
      const queue = lane.next();
      if (queue === null) continue;
      return {
        line: queue,
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

/** The places of one lane. */
class LaneScheduler<Of extends ReceiverQueue> {
  private readonly groups = new Map<number, OperatorReceivers<Of>>();
  /** Those that have somebody ready and a place left, whose turn is longest ago first. */
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

  /** Takes a place for a line that is ready; it and its operator go to the end of their turns. @returns what leaves it */
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
