import { ApiError } from '../../../platform/http/errors/errors.ts';
import { slices } from '../../../platform/turns/slices.ts';
import type { Principal } from '../../operators/auth/authenticate.ts';
import { type IngestContext, type StatedAhead, stateAhead } from '../ingest.ts';
import { piecesOf } from '../pieces.ts';
import { type PreparedTelemetry, prepareUnsigned } from '../prepare.ts';
import { clusterById } from '../store.ts';
import { MAX_INSTANCES } from './body-rules.ts';
import type { Reading } from './counters.ts';
import { keyOf } from './keys.ts';
import { type MappedInstance, mapInstance, type Source } from './mapping.ts';
import type { SourceMetrics } from './sources.ts';
import { readingsOf } from './store.ts';

/** The stored readings of an instance, by series. */
type Readings = ReadonlyMap<string, Reading>;

/** An item of telemetry, or why it is refused. `points`: the number of its data points. */
export interface PreparedItem {
  prepared: PreparedTelemetry | ApiError;
  points: number;
  /** Over how many pieces its energy is spread. */
  pieces: number;
  /** Its signed receipt; null if the transaction signs it. */
  ahead: StatedAhead | null;
}

/** The metrics of an instance as telemetry that the transaction only has to store. */
export type PreparedInstance = Omit<MappedInstance, 'telemetry'> & { items: PreparedItem[] };

/** What was prepared of an instance before the transaction, and the readings that it follows from. */
export interface MappedAhead {
  last: Readings;
  instance: PreparedInstance;
}

/** Returns the owner of the readings of an instance. */
export function readingOwner({ operatorSeq }: Principal, { clusterId, instanceId, origin }: Source) {
  return { operatorSeq, source: keyOf(clusterId, instanceId, origin) };
}

/** Maps and prepares the metrics of an instance. */
export function prepareInstance(
  trust: IngestContext,
  { source, metrics }: SourceMetrics,
  last: Readings,
): PreparedInstance {
  const { telemetry, ...mapped } = mapInstance(source, metrics, last, trust.clock.now());
  const items = telemetry.map(({ telemetry: of, points }) => {
    const pieces = piecesOf(Date.parse(of.window_start), Date.parse(of.window_end));
    try {
      return { prepared: prepareUnsigned(trust, of), points, pieces, ahead: null };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { prepared: error, points, pieces: 0, ahead: null };
    }
  });
  return { ...mapped, items };
}

/**
 * Maps, prepares and signs the metrics of instances before their transaction, in slices and off the event
 * loop: a transaction holds up everybody. The transaction does it itself where the readings have changed, and
 * for what is null: instances of clusters of others, and those after too many items.
 */
export async function mapAhead(
  trust: IngestContext,
  principal: Principal,
  sources: readonly SourceMetrics[],
): Promise<(MappedAhead | null)[]> {
  const readings = await trust.store.read(async (snapshot) => {
    const all: (Readings | null)[] = [];
    for (const { source } of sources) {
      const cluster = await clusterById(snapshot, source.clusterId);
      const isOwn = cluster === null || cluster.operatorSeq === principal.operatorSeq;
      all.push(isOwn ? await readingsOf(snapshot, readingOwner(principal, source)) : null);
    }
    return all;
  });
  const all: (MappedAhead | null)[] = [];
  let items = 0;
  for (const [index, metrics] of sources.entries()) {
    await slices.pause();
    const last = readings[index] ?? null;
    const instance = last === null || items > MAX_INSTANCES ? null : prepareInstance(trust, metrics, last);
    items += instance?.items.length ?? 0;
    all.push(last === null || instance === null ? null : { last, instance });
  }
  if (items <= MAX_INSTANCES) {
    await Promise.all(
      all.flatMap((ahead) => ahead?.instance.items ?? []).map((item) => sign(trust, principal, item)),
    );
  }
  return all;
}

async function sign(trust: IngestContext, principal: Principal, item: PreparedItem): Promise<void> {
  if (!(item.prepared instanceof ApiError)) item.ahead = await stateAhead(trust, principal, item.prepared);
}

/** Returns whether an instance still has the readings from which it was mapped. */
export function areSame(some: Readings, others: Readings): boolean {
  return (
    some.size === others.size &&
    [...some].every(([series, { time, value }]) => {
      const other = others.get(series);
      return other !== undefined && other.time === time && other.value === value;
    })
  );
}
