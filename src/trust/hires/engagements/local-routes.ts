import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import type { Cursors } from '../../../platform/http/pagination/cursor.ts';
import { limitParameter, oneOf, strictObject } from '../../../platform/http/schema.ts';
import type { Store } from '../../../platform/store/store.ts';
import { listAllEngagements } from './list.ts';
import { cursor, EngagementListResponse } from './schema.ts';

/** The local operations of engagements, which only the local administrator reaches. */
export const localEngagementRoutes = (trust: { store: Store; cursors: Cursors }) =>
  new Elysia().get('/local/engagements', ({ query }) => listAllEngagements(trust, query), {
    query: strictObject({
      limit: limitParameter('Engagements per page.', 50),
      cursor,
      status: Type.Optional(oneOf(['DISPUTED'], { description: 'Only disputed ones.' })),
    }),
    response: { 200: EngagementListResponse },
    detail: { operationId: 'listAllEngagements' },
  });
