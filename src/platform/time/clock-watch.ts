import type { SteadyClock } from './clock.ts';

/** A synchronized clock changes in smaller steps. Two clocks agree if they differ by no more. */
const JUMP_MS = 60_000;
/**
 * A smaller step is no sleep: the clocks are read one after the other, and the time since the boot is known
 * to 10 ms.
 */
const STEP_MS = 100;

/** What a service knows when it starts, and how it accepts another time. */
export interface ClockOptions {
  /**
   * The start whose clock is in doubt: when the newest data is from, in milliseconds since 1970, and for how
   * long the service ran since then, in milliseconds. Null for a start with a clock that fits the data.
   */
  start?: { newest: number; ranMs: number } | null;
  /**
   * The newest time that counts as right, in milliseconds since 1970, if the clock of the start is before it
   * by more than 60 s. Null for any other start.
   */
  behind?: number | null;
  /**
   * The number of witnesses that must date cosignatures as the clock does; 0 if no witness can confirm it.
   */
  witnesses?: number;
  /**
   * After so many milliseconds at a new time, the change counts as intended. Null, the default, for never.
   */
  acceptAfterMs?: number | null;
}

/** A reading of the clock. */
export interface ClockReading {
  /** The wall clock, in milliseconds since 1970. */
  wall: number;
  /**
   * The same by the monotonic clock, from the last time at which both agreed. Equal to `wall` unless the
   * clock was set. For a start with a clock behind the newest time, the time is no earlier than that one.
   */
  estimate: number;
  /** By how many milliseconds the wall clock was set, ahead or back; null while it is right. */
  jump: number | null;
}

/**
 * Detects when the wall clock is set by more than 60 s, by comparing it with the monotonic clock. Callers
 * must call it every few seconds. Any number of smaller steps is accepted. Sleep of the machine is no change:
 * the time since the boot counts it, the monotonic clock may not.
 *
 * A clock that was set is right again when it is set back, when witnesses date cosignatures as it does, or
 * when the administrator accepts it. The clock of a start can be in doubt too: then only scheduled tasks
 * wait. A start whose clock is behind a time that counted as right has a wrong clock, until it reaches that
 * time.
 */
export class ClockWatch {
  /** The difference between the wall clock and the monotonic clock while the wall clock is right. */
  private right: number;
  /** The newest difference for which sleep was looked for. */
  private examined: number;
  /** The difference between the time since the boot and the monotonic clock; null if unknown. */
  private asleep: number | null;
  private change: { offset: number; since: number } | null = null;
  /** `since`: the time of the start on the monotonic clock, less what the service ran before. */
  private start: { newest: number; since: number } | null = null;
  /** The newest time that counted as right before the start, until the clock reaches it. */
  private behind: number | null;
  /** The difference of the clocks when each witness dated a cosignature as the wall clock did. */
  private readonly agreed = new Map<string, number>();
  private confirmations = 0;
  private readonly openedAt: number;
  private readonly witnesses: number;
  private readonly acceptAfterMs: number | null;

  constructor(
    private readonly clock: SteadyClock,
    { start = null, behind = null, witnesses = 0, acceptAfterMs = null }: ClockOptions = {},
  ) {
    const monotonic = clock.monotonic();
    this.right = clock.now() - monotonic;
    this.examined = this.right;
    this.asleep = this.asleepAt(monotonic);
    this.openedAt = monotonic;
    if (start !== null) this.start = { newest: start.newest, since: monotonic - start.ranMs };
    this.behind = behind;
    this.witnesses = witnesses;
    this.acceptAfterMs = acceptAfterMs;
  }

  /** Checks the clock. @returns by how many milliseconds it was set, ahead or back; null while it is right */
  look(): number | null {
    return this.read().jump;
  }

  /** Reads and checks the clock. A date that is taken from the reading is as right as the reading says. */
  read(): ClockReading {
    const monotonic = this.clock.monotonic();
    const wall = this.clock.now();
    const offset = wall - monotonic;
    if (Math.abs(offset - this.examined) > STEP_MS) this.countSleep(monotonic);
    this.examined = offset;
    if (this.behind !== null) {
      const ahead = wall - this.behind;
      if (ahead < -JUMP_MS) return { wall, estimate: this.behind, jump: ahead };
      // Nobody knows for how long the service was off, so any later time fits.
      this.behind = null;
      this.right = offset;
    }
    if (Math.abs(offset - this.right) <= JUMP_MS || this.isIntended(offset, monotonic)) {
      this.right = offset;
      this.change = null;
      return { wall, estimate: wall, jump: null };
    }
    return { wall, estimate: monotonic + this.right, jump: offset - this.right };
  }

  /**
   * True while the wall clock is known to be wrong, and while that of the start is in doubt: nothing may be
   * done by date then.
   */
  get isInDoubt(): boolean {
    return this.start !== null || this.look() !== null;
  }

  /** True if the wall clock is known to be ahead, so that a time that seems past may be in the future. */
  get isAhead(): boolean {
    return (this.look() ?? 0) > 0;
  }

  /**
   * When the newest data is from, if the clock of the start is in doubt, and how long the service has run
   * since then; else null.
   */
  get startInDoubt(): { newest: number; ranMs: number } | null {
    if (this.start === null) return null;
    return { newest: this.start.newest, ranMs: this.clock.monotonic() - this.start.since };
  }

  /**
   * Records a time that the clock of the start must have reached: the clock is wrong while it is behind it by
   * more than 60 s. @param time milliseconds since 1970
   */
  startedAfter(time: number): void {
    if (this.clock.now() < time - JUMP_MS) this.behind = Math.max(this.behind ?? time, time);
  }

  /** True if the clock of the start is behind the newest time that counted as right. */
  get isBehindStart(): boolean {
    return this.look() !== null && this.behind !== null;
  }

  /** For how many milliseconds this process has watched the clock. */
  get runningMs(): number {
    return this.clock.monotonic() - this.openedAt;
  }

  /** True if witnesses can confirm the clock. */
  get hasWitnesses(): boolean {
    return this.witnesses > 0;
  }

  /** How often the time was confirmed or accepted. */
  get timesConfirmed(): number {
    return this.confirmations;
  }

  /**
   * Records when a witness dated a cosignature that it has just made. Enough witnesses that agree with the
   * clock confirm it.
   * @param witness identifies the witness @param at milliseconds since 1970
   */
  cosigned(witness: string, at: number): void {
    const { wall, jump } = this.read();
    if (jump === null && this.start === null) return;
    if (Math.abs(at - wall) > JUMP_MS) {
      this.agreed.delete(witness);
      return;
    }
    this.agreed.set(witness, this.examined);
    const agreeing = [...this.agreed.values()].filter(
      (offset) => Math.abs(offset - this.examined) <= JUMP_MS,
    );
    if (this.hasWitnesses && agreeing.length >= this.witnesses) this.confirm();
  }

  /** Accepts the time of the wall clock as right. @returns false if it was not in doubt */
  accept(): boolean {
    if (this.read().jump === null && this.start === null) return false;
    this.confirm();
    return true;
  }

  private confirm(): void {
    this.right = this.examined;
    this.change = null;
    this.start = null;
    this.behind = null;
    this.agreed.clear();
    this.confirmations++;
  }

  private isIntended(offset: number, monotonic: number): boolean {
    if (this.change === null || Math.abs(offset - this.change.offset) > JUMP_MS) {
      this.change = { offset, since: monotonic };
    }
    return this.acceptAfterMs !== null && monotonic - this.change.since >= this.acceptAfterMs;
  }

  /** Adds the time that the machine slept, which the monotonic clock may not have counted. */
  private countSleep(monotonic: number): void {
    const asleep = this.asleepAt(monotonic);
    if (asleep === null || this.asleep === null || asleep - this.asleep < STEP_MS) return;
    this.right += asleep - this.asleep;
    this.asleep = asleep;
  }

  private asleepAt(monotonic: number): number | null {
    const sinceBoot = this.clock.sinceBoot();
    return sinceBoot === null ? null : sinceBoot - monotonic;
  }
}
