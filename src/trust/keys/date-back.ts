import type { Transaction } from '../../platform/store/transaction.ts';
import type { Signer } from './signer.ts';
import { keySql } from './store.ts';

/**
 * Dates a key back to what it signs at `signedAt` (RFC 3339, as the program writes it), where the clock was set back since the
 * key was activated: its valid_from is never after what it signed. Does nothing else, which is nearly always.
 */
export function dateBackIn(tx: Transaction, signer: Signer, keySeq: number, signedAt: string): void {
  const known = signer.all().find((key) => key.keySeq === keySeq);
  if (known !== undefined && known.validFrom <= signedAt) return;
  keySql(tx).dateBack.run({ keySeq, validFrom: signedAt });
  const rows = keySql(tx).all.all();
  tx.afterCommit(() => signer.reload(rows));
}
