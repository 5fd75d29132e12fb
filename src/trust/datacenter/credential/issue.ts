import { TELEMETRY_CLASSES, type TelemetryClass } from '../../../../db/trust/datacenter-enums.ts';
import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import type { Ids } from '../../../platform/ids.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import type { ClockWatch } from '../../../platform/time/clock-watch.ts';
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
import { requireClusterIn } from '../clusters.ts';
import { newestReceiptOf, type OwnedCluster } from '../clusters-store.ts';
import { metricsOf } from '../scorecard/metrics.ts';
import { daysOf, periodOf } from '../scorecard/period.ts';
import { classSums } from '../scorecard/scorecard-store.ts';

const DAY_MS = 86_400_000;

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
type Wanted = Awaited<ReturnType<typeof wantedIn>>;

/**
 * Returns the credential of a cluster as it is sent, from the cache if nothing changed.
 * @throws ApiError not_found for a cluster without telemetry; forbidden if the account of its operator is not
 * active; clock_wrong; overloaded while no checkpoint covers its newest receipt; ReadOnly
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
  // It can be of another request that began to read before the newest telemetry was stored.
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
  // Before the snapshot is opened, so that the credential knows of everything that was stored until its time.
  const now = issueTime(trust);
  const { wanted, reusable } = await store.read(async (snapshot) => {
    const cluster = await requireActiveClusterIn(snapshot, clusterId);
    const read = await wantedIn(snapshot, trust, cluster, now);
    return { wanted: read, reusable: await reusableClusterCredentialIn(snapshot, read) };
  });
  // Most requests find a credential that still holds, so they need no transaction.
  if (reusable !== null) return signed(trust, wanted, reusable);
  await receiptsPublished(trust, wanted.treeSize);
  const stored = await store.writeAsService(async (tx) => {
    await requireActiveClusterIn(tx, clusterId);
    // The key may have been replaced meanwhile.
    const current =
      signer.activeKey('credentials').keySeq === wanted.key.keySeq
        ? wanted
        : withKey(trust, wanted, signer.activeKey('credentials'));
    const other = await reusableClusterCredentialIn(tx, current);
    return {
      current,
      credential:
        other ?? (await insertClusterCredentialIn(tx, trust, current, log.publisher.latest('receipts'))),
    };
  });
  return signed(trust, stored.current, stored.credential);
}

/** Reads what a credential of a cluster says at a time, in milliseconds since 1970. */
async function wantedIn(
  snapshot: Snapshot,
  trust: DocumentContext,
  { clusterSeq, clusterId }: OwnedCluster,
  now: number,
) {
  const days = daysOf({}, now);
  const of = async (name: TelemetryClass) => {
    const sums = await classSums(snapshot, clusterSeq, name, days);
    return sums === null ? null : metricsOf(sums);
  };
  const [hardware, declared, simulated] = TELEMETRY_CLASSES;
  const metrics = {
    [hardware]: await of(hardware),
    [declared]: await of(declared),
    [simulated]: await of(simulated),
  };
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
    /** The size of the smallest tree of the log of receipts that contains all of the cluster. */
    treeSize: leaf === null ? 0 : leaf.index + 1,
    contexts: [`${baseUrl(trust)}${SUSTAINABILITY_CONTEXT_PATH}`],
    said,
  };
  return withKey(trust, unsigned, trust.signer.activeKey('credentials'));
}

/** Adds the key that is to sign a credential, and the digest of all that the credential then says. */
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
  { key, now, contexts, said, newestReceipt }: Wanted,
  { row, receipts }: StoredClusterCredential,
): ClusterText {
  // Last, since the clock may have been set meanwhile.
  refuseWrongClock(trust);
  const document = signCredential(trust, key, {
    id: urnOf(row.credentialId),
    type: row.type,
    contexts,
    validFrom: row.validFrom,
    validUntil: row.validUntil,
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
    // With the day its period ends.
    until: Math.min(from + REUSE_MS, (Math.floor(now / DAY_MS) + 1) * DAY_MS),
    keySeq: key.keySeq,
    newestReceipt,
  };
}
