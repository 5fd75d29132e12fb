import { judgeLinked, type LinkedCheck, type LinkedResult } from '../account/account-proof.ts';
import { isJsonObject, type JsonValue } from '../encoding/json.ts';
import { parseTimestamp } from '../encoding/timestamp.ts';
import type { TrustedKey } from '../keys/trusted-keys.ts';
import type { KnownNotes } from '../log/known-notes.ts';
import type { LogKey } from '../log/log-keys.ts';
import { commonOf, isOriginOf, originOf } from '../log/log-names.ts';
import type { LogProof } from '../log/log-proof.ts';
import { describeCosignatures, isMet, worstQuorum } from '../log/quorum.ts';
import type { ProofOptions } from '../log-documents/proof-verdict.ts';
import type { Primitives } from '../primitives.ts';
import { receiptShape } from '../receipt/receipt-shape.ts';
import type { Revocations } from '../receipt/revocations.ts';
import { isAsAsked, judge, type VerdictResult } from '../receipt/verdict.ts';
import type { WitnessPolicy } from '../receipt/witnessed.ts';
import { checkKeyEvents, type KeyEventCheck, type KeyEvents } from './key-events.ts';
import type { KeyEventsOf } from './known-key-events.ts';
import { KnownParts } from './known-parts.ts';
import { type ReceiptBundle, readReceiptBundle } from './receipt-bundle.ts';

/** What a bundle of a receipt is verified with. */
export interface BundleOptions {
  /** The keys that the verifier trusts; null to trust those that the log of keys has, by the bundle. */
  keys: readonly TrustedKey[] | null;
  logKeys: readonly LogKey[];
  policy?: WitnessPolicy | undefined;
  /** The Unix time in milliseconds for checking expiry. */
  now: number;
  /** The present, if `now` is another time. */
  clock?: number | undefined;
  domain?: string | undefined;
  revocations?: Revocations | undefined;
  /** Demands that the status is valid at `now`. */
  isFresh?: boolean | undefined;
  /** What was found before with the same options and primitives, for lists of bundles. */
  known?: KnownParts | undefined;
}

/** The result for a bundle: that of its receipt, with the checks of the other parts. */
export type BundleResult = Omit<VerdictResult, 'checks'> & {
  checks: Omit<VerdictResult['checks'], 'proof'> & {
    /** `missing`: a policy demands a proof, and the bundle has none. */
    proof?: VerdictResult['checks']['proof'] | 'missing';
    /** Only if the bundle has events of keys. */
    key_events?: KeyEventCheck | 'unchecked';
    /** Only if the bundle has leaves in the log of accounts. */
    linked?: LinkedCheck | 'unchecked';
  };
  /** When the receipt was not revoked, if no later time is known; absent if it is not now. RFC 3339. */
  revocation_as_of?: string;
};

/**
 * Verifies a bundle of a receipt offline: the receipt, that the log has it, its status, the events of the
 * keys that signed it and its status, and its leaves in the log of accounts. A status that is no longer valid
 * shows that the receipt was not revoked then. Never throws for any document.
 */
export function judgeReceiptBundle(
  primitives: Primitives,
  document: JsonValue,
  options: BundleOptions,
): BundleResult {
  const { logKeys, policy, now, clock = now, domain, revocations, known = new KnownParts() } = options;
  const { notes } = known;
  const ofKeys = keyEventsOf(document);
  const found = ofKeys && known.keyEvents.find(ofKeys);
  const read = readReceiptBundle(primitives, document, { keyEvents: found?.proofs, notes });
  if ('problems' in read) return malformed(read.problems, options);
  const { bundle } = read;
  const proofOptions = { logKeys, policy, now: Math.max(now, clock), notes };
  const events =
    found?.events ?? checkKeyEvents(primitives, bundle.keyEvents, proofOptions, signersIn(bundle));
  if (ofKeys !== null && found === null) known.keyEvents.add(ofKeys, { proofs: bundle.keyEvents, events });
  const origin = bundle.proof && originIn(bundle.proof, notes);
  const foreign = isOfAnother(origin, events.common);
  const statusAt = options.isFresh ? now : Math.min(now, validUntil(bundle.status));
  const result = judge(primitives, bundle.receipt, {
    keys: keysWith(options.keys, foreign || !isSeen(options, events) ? [] : events.keys),
    now,
    clock,
    domain,
    policy,
    ...(bundle.proof !== null && { proof: { proof: bundle.proof, keys: logKeys } }),
    status: bundle.status,
    statusAt,
    revocations,
    notes,
  });
  if (result.verdict === 'malformed') return withoutParts({ ...result, trees: events.trees }, bundle);
  const linked = linkedOf(primitives, bundle, proofOptions, commonIn(origin) ?? events.common);
  const checks: BundleResult['checks'] = { ...result.checks };
  const problems = [...result.problems];
  if (bundle.keyEvents.length > 0) {
    const { check, problem } = foreign
      ? FOREIGN
      : compareWithSigners(events, [result.kid, textIn(bundle.status, 'kid')]);
    checks.key_events = check;
    if (problem !== null) problems.push(`key_events: ${problem}`);
  }
  if (linked !== null) {
    checks.linked = linked.check;
    if (linked.problem !== null) problems.push(`linked: ${linked.problem}`);
  }
  const cosignatures = [
    ...(result.cosignatures ?? []),
    ...events.cosignatures,
    ...(linked?.cosignatures ?? []),
  ];
  if (policy !== undefined) {
    // What witnesses cosigned of other logs does not show that they saw the one that has the receipt.
    const ofReceipt = bundle.proof === null && policy.policy.quorum !== null ? MISSING : [];
    checks.quorum = worstQuorum([...ofReceipt, ...cosignatures]);
    if (bundle.proof === null) {
      checks.proof = 'missing';
      problems.push(`proof: the bundle has none (${bundle.reason ?? 'it does not say why'}): get it again`);
    }
    for (const found of events.cosignatures)
      if (!isMet(found.check)) problems.push(`quorum: ${describeCosignatures(found)}`);
  }
  const asOf =
    result.revocation === 'ok' && checks.revocation !== 'ok' && statusAt < now
      ? checkedAt(bundle.status)
      : null;
  return {
    ...result,
    checks,
    problems,
    ...(policy !== undefined && { cosignatures }),
    ...(asOf !== null && { revocation_as_of: asOf }),
    trees: [...result.trees, ...events.trees, ...(linked?.trees ?? [])],
  };
}

/**
 * Returns whether a bundle is valid and everything in it is in order. Whoever passes it on can leave events
 * of keys out.
 */
export function isBundleAsAsked(result: BundleResult): boolean {
  const { key_events = 'ok', linked = 'ok' } = result.checks;
  return isAsAsked(result) && (key_events === 'ok' || key_events === 'partly') && linked === 'ok';
}

/** The cosignatures of a receipt that no log is shown to have. */
const MISSING = [{ check: 'missing' as const }];

const FOREIGN = { check: 'bad' as const, problem: 'they are of another installation than the proof' };

/**
 * Returns whether what the log of keys says may make keys trusted: without a list, it must be what others
 * see, if a policy demands that.
 */
function isSeen({ keys }: BundleOptions, { cosignatures }: KeyEvents): boolean {
  return keys !== null || cosignatures.every(({ check }) => isMet(check));
}

/** Compares proven events with the keys that signed the receipt and its status. */
function compareWithSigners(
  { check, problem, keys }: KeyEvents,
  signers: readonly (string | null)[],
): Pick<KeyEvents, 'check' | 'problem'> {
  if (check !== 'ok') return { check, problem };
  if (keys.some(({ kid }) => !signers.includes(kid)))
    return { check: 'bad', problem: 'an event is of a key that signed nothing here' };
  const isWhole = signers.every((signer) => keys.some(({ kid }) => kid === signer));
  return { check: isWhole ? 'ok' : 'partly', problem };
}

/**
 * Returns the trusted keys, with what the log of keys says of them: of two rows of a key, the stricter
 * counts. A list may be older than the end of a key, but nothing is trusted that it does not have.
 */
function keysWith(trusted: readonly TrustedKey[] | null, shown: readonly TrustedKey[]): TrustedKey[] {
  if (trusted === null) return [...shown];
  const isListed = ({ kid, purpose }: TrustedKey): boolean =>
    trusted.some((key) => key.kid === kid && key.purpose === purpose);
  return [...trusted, ...shown.filter(isListed)];
}

const originIn = ({ checkpoint }: LogProof, notes: KnownNotes): string => notes.checkpoint(checkpoint).origin;

/** Returns whether a proof is of the log of another installation than the one of the log of keys. */
function isOfAnother(origin: string | null, common: string | null): boolean {
  if (origin === null || common === null) return false;
  return origin !== originOf(common, 'receipts');
}

/** Returns the part before the name in the origin of the log that has the receipt; null for no such log. */
function commonIn(origin: string | null): string | null {
  return origin !== null && isOriginOf(origin, 'receipts') ? commonOf({ origin, name: 'receipts' }) : null;
}

/** @param common of the origins of the installation, as far as other proofs of the bundle say it */
function linkedOf(
  primitives: Primitives,
  { receipt, linked }: ReceiptBundle,
  options: ProofOptions & { notes: KnownNotes },
  common: string | null,
): LinkedResult | null {
  const shape = linked === null ? null : receiptShape(receipt);
  if (linked === null || shape === null || !('receipt' in shape)) return null;
  const result = judgeLinked(primitives, shape.receipt, linked, options);
  const own = common === null ? null : originOf(common, 'accounts');
  const isForeign = own !== null && linked.some((proof) => originIn(proof, options.notes) !== own);
  return isForeign && (result.check === 'ok' || result.check === 'issue_unproven')
    ? { ...result, check: 'mismatch', problem: 'a leaf is of another installation than the other proofs' }
    : result;
}

/** Returns all that decides what is found of key events; null for a document that has another form. */
function keyEventsOf(document: JsonValue): KeyEventsOf | null {
  if (!isJsonObject(document)) return null;
  const { receipt = null, status = null, key_events = null } = document;
  if (!isJsonObject(receipt)) return null;
  // Without a kid, other events count than with one that is null.
  const kids = receipt.kid === undefined ? [] : [receipt.kid, textIn(status, 'kid')];
  return { kids, value: key_events };
}

function textIn(status: JsonValue, name: string): string {
  const text = isJsonObject(status) && Object.hasOwn(status, name) ? status[name] : null;
  return typeof text === 'string' ? text : '';
}

/** Returns when a status ends, in milliseconds; infinity for one of another form, which is malformed. */
const validUntil = (status: JsonValue): number =>
  parseTimestamp(textIn(status, 'valid_until')) ?? Number.POSITIVE_INFINITY;

/** Returns what says whether a key with a kid may have signed the receipt or its status. */
function signersIn({ receipt, status }: ReceiptBundle): (kid: string) => boolean {
  // Any key can have signed a receipt without a kid.
  if (!isJsonObject(receipt) || receipt.kid === undefined) return () => true;
  const kids = [receipt.kid, textIn(status, 'kid')];
  return (kid) => kids.includes(kid);
}

const checkedAt = (status: JsonValue): string => textIn(status, 'checked_at');

function withoutParts(result: VerdictResult, { keyEvents, linked }: ReceiptBundle): BundleResult {
  const checks: BundleResult['checks'] = { ...result.checks };
  if (keyEvents.length > 0) checks.key_events = 'unchecked';
  if (linked !== null) checks.linked = 'unchecked';
  return { ...result, checks };
}

function malformed(problems: string[], { domain, policy, revocations }: BundleOptions): BundleResult {
  return {
    verdict: 'malformed',
    authentic: false,
    revocation: 'not_checked',
    checks: {
      hash: 'unchecked',
      signature: 'unchecked',
      key: 'unchecked',
      ...(domain !== undefined && { domain: 'unchecked' as const }),
      status: 'unchecked',
      ...(revocations !== undefined && { revocation: 'unchecked' as const }),
      ...(policy !== undefined && { quorum: 'unchecked' as const }),
    },
    problems,
    kid: null,
    trees: [],
  };
}
