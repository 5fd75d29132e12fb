import { readFileSync } from 'node:fs';
import os from 'node:os';

import { timestampOf } from './timestamp.ts';

/** The source of all dates in the program; tests pass their own. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /** The same by the clock of the machine, if `now` is the time of a test service; else absent. */
  realNow?(): number;
}

/**
 * Returns the time for signatures of messages between machines, in milliseconds since 1970. Their receivers
 * and senders compare it with their own clocks, so it is the machine's even in a test service.
 */
export function signatureTime(clock: Clock): number {
  return clock.realNow?.() ?? clock.now();
}

/** A clock with an additional monotonic clock that cannot be set. */
export interface SteadyClock extends Clock {
  /** Milliseconds since an arbitrary moment; independent of changes of the wall clock. */
  monotonic(): number;
  /**
   * Milliseconds since the boot, with those in which the machine was suspended; null if the system does not
   * say.
   */
  sinceBoot(): number | null;
}

export const systemClock: SteadyClock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sinceBoot: uptime,
};

/**
 * Returns the time since the boot on Linux: to a hundredth of a second, or to a second where a hardened unit
 * hides `/proc/uptime`. Other systems compute it from the wall clock, which says nothing about it.
 */
function uptime(): number | null {
  if (process.platform !== 'linux') return null;
  for (const seconds of [() => Number.parseFloat(readFileSync('/proc/uptime', 'utf8')), os.uptime]) {
    try {
      return seconds() * 1000;
    } catch {
      // Hidden, or not allowed.
    }
  }
  return null;
}

/** Returns the time as text. */
export function timestamp(clock: Clock): string {
  return timestampOf(clock.now());
}

/** Timers; tests pass their own. */
export interface Timers {
  /** Runs `act` once after `ms` milliseconds. @returns a function that cancels it */
  after(ms: number, act: () => void): () => void;
}

/** The longest delay of a timer in the runtime: 2^31 - 1 milliseconds. */
const LONGEST_MS = 2 ** 31 - 1;

export const systemTimers: Timers = {
  after(ms, act) {
    const timer = setTimeout(act, Math.min(ms, LONGEST_MS));
    return () => clearTimeout(timer);
  },
};
