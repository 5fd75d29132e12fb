import { Type } from '@sinclair/typebox';
import { positionNumber } from '../../../platform/http/pagination/cursor.ts';
import type { Paging } from '../../../platform/http/pagination/page.ts';
import { listResponse, pageRequest } from '../../http/paging.ts';
import type { Accounts } from '../services.ts';
import { partnersBelow } from '../store.ts';
import { partnerView } from './partner.ts';

/** The cursor of the list of all partners: a sequence number. */
const PARTNERS = { name: 'admin partners', position: Type.Tuple([positionNumber]) };

/** Returns a page of all partners, newest first. @throws ApiError INVALID_CURSOR */
export async function listPartners({ store, cursors }: Pick<Accounts, 'store' | 'cursors'>, query: Paging) {
  const request = pageRequest(query, cursors.of(PARTNERS, []));
  const { limit, after = [Number.MAX_SAFE_INTEGER] } = request;
  const [below] = after;
  return store.read(async (snapshot) =>
    listResponse(
      request,
      await partnersBelow(snapshot, { below, limit: limit + 1 }),
      (row) => partnerView(snapshot, row),
      ({ partnerSeq }) => [partnerSeq],
    ),
  );
}
