import { Type } from '@sinclair/typebox';
import { type Cursors, positionNumber, positionTime } from '../../platform/http/pagination/cursor.ts';
import type { Store } from '../../platform/store/store.ts';
import { TERMINAL_STATUSES } from '../../proof/receipt/receipt.ts';
import { pageRequest } from '../http/paging.ts';
import type { OperatorActor } from '../operators/auth/actor.ts';
import { requireOwnAgent } from './holder-access.ts';
import { selectPage } from './page-store.ts';
import { type ReceiptWithKid, receiptForPrincipal } from './representation.ts';
import type { ReceiptListQuery } from './schema.ts';
import { timeBound } from './time-bound.ts';

/** The list of receipts, with the cursor position: time of issue and sequence number. */
const RECEIPTS = { name: 'receipts', position: Type.Tuple([positionTime, positionNumber]) };

/**
 * Returns a page of the receipts of the operator, or of a holder's agent, newest first. A holder cannot find
 * blind receipts by domain, since it must not learn their domain.
 * @throws ApiError validation_error for an invalid cursor
 */
export async function listReceipts(
  { store, cursors }: { store: Store; cursors: Cursors },
  principal: OperatorActor,
  query: ReceiptListQuery,
): Promise<{ receipts: ReceiptWithKid[]; next_cursor: string | null }> {
  const { operatorSeq, subjectCommitment, role } = principal;
  const { status, ...filters } = query;
  if (filters.agent_id !== undefined) requireOwnAgent(principal, filters.agent_id);
  const { domain, agent_id, from, to } = filters;
  const { limit, after, takePage } = pageRequest(
    query,
    cursors.of(RECEIPTS, [operatorSeq, subjectCommitment, status, domain, agent_id, from, to]),
  );
  const states = await store.read((snapshot) =>
    selectPage(snapshot, {
      operatorSeq,
      domain: filters.domain,
      statuses: status === undefined ? undefined : status === 'terminal' ? TERMINAL_STATUSES : [status],
      agentId: filters.agent_id ?? subjectCommitment ?? undefined,
      withoutBlind: role === 'holder' && filters.domain !== undefined,
      from: timeBound(filters.from),
      to: timeBound(filters.to),
      after: after === undefined ? undefined : { issuedAt: after[0], receiptSeq: after[1] },
      limit: limit + 1,
    }),
  );
  const { page, next_cursor } = takePage(states, ({ receipt }) => [receipt.issuedAt, receipt.receiptSeq]);
  return { receipts: page.map((state) => receiptForPrincipal(state, principal)), next_cursor };
}
