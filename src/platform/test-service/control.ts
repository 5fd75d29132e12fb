import type { Advanced } from './advance.ts';
import type { Fault } from './faults.ts';

/** The clock of a test service. */
export interface ClockState {
  /** Milliseconds since 1970. */
  time: number;
  isRunning: boolean;
}

/** What the routes of a test service control. */
export interface TestControl {
  clock(): ClockState;
  /**
   * Advances the clock. Advances take turns.
   * @param target returns the time to advance to from the present, both in milliseconds since 1970; it may
   * throw
   * @throws Refusal overloaded if the service was reset meanwhile
   */
  advance(target: (now: number) => number): Promise<Advanced & ClockState>;
  /** Makes a new installation. Resets at the same time are one. */
  reset(): Promise<void>;
  faults: {
    all(): readonly Fault[];
    /** @throws Refusal invalid for an operation or a status that the service does not have */
    add(fault: Fault): Promise<void>;
    clear(): void;
  };
}
