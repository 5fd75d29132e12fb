import type { Transaction } from '../../platform/store/transaction.ts';
import { type Account, type Asset, ISSUANCE } from './accounts.ts';
import { type LedgerContext, postIn } from './post.ts';

/** The promotional credits of the first operator; other operators start without credits. */
export const INITIAL_CREDITS = 1_000_000;

/** Books a change of an account by the administrator: from issuance, or with a negative amount back to it. */
export async function adjustIn(
  tx: Transaction,
  ledger: LedgerContext,
  account: Account,
  asset: Asset,
  amount: number,
): Promise<void> {
  if (amount === 0) return;
  const [from, to] = amount > 0 ? [ISSUANCE, account] : [account, ISSUANCE];
  await postIn(tx, ledger, { kind: 'ADJUSTMENT', from, to, portions: { [asset]: Math.abs(amount) } });
}
