import type { Metric } from '../../../platform/monitoring/metrics.ts';
import { readInRanges } from '../../../platform/store/row-ranges.ts';
import type { RailContext } from './rail.ts';
import { waitingFor } from './representation.ts';
import { runnerOf } from './runner.ts';
import { countOpen, newestPayout, type OpenPayouts } from './store.ts';

/** Counting the open ones of so many payouts takes at most 10 ms. */
const PAYOUTS = 5000;

/** Returns the metrics of payouts: the open ones, what they wait for, their age, and failures of the rail. */
export function payoutMetrics(trust: RailContext): Metric[] {
  const { store, clock, policy } = trust;
  const labels = ['status', 'rail', 'waiting_for'];
  let reading: Promise<readonly OpenPayouts[]> | null = null;
  /** Counts the open payouts, once for all metrics of a scrape. */
  const openPayouts = (): Promise<readonly OpenPayouts[]> => {
    reading ??= store
      .read(newestPayout)
      .then((last) => readInRanges(store, last ?? 0, PAYOUTS, countOpen))
      .finally(() => {
        reading = null;
      });
    return reading;
  };
  /** Combines payouts that wait for the same, although they are held for different reasons. */
  const read = async (
    measure: (open: OpenPayouts) => number,
    combine: (one: number, other: number) => number,
  ) => {
    const samples = new Map<string, { labels: Record<string, string>; value: number }>();
    for (const open of await openPayouts()) {
      const rail = open.rail ?? policy.payoutRail;
      const labels = { status: open.status, rail, waiting_for: waitingFor(open, policy) ?? 'rail' };
      const key = Object.values(labels).join(' ');
      samples.set(key, { labels, value: combine(samples.get(key)?.value ?? 0, measure(open)) });
    }
    return [...samples.values()];
  };
  return [
    {
      name: 'countersign_payouts_open',
      help: 'Withdrawals that are neither confirmed nor failed, by what they wait for.',
      labels,
      read: () =>
        read(
          ({ payouts }) => payouts,
          (one, other) => one + other,
        ),
    },
    {
      name: 'countersign_payouts_oldest_seconds',
      help: 'Seconds since the oldest of these withdrawals was queued.',
      labels,
      read: () => read(({ oldest }) => (clock.now() - oldest) / 1000, Math.max),
    },
    {
      name: 'countersign_payouts_failed_rounds',
      help: 'Rounds of the payout rail that failed since the last one that worked, with the reason of the newest.',
      labels: ['rail', 'reason'],
      read: async () => {
        const failure = runnerOf(trust).failure;
        const rail = policy.payoutRail;
        return [{ labels: { rail, reason: failure?.reason ?? 'none' }, value: failure?.rounds ?? 0 }];
      },
    },
    {
      name: 'countersign_payouts_node_problems',
      help: 'Nodes of evm.rpc_urls that cannot be used, or differ from the others: 1 for each, with its position and its problem.',
      labels: ['node', 'problem'],
      read: async () =>
        runnerOf(trust).nodes.map(({ node, problem }) => ({
          labels: { node: String(node), problem },
          value: 1,
        })),
    },
    {
      name: 'countersign_payouts_treasury_tokens',
      help: 'Tokens of the treasury that pays withdrawals, as the rail evm last read them.',
      labels: [],
      read: async () => treasuryValue(runnerOf(trust).treasury?.tokens),
    },
    {
      name: 'countersign_payouts_treasury_coins',
      help: 'Coins of the chain that the same treasury has for gas.',
      labels: [],
      read: async () => treasuryValue(runnerOf(trust).treasury?.coins),
    },
  ];
}

/** Returns no sample until a value is known: 0 would raise an alarm. */
function treasuryValue(value: number | undefined) {
  return value === undefined ? [] : [{ labels: {}, value }];
}
