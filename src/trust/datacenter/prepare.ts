import type { TelemetryClass } from '../../../db/trust/datacenter-enums.ts';
import { nativePrimitives, verifyEd25519Async } from '../../platform/crypto/crypto.ts';
import type { ClockWatch } from '../../platform/time/clock-watch.ts';
import { canonicalOf } from '../../proof/agent/agent-signature.ts';
import { hexToBytes } from '../../proof/encoding/hex.ts';
import { isStrictForm } from '../../proof/keys/ed25519.ts';
import type { SignedType } from '../../proof/keys/signed-types.ts';
import type { AgentCache } from '../agents/agent-cache.ts';
import type { AgentRow } from '../agents/agents.ts';
import { agentsErrors } from '../agents/errors.ts';
import { compress } from '../evidence/compression.ts';
import { commonErrors } from '../http/errors.ts';
import type { Principal } from '../operators/auth/authenticate.ts';
import { type Measurements, measurementsOf } from './measurements.ts';
import { type TelemetryWindow, telemetryIssues, windowOf } from './plausibility.ts';
import type { Telemetry } from './schema.ts';

/**
 * Telemetry that is plausible and whose signature holds, without anything that depends on stored telemetry.
 */
export interface PreparedTelemetry {
  telemetry: Telemetry;
  window: TelemetryWindow;
  measurements: Measurements;
  class: TelemetryClass;
  /** SHA-256 of the canonical JSON of the body. */
  payloadDigest: string;
  /** The canonical JSON, compressed. */
  payload: Uint8Array;
}

/**
 * Checks telemetry that fits the schema, and computes what is stored. Called outside the transaction, so that
 * other requests can write meanwhile.
 * @throws ApiError validation_error for values that cannot be; agent_not_enrolled and forbidden for an
 * instrument that cannot sign for this operator; invalid_proof
 */
export async function prepareTelemetry(
  trust: { clockWatch: ClockWatch; agentCache: AgentCache },
  principal: Principal,
  telemetry: Telemetry,
): Promise<PreparedTelemetry> {
  const window = plausibleWindow(trust, telemetry);
  const instrument = await verifyInstrument(trust, principal, telemetry);
  await verifyAttestation(trust, principal, telemetry);
  return preparedOf(telemetry, window, classOf(telemetry, window, instrument));
}

/**
 * Like `prepareTelemetry`, for telemetry without an instrument; at once, so that a transaction can do it.
 * @throws ApiError validation_error
 */
export function prepareUnsigned(
  trust: { clockWatch: ClockWatch },
  telemetry: Omit<Telemetry, 'subject_commitment' | 'signature' | 'attestation'>,
): PreparedTelemetry {
  const window = plausibleWindow(trust, telemetry);
  return preparedOf(telemetry, window, classOf(telemetry, window, null));
}

function plausibleWindow({ clockWatch }: { clockWatch: ClockWatch }, telemetry: Telemetry): TelemetryWindow {
  const window = windowOf(telemetry);
  // With a clock that was set back, telemetry of today would be invalid. By the estimate it is valid, and it
  // is refused only while the clock is wrong.
  const issues = telemetryIssues(telemetry, window, clockWatch.read().estimate);
  if (issues !== null) throw commonErrors.validation_error({ issues });
  return window;
}

function preparedOf(
  telemetry: Telemetry,
  window: TelemetryWindow,
  telemetryClass: TelemetryClass,
): PreparedTelemetry {
  const canonical = canonicalOf(nativePrimitives, { ...telemetry });
  return {
    telemetry,
    window,
    measurements: measurementsOf(telemetry, window),
    class: telemetryClass,
    payloadDigest: canonical.digest,
    payload: compress(canonical.text),
  };
}

/** @param instrument the agent whose signature holds; null without one */
function classOf(
  { origin }: Telemetry,
  window: TelemetryWindow,
  instrument: AgentRow | null,
): TelemetryClass {
  if (origin === 'synthetic') return 'simulated';
  return instrument !== null && wasEnrolled(instrument, window) ? 'hardware_measured' : 'declared';
}

/**
 * Returns whether an instrument was enrolled when a window began. One that was not cannot have measured it as
 * this agent: its owner could sign any past.
 */
export function wasEnrolled({ issuedAt }: Pick<AgentRow, 'issuedAt'>, { start }: TelemetryWindow): boolean {
  return start >= Date.parse(issuedAt);
}

/**
 * Verifies the signature of an instrument (strict, over the digest of the body without it).
 * @returns the instrument; null without a signature
 */
async function verifyInstrument(
  { agentCache }: { agentCache: AgentCache },
  principal: Principal,
  telemetry: Telemetry,
): Promise<AgentRow | null> {
  const { signature, ...signed } = telemetry;
  if (signature === undefined || signed.subject_commitment === undefined) return null;
  const agent = await agentCache.enrolled(signed.subject_commitment);
  requireOwnInstrument(principal, agent);
  const publicKey = hexToBytes(agent.publicKey);
  const bytes = hexToBytes(signature);
  const message = Buffer.from(canonicalOf(nativePrimitives, signed).digest);
  if (isStrictForm(bytes, publicKey) && (await verifyEd25519Async(bytes, message, publicKey))) return agent;
  throw agentsErrors.invalid_proof({
    message:
      'The signature of the instrument does not verify. Sign the digest of the body without `signature` with the key of subject_commitment.',
  });
}

/** @throws ApiError forbidden for an instrument that another operator, or none, sponsors */
export function requireOwnInstrument({ operatorSeq }: Principal, { sponsorSeq }: AgentRow): void {
  if (sponsorSeq === operatorSeq) return;
  throw commonErrors.forbidden({
    message:
      'Your operator does not sponsor the agent of subject_commitment. Enroll the instrument with your API key.',
  });
}

/** What an attester signs: that it knows the instrument of a meter. */
export function attestedObject(
  { cluster_id, instance_id, subject_commitment }: Telemetry,
  attester_commitment: string,
) {
  const type: SignedType = 'instrument-attestation';
  return { type, cluster_id, instance_id, subject_commitment: subject_commitment ?? '', attester_commitment };
}

/** Verifies the attestation of an instrument (strict, over the digest of the attested object). */
async function verifyAttestation(
  { agentCache }: { agentCache: AgentCache },
  principal: Principal,
  telemetry: Telemetry,
): Promise<void> {
  const { attestation } = telemetry;
  if (attestation === undefined) return;
  const agent = await agentCache.enrolled(attestation.attester_commitment);
  requireOtherParty(principal, agent);
  const publicKey = hexToBytes(agent.publicKey);
  const bytes = hexToBytes(attestation.signature);
  const { digest } = canonicalOf(
    nativePrimitives,
    attestedObject(telemetry, attestation.attester_commitment),
  );
  if (isStrictForm(bytes, publicKey) && (await verifyEd25519Async(bytes, Buffer.from(digest), publicKey)))
    return;
  throw agentsErrors.invalid_proof({
    message:
      'The signature of the attestation does not verify. The attester signs the digest of {type: "instrument-attestation", cluster_id, instance_id, subject_commitment, attester_commitment}.',
  });
}

/**
 * @returns the sponsor of the attester
 * @throws ApiError forbidden for an attester whose sponsor is the operator itself, or that has none
 */
export function requireOtherParty({ operatorSeq }: Principal, { sponsorSeq }: AgentRow): number {
  if (sponsorSeq !== null && sponsorSeq !== operatorSeq) return sponsorSeq;
  throw commonErrors.forbidden({
    message:
      'The attester must be an agent that another operator sponsors. Without one, the instrument is self_attested.',
  });
}
