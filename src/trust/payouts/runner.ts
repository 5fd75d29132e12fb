import type { ModuleTask } from '../../platform/module.ts';
import { type PayoutRail, type RailContext, RailUnavailable } from './rail.ts';
import { openRail } from './rails.ts';

/** The time between two rounds without work. */
const EVERY_MS = 2000;
/** The time after a first failed round. It doubles with each further one. */
const FIRST_WAIT_MS = 5000;
const LONGEST_WAIT_MS = 300_000;

/** A rail that fails. */
interface RailFailure {
  /** One of few words, for a metric. */
  reason: string;
  /** The failed rounds in a row. */
  rounds: number;
}

/** Runs the rounds of the configured rail, one at a time. After failed rounds it waits longer. */
export class PayoutRunner {
  private rail: PayoutRail | null = null;
  private runIn: (ms: number) => void = () => undefined;
  private failing: RailFailure | null = null;

  /** @param open returns the rail; called again until it succeeds */
  constructor(private readonly open: () => Promise<PayoutRail>) {}

  /** Why the last round failed; null if it did not. */
  get failure(): RailFailure | null {
    return this.failing;
  }

  /** The scheduled task. */
  get task(): ModuleTask {
    return {
      name: 'pay withdrawals',
      everyMs: EVERY_MS,
      run: () => this.round(),
      onSchedule: (runIn) => {
        this.runIn = runIn;
      },
    };
  }

  /** Runs one round. @throws what the rail throws, after the next round was put off */
  async round(): Promise<void> {
    try {
      this.rail ??= await this.open();
      if (await this.rail.work()) this.runIn(0);
      this.failing = null;
    } catch (error) {
      const rounds = (this.failing?.rounds ?? 0) + 1;
      this.failing = { reason: error instanceof RailUnavailable ? error.reason : 'error', rounds };
      this.runIn(Math.min(FIRST_WAIT_MS * 2 ** (rounds - 1), LONGEST_WAIT_MS));
      throw error;
    }
  }
}

const runners = new WeakMap<RailContext['store'], PayoutRunner>();

/** Returns the runner of a service, which its task and its metrics share. */
export function runnerOf(trust: RailContext): PayoutRunner {
  let runner = runners.get(trust.store);
  if (runner === undefined) {
    runner = new PayoutRunner(() => openRail(trust.policy.payoutRail, trust));
    runners.set(trust.store, runner);
  }
  return runner;
}

/**
 * Returns what health says while payouts wait because their rail does not work; null for nothing. The service itself is healthy then. Anybody
 * reads health, so only the log names the treasury and the amounts.
 */
export function payoutProblem({ store, policy }: Pick<RailContext, 'store' | 'policy'>): string | null {
  const failure = runners.get(store)?.failure ?? null;
  if (failure === null) return null;
  return `Payouts wait: the rail ${policy.payoutRail} does not work (${failure.reason}); see the log.`;
}
