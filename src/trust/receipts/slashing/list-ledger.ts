import { Type } from '@sinclair/typebox';
import { SLASHED_TRANCHES } from '../../../../db/trust/slashing-enums.ts';
import type { Cursors } from '../../../platform/http/pagination/cursor.ts';
import { positionNumber } from '../../../platform/http/pagination/cursor.ts';
import type { Store } from '../../../platform/store/store.ts';
import { pageRequest } from '../../http/paging.ts';
import type { Principal } from '../../operators/auth/authenticate.ts';
import type { SlashingLedgerQuery } from './schema.ts';
import { slashesOf } from './store.ts';

/** The list of an operator's entries, with the cursor position: the number of the entry. */
const SLASHING_LEDGER = { name: 'slashing-ledger', position: Type.Tuple([positionNumber]) };

/**
 * Returns a page of the operator's slashing ledger, newest first.
 * @throws ApiError validation_error for an invalid cursor
 */
export async function listSlashes(
  { store, cursors }: { store: Store; cursors: Cursors },
  { operatorSeq, operatorId }: Pick<Principal, 'operatorSeq' | 'operatorId'>,
  query: SlashingLedgerQuery,
) {
  const { tranche } = query;
  const { limit, after, takePage } = pageRequest(query, cursors.of(SLASHING_LEDGER, [operatorSeq, tranche]));
  const tranches = tranche === undefined ? SLASHED_TRANCHES : [tranche];
  const rows = await store.read((snapshot) =>
    slashesOf(snapshot, { operatorSeq, tranches, before: after?.[0], limit: limit + 1 }),
  );
  const { page, next_cursor } = takePage(rows, ({ slashSeq }) => [slashSeq]);
  return {
    entries: page.map((row) => ({
      id: row.slashId,
      receipt_id: row.receiptId,
      operator_id: operatorId,
      tranche: row.tranche,
      amount_cents: row.amountCents,
      stake_before_cents: row.stakeBeforeCents,
      stake_after_cents: row.stakeBeforeCents - row.amountCents,
      created_at: row.createdAt,
    })),
    next_cursor,
  };
}
