import { signEd25519 } from '../../../platform/crypto/crypto.ts';
import { coseHeader, coseMessage, formatCoseReceipt } from '../../../proof/log/cose-receipt.ts';
import { logPurposeOf } from '../../../proof/log/key-purposes.ts';
import { commonOf, type LogName } from '../../../proof/log/log-names.ts';
import type { PublishedCheckpoint } from '../checkpoints/checkpoints.ts';
import type { LogKey, LogSigner } from '../checkpoints/signer.ts';
import type { ProvenLeaf } from './inclusion-proof.ts';

/** The root of a checkpoint, signed as COSE. */
interface SignedRoot {
  kid: string;
  header: Uint8Array;
  signature: Uint8Array;
}

/**
 * The signed roots, by checkpoint: the request is public, and each signature costs the main thread. The
 * claims name the log and no receipt, so one signature serves all leaves.
 */
const signedRoots = new WeakMap<PublishedCheckpoint, SignedRoot>();

/**
 * Returns the COSE receipt of a leaf (RFC 9942). It signs only the root of a published checkpoint, with the
 * active Ed25519 key of the log. After a rotation it is the new one, even for old checkpoints.
 *
 * `sub` is the log and not the receipt: the inclusion proof is not signed. Anyone could replace it by that of
 * another leaf of the tree, and the signature would name the wrong receipt.
 */
export function coseReceiptOf(
  signer: Pick<LogSigner, 'activeKey'>,
  name: LogName,
  leaf: ProvenLeaf,
): Uint8Array {
  const { header, signature } = signedRoot(signer.activeKey(logPurposeOf(name)), name, leaf.checkpoint);
  const { index, path } = leaf;
  return formatCoseReceipt(header, { size: leaf.checkpoint.response.tree_size, index, path }, signature);
}

function signedRoot(key: LogKey, name: LogName, checkpoint: PublishedCheckpoint): SignedRoot {
  const known = signedRoots.get(checkpoint);
  if (known?.kid === key.kid) return known;
  const { kid, privateKey } = key;
  const { origin } = checkpoint.response;
  const header = coseHeader({ kid, issuer: commonOf({ origin, name }), subject: origin });
  const signature = signEd25519(privateKey, coseMessage(header, checkpoint.rootHash));
  const signed = { kid, header, signature };
  signedRoots.set(checkpoint, signed);
  return signed;
}
