import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import type { Once } from '../../platform/http/idempotency/once.ts';
import type { Traffic } from '../../platform/http/traffic.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import { timestampOf } from '../../platform/time/timestamp.ts';
import { digest } from '../../proof/encoding/digest.ts';
import type { AgentCache } from '../agents/agent-cache.ts';
import type { AgentRow } from '../agents/agents.ts';
import { commonErrors } from '../http/errors.ts';
import { issueTime } from '../log/clock/dates.ts';
import type { Principal } from '../operators/auth/authenticate.ts';
import { operatorPayer } from '../operators/quotas/authorities.ts';
import { quotasErrors } from '../operators/quotas/errors.ts';
import type { Quotas } from '../operators/quotas/quotas.ts';
import { operatorBySeq } from '../operators/status.ts';
import type { ReceiptWithKid } from '../receipts/representation.ts';
import {
  issueServiceReceiptIn,
  issueSignedStatementIn,
  type ServiceReceiptContext,
  type ServiceStatement,
  type SignedStatement,
  serviceReceiptIn,
  signStatementAhead,
} from '../receipts/service-receipt.ts';
import { isBusy } from '../receipts/sign.ts';
import { correctedBefore, correctionIn } from './corrections.ts';
import { dayOf, hasEnergy, hasThermal, type Measurements } from './measurements.ts';
import type { TelemetryWindow } from './plausibility.ts';
import {
  type PreparedTelemetry,
  prepareTelemetry,
  requireOtherParty,
  requireOwnInstrument,
} from './prepare.ts';
import type { Telemetry } from './schema.ts';
import type { DatacenterPolicy } from './settings.ts';
import {
  type ClusterRow,
  clusterById,
  clustersOwned,
  countableValues,
  type EvidenceItem,
  enrollingAgent,
  insertCluster,
  insertInstance,
  insertItem,
  instanceOf,
  largestSum,
  overlappingItem,
  retiredAt,
  supersede,
} from './store.ts';

/** The parts of the service that ingesting telemetry uses. */
export type IngestContext = ServiceReceiptContext & {
  policy: DatacenterPolicy;
  quotas: Quotas;
  agentCache: AgentCache;
  traffic: Traffic;
};

/** The response for telemetry. */
export type IngestedTelemetry = Awaited<ReturnType<typeof ingestTelemetryIn>>;

/**
 * Ingests telemetry of a cluster: the service issues, finalizes and logs a receipt for it, and adds it to the
 * sums of its day. The same body again returns the first response.
 * @throws ApiError as `prepareTelemetry` and `ingestTelemetryIn`; rate_limit_exceeded, which counts refused
 * telemetry too; quota_exceeded
 */
export async function ingestTelemetry(
  trust: IngestContext,
  principal: Principal,
  telemetry: Telemetry,
  once: Once,
): Promise<IngestedTelemetry> {
  const prepared = await trust.quotas.checked(operatorPayer(principal), () =>
    prepareTelemetry(trust, principal, telemetry),
  );
  const ahead = isBusy(trust.traffic) ? await stateAhead(trust, principal, prepared) : null;
  return trust.store.write(principal.authority, (tx) =>
    once(tx, () => ingestTelemetryIn(tx, trust, principal, prepared, ahead)),
  );
}

/** What the service states about an item, with its signed receipt. */
export interface StatedAhead {
  item: StatedItem;
  signed: SignedStatement;
}

/**
 * Signs the receipt of an item off the event loop, as if all of its values counted. Most do; receipts of
 * others are signed in the transaction.
 */
export async function stateAhead(
  trust: IngestContext,
  principal: Principal,
  prepared: PreparedTelemetry,
): Promise<StatedAhead> {
  const item = {
    evidenceId: trust.ids.newId('dce_'),
    class: prepared.class,
    countsEnergy: hasEnergy(prepared.telemetry, prepared.measurements),
  };
  return { item, signed: await signStatementAhead(trust, statementOf(principal, prepared, item)) };
}

function statementOf(
  operator: Principal,
  { telemetry, payloadDigest }: PreparedTelemetry,
  item: StatedItem,
): ServiceStatement {
  return {
    operator,
    agentId: telemetry.instance_id,
    receiptType: 'custody',
    inputDigest: payloadDigest,
    outputHash: outputHashOf(telemetry.cluster_id, item, payloadDigest),
    authorityScope: `datacenter:${telemetry.cluster_id}`,
  };
}

/**
 * Stores telemetry with its receipt, unless the same body is already stored. Every error is thrown before
 * anything is written, so the caller may catch it and continue in the same transaction.
 * @param principal an issuer key, whose authority the transaction has checked
 * @throws ApiError forbidden for another operator's cluster; conflict for a window that overlaps another one
 * of the same instance and event type, with the `evidence_id` of that one, for an item that is corrected
 * already, for a retired meter, and for a meter of another instrument; quota_exceeded for one cluster too
 * many; clock_wrong; agent_not_enrolled and forbidden for the instrument
 */
export async function ingestTelemetryIn(
  tx: Transaction,
  trust: IngestContext,
  principal: Principal,
  prepared: PreparedTelemetry,
  ahead: StatedAhead | null = null,
) {
  const { telemetry, window, measurements, payloadDigest } = prepared;
  const cluster = await clusterById(tx, telemetry.cluster_id);
  if (cluster === null) await requireClusterQuotaIn(tx, trust, principal);
  else requireOwnCluster(principal, cluster);
  const instrument = await instrumentIn(tx, trust, principal, telemetry);
  const attester = await attesterIn(tx, trust, principal, telemetry);
  const instanceId = telemetry.instance_id;
  const instanceSeq =
    cluster === null ? null : await instanceOf(tx, { clusterSeq: cluster.clusterSeq, instanceId });
  const duplicateOf = async (item: EvidenceItem) =>
    telemetryView(prepared, { ...item, receipt: await serviceReceiptIn(tx, item.receiptSeq) }, true);
  const correction = await correctionIn(tx, instanceSeq, prepared);
  if (correction !== null && 'duplicate' in correction) return duplicateOf(correction.duplicate);
  const corrects = correction?.corrected.receiptSeq ?? 0;
  if (instanceSeq !== null) {
    const existing = await overlappingItem(tx, { instanceSeq, corrects, ...window }, telemetry.event_type);
    if (existing?.payloadDigest === payloadDigest) return duplicateOf(existing);
    const earlier = await correctedBefore(tx, instanceSeq, prepared);
    if (earlier !== null) return duplicateOf(earlier);
    if (existing !== null) throw overlaps(existing);
    await requireInServiceIn(tx, instanceSeq, window);
    const meter = { clusterSeq: cluster?.clusterSeq ?? 0, instanceSeq, class: prepared.class };
    await requireSameInstrumentIn(tx, meter, instrument);
  }
  const countable =
    instanceSeq === null
      ? { energy: true, thermal: true }
      : await countableValues(tx, { instanceSeq, corrects, ...window }, prepared.class);
  const day = dayOf(window);
  if (cluster !== null) {
    const sums = { clusterSeq: cluster.clusterSeq, class: prepared.class, day };
    await requireRoomIn(tx, sums, measurements, window);
  }

  const now = issueTime(trust);
  const ownership = { operatorSeq: principal.operatorSeq, createdAt: now };
  const { clusterSeq } =
    cluster ?? (await insertCluster(tx, { clusterId: telemetry.cluster_id, ...ownership }));
  const countsEnergy = countable.energy && hasEnergy(telemetry, measurements);
  const stored = {
    evidenceId: ahead?.item.evidenceId ?? trust.ids.newId('dce_'),
    class: prepared.class,
    countsEnergy,
    countsThermal: countable.thermal && hasThermal(measurements),
  };
  const { receiptSeq, signed: receipt } =
    ahead?.item.countsEnergy === countsEnergy
      ? await issueSignedStatementIn(tx, trust, ahead.signed)
      : await issueServiceReceiptIn(tx, trust, statementOf(principal, prepared, stored));
  // Before the new item is there, whose window may overlap that of the item that it replaces.
  if (corrects !== 0) await supersede(tx, { receiptSeq: corrects, supersededBy: receiptSeq });
  await insertItem(tx, {
    ...stored,
    ...measurements,
    receiptSeq,
    clusterSeq,
    instanceSeq: instanceSeq ?? (await insertInstance(tx, { clusterSeq, instanceId })).instanceSeq,
    eventType: telemetry.event_type,
    windowStart: window.start,
    windowEnd: window.end,
    day,
    agentSeq: instrument?.agentSeq ?? null,
    payloadDigest,
    ingestedAt: now,
    payload: prepared.payload,
    meterRole: telemetry.meter_role ?? null,
    pueCategory: telemetry.pue_category ?? null,
    corrects: corrects === 0 ? null : corrects,
    supersededBy: null,
    attesterSeq: attester?.agentSeq ?? null,
  });
  return telemetryView(prepared, { ...stored, receipt }, false);
}

/** The members of an item that its receipt states. */
type StatedItem = Pick<EvidenceItem, 'evidenceId' | 'class' | 'countsEnergy'>;

/** What the receipt of an item states about it: its `output_hash` is the digest of these members. */
export function outputHashOf(clusterId: string, item: StatedItem, payloadDigest: string): string {
  return digest(nativePrimitives, {
    evidence_id: item.evidenceId,
    cluster_id: clusterId,
    class: item.class,
    counts_energy: item.countsEnergy,
    payload_digest: payloadDigest,
  });
}

/** Reads the instrument again: it may have been revoked, or its sponsor changed, since its key was read. */
async function instrumentIn(
  tx: Transaction,
  { agentCache }: Pick<IngestContext, 'agentCache'>,
  principal: Principal,
  { subject_commitment: commitment }: Telemetry,
): Promise<AgentRow | null> {
  if (commitment === undefined) return null;
  const agent = await agentCache.enrolledIn(tx, commitment);
  requireOwnInstrument(principal, agent);
  return agent;
}

/** Reads the attester again, as the instrument. @throws ApiError forbidden */
async function attesterIn(
  tx: Transaction,
  { agentCache }: Pick<IngestContext, 'agentCache'>,
  principal: Principal,
  { attestation }: Telemetry,
): Promise<AgentRow | null> {
  if (attestation === undefined) return null;
  const agent = await agentCache.enrolledIn(tx, attestation.attester_commitment);
  const sponsorSeq = requireOtherParty(principal, agent);
  if ((await operatorBySeq(tx, sponsorSeq))?.accountStatus !== 'ACTIVE')
    throw commonErrors.forbidden({ message: "The account of the attester's sponsor is not active." });
  return agent;
}

/** @throws ApiError conflict for a window that ends after its meter was retired */
async function requireInServiceIn(
  tx: Transaction,
  instanceSeq: number,
  { end }: TelemetryWindow,
): Promise<void> {
  const time = await retiredAt(tx, instanceSeq);
  if (time === null || end <= time) return;
  throw commonErrors.conflict({
    message: `The meter was retired at ${timestampOf(time)}. Send later windows with another instance_id.`,
  });
}

/**
 * A measuring meter has one instrument: else what attests the first one would seem to be of the second.
 * @throws ApiError conflict for another instrument than the one that enrolled the meter
 */
async function requireSameInstrumentIn(
  tx: Transaction,
  meter: Parameters<typeof enrollingAgent>[1],
  instrument: AgentRow | null,
): Promise<void> {
  if (meter.class !== 'hardware_measured') return;
  const enrolled = await enrollingAgent(tx, meter);
  if (enrolled === null || enrolled.agentSeq === instrument?.agentSeq) return;
  throw commonErrors.conflict({
    message:
      'Another instrument enrolled this meter. Retire it, and send windows of this instrument with another instance_id.',
  });
}

/** @throws ApiError forbidden */
export function requireOwnCluster({ operatorSeq }: Principal, cluster: ClusterRow): void {
  if (cluster.operatorSeq === operatorSeq) return;
  throw commonErrors.forbidden({
    message: `The cluster ${cluster.clusterId} belongs to another operator, which sent its first telemetry. Choose another cluster_id.`,
  });
}

/** @throws ApiError quota_exceeded */
async function requireClusterQuotaIn(
  tx: Transaction,
  { policy }: Pick<IngestContext, 'policy'>,
  principal: Principal,
): Promise<void> {
  if (!operatorPayer(principal).isFree) return;
  if ((await clustersOwned(tx, principal.operatorSeq)) < policy.freeClusters) return;
  throw quotasErrors.quota_exceeded({
    message: `A self-provisioned operator has at most ${policy.freeClusters} clusters. Ask the administrator of the service for more.`,
  });
}

/** The values of an item that are summed by day and can become large. */
const SUMMED = [
  'itMwh',
  'facilityMwh',
  'waterMl',
  'renewableMwh',
  'reusedMwh',
  'co2Mg',
  'powerMwh',
  'nameplateMwh',
  'savedMwh',
  'avoidedG',
] as const satisfies readonly (keyof Measurements)[];

/** The largest value that needs no check, about 4 MWh. Two million of them in a day have a sum below 2^53. */
const SMALL = 2 ** 32;

/**
 * Refuses what would make a sum of a day inexact: more than 2^53, or hundreds of gigawatts all day.
 * @throws ApiError conflict
 */
async function requireRoomIn(
  tx: Transaction,
  day: Parameters<typeof largestSum>[1],
  measurements: Measurements,
  { start, end }: TelemetryWindow,
): Promise<void> {
  const duration = end - start;
  const values = SUMMED.map((name) => measurements[name] ?? 0);
  const warmth = (Math.abs(measurements.inletMc ?? 0) * duration) / 1000;
  const largest = Math.max(duration, warmth, ...values);
  if (largest <= SMALL) return;
  if ((await largestSum(tx, day)) + largest <= Number.MAX_SAFE_INTEGER) return;
  throw commonErrors.conflict({
    message:
      'The sums of this cluster for this day would become too large. Check the units of the telemetry that you sent.',
  });
}

function overlaps({ evidenceId, windowStart, windowEnd }: EvidenceItem) {
  const times = [windowStart, windowEnd].map((time) => timestampOf(time));
  return commonErrors.conflict({
    message: `The window overlaps that of ${evidenceId} (${times.join(' to ')}) of the same instance and event_type. Send windows that do not overlap.`,
    members: { evidence_id: evidenceId },
  });
}

function telemetryView(
  { telemetry, payloadDigest }: PreparedTelemetry,
  item: StatedItem & { receipt: ReceiptWithKid },
  duplicate: boolean,
) {
  const { cluster_id, instance_id, event_type, window_start, window_end } = telemetry;
  return {
    evidence_id: item.evidenceId,
    cluster_id,
    instance_id,
    event_type,
    class: item.class,
    counts_energy: item.countsEnergy,
    window_start,
    window_end,
    payload_digest: payloadDigest,
    receipt: item.receipt,
    scorecard_url: `/api/v1/datacenter/clusters/${cluster_id}/scorecard`,
    duplicate,
  };
}
