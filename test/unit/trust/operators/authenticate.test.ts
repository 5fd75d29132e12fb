import { afterEach, beforeEach, expect, test } from 'bun:test';
import { sha256Hex } from '../../../../src/platform/crypto/crypto.ts';
import type { Transaction } from '../../../../src/platform/store/transaction.ts';
import { createKeyFor } from '../../../support/api-keys.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

let app: TrustApp;
beforeEach(async () => {
  app = await openTrustApp();
});
afterEach(() => app.close());

/** So many steps a confirmation and its reads take at most. */
const STEPS = 30;

test('a key that is deleted while it is being confirmed is not known afterwards, whenever that happens', async () => {
  const { trust, firstStart } = app.service;
  const { principals, store } = trust;
  for (let steps = 0; steps < STEPS; steps++) {
    const { api_key } = await createKeyFor(trust, firstStart.operatorId, { name: 'stolen' });
    const credential = { hash: sha256Hex(api_key), isSession: false };
    const confirm = async (tx: Transaction): Promise<boolean> => {
      try {
        await principals.confirmIn(tx, credential, 'issuer');
        return true;
      } catch {
        return false;
      }
    };
    const inTransaction = await store.writeAsService(async (tx) => {
      const early = confirm(tx);
      for (let step = 0; step < steps; step++) await Promise.resolve();
      tx.connection.sqlite.query('DELETE FROM api_key WHERE key_hash = unhex(?)').run(credential.hash);
      principals.changedIn(tx);
      const late = await confirm(tx);
      await early;
      return [late, await confirm(tx)];
    });
    expect(inTransaction).toEqual([false, false]);
    expect(await store.writeAsService(confirm)).toBe(false);
  }
});

test('a known key, and a known operator, are confirmed without a promise', async () => {
  const { trust, firstStart } = app.service;
  const { principals, store } = trust;
  const { api_key } = await createKeyFor(trust, firstStart.operatorId, {});
  const credential = { hash: sha256Hex(api_key), isSession: false };
  await store.writeAsService(async (tx) => {
    await principals.confirmIn(tx, credential, 'issuer');
    expect(principals.confirmIn(tx, credential, 'issuer')).toBeUndefined();
    await principals.operatorIn(tx, 1);
  });
  // An operator is kept from the commit of the transaction in which it was read.
  await store.writeAsService(async (tx) => {
    await principals.confirmIn(tx, credential, 'issuer');
    expect(principals.operatorIn(tx, 1)).toMatchObject({ operatorId: firstStart.operatorId });
  });
});
