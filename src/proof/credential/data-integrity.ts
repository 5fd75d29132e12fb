import { base58 } from '@scure/base';
import { canonicalJson } from '../encoding/canonical-json.ts';
import { canonicalJsonSteps } from '../encoding/canonical-steps.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../encoding/json.ts';
import { inOneGo, type Steps } from '../encoding/steps.ts';
import { verifyStrict } from '../keys/ed25519.ts';
import type { Primitives } from '../primitives.ts';
import { decodeBase58 } from './multikey.ts';

export const CRYPTOSUITE = 'eddsa-jcs-2022';
export const PROOF_TYPE = 'DataIntegrityProof';

/** 64 bytes have at most this many characters in base58. */
const MOST_SIGNATURE_CHARACTERS = 88;

const utf8 = new TextEncoder();

/** Says who secures a document, when and for what. */
export interface ProofOptions {
  /** The DID URL of the key. */
  verificationMethod: string;
  /** RFC 3339. */
  created: string;
  /** `assertionMethod` by default. */
  proofPurpose?: string;
}

/** A document with its proof. */
export type SecuredDocument<T extends JsonObject> = T & { proof: JsonObject };

/**
 * Returns, in steps, the message that a proof signs (W3C vc-di-eddsa section 3.3.4): 64 bytes, the SHA-256 of
 * the canonical JSON (RFC 8785) of the proof's configuration and that of the document without its proof.
 * @param configuration the proof without `proofValue`, with the document's `@context`
 * @throws CanonicalJsonError
 */
export function* proofMessage(
  primitives: Primitives,
  unsecured: JsonObject,
  configuration: JsonObject,
): Steps<Uint8Array> {
  const message = new Uint8Array(64);
  message.set(primitives.sha256(utf8.encode(canonicalJson(configuration))));
  const text = yield* canonicalJsonSteps(unsecured);
  yield;
  message.set(primitives.sha256(utf8.encode(text)), 32);
  return message;
}

/**
 * Adds a Data Integrity proof of the cryptosuite eddsa-jcs-2022 to a document (W3C vc-di-eddsa section
 * 3.3.1). The proof repeats the document's `@context`, as the algorithm requires.
 * @param sign returns the 64 bytes of an Ed25519 signature
 * @throws CanonicalJsonError
 */
export function secure<T extends JsonObject>(
  primitives: Primitives,
  unsecured: T,
  { verificationMethod, created, proofPurpose = 'assertionMethod' }: ProofOptions,
  sign: (message: Uint8Array) => Uint8Array,
): SecuredDocument<T> {
  const configuration: JsonObject = {
    ...(unsecured['@context'] === undefined ? {} : { '@context': unsecured['@context'] }),
    type: PROOF_TYPE,
    cryptosuite: CRYPTOSUITE,
    created,
    verificationMethod,
    proofPurpose,
  };
  const signature = sign(inOneGo(proofMessage(primitives, unsecured, configuration)));
  return { ...unsecured, proof: { ...configuration, proofValue: `z${base58.encode(signature)}` } };
}

/**
 * Verifies, in steps, the single Data Integrity proof of a document (W3C vc-di-eddsa section 3.3.2) by a key
 * that the caller trusts, with the strict rule for Ed25519. It looks at the proof only: the caller checks the
 * issuer, the purpose, the method, the validity and the contexts.
 * @returns false for any other proof or suite, a proof array, a `@context` that does not begin with the
 * proof's, and values without canonical JSON; never throws
 */
export function* verifyProof(
  primitives: Primitives,
  document: JsonObject,
  publicKey: Uint8Array,
): Steps<boolean> {
  // To copy many members takes as long as to write them.
  yield;
  const { proof, ...unsecured } = document;
  yield;
  if (!isJsonObject(proof) || proof.type !== PROOF_TYPE || proof.cryptosuite !== CRYPTOSUITE) return false;
  const { proofValue, ...configuration } = proof;
  const signature = decodeProofValue(proofValue);
  if (signature === null) return false;
  const context = configuration['@context'];
  if (context !== undefined) {
    if (!beginsWith(unsecured['@context'], context)) return false;
    unsecured['@context'] = context;
  }
  try {
    const message = yield* proofMessage(primitives, unsecured, configuration);
    return verifyStrict(primitives, signature, message, publicKey);
  } catch {
    return false;
  }
}

/** Decodes `proofValue`, `z` and base58btc, into the 64 bytes of a signature; null for anything else. */
export function decodeProofValue(value: JsonValue | undefined): Uint8Array | null {
  if (typeof value !== 'string' || !value.startsWith('z') || value.length > MOST_SIGNATURE_CHARACTERS + 1)
    return null;
  const signature = decodeBase58(value.slice(1));
  return signature?.length === 64 ? signature : null;
}

/** Returns whether the contexts of the document begin with those of the proof, in the same order. */
function beginsWith(context: JsonValue | undefined, start: JsonValue): boolean {
  if (context === undefined) return false;
  const all = Array.isArray(context) ? context : [context];
  const first = Array.isArray(start) ? start : [start];
  try {
    return first.every(
      (item, index) => all[index] !== undefined && canonicalJson(all[index]) === canonicalJson(item),
    );
  } catch {
    return false;
  }
}
