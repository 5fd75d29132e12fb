import { Type } from '@sinclair/typebox';
import { positionNumber } from '../../platform/http/pagination/cursor.ts';
import type { Paging } from '../../platform/http/pagination/page.ts';
import { listResponse, pageRequest } from '../http/paging.ts';
import type { Suppressions } from './services.ts';
import { suppressionsAbove } from './store.ts';

/** The cursor of the list of suppressions: an NPI. */
const SUPPRESSIONS = { name: 'suppressions', position: Type.Tuple([positionNumber]) };

/** Returns a page of the suppressed clinicians, by NPI. @throws ApiError INVALID_CURSOR */
export async function listSuppressions(
  { store, cursors }: Pick<Suppressions, 'store' | 'cursors'>,
  query: Paging,
) {
  const request = pageRequest(query, cursors.of(SUPPRESSIONS, []));
  const { limit, after = [0] } = request;
  const [above] = after;
  return store.read(async (snapshot) =>
    listResponse(
      request,
      await suppressionsAbove(snapshot, { above, limit: limit + 1 }),
      ({ npi, reason, at }) => ({ npi: String(npi), reason, at }),
      ({ npi }) => [npi],
    ),
  );
}
