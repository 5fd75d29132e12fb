import {
  CBOR_NULL,
  cborArray,
  cborBytes,
  cborInteger,
  cborMap,
  cborTagged,
  cborText,
} from '../encoding/cbor.ts';

/**
 * COSE receipts (RFC 9942): a proof that a leaf is in the tree with a root, and the log's signature over this
 * root, as one COSE_Sign1 message (RFC 9052 section 4.2).
 */

/** The media type of a COSE receipt, registered by RFC 9943 section 10. */
export const COSE_RECEIPT_TYPE = 'application/scitt-receipt+cose';

/**
 * The fewest leaves of a tree with COSE receipts, since an inclusion path has at least one hash (RFC 9942
 * section 5.2).
 */
export const MIN_COSE_LEAVES = 2;

/** The CBOR tag of a COSE_Sign1 message (RFC 9052 section 2). Receipts are tagged. */
const COSE_SIGN1_TAG = 18;

/** Labels of header parameters, as IANA registered them ("COSE Header Parameters"). */
const LABELS = {
  /** RFC 9052 section 3.1. */
  alg: 1,
  /** RFC 9052 section 3.1. */
  kid: 4,
  /** CWT Claims, RFC 9597. */
  claims: 15,
  /** Verifiable data structure, RFC 9942. */
  vds: 395,
  /** Proofs of the verifiable data structure, RFC 9942. */
  vdp: 396,
} as const;

/** Keys of CWT claims (RFC 8392 section 4). */
const CLAIMS = { iss: 1, sub: 2 } as const;

/**
 * EdDSA (RFC 9053 section 2.2). RFC 9864 deprecates it in favour of −19 (Ed25519), the same signature with
 * another number. The receipts have the old number, because COSE libraries verify it today and few know the
 * new one.
 */
const EDDSA = -8;

/**
 * The tree of RFC 9162 over SHA-256, which is that of RFC 6962 ("COSE Verifiable Data Structure Algorithms",
 * RFC 9942).
 */
const RFC9162_SHA256 = 1;

/** The label of inclusion proofs of RFC9162_SHA256 ("COSE Verifiable Data Structure Proofs", RFC 9942). */
const INCLUSION_PROOFS = -1;

/** The registered numbers in a COSE receipt, for those who read it. */
export const COSE_NUMBERS = {
  tag: COSE_SIGN1_TAG,
  labels: LABELS,
  claims: CLAIMS,
  eddsa: EDDSA,
  rfc9162Sha256: RFC9162_SHA256,
  inclusionProofs: INCLUSION_PROOFS,
} as const;

/** What the signature of a COSE receipt states in addition to the root. */
export interface CoseStatement {
  /** The key's id, as in the list of public keys. The parameter is its UTF-8. */
  kid: string;
  /** The service, the claim `iss`. */
  issuer: string;
  /** The log, the claim `sub`. */
  subject: string;
}

/** A leaf's position in the tree, and the hashes from its sibling up. The signature does not cover them. */
export interface InclusionPath {
  size: number;
  index: number;
  path: readonly Uint8Array[];
}

/**
 * Returns the protected header of a COSE receipt, encoded. RFC 9942 requires `alg` and `vds`; RFC 9943
 * section 6 `kid`, because there is no certificate, and the claims `iss` and `sub`.
 */
export function coseHeader({ kid, issuer, subject }: CoseStatement): Uint8Array {
  const claims = cborMap([
    [cborInteger(CLAIMS.iss), cborText(issuer)],
    [cborInteger(CLAIMS.sub), cborText(subject)],
  ]);
  return cborMap([
    [cborInteger(LABELS.alg), cborInteger(EDDSA)],
    [cborInteger(LABELS.kid), cborBytes(new TextEncoder().encode(kid))],
    [cborInteger(LABELS.claims), claims],
    [cborInteger(LABELS.vds), cborInteger(RFC9162_SHA256)],
  ]).encoded;
}

/**
 * Returns the bytes that the log's key signs: the Sig_structure of RFC 9052 section 4.4 with the root as
 * detached payload. The same key signs checkpoints. Neither can be mistaken for the other: this begins with
 * the byte 0x84, and a checkpoint is UTF-8, in which no text begins with this byte.
 *
 * @param header from `coseHeader` @param root of the tree, 32 bytes
 */
export function coseMessage(header: Uint8Array, root: Uint8Array): Uint8Array {
  const externalData = new Uint8Array();
  return cborArray([cborText('Signature1'), cborBytes(header), cborBytes(externalData), cborBytes(root)])
    .encoded;
}

/**
 * Formats a COSE receipt with one inclusion proof. The root is detached: a verifier must compute it from the
 * leaf.
 * @param signature Ed25519 over `coseMessage`, 64 bytes
 * @throws RangeError for an empty path
 */
export function formatCoseReceipt(
  header: Uint8Array,
  { size, index, path }: InclusionPath,
  signature: Uint8Array,
): Uint8Array {
  if (path.length === 0) throw new RangeError('a COSE receipt has at least one hash');
  const proof = cborArray([cborInteger(size), cborInteger(index), cborArray(path.map(cborBytes))]);
  const proofs = cborMap([[cborInteger(INCLUSION_PROOFS), cborArray([cborBytes(proof.encoded)])]]);
  const unprotected = cborMap([[cborInteger(LABELS.vdp), proofs]]);
  const message = cborArray([cborBytes(header), unprotected, CBOR_NULL, cborBytes(signature)]);
  return cborTagged(COSE_SIGN1_TAG, message).encoded;
}
