import { ApiError } from '../../../platform/http/errors/errors.ts';
import type { Once } from '../../../platform/http/idempotency/once.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import { slices } from '../../../platform/turns/slices.ts';
import type { JsonObject } from '../../../proof/encoding/json.ts';
import { commonErrors } from '../../http/errors.ts';
import { refuseWrongClock } from '../../log/clock/dates.ts';
import type { Principal } from '../../operators/auth/authenticate.ts';
import { operatorPayer } from '../../operators/quotas/authorities.ts';
import { type IngestContext, ingestTelemetryIn } from '../ingest.ts';
import { clusterById } from '../store.ts';
import { MAX_INSTANCES, MAX_PIECES } from './body-rules.ts';
import { countUp } from './counters.ts';
import { areSame, type MappedAhead, mapAhead, prepareInstance, readingOwner } from './map-ahead.ts';
import { readMetrics } from './read-metrics.ts';
import type { OtlpMetrics } from './schema.ts';
import { bySource, type SourceMetrics } from './sources.ts';
import { readingsOf, saveReadings } from './store.ts';

/** The number of reasons in a message. */
const MAX_REASONS = 10;

/** The result of a request. */
interface Outcome {
  /** The number of data points that were refused, by the reason. */
  refused: Map<string, number>;
  baselines: number;
  items: number;
  /** Over how many pieces their energy is spread. */
  pieces: number;
}

/**
 * Accepts hw.* metrics in OTLP/JSON as telemetry of clusters, in one transaction. What cannot be accepted is
 * counted in the response, as OTLP requires; the rest is stored. The same request again stores nothing.
 * @throws ApiError validation_error for a request that is not OTLP; payload_too_large for more than 50
 * instances or windows; rate_limit_exceeded, which counts refused requests too; quota_exceeded
 */
export async function acceptMetrics(
  trust: IngestContext,
  principal: Principal,
  body: JsonObject,
  once: Once,
): Promise<OtlpMetrics> {
  const refused = new Map<string, number>();
  const sources = await trust.quotas.checked(operatorPayer(principal), async () => {
    const instances = bySource(await slices.run(readMetrics(body)), refused);
    if (instances.length > MAX_INSTANCES) throw tooMany(`metrics of ${instances.length} instances`);
    return instances;
  });
  const ahead = await mapAhead(trust, principal, sources);
  return trust.store.write(principal.authority, (tx) =>
    once(tx, async () => {
      // A copy, because the transaction may run again.
      const outcome: Outcome = { refused: new Map(refused), baselines: 0, items: 0, pieces: 0 };
      for (const [index, metrics] of sources.entries()) {
        await acceptInstanceIn(tx, trust, principal, metrics, ahead[index] ?? null, outcome);
      }
      return responseOf(outcome);
    }),
  );
}

async function acceptInstanceIn(
  tx: Transaction,
  trust: IngestContext,
  principal: Principal,
  sourceMetrics: SourceMetrics,
  ahead: MappedAhead | null,
  outcome: Outcome,
): Promise<void> {
  // The whole request is refused, since the readings of refused items would be lost.
  refuseWrongClock(trust);
  const { source, metrics } = sourceMetrics;
  const cluster = await clusterById(tx, source.clusterId);
  if (cluster !== null && cluster.operatorSeq !== principal.operatorSeq) {
    const points = metrics.reduce((sum, { count }) => sum + count, 0);
    countUp(outcome.refused, `the cluster ${source.clusterId} belongs to another operator`, points);
    return;
  }
  const owner = readingOwner(principal, source);
  const last = await readingsOf(tx, owner);
  const isCurrent = ahead !== null && areSame(ahead.last, last);
  const instance = isCurrent ? ahead.instance : prepareInstance(trust, sourceMetrics, last);
  outcome.items += instance.items.length;
  if (outcome.items > MAX_INSTANCES) throw tooMany(`metrics of more than ${MAX_INSTANCES} windows`);
  for (const { pieces } of instance.items) outcome.pieces += pieces;
  if (outcome.pieces > MAX_PIECES) {
    throw commonErrors.payload_too_large({
      message:
        `The windows of the request cover more than ${MAX_PIECES} slots of 15 minutes and whole days (UTC) together. Nothing was stored. ` +
        'Send fewer instances in a request, or shorter intervals.',
    });
  }
  outcome.baselines += instance.baselines;
  for (const [reason, points] of instance.refused) countUp(outcome.refused, reason, points);
  for (const { prepared, points, ahead: signed } of instance.items) {
    try {
      if (prepared instanceof ApiError) throw prepared;
      await ingestTelemetryIn(tx, trust, principal, prepared, signed);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code === 'clock_wrong') throw error;
      countUp(outcome.refused, `${source.instanceId}: ${reasonOf(error)}`, points);
    }
  }
  await saveReadings(tx, owner, instance.readings);
}

/** Returns why telemetry was refused, with the members that it is about. */
function reasonOf({ code, message, details }: ApiError): string {
  const issues = Object.entries(details.issues ?? {}).map(
    ([member, sentences]) => `${member} ${sentences.join(', ')}`,
  );
  // The sentences of a message end with a period, which the list of reasons adds.
  return issues.length > 0 ? issues.join('; ') : `${code}: ${message.replace(/\.$/, '')}`;
}

function responseOf({ refused, baselines }: Outcome): OtlpMetrics {
  const reasons = [...refused].filter(([, points]) => points > 0);
  if (reasons.length === 0 && baselines === 0) return {};
  const rejected = reasons.reduce((sum, [, points]) => sum + points, 0);
  const shown = reasons.slice(0, MAX_REASONS).map(([reason, points]) => `${points}: ${reason}`);
  const hints = [
    ...shown,
    ...(reasons.length > MAX_REASONS ? [`and ${reasons.length - MAX_REASONS} more reasons`] : []),
    ...(baselines > 0
      ? [`${baselines} first ${baselines === 1 ? 'reading counts' : 'readings count'} from the next reading`]
      : []),
  ];
  return {
    partialSuccess: { rejectedDataPoints: String(rejected), errorMessage: `${hints.join('. ')}.` },
  };
}

function tooMany(contents: string): ApiError {
  return commonErrors.payload_too_large({
    message: `The request has ${contents}. Nothing was stored. Send at most ${MAX_INSTANCES} instances and windows in a request.`,
  });
}
