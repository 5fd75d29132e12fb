import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { nullable, oneOf, strictObject } from '../../../platform/http/schema.ts';
import type { ContextOf } from '../../http/serving.ts';
import { acceptClock } from './accept.ts';
import { showClock } from './show.ts';

const ClockResponse = strictObject({
  state: oneOf(['right', 'wrong', 'unconfirmed']),
  time: Type.String(),
  set_by_seconds: nullable(Type.Integer()),
  estimate: nullable(Type.String()),
  newest_data: nullable(Type.String()),
  running_seconds: nullable(Type.Integer()),
});

/** The local operations of the clock. */
export const localClockRoutes = (trust: ContextOf<typeof acceptClock>) =>
  new Elysia()
    .get('/local/clock', () => showClock(trust), {
      response: { 200: ClockResponse },
      detail: { operationId: 'showClock' },
    })
    .post('/local/clock/accept', () => acceptClock(trust), {
      response: { 200: ClockResponse },
      detail: { operationId: 'acceptClock' },
    });
