import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { ERROR_TRANCHES, OUTCOMES } from '../../../../src/proof/receipt/receipt.ts';
import { FinalizeRequest } from '../../../../src/trust/receipts/schema.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

let app: TrustApp;
beforeAll(async () => {
  app = await openTrustApp();
});
afterAll(() => app.close());

const MEMBERS = {
  output_hash: 'ab'.repeat(32),
  refusal_reason: 'not allowed to',
  terminal_reason: 'the end',
};

/** Every status with every choice of members and every error_tranche or none. */
const BODIES = OUTCOMES.flatMap((status) =>
  [0, 1, 2, 3, 4, 5, 6, 7].flatMap((choice) =>
    [undefined, ...ERROR_TRANCHES].map((error_tranche) => ({
      status,
      ...Object.fromEntries(Object.entries(MEMBERS).filter((_, index) => (choice >> index) & 1)),
      ...(error_tranche === undefined ? {} : { error_tranche }),
    })),
  ),
);

test('the documented union of finalizations accepts exactly what the service accepts', async () => {
  const { oneOf: documented }: { oneOf: TSchema[] } = FinalizeRequest['x-schema'];
  // Before the first SLA breach, after which the gate denies.
  const issued = await Promise.all(BODIES.map(async () => (await app.own.issue()).body.receipt_id));
  for (const [index, body] of BODIES.entries()) {
    const matching = documented.filter((schema) => Value.Check(schema, body)).length;
    const { status } = await app.own.finalize(issued[index], body);
    expect([body, matching, status]).toEqual([body, status === 200 ? 1 : 0, matching === 1 ? 200 : 400]);
  }
});
