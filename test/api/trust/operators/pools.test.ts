import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { CreditClass } from '../../../../src/trust/ledger/accounts.ts';
import { creditsIn } from '../../../../src/trust/ledger/balances.ts';
import { adjustPool } from '../../../../src/trust/pages/dashboard/adjust-pool.ts';
import { setStake } from '../../../../src/trust/pages/dashboard/set-stake.ts';
import { adjustPoolDirectly } from '../../../support/credits.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

const MOST = Number.MAX_SAFE_INTEGER;
let app: TrustApp;
beforeAll(async () => {
  app = await openTrustApp();
});
afterAll(() => app.close());

const adjust = (amount: number, creditClass: CreditClass = 'promotional', operator = app.otherId) =>
  adjustPool(app.service.trust, operator, { amount, class: creditClass });
const pool = () =>
  app.service.trust.store.read((snapshot) => creditsIn(snapshot, { kind: 'pool', ownerSeq: 2 }));
const bookings = (account: string) =>
  app.service.trust.store.read(({ connection }) =>
    connection.sqlite
      .query<{ kind: string; amount: number; debit_kind: string; credit_kind: string }, [string, string]>(
        'SELECT kind, amount, debit_kind, credit_kind FROM movement WHERE debit_kind = ? OR credit_kind = ? ORDER BY movement_seq',
      )
      .all(account, account),
  );

test('an administrator adds promotional credits to a pool and removes them', async () => {
  expect(await adjust(500)).toMatchObject({ operator_id: app.otherId, credits: 500, tier: 'FULL' });
  expect(await adjust(-480)).toMatchObject({ credits: 20, tier: 'LIMITED' });
  expect(await pool()).toEqual({ promotional: 20, paid: 0, sandbox: 0 });
});

test('sandbox credits of a pool show apart, and give no tier', async () => {
  await adjust(-20);
  await adjustPoolDirectly(app.service.trust, app.otherId, 70, 'sandbox');
  expect((await app.other.get('/api/v1/operator/status')).body).toMatchObject({
    credits: 0,
    sandboxCredits: 70,
    tier: 'SHELTERED',
  });
  expect(await adjust(-70, 'sandbox')).not.toHaveProperty('sandboxCredits');
});

describe('an adjustment is refused', () => {
  test.each([
    ['of nothing', 0, 'promotional', 'validation_error'],
    ['that adds paid credits', 5, 'paid', 'validation_error'],
    ['that adds sandbox credits', 5, 'sandbox', 'validation_error'],
    ['that removes more than the pool has', -1, 'promotional', 'insufficient_credits'],
    ['that removes paid credits that the pool does not have', -1, 'paid', 'insufficient_credits'],
  ] as const)('%s', async (_name, amount, creditClass, code) => {
    await expect(adjust(amount, creditClass)).rejects.toMatchObject({ code });
    expect(await pool()).toEqual({ promotional: 0, paid: 0, sandbox: 0 });
  });

  test('that removes more of a class than the pool has, and says how much it has of it', async () => {
    await adjust(1);
    await expect(adjust(-5)).rejects.toThrow('The pool of the operator has 1 promotional credit, and the');
    await expect(adjust(-1, 'paid')).rejects.toThrow('The pool of the operator has 0 paid credits, and the');
    await adjust(-1);
  });

  test('of an operator that does not exist', async () => {
    await expect(adjust(5, 'promotional', 'op_cus_nobody')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('that makes the issued credits more than 2^53 − 1', async () => {
    await expect(adjust(MOST)).rejects.toMatchObject({ code: 'conflict' });
    await adjust(MOST - 1_000_000);
    await expect(adjust(1)).rejects.toMatchObject({ code: 'conflict' });
    await adjust(1_000_000 - MOST);
  });
});

test('a stake is set by booking the difference, and the same stake again books nothing', async () => {
  for (const cents of [500, 200, 200, 0])
    expect(await setStake(app.service.trust, app.otherId, cents)).toMatchObject({ stakeBalanceCents: cents });
  const cents = { kind: 'ADJUSTMENT', debit_kind: 'stake', credit_kind: 'issuance' };
  expect(await bookings('stake')).toEqual([
    { kind: 'ADJUSTMENT', debit_kind: 'issuance', credit_kind: 'stake', amount: 500 },
    { ...cents, amount: 300 },
    { ...cents, amount: 200 },
  ]);
});
