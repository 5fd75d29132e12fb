import { type Html, html } from '../../../platform/page/html.ts';
import { figure } from '../../../platform/page/plots/figure.ts';
import { barPlot, stepPlot } from '../../../platform/page/plots/time-plot.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import { DAY_MS } from '../../../platform/time/units.ts';
import { counted, grouped } from '../../compliance/packages/page/values.ts';
import { poolLevels } from '../../ledger/pool-levels.ts';
import { countIssuedIn } from '../../receipts/count-days.ts';

const DAYS = 30;

/** The last 30 days of an operator, today included. */
interface Month {
  /** When each day begins (UTC), in milliseconds since 1970. */
  starts: readonly number[];
  now: number;
  /** The receipts of each day; null where they are not counted. */
  receipts: readonly (number | null)[];
  /** The credits at the end of each day, today now; null where they are not known. */
  credits: readonly (number | null)[];
}

/** Reads the last 30 days of an operator. The cost is bounded, whatever it did. */
export async function readMonth(
  { store, clock }: { store: Store; clock: Clock },
  operator: { operatorSeq: number; operatorId: string },
): Promise<Month> {
  const now = clock.now();
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const starts = Array.from({ length: DAYS }, (_, index) => today - (DAYS - 1 - index) * DAY_MS);
  const ends = starts.map((start) => Math.min(start + DAY_MS - 1, now));
  return store.read(async (snapshot) => ({
    starts,
    now,
    receipts: await countIssuedIn(snapshot, operator.operatorSeq, starts, today + DAY_MS),
    credits: await poolLevels(snapshot, operator, ends),
  }));
}

/** Returns both plots of a month. */
export function monthCards(month: Month): Html {
  return html`<div class="pair">
<section class="card"><h2 class="hidden">Receipts a day</h2>
${receiptsFigure(month)}</section>
<section class="card"><h2 class="hidden">Credits</h2>
${creditsFigure(month)}</section>
</div>
`;
}

const dayOf = (time: number): string => timestampOf(time).slice(0, 10);

function receiptsFigure({ starts, receipts }: Month): Html {
  const days = starts.map((from, index) => ({ from, to: from + DAY_MS, count: receipts[index] ?? null }));
  const sum = receipts.reduce<number>((total, count) => total + (count ?? 0), 0);
  const missing = days.findLast(({ count }) => count === null);
  const note =
    missing === undefined
      ? `${counted(sum, 'receipt')} issued in ${DAYS} days (UTC).`
      : `${counted(sum, 'receipt')} issued since ${dayOf(missing.to)}; the days before have too many to count here.`;
  return figure({
    caption: 'Receipts a day',
    note,
    plot: barPlot(
      days.map(({ from, to, count }) => ({
        from,
        to,
        count: count ?? 0,
        title: `${dayOf(from)}: ${counted(count ?? 0, 'receipt')}`,
      })),
      `Receipts a day. ${note}`,
    ),
    columns: ['Day (UTC)', 'Receipts'],
    rows: days.map(({ from, count }) => [dayOf(from), count === null ? 'not counted' : grouped(count)]),
  });
}

function creditsFigure({ starts, now, credits }: Month): Html {
  const points = starts.flatMap((at, index) => {
    const count = credits[index] ?? null;
    return count === null ? [] : [{ at, count }];
  });
  const [first, ...others] = points;
  const change = (others.at(-1)?.count ?? first?.count ?? 0) - (first?.count ?? 0);
  const note = `${change > 0 ? '+' : change < 0 ? '−' : ''}${grouped(Math.abs(change))} since the end of ${dayOf(first?.at ?? now)}, without sandbox credits.`;
  return figure({
    caption: 'Credits',
    note,
    plot: stepPlot(
      first === undefined ? [{ at: now, count: 0 }] : points,
      { end: now, fromZero: false },
      `Credits at the end of each day. ${note}`,
    ),
    columns: ['End of day (UTC)', 'Credits'],
    rows: points.map(({ at, count }) => [dayOf(at), grouped(count)]),
  });
}
