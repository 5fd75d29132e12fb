import { TELEMETRY_CLASSES, type TelemetryClass } from '../../../../db/trust/datacenter-enums.ts';
import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import { signedObjectDigest } from '../../../proof/keys/signed-object.ts';
import type { SignedType } from '../../../proof/keys/signed-types.ts';
import { DocumentCache } from '../../credentials/cache.ts';
import { clusterUrn, type DocumentContext, identityOf } from '../../credentials/document.ts';
import type { PeriodQuery } from '../../http/period.ts';
import { statementTime } from '../../log/clock/dates.ts';
import {
  backdateCredentialsKey,
  refuseReadOnly,
  type StatementContext,
} from '../../log/keys/signing/statements.ts';
import { readAuthorityMark } from '../../operators/auth/authority-mark.ts';
import { mask } from '../../operators/mask.ts';
import { TELEMETRY_LIMITS } from '../cannot-show.ts';
import { requireClusterIn } from '../clusters.ts';
import { newestReceiptOf, type OwnedCluster } from '../clusters-store.ts';
import { classMetrics } from './class-metrics.ts';
import { instrumentsOf } from './instruments-store.ts';
import { seriesOf } from './metrics.ts';
import { daysOf, periodOf } from './period.ts';
import type { Days } from './scorecard-store.ts';

const utf8 = new TextEncoder();

/**
 * A scorecard takes at most 300 KB of memory: three classes with 366 days each. Clients choose the periods.
 */
const MAX_SCORECARDS = 64;

/**
 * A scorecard as it is sent. Only its text is kept: of a year it is a thousand objects, which each collection
 * of garbage would look at.
 */
export interface ScorecardText {
  json: string;
  etag: string;
}

/** What a scorecard says, with its signature. */
type SignedScorecard = Awaited<ReturnType<typeof signedScorecard>>['scorecard'];

/** Scorecards by cluster, days, the newest telemetry that they count, authority mark, and signing key. */
export class ScorecardCache {
  readonly texts = new DocumentCache<string, ScorecardText>(MAX_SCORECARDS);
}

/** The parts of the service that reading a scorecard uses. */
export type ScorecardContext = StatementContext & DocumentContext;

/**
 * Returns the signed scorecard of a cluster, from the cache while no telemetry arrived and no
 * right of an account or an agent changed.
 * @throws ApiError not_found; validation_error for an invalid period; clock_wrong; ReadOnly
 */
export async function getScorecard(
  trust: ScorecardContext,
  cache: ScorecardCache,
  clusterId: string,
  query: PeriodQuery,
): Promise<ScorecardText> {
  const days = daysOf(query, trust.clock.now());
  const { cluster, newest, mark } = await trust.store.read(async (snapshot) => {
    const row = await requireClusterIn(snapshot, clusterId);
    const newestReceipt = await newestReceiptOf(snapshot, row.clusterSeq);
    return { cluster: row, newest: newestReceipt, mark: await readAuthorityMark(snapshot) };
  });
  const { keySeq } = trust.signer.activeKey('credentials');
  // A scorecard that is read later counts at least this telemetry. The mark changes with what attesters may.
  const key = [cluster.clusterSeq, days.fromDay, days.toDay, newest, mark, keySeq].join(' ');
  return (
    cache.texts.get(key) ??
    cache.texts.load(key, async () => {
      const { scorecard, digest } = await signedScorecard(trust, cluster, days);
      return { json: JSON.stringify(scorecard), etag: `"${digest.slice(0, 32)}"` };
    })
  );
}

/** Returns what a text says that `getScorecard` returned. */
export function scorecardOf({ json }: ScorecardText): SignedScorecard {
  return JSON.parse(json);
}

/**
 * Returns what the scorecard of a cluster says of today and the 364 days before, without a signature.
 * @throws ApiError not_found
 */
export function unsignedScorecard(
  { store, clock }: Pick<ScorecardContext, 'store' | 'clock'>,
  clusterId: string,
) {
  const days = daysOf({}, clock.now());
  return store.read(async (snapshot) =>
    scorecardIn(snapshot, await requireClusterIn(snapshot, clusterId), days),
  );
}

/** Reads and signs a scorecard. Returns it with the digest that is signed. */
async function signedScorecard(trust: ScorecardContext, cluster: OwnedCluster, days: Days) {
  refuseReadOnly(trust);
  // Read before the snapshot, so that the scorecard includes everything that was stored until this time.
  const now = statementTime(trust);
  const said = await trust.store.read((snapshot) => scorecardIn(snapshot, cluster, days));
  const generated_at = timestampOf(now);
  const statement = {
    type: 'datacenter-scorecard' satisfies SignedType,
    v: 1 as const,
    issuer: identityOf(trust, trust.signer.activeKey('credentials')).did,
    generated_at,
    ...said,
  };
  const digest = signedObjectDigest(nativePrimitives, statement);
  const { signature, kid } = trust.signer.sign('credentials', utf8.encode(digest));
  await backdateCredentialsKey(trust, generated_at);
  return { scorecard: { ...statement, signature, kid }, digest };
}

/** Returns the scorecard of a cluster for some days. */
async function scorecardIn(
  snapshot: Snapshot,
  { clusterSeq, clusterId, operatorId }: OwnedCluster,
  days: Days,
) {
  const of = async (name: TelemetryClass) => {
    const found = await classMetrics(snapshot, clusterSeq, name, days);
    if (found === null) return null;
    return {
      ...found.metrics,
      instruments: await instrumentsOf(snapshot, clusterSeq, name),
      daily_pue: seriesOf(found.tally),
    };
  };
  const [hardware, declared, simulated] = TELEMETRY_CLASSES;
  return {
    cluster_id: clusterId,
    id: clusterUrn(clusterId),
    operator_id: mask(operatorId, 'op_cus_'),
    period: periodOf(days),
    [hardware]: await of(hardware),
    [declared]: await of(declared),
    [simulated]: await of(simulated),
    limits: [...TELEMETRY_LIMITS],
  };
}
