import { expect, test } from 'bun:test';
import { policyOf } from '../../../../../src/trust/service/policy.ts';

const CHAIN = {
  'evm.rpc_urls': 'http://127.0.0.1:8545/',
  'evm.chain_id': '31337',
  'evm.token': '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  'evm.treasury_key': `0x${'1'.repeat(64)}`,
};
const minimumOf = (settings: Record<string, string>) =>
  policyOf(new Map(Object.entries(settings))).payoutMinimum;

test('the smallest withdrawal is one credit, or a hundred where each payout costs a fee of the chain', () => {
  expect(minimumOf({})).toBe(1);
  expect(minimumOf(CHAIN)).toBe(1);
  expect(minimumOf({ ...CHAIN, 'payouts.rail': 'evm' })).toBe(100);
  expect(minimumOf({ ...CHAIN, 'payouts.rail': 'evm', 'payouts.minimum': '7' })).toBe(7);
  expect(minimumOf({ 'payouts.minimum': '7' })).toBe(7);
});
