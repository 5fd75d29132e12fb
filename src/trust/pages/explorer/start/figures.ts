import type { Store } from '../../../../platform/store/store.ts';
import type { Clock } from '../../../../platform/time/clock.ts';
import { HOUR_MS } from '../../../../platform/time/units.ts';
import { LOG_NAMES, type LogName } from '../../../../proof/log/log-names.ts';
import { sizesAt } from '../../../log/growth.ts';
import type { TrustLog } from '../../../log/lifecycle/open.ts';
import { type NewestReceipt, newestReceipts } from '../../../receipts/list-newest.ts';
import { continuesIn } from '../logs/growth.ts';
import { witnessesOf } from '../logs/witnesses.ts';

/** The parts of the service that the start page uses. */
export interface StartContext {
  store: Store;
  log: TrustLog;
  clock: Clock;
  /** The URL of the service for its clients. */
  url: string | null;
}

/** Receipts of an hour, in milliseconds since 1970. */
export interface Hour {
  from: number;
  to: number;
  count: number;
}

/** What the start page says of the service now. */
export interface StartFigures {
  /** The entries of each log that its newest checkpoint covers. */
  sizes: Readonly<Record<LogName, number>>;
  /** When the newest checkpoint of any log was issued, RFC 3339. */
  checkpointAt: string;
  /** The witnesses of the newest cosigned checkpoint of receipts, and its time; of none without one. */
  witnesses: { names: readonly string[]; at: string | null };
  /** The receipts of the last 24 hours that end with a whole hour, and of the hour that runs. */
  hours: readonly Hour[];
  newest: readonly NewestReceipt[];
}

const HOURS = 24;
/** How many of the newest receipts the page shows. */
const NEWEST = 8;

/** Returns the figures of the start page, of which each is public by the checkpoints and the entries. */
export async function startFigures(trust: StartContext): Promise<StartFigures> {
  const { store, log, clock } = trust;
  const { publisher } = log;
  const newestOf = (name: LogName) => publisher.latest(name).response;
  const now = clock.now();
  const cosigned = publisher.cosigned.of('receipts') ?? publisher.latest('receipts');
  const names = witnessesOf(cosigned);
  const sizes = {
    receipts: newestOf('receipts').tree_size,
    keys: newestOf('keys').tree_size,
    revocations: newestOf('revocations').tree_size,
    evidence: newestOf('evidence').tree_size,
    accounts: newestOf('accounts').tree_size,
  };
  const start = (Math.floor(now / HOUR_MS) - HOURS) * HOUR_MS;
  const times = [...Array.from({ length: HOURS + 1 }, (_, index) => start + index * HOUR_MS), now];
  const grown = await store.read(async (snapshot) =>
    sizesAt(snapshot, log.open.receipts, times, await continuesIn(snapshot, log, 'receipts')),
  );
  return {
    sizes,
    checkpointAt:
      LOG_NAMES.map((name) => newestOf(name).issued_at)
        .toSorted()
        .at(-1) ?? '',
    witnesses: { names, at: names.length === 0 ? null : cosigned.response.issued_at },
    hours: grown.slice(1).map(({ at, size }, index) => ({
      from: grown[index]?.at ?? at,
      // The hour that runs is as wide as the others.
      to: (grown[index]?.at ?? at) + HOUR_MS,
      count: size - (grown[index]?.size ?? size),
    })),
    newest: await newestReceipts(trust, NEWEST),
  };
}
