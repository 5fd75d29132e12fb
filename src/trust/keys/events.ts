import { nativePrimitives } from '../../platform/crypto.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import { bytesToHex } from '../../proof/encoding/hex.ts';
import { keyEntryMessage } from '../../proof/log/log-entry.ts';
import { logKeyIn } from '../log/append.ts';
import type { KeyEvent, Logs } from '../log/logs.ts';

import { sizeOf } from '../log/tree.ts';
import { type SigningKey, signBy } from './signer.ts';

/**
 * Logs what becomes of a key, signed by those whom it concerns: the old key and the new one, or for a compromise the log's.
 * `at`: when, RFC 3339. @returns the size of the receipts log at this moment
 */
export function logKeyEventIn(
  tx: Transaction,
  { logs, at }: { logs: Logs; at: string },
  key: SigningKey,
  event: KeyEvent,
  signers: readonly SigningKey[],
): number {
  const receiptsTreeSize = sizeOf(tx, logs.receipts);
  const said = {
    event,
    kid: key.kid,
    algorithm: key.algorithm,
    public_key: key.publicKey,
    purpose: key.purpose,
    at,
    receipts_tree_size: receiptsTreeSize,
  };
  const message = keyEntryMessage(nativePrimitives, said);
  const signatures = signers.map((signer) => ({
    kid: signer.kid,
    signature: bytesToHex(signBy(signer, message)),
  }));
  logKeyIn(tx, logs, key.keySeq, event, { ...said, signatures });
  return receiptsTreeSize;
}
