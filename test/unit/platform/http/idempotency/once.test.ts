import { expect, test } from 'bun:test';
import { onceFor } from '../../../../../src/platform/http/idempotency/once.ts';
import { idempotencyStore } from '../../../../../src/platform/http/idempotency/service.ts';
import { systemClock } from '../../../../../src/platform/time/clock.ts';

test('nothing of a body is read for its digest before the request writes', () => {
  let reads = 0;
  const body = {
    get member() {
      reads += 1;
      return 1;
    },
  };
  const headers = { 'idempotency-key': 'a-key' };
  const request = new Request('http://localhost/things', { method: 'POST', headers });
  const store = idempotencyStore(systemClock, { isAhead: false });
  const once = onceFor(
    store,
    request,
    () => 'somebody',
    body,
    () => undefined,
  );
  expect([typeof once, reads]).toEqual(['function', 0]);
});
