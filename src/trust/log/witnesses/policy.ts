import { Failure } from '../../../platform/failure.ts';
import { type PolicyFile, readPolicyFile } from '../../../platform/tlog/policy-file.ts';
import { bytesToHex } from '../../../proof/encoding/hex.ts';
import { meetsQuorum, type QuorumRule } from '../../../proof/log/log-policy.ts';
import type { VerifierKey } from '../../../proof/log/note.ts';
import type { Cosignature } from '../checkpoints/cosignatures.ts';
import type { MeetsQuorum } from '../checkpoints/cosigned.ts';

/** A witness by its name in the policy. A witness with two keys has two names there. */
export interface PolicyWitness {
  name: string;
  key: VerifierKey;
}

/** A server that takes add-checkpoint requests, and the witnesses whose cosignatures it returns. */
export interface WitnessServer {
  /** The submission prefix (C2SP tlog-witness), without a slash at its end. */
  url: string;
  witnesses: readonly PolicyWitness[];
}

/** The witnesses that cosign checkpoints, and the quorum. */
export interface WitnessPolicy {
  servers: readonly WitnessServer[];
  quorum: QuorumRule | null;
}

/** The number that C2SP requires implementations to support: all cosignatures are part of one note. */
const MAX_WITNESSES = 32;

/**
 * Reads the witness policy from a file; null if the setting names none.
 * @throws Failure (exit code 2) that names the line
 */
export function readWitnessPolicy(path: string | null): WitnessPolicy | null {
  if (path === null) return null;
  const policy = readPolicyFile(path, 'log.witness_policy');
  const { witnesses, quorum } = policy;
  const servers = new Map<string, PolicyWitness[]>();
  for (const { name, key, url } of witnesses) {
    const prefix = prefixOf(policy, name, url);
    servers.set(prefix, [...(servers.get(prefix) ?? []), { name, key }]);
  }
  if (witnesses.length === 0 || witnesses.length > MAX_WITNESSES) {
    throw new Failure(
      `${path} names ${witnesses.length} witnesses, and 1 to ${MAX_WITNESSES} can be asked`,
      'write a line "witness <name> <vkey> <url>" for each',
      2,
    );
  }
  return { servers: [...servers].map(([url, members]) => ({ url, witnesses: members })), quorum };
}

/**
 * Refuses witnesses that have a key of the service itself, of any purpose: they attest nothing.
 * @param own public keys, in lower-case hexadecimal
 * @throws Failure (exit code 2)
 */
export function refuseOwnWitnesses(policy: WitnessPolicy | null, own: readonly string[]): void {
  const witnesses = policy?.servers.flatMap((server) => server.witnesses) ?? [];
  const found = witnesses.find(({ key }) => own.includes(bytesToHex(key.publicKey)));
  if (found === undefined) return;
  throw new Failure(
    `the witness ${found.name} of log.witness_policy has a key of this service, which could cosign for itself`,
    'name a witness that somebody else runs, or that has keys of its own',
    2,
  );
}

/** Returns whether a cosignature is by a witness's key. */
export function isBy(
  { key }: PolicyWitness,
  { witness, keyId }: Pick<Cosignature, 'witness' | 'keyId'>,
): boolean {
  return key.name === witness && key.keyId === keyId;
}

/** Returns the function that decides whether cosignatures meet the quorum of a policy; null without one. */
export function quorumOf(policy: WitnessPolicy | null): MeetsQuorum | null {
  if (policy === null || policy.quorum === null) return null;
  const witnesses = policy.servers.flatMap((server) => server.witnesses);
  return (cosignatures) => {
    const signed = witnesses.filter((witness) =>
      cosignatures.some((cosignature) => isBy(witness, cosignature)),
    );
    return meetsQuorum(policy, new Set(signed.map(({ name }) => name)));
  };
}

function prefixOf(policy: PolicyFile, name: string, text: string | null): string {
  const words = ['witness', name];
  if (text === null) throw policy.invalid(words, `the witness ${name} has no URL to submit checkpoints to`);
  const url = URL.parse(text);
  const isPlain =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    `${url.search}${url.hash}${url.username}${url.password}` === '';
  if (isPlain) return text.replace(/\/+$/, '');
  throw policy.invalid(words, `${text} is not an http:// or https:// URL without query, fragment and user`);
}
