import { expect, test } from 'bun:test';
import { runnerOf } from '../../../../../../src/trust/payments/payouts/runner.ts';
import { chainSettings } from '../../../../../support/evm/payout-app.ts';
import { TREASURY } from '../../../../../support/evm/test-chain.ts';
import { openTrustApp } from '../../../../../support/trust-app.ts';

const NOWHERE = { url: 'http://127.0.0.1:1/v2/key-of-the-provider' };

test('health says that payouts wait while the node cannot be reached, and nothing names its key', async () => {
  const settings = { ...chainSettings(NOWHERE, `0x${'11'.repeat(20)}`), 'payouts.rail': 'evm' };
  const app = await openTrustApp(settings);
  const { trust } = app.service;
  await expect(runnerOf(trust).round()).rejects.toThrow('The node http://127.0.0.1:1 cannot be reached.');
  const { status, body } = await app.anyone.get('/api/health');
  expect(status).toBe(200);
  expect(body.problems).toEqual([
    'Payouts wait: the rail evm does not work (rpc); see the log.',
    'Node 1 of evm.rpc_urls does not respond.',
  ]);
  expect(app.logged()).not.toContain('key-of-the-provider');
  expect(app.logged()).not.toContain(TREASURY.key.slice(2));
  await app.close();
});
