import { TELEMETRY_CLASSES, type TelemetryClass } from '../../../../db/trust/datacenter-enums.ts';
import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import type { Ids } from '../../../platform/ids.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import type { ClockWatch } from '../../../platform/time/clock-watch.ts';
import { DAY_MS } from '../../../platform/time/units.ts';
import { SUSTAINABILITY_CONTEXT_PATH, SUSTAINABILITY_TYPE } from '../../../proof/credential/contexts.ts';
import { digest } from '../../../proof/encoding/digest.ts';
import type { ClusterText, CredentialCache } from '../../credentials/cache.ts';
import {
  insertClusterCredentialIn,
  reusableClusterCredentialIn,
  type StoredClusterCredential,
} from '../../credentials/cluster-credentials.ts';
import { receiptsPublished } from '../../credentials/coverage.ts';
import {
  baseUrl,
  clusterUrn,
  type DocumentContext,
  identityOf,
  signCredential,
  urnOf,
} from '../../credentials/document.ts';
import { cited, REUSE_MS } from '../../credentials/insertion.ts';
import { commonErrors } from '../../http/errors.ts';
import { issueTime, refuseWrongClock } from '../../log/clock/dates.ts';
import type { SigningKey } from '../../log/keys/signing/signer.ts';
import { refuseReadOnly } from '../../log/keys/signing/statements.ts';
import type { TrustLog } from '../../log/lifecycle/open.ts';
import { leafOfReceipt } from '../../receipts/log/leaves.ts';
import { TELEMETRY_LIMITS } from '../cannot-show.ts';
import { requireClusterIn } from '../clusters.ts';
import { newestReceiptOf, type OwnedCluster } from '../clusters-store.ts';
import { classMetrics } from '../scorecard/class-metrics.ts';
import type { metricsOf } from '../scorecard/metrics.ts';
import { daysOf, periodOf } from '../scorecard/period.ts';

/** The parts of the service that issuing a credential about a cluster uses. */
export type ClusterCredentialContext = DocumentContext & {
  store: Store;
  clock: Clock;
  clockWatch: ClockWatch;
  ids: Ids;
  log: TrustLog;
  readOnly: boolean;
  credentialCache: CredentialCache;
};

/** What a credential about a cluster says at a time, and the key that is to sign it. */
type RequestedContent = Awaited<ReturnType<typeof requestedContentIn>>;

/**
 * Returns the credential of a cluster as it is sent, from the cache if nothing changed.
 * @throws ApiError not_found for a cluster without telemetry; forbidden if the account of its operator is not
 * active; conflict without measured or declared energy; clock_wrong; overloaded while no checkpoint covers
 * its newest receipt; ReadOnly
 */
export async function getClusterCredential(
  trust: ClusterCredentialContext,
  clusterId: string,
): Promise<ClusterText> {
  const { store, clock, signer, credentialCache } = trust;
  const newest = await store.read(async (snapshot) => {
    const { clusterSeq } = await requireActiveClusterIn(snapshot, clusterId);
    return newestReceiptOf(snapshot, clusterSeq);
  });
  const isCurrent = ({ newestReceipt, keySeq, from, until }: ClusterText): boolean => {
    const now = clock.now();
    const counts = newestReceipt >= newest && keySeq === signer.activeKey('credentials').keySeq;
    return counts && from <= now && now < until;
  };
  const known = credentialCache.clusters.get(clusterId);
  if (known !== null && isCurrent(known)) return known;
  refuseReadOnly(trust);
  const load = (): Promise<ClusterText> =>
    credentialCache.clusters.load(clusterId, () => issue(trust, clusterId));
  const loaded = await load();
  // Another request can have loaded it from a snapshot without the newest telemetry.
  return isCurrent(loaded) ? loaded : load();
}

/**
 * @throws ApiError not_found; forbidden if the account of the operator that owns the cluster is not active
 */
async function requireActiveClusterIn(snapshot: Snapshot, clusterId: string): Promise<OwnedCluster> {
  const cluster = await requireClusterIn(snapshot, clusterId);
  if (cluster.ownerStatus === 'ACTIVE') return cluster;
  throw commonErrors.forbidden({
    message:
      'The account of the operator of this cluster is not active, so the cluster gets no credential. Its credentials count as revoked.',
  });
}

async function issue(trust: ClusterCredentialContext, clusterId: string): Promise<ClusterText> {
  const { store, signer, log } = trust;
  // Read before the snapshot, so that the credential includes everything that was stored until this time.
  const now = issueTime(trust);
  const { content, reusable } = await store.read(async (snapshot) => {
    const cluster = await requireActiveClusterIn(snapshot, clusterId);
    const requested = await requestedContentIn(snapshot, trust, cluster, now);
    return { content: requested, reusable: await reusableClusterCredentialIn(snapshot, requested) };
  });
  // Most requests find a credential that is still valid, so they need no transaction.
  if (reusable !== null) return signed(trust, content, reusable);
  await receiptsPublished(trust, content.treeSize);
  const stored = await store.writeAsService(async (tx) => {
    await requireActiveClusterIn(tx, clusterId);
    // The key may have been replaced meanwhile.
    const current =
      signer.activeKey('credentials').keySeq === content.key.keySeq
        ? content
        : withKey(trust, content, signer.activeKey('credentials'));
    const other = await reusableClusterCredentialIn(tx, current);
    return {
      current,
      credential:
        other ?? (await insertClusterCredentialIn(tx, trust, current, log.publisher.latest('receipts'))),
    };
  });
  return signed(trust, stored.current, stored.credential);
}

/** Reads the content of a credential of a cluster. @param now milliseconds since 1970 */
async function requestedContentIn(
  snapshot: Snapshot,
  trust: DocumentContext,
  { clusterSeq, clusterId }: OwnedCluster,
  now: number,
) {
  const days = daysOf({}, now);
  const of = async (name: TelemetryClass) => {
    return (await classMetrics(snapshot, clusterSeq, name, days))?.metrics ?? null;
  };
  const [hardware, declared, simulated] = TELEMETRY_CLASSES;
  const metrics = {
    [hardware]: await of(hardware),
    [declared]: await of(declared),
    [simulated]: await of(simulated),
  };
  if (!hasEnergy(metrics.hardware_measured) && !hasEnergy(metrics.declared)) throw noEnergy();
  const evidence_count = TELEMETRY_CLASSES.reduce(
    (sum, name) => sum + (metrics[name]?.evidence_count ?? 0),
    0,
  );
  const newestReceipt = await newestReceiptOf(snapshot, clusterSeq);
  const leaf = await leafOfReceipt(snapshot, newestReceipt);
  const said = { cluster_id: clusterId, period: periodOf(days), ...metrics, evidence_count };
  const unsigned = {
    clusterSeq,
    now,
    newestReceipt,
    /** The size of the smallest tree of the log of receipts that contains all telemetry of the cluster. */
    treeSize: leaf === null ? 0 : leaf.index + 1,
    contexts: [`${baseUrl(trust)}${SUSTAINABILITY_CONTEXT_PATH}`],
    said,
  };
  return withKey(trust, unsigned, trust.signer.activeKey('credentials'));
}

/** Returns whether a class has energy of IT equipment or of the facility in the period. */
function hasEnergy(metrics: ReturnType<typeof metricsOf> | null): boolean {
  return metrics !== null && (metrics.energy.it_kwh ?? metrics.energy.facility_kwh) !== null;
}

function noEnergy() {
  return commonErrors.conflict({
    message:
      'The cluster has neither measured nor declared energy in the last 365 days, so it gets no credential. Simulated telemetry is only shown.',
  });
}

/** Adds the key that is to sign a credential, and the digest of the content with this key. */
function withKey<Unsigned extends { contexts: string[]; said: Parameters<typeof digest>[1] }>(
  trust: DocumentContext,
  unsigned: Unsigned,
  key: SigningKey,
) {
  const contentDigest = digest(nativePrimitives, {
    type: SUSTAINABILITY_TYPE,
    contexts: unsigned.contexts,
    issuer: identityOf(trust, key).did,
    kid: key.kid,
    said: unsigned.said,
  });
  return { ...unsigned, key, contentDigest };
}

/** Signs the document of a row. @throws ApiError clock_wrong */
function signed(
  trust: ClusterCredentialContext,
  { key, now, contexts, said, newestReceipt }: RequestedContent,
  { row, receipts }: StoredClusterCredential,
): ClusterText {
  // Checked last, since the clock may have been set meanwhile.
  refuseWrongClock(trust);
  const document = signCredential(trust, key, {
    id: urnOf(row.credentialId),
    type: row.type,
    contexts,
    validFrom: row.validFrom,
    validUntil: row.validUntil,
    description: TELEMETRY_LIMITS.join(' '),
    status: row,
    subject: {
      id: clusterUrn(said.cluster_id),
      ...said,
      measured_at: row.validFrom,
      checkpoint: { receipts: cited(receipts) },
    },
  });
  const from = Date.parse(row.validFrom);
  return {
    json: JSON.stringify(document),
    etag: `"${row.credentialId}"`,
    from,
    // Its period ends with the day.
    until: Math.min(from + REUSE_MS, (Math.floor(now / DAY_MS) + 1) * DAY_MS),
    keySeq: key.keySeq,
    newestReceipt,
  };
}
