import { Type } from '@sinclair/typebox';
import { type Cursors, positionNumber } from '../../../platform/http/pagination/cursor.ts';
import type { Paging } from '../../../platform/http/pagination/page.ts';
import type { Store } from '../../../platform/store/store.ts';
import { pageRequest } from '../../http/paging.ts';
import type { OperatorsPolicy } from '../../operators/settings.ts';
import { operatorsAfter } from '../../operators/status.ts';
import { operatorStatusOf } from './operator-status.ts';

/** The list of all operators. */
const OPERATORS = { name: 'operators', position: Type.Tuple([positionNumber]) };

/**
 * Returns a page of all operators with their status, oldest first.
 * @throws ApiError validation_error for an invalid cursor
 */
export async function listOperators(
  { store, policy, cursors }: { store: Store; policy: OperatorsPolicy; cursors: Cursors },
  query: Paging,
) {
  const { limit, after, takePage } = pageRequest(query, cursors.of(OPERATORS, []));
  return store.read(async (snapshot) => {
    const { page, next_cursor } = takePage(
      await operatorsAfter(snapshot, { after: after?.[0] ?? 0, limit: limit + 1 }),
      (last) => [last.operatorSeq],
    );
    const operators: Awaited<ReturnType<typeof operatorStatusOf>>[] = [];
    for (const operator of page) operators.push(await operatorStatusOf(snapshot, operator, policy.tiers));
    return { operators, next_cursor };
  });
}
