import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import { canonicalOf } from '../../../proof/agent/agent-signature.ts';
import { hexToBytes } from '../../../proof/encoding/hex.ts';
import { verifyStrict } from '../../../proof/keys/ed25519.ts';
import { messageOf, type Problem } from '../../../proof/log/problem.ts';
import { outputHashOf } from '../ingest.ts';
import { dayOf, hasEnergy, hasThermal, measurementsOf } from '../measurements.ts';
import { type TelemetryWindow, telemetryIssues, windowOf } from '../plausibility.ts';
import { attestedObject, wasEnrolled } from '../prepare.ts';
import type { Telemetry } from '../schema.ts';
import { countableValues, countedBefore } from '../store.ts';
import { asTelemetry, storedBody } from '../stored-telemetry.ts';
import type { AuditedItem } from './store.ts';

/** The time that may lie between two readings of the clock in one transaction, in milliseconds. */
const SAME_TIME_MS = 60_000;

type Value = string | number | null;
type Compare = (what: string, expected: Value, found: Value) => void;

/**
 * Returns the problems of one item: its body, its computed values, its instrument's signature, its receipt.
 */
export async function itemProblems(snapshot: Snapshot, audited: AuditedItem): Promise<Problem[]> {
  const { item } = audited;
  const problems: Problem[] = [];
  const report = (what: string, values: Partial<Problem> = {}): void => {
    const row = { receipt_seq: item.receiptSeq };
    problems.push({ table: 'datacenter_evidence', row, id: item.evidenceId, what, ...values });
  };
  const compare: Compare = (what, expected, found) => {
    if (expected !== found) report(what, { expected: String(expected), found: String(found) });
  };
  receiptProblems(audited, compare);
  const telemetry = telemetryOf(audited, report, compare);
  if (telemetry !== null) {
    bodyProblems(audited, telemetry, compare);
    relationProblems(audited, telemetry, compare);
    await countProblems(snapshot, audited, telemetry, compare);
  }
  return problems;
}

/** Compares the receipt with the item that it states. */
function receiptProblems(
  { item, clusterId, ownerSeq, instanceId, receipt, outputHash, serviceSeq }: AuditedItem,
  compare: Compare,
): void {
  compare('it has no receipt of the service', item.receiptSeq, serviceSeq);
  compare('its receipt is of another type', 'custody', receipt?.receiptType ?? null);
  compare(
    'its receipt is not in the name of the owner of the cluster',
    ownerSeq,
    receipt?.operatorSeq ?? null,
  );
  compare('agent_id of its receipt is not the instance', instanceId, receipt?.agentId ?? null);
  compare(
    'authority_scope of its receipt is not the cluster',
    `datacenter:${clusterId}`,
    receipt?.authorityScope ?? null,
  );
  compare(
    'input_digest of its receipt is not payload_digest',
    item.payloadDigest,
    receipt?.inputDigest ?? null,
  );
  const stated = { ...item, countsEnergy: item.countsEnergy === 1 };
  compare(
    'output_hash of its receipt is not the digest of the item',
    outputHashOf(clusterId ?? '', stated, item.payloadDigest),
    outputHash,
  );
  const issuedAt = Date.parse(receipt?.issuedAt ?? '');
  const isNear = Math.abs(issuedAt - item.ingestedAt) <= SAME_TIME_MS;
  compare('ingested_at is not the time of its receipt', issuedAt, isNear ? issuedAt : item.ingestedAt);
}

/** Reads the stored body. @returns null, and reports it, if it is no telemetry */
function telemetryOf(
  { item }: AuditedItem,
  report: (what: string) => void,
  compare: Compare,
): Telemetry | null {
  try {
    const body = storedBody(item.payload);
    compare(
      'payload_digest does not match the payload',
      canonicalOf(nativePrimitives, body).digest,
      item.payloadDigest,
    );
    const telemetry = asTelemetry(body);
    if (telemetry === null) report('payload is no telemetry');
    return telemetry;
  } catch (error) {
    report(`payload cannot be read: ${messageOf(error)}`);
    return null;
  }
}

/** Compares the columns with what the body says. */
function bodyProblems(audited: AuditedItem, telemetry: Telemetry, compare: Compare): void {
  const { item, clusterId, instanceId, instanceClusterSeq, subjectCommitment } = audited;
  const window = windowOf(telemetry);
  const issues = telemetryIssues(telemetry, window, item.ingestedAt);
  compare('its values cannot be', null, issues === null ? null : Object.keys(issues).join(', '));
  compare('its cluster is not that of its payload', telemetry.cluster_id, clusterId);
  compare('its instance is not that of its payload', telemetry.instance_id, instanceId);
  compare('its instance is of another cluster', item.clusterSeq, instanceClusterSeq);
  compare(
    'its instrument is not that of its payload',
    telemetry.subject_commitment ?? null,
    subjectCommitment,
  );
  compare('class is not that of its payload', classOf(audited, telemetry, window), item.class);
  const stored: Readonly<Record<string, unknown>> = item;
  const { setpointApplied, throttled, ...measured } = measurementsOf(telemetry, window);
  const expected: Record<string, Value> = {
    ...measured,
    setpointApplied: setpointApplied === null ? null : Number(setpointApplied),
    throttled: throttled === null ? null : Number(throttled),
    eventType: telemetry.event_type,
    windowStart: window.start,
    windowEnd: window.end,
    day: dayOf(window),
    meterRole: telemetry.meter_role ?? null,
    pueCategory: telemetry.pue_category ?? null,
  };
  const differing = Object.keys(expected).filter((name) => expected[name] !== stored[name]);
  for (const name of differing)
    compare(`${name} is not what its payload says`, expected[name] ?? null, String(stored[name]));
}

/** Compares what an item corrects, what corrects it, and who attests its instrument, with the payloads. */
function relationProblems(audited: AuditedItem, telemetry: Telemetry, compare: Compare): void {
  const { item, attester, corrected, correctingSeq } = audited;
  compare('corrects is not that of its payload', telemetry.corrects ?? null, corrected?.evidenceId ?? null);
  compare('superseded_by is not the item that corrects it', correctingSeq, item.supersededBy);
  if (corrected !== null)
    for (const name of ['instanceSeq', 'eventType', 'class'] as const)
      compare(`${name} of the item that it corrects is another one`, item[name], corrected[name]);
  const { attestation } = telemetry;
  compare(
    'its attester is not that of its payload',
    attestation?.attester_commitment ?? null,
    attester?.commitment ?? null,
  );
  if (attestation === undefined || attester === null) return;
  const object = attestedObject(telemetry, attestation.attester_commitment);
  const message = Buffer.from(canonicalOf(nativePrimitives, object).digest);
  const key = hexToBytes(attester.publicKey);
  if (!verifyStrict(nativePrimitives, hexToBytes(attestation.signature), message, key))
    compare('the signature of its attestation does not verify', 'valid', 'invalid');
}

/**
 * Returns the class of telemetry; that of an instrument whose signature does not verify is `declared`. Before
 * windows had to begin after the enrollment of their instrument, earlier ones were measured: they stay it.
 */
function classOf(
  { item, publicKey, enrolledAt }: AuditedItem,
  { signature, ...signed }: Telemetry,
  window: TelemetryWindow,
): string {
  if (signed.origin === 'synthetic') return 'simulated';
  if (signature === undefined || publicKey === null || enrolledAt === null) return 'declared';
  const message = Buffer.from(canonicalOf(nativePrimitives, signed).digest);
  const isSigned = verifyStrict(nativePrimitives, hexToBytes(signature), message, hexToBytes(publicKey));
  if (!isSigned) return 'declared';
  return wasEnrolled({ issuedAt: enrolledAt }, window) ? 'hardware_measured' : item.class;
}

/** Energy and temperatures count, unless a counting item of the same instance and class overlaps. */
async function countProblems(
  snapshot: Snapshot,
  { item }: AuditedItem,
  telemetry: Telemetry,
  compare: Compare,
): Promise<void> {
  const window = windowOf(telemetry);
  const measurements = measurementsOf(telemetry, window);
  const flags = [
    ['counts_energy', item.countsEnergy, hasEnergy(telemetry, measurements), 'energy'],
    ['counts_thermal', item.countsThermal, hasThermal(measurements), 'thermal'],
  ] as const;
  for (const [column, flag, hasValues, values] of flags) {
    if (flag === 1 || !hasValues) {
      compare(`${column} is not what its values allow`, Number(hasValues), flag);
      continue;
    }
    const countable = await countableValues(
      snapshot,
      { instanceSeq: item.instanceSeq, corrects: item.corrects ?? 0, ...window },
      item.class,
    );
    // An item that is corrected now may have counted for the time when this one arrived.
    const isFree = countable[values] && !(await countedBefore(snapshot, values, item, window));
    compare(`${column} is not what the other items of its instance allow`, Number(isFree), flag);
  }
}
