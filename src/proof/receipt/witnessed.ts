import { KnownNotes } from '../log/known-notes.ts';
import type { LogKey } from '../log/log-keys.ts';
import type { LogPolicy } from '../log/log-policy.ts';
import { type Cosignatures, isMet } from '../log/quorum.ts';
import { checkQuorumOrEnd, type KeyLogToTrust } from '../log/recorded-end.ts';
import type { Primitives } from '../primitives.ts';
import { dated, type InclusionCheck } from './inclusion.ts';
import type { Revocations } from './revocations.ts';

/**
 * The witnesses that must have cosigned checkpoints, and the keys of the logs, none of which counts as a
 * witness.
 */
export interface WitnessPolicy {
  policy: LogPolicy;
  logKeys: readonly LogKey[];
  /** A copy of the log of keys, which can record the ends of closed logs. */
  keyLog?: KeyLogToTrust | undefined;
}

/** What a verifier found in logs, before it looks at cosignatures. */
interface Found {
  /** The note in the proof. */
  checkpoint: string | undefined;
  inclusion: InclusionCheck | undefined;
  revocations: Revocations | undefined;
}

/**
 * Checks the cosignatures of the checkpoints of a proof and of a revocations log against a policy.
 *
 * Without the quorum, the checkpoint may be a view of the log that nobody else sees. Therefore the proof then
 * shows no position, and cannot make the signature of an ended key count. With the quorum, the revocations
 * log has the time that the quorum attests, or the log's own time if that is earlier: witnesses cosign the
 * last checkpoint that they saw again for whoever asks, even of a log that was ended. An invalid proof has no
 * trusted checkpoint, so its cosignatures are not checked; the proof's own check reports it.
 *
 * @param now the Unix time in milliseconds
 * @param notes what was found of the checkpoints of proofs before, with the same policy and time
 * @returns cosignatures undefined without a policy
 */
export function witnessed(
  primitives: Primitives,
  asked: WitnessPolicy | undefined,
  now: number,
  { checkpoint, inclusion, revocations, notes }: Found & { notes?: KnownNotes | undefined },
): Pick<Found, 'inclusion' | 'revocations'> & { cosignatures?: Cosignatures[] } {
  if (asked === undefined) return { inclusion, revocations };
  const quorumOf = (note: Uint8Array): Cosignatures => checkWitnesses(primitives, note, asked, now);
  const isProven =
    checkpoint !== undefined && ['ok', 'mismatch', 'misdated'].includes(inclusion?.check ?? '');
  const ofProof = isProven ? (notes ?? new KnownNotes()).cosignatures(checkpoint, quorumOf) : null;
  const ofRevocations = revocations?.checkpoint && quorumOf(revocations.checkpoint);
  const attested = ofRevocations?.attested_at ?? null;
  return {
    inclusion: inclusion && ofProof !== null ? withQuorum(inclusion, ofProof) : inclusion,
    revocations:
      revocations && attested !== null
        ? {
            ...revocations,
            time: Math.min(Date.parse(attested), revocations.time ?? Number.POSITIVE_INFINITY),
          }
        : revocations,
    cosignatures: [ofProof, ofRevocations].filter((found) => found !== null && found !== undefined),
  };
}

/** Checks the cosignatures of a checkpoint against a policy. @param now the Unix time in milliseconds */
export function checkWitnesses(
  primitives: Primitives,
  note: Uint8Array,
  { policy, logKeys, keyLog }: WitnessPolicy,
  now: number,
): Cosignatures {
  const publicKeys = logKeys.map(({ publicKey }) => publicKey);
  return checkQuorumOrEnd(primitives, note, policy, { now, logKeys: publicKeys, keyLog });
}

/** Returns the check of a proof whose checkpoint has these cosignatures. */
function withQuorum(inclusion: InclusionCheck, { check, attested_at }: Cosignatures): InclusionCheck {
  if (!isMet(check)) return { ...inclusion, position: null };
  return attested_at === null ? inclusion : dated(inclusion, Date.parse(attested_at));
}
