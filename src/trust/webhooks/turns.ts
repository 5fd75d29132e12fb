interface Lane {
  /** So many tries are made at once, */
  atOnce: number;
  /** of them for one operator, */
  ofOperator: number;
  /** and for one receiver. */
  ofOne: number;
}

/**
 * Receivers whose newest try took long, or that were never tried, have places of their own, so that the dead, however many
 * they are and whoever's they are, never take those of the others.
 */
const LANES = {
  quick: { atOnce: 16, ofOperator: 8, ofOne: 4 },
  slow: { atOnce: 16, ofOperator: 4, ofOne: 2 },
} satisfies Record<string, Lane>;

/** A receiver with what waits for it. */
export interface Line {
  readonly operatorSeq: number;
  /** How many deliveries wait. */
  readonly waiting: number;
  /** How many are being tried. */
  running: number;
  /** Whether the newest try took long, or there was none. */
  slow: boolean;
}

/** An operator's receivers in a lane. */
interface Group<Of> {
  running: number;
  /** Those for which a try may begin, whose turn is longest ago first. */
  ready: Set<Of>;
}

/** Whose turn it is. Operators take turns, and among themselves the receivers of each; nobody is looked at who cannot go. */
export class Turns<Of extends Line> {
  private readonly quick = new Places<Of>(LANES.quick);
  private readonly slow = new Places<Of>(LANES.slow);

  /** To be called when something has come to wait for a receiver, or waits no more. */
  update(line: Of): void {
    const [own, other] = line.slow ? [this.slow, this.quick] : [this.quick, this.slow];
    other.withdraw(line);
    if (line.waiting > 0 && line.running < own.lane.ofOne) own.offer(line);
    else own.withdraw(line);
  }

  /** The receiver whose turn it is; `begin` takes what waits for it. @returns null when none may go */
  next(): { line: Of; begin(): () => void } | null {
    for (const places of [this.quick, this.slow]) {
      const line = places.next();
      if (line === null) continue;
      return {
        line,
        begin: () => {
          line.running += 1;
          const leave = places.take(line);
          this.update(line);
          return () => {
            line.running -= 1;
            leave();
            this.update(line);
          };
        },
      };
    }
    return null;
  }
}

/** The places of one lane. */
class Places<Of extends Line> {
  private readonly groups = new Map<number, Group<Of>>();
  /** Those that have somebody ready and a place left, whose turn is longest ago first. */
  private readonly turns = new Set<Group<Of>>();
  private running = 0;

  constructor(readonly lane: Lane) {}

  offer(line: Of): void {
    const group = this.groups.get(line.operatorSeq) ?? { running: 0, ready: new Set() };
    this.groups.set(line.operatorSeq, group);
    group.ready.add(line);
    this.settle(line.operatorSeq, group);
  }

  withdraw(line: Of): void {
    const group = this.groups.get(line.operatorSeq);
    if (group?.ready.delete(line)) this.settle(line.operatorSeq, group);
  }

  next(): Of | null {
    if (this.running >= this.lane.atOnce) return null;
    for (const { ready } of this.turns) for (const line of ready) return line;
    return null;
  }

  /** Takes a place for a line that is ready; it and its operator go to the end of their turns. @returns what leaves it */
  take(line: Of): () => void {
    const { operatorSeq } = line;
    const group = this.groups.get(operatorSeq) ?? { running: 0, ready: new Set() };
    this.groups.set(operatorSeq, group);
    this.running += 1;
    group.running += 1;
    group.ready.delete(line);
    this.turns.delete(group);
    this.settle(operatorSeq, group);
    return () => {
      this.running -= 1;
      group.running -= 1;
      this.settle(operatorSeq, group);
    };
  }

  private settle(operatorSeq: number, group: Group<Of>): void {
    if (group.ready.size > 0 && group.running < this.lane.ofOperator) this.turns.add(group);
    else this.turns.delete(group);
    if (group.ready.size === 0 && group.running === 0) this.groups.delete(operatorSeq);
  }
}
