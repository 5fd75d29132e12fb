import type { ModuleTask } from '../../../platform/module.ts';
import { isRestorePending } from '../../operators/restored/pending.ts';
import {
  isOnlySubmission,
  type NodeProblem,
  type NodeReport,
  type PayoutRail,
  type RailContext,
  RailUnavailable,
  type TreasuryBalance,
} from './rail.ts';
import { runningRail } from './rails.ts';

/** The time between two rounds without work. */
const EVERY_MS = 2000;
/** The time after a first failed round. It doubles with each further one. */
const FIRST_WAIT_MS = 5000;
const LONGEST_WAIT_MS = 300_000;
/** The longest wait for funds: one payout that is too large must not delay the others for long. */
const LONGEST_WAIT_FOR_FUNDS_MS = 30_000;

/** A rail that fails. */
interface RailFailure {
  /** One of few words, for a metric. */
  reason: string;
  /** The failed rounds in a row. */
  rounds: number;
}

/**
 * Runs the rounds of the configured rail, one at a time. After failed rounds it waits longer. While only
 * submissions fail, only they wait: submitted payouts are followed in the usual period.
 */
export class PayoutRunner {
  private rail: PayoutRail | null = null;
  private runIn: (ms: number) => void = () => undefined;
  private failing: RailFailure | null = null;

  /** The time from which payouts are submitted again. */
  private submitAt = Number.NEGATIVE_INFINITY;

  /**
   * @param open returns the rail; called again until it succeeds
   * @param now a monotonic clock in milliseconds
   * @param isWaiting returns whether a restore was not accepted yet, so that no round begins
   */
  constructor(
    private readonly open: () => Promise<PayoutRail>,
    private readonly now: () => number = () => performance.now(),
    private readonly isWaiting: () => Promise<boolean> = async () => false,
  ) {}

  /** Why the last round failed; null if it did not. */
  get failure(): RailFailure | null {
    return this.failing;
  }

  /** The last known balance of the treasury; null for a rail without one, and before it is known. */
  get treasury(): TreasuryBalance | null {
    return this.rail?.treasury?.() ?? null;
  }

  /** The nodes that differ from the others, or that cannot be used. */
  get nodes(): readonly NodeReport[] {
    return this.rail?.nodes?.() ?? [];
  }

  /** Lets the next round submit payouts, after an administrator removed what stopped them. */
  resume(): void {
    this.submitAt = Number.NEGATIVE_INFINITY;
    this.runIn(0);
  }

  /** The scheduled task. */
  get task(): ModuleTask {
    return {
      name: 'pay withdrawals',
      everyMs: EVERY_MS,
      waitsForClock: true,
      run: () => this.round(),
      onSchedule: (runIn) => {
        this.runIn = runIn;
      },
    };
  }

  /** Runs one round. @throws any error of the rail, after the next round was postponed */
  async round(): Promise<void> {
    if (await this.isWaiting()) return;
    try {
      this.rail ??= await this.open();
      const steps = this.now() < this.submitAt ? 'follow' : 'all';
      if (await this.rail.work(steps)) this.runIn(0);
      if (steps === 'all') this.failing = null;
    } catch (error) {
      const rounds = (this.failing?.rounds ?? 0) + 1;
      const reason = error instanceof RailUnavailable ? error.reason : 'error';
      this.failing = { reason, rounds };
      const longest = reason === 'funds' ? LONGEST_WAIT_FOR_FUNDS_MS : LONGEST_WAIT_MS;
      const wait = Math.min(FIRST_WAIT_MS * 2 ** (rounds - 1), longest);
      if (isOnlySubmission(error)) this.submitAt = this.now() + wait;
      else this.runIn(wait);
      throw error;
    }
  }
}

const runners = new WeakMap<RailContext['store'], PayoutRunner>();

/** Returns the runner of a service, which its task and its metrics share. */
export function runnerOf(trust: RailContext): PayoutRunner {
  let runner = runners.get(trust.store);
  if (runner === undefined) {
    runner = new PayoutRunner(
      () => runningRail(trust),
      () => performance.now(),
      () => trust.store.read(isRestorePending),
    );
    runners.set(trust.store, runner);
  }
  return runner;
}

/** What is wrong with a node, after "Node 2 of evm.rpc_urls". */
const NODE_PROBLEMS: Record<NodeProblem, string> = {
  unreachable: 'does not respond',
  invalid: 'responds wrongly',
  chain: 'is of another chain',
  token: 'does not have the token',
  behind: 'is behind the others',
  ahead: 'is ahead of the others',
  differs: 'says something else about a payout than the others',
};

/**
 * Returns the problems that health shows while the rail of payouts, or a node of it, does not work. The
 * service itself is healthy then. Health is public, so only the log names the treasury, the amounts and the
 * nodes.
 */
export function payoutProblems({ store, policy }: Pick<RailContext, 'store' | 'policy'>): string[] {
  const runner = runners.get(store);
  const failure = runner?.failure ?? null;
  const nodes = (runner?.nodes ?? []).map(
    ({ node, problem }) => `Node ${node} of evm.rpc_urls ${NODE_PROBLEMS[problem]}.`,
  );
  if (failure === null) return nodes;
  if (failure.reason === 'stopped')
    return [
      'Payouts wait: the rail evm stopped after two final failures in a row; see countersign payouts.',
      ...nodes,
    ];
  const rail = policy.payoutRail === 'manual' ? 'evm' : policy.payoutRail;
  return [`Payouts wait: the rail ${rail} does not work (${failure.reason}); see the log.`, ...nodes];
}
