import { describe, expect, test } from 'bun:test';
import { evmPolicyOf } from '../../../../../../src/trust/ledger/wallets/evm-policy.ts';
import { orderOf } from '../../../../../../src/trust/payments/payouts/evm/wallet-order.ts';

const TOKEN = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const FROM = '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb';
const TO = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const evm = evmPolicyOf(
  new Map([
    ['evm.rpc_urls', 'http://127.0.0.1:1/'],
    ['evm.chain_id', '1'],
    ['evm.token', TOKEN],
    ['evm.treasury_key', `0x${'42'.repeat(32)}`],
  ]),
);

const order = (changes: Partial<{ to: string; amount: string; asset: 'token' | 'native' }>) =>
  orderOf({ evm }, FROM, { to: TO, amount: '1', asset: 'token', ...changes });

/** The fields that an order is refused for. */
function issuesOf(changes: Parameters<typeof order>[0]): unknown {
  try {
    order(changes);
    return null;
  } catch (error) {
    return Object(error).details?.issues;
  }
}

describe('an order', () => {
  test.each([
    ['1', 'token', 1_000_000n],
    ['12.5', 'token', 12_500_000n],
    ['0.000001', 'token', 1n],
    ['9007199254740993.000001', 'token', 9007199254740993000001n],
    ['0012.50', 'token', 12_500_000n],
    ['1', 'native', 10n ** 18n],
    ['0.000000000000000001', 'native', 1n],
    ['all', 'token', 'all'],
    ['all', 'native', 'all'],
  ] as const)('of %s (%s) is exact', (amount, asset, units) => {
    expect(order({ amount, asset }).amount).toBe(units);
  });

  test.each([
    '0',
    '0.0',
    '-1',
    '+1',
    '1e3',
    '1,5',
    '.5',
    '5.',
    ' 1',
    '0x1',
    'ALL',
    '',
    '0.0000001',
    '9'.repeat(73),
    'NaN',
  ])('of %p tokens is refused', (amount) => {
    expect(issuesOf({ amount })).toEqual({
      amount: ['must be all, or a number above 0 with at most 6 decimals, such as 12.5'],
    });
  });

  test('goes to an address from which somebody can send it on', () => {
    expect(order({ to: TO.toLowerCase() })).toMatchObject({ to: TO, token: TOKEN, decimals: 6 });
    expect(order({ to: TO, asset: 'native' })).toMatchObject({ to: TO, token: null, decimals: 18 });
    for (const [to, reason] of [
      [TO.replace('B', 'b'), 'checksum'],
      ['countersign.eth', 'not an address'],
      [FROM.toLowerCase(), 'the wallet itself'],
      [TOKEN, 'the contract of the token'],
      [`0x${'0'.repeat(40)}`, 'the zero address'],
    ] as const) {
      expect(issuesOf({ to })).toEqual({ to: [expect.stringContaining(reason)] });
    }
  });

  test('names everything that is wrong', () => {
    expect(Object.keys(Object(issuesOf({ to: 'x', amount: 'y' })))).toEqual(['to', 'amount']);
  });

  test('needs a configured chain', () => {
    expect(() => orderOf({ evm: null }, FROM, { to: TO, amount: '1', asset: 'token' })).toThrow(
      'No chain is configured',
    );
  });
});
