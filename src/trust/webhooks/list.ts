import { Type } from '@sinclair/typebox';
import { type Cursors, positionNumber } from '../../platform/http/pagination/cursor.ts';
import type { Store } from '../../platform/store/store.ts';
import { pageRequest } from '../http/paging.ts';
import type { OperatorActor } from '../operators/auth/actor.ts';
import type { PageQuery } from './schema.ts';
import { webhooksOf } from './store.ts';
import { webhookView } from './webhook.ts';

/** The lists of an operator's webhooks and of a webhook's deliveries, ordered by sequence number. */
const WEBHOOKS = { name: 'webhooks', position: Type.Tuple([positionNumber]) };

/**
 * Returns a page of the operator's webhooks, newest first.
 * @throws ApiError validation_error for an invalid cursor
 */
export async function listWebhooks(
  { store, cursors }: { store: Store; cursors: Cursors },
  { operatorSeq }: OperatorActor,
  query: PageQuery,
) {
  const { limit, after, takePage } = pageRequest(query, cursors.of(WEBHOOKS, [operatorSeq]));
  const rows = await store.read((snapshot) => webhooksOf(snapshot, operatorSeq, after?.[0], limit + 1));
  const { page, next_cursor } = takePage(rows, (last) => [last.webhookSeq]);
  return { webhooks: page.map(webhookView), next_cursor };
}
