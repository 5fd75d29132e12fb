import { describe, expect, test } from 'bun:test';
import { evmPolicyOf } from '../../../../../src/trust/ledger/wallets/evm-policy.ts';
import { evmSettings } from '../../../../../src/trust/ledger/wallets/settings.ts';

const KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const TOKEN = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const WHOLE = {
  'evm.rpc_urls': 'http://127.0.0.1:8545/key?a=b',
  'evm.chain_id': '31337',
  'evm.token': TOKEN,
  'evm.treasury_key': KEY,
};
const policyOf = (settings: Record<string, string>) => evmPolicyOf(new Map(Object.entries(settings)));

describe('the chain', () => {
  test('is none while nothing is configured, whatever its confirmations and decimals are', () => {
    expect(policyOf({})).toBeNull();
    expect(policyOf({ 'evm.confirmations': '3', 'evm.token_decimals': '18' })).toBeNull();
  });

  test('has all parts, and the key is in nothing that is printed', () => {
    const policy = policyOf(WHOLE);
    expect(policy).toMatchObject({
      rpcUrls: [WHOLE['evm.rpc_urls']],
      maxGas: 300_000,
      maxTipGwei: 3,
      chainId: 31337,
      token: TOKEN,
      confirmations: 12,
      tokenDecimals: 6,
    });
    expect(policy?.treasuryKey()).toBe(KEY);
    expect(Bun.inspect(policy) + JSON.stringify(policy)).not.toContain(KEY.slice(2));
  });

  test.each(Object.keys(WHOLE))('without %s is refused with its name', (key) => {
    const rest = Object.fromEntries(Object.entries(WHOLE).filter(([name]) => name !== key));
    expect(() => policyOf(rest)).toThrow(`a chain is configured, but ${key} is missing`);
  });

  test('has several nodes, by a list with commas and spaces', () => {
    const rpcUrls = ['https://one.example/key', 'http://127.0.0.1:8545'];
    expect(policyOf({ ...WHOLE, 'evm.rpc_urls': rpcUrls.join(', ') })).toMatchObject({ rpcUrls });
  });

  test('with two parts missing names both', () => {
    expect(() => policyOf({ 'evm.chain_id': '1', 'evm.token': TOKEN })).toThrow(
      'but evm.rpc_urls and evm.treasury_key are missing',
    );
  });

  test('refuses a wrong checksum of the token and a number that is no key, without showing the key', () => {
    expect(() => policyOf({ ...WHOLE, 'evm.token': TOKEN.replace('A', 'a') })).toThrow('wrong checksum');
    expect(policyOf({ ...WHOLE, 'evm.token': TOKEN.toLowerCase() })?.token).toBe(TOKEN);
    const large = `0x${'f'.repeat(64)}`;
    let message = '';
    try {
      policyOf({ ...WHOLE, 'evm.treasury_key': large });
    } catch (error) {
      message = Bun.inspect(error);
    }
    expect(message).toContain('evm.treasury_key is not a private key');
    expect(message).not.toContain(large.slice(2));
  });
});

describe('a setting', () => {
  test.each([
    ['rpcUrls', 'ftp://node.example', 'http://'],
    ['rpcUrls', 'node.example:8545', 'http://'],
    ['rpcUrls', 'https://node.example/#x', 'fragment'],
    ['rpcUrls', 'https://node.example,', 'http://'],
    ['rpcUrls', 'https://one.example/a,https://ONE.example:443/a', 'a URL twice'],
    ['rpcUrls', [1, 2, 3, 4, 5, 6, 7, 8].map((at) => `https://${at}.example`).join(), 'more than 7 URLs'],
    ['maxGas', '20999', 'whole number'],
    ['maxTipGwei', '0', 'whole number'],
    ['chainId', '0', 'whole number'],
    ['token', '0x12', '40 hexadecimal digits'],
    ['treasuryKey', KEY.slice(2), '64 hexadecimal digits'],
    ['confirmations', '0', 'whole number'],
    ['tokenDecimals', '1', 'whole number'],
  ] as const)('%s refuses %s', (name, text, reason) => {
    expect(() => evmSettings[name].parse(text)).toThrow(reason);
  });

  test('with a key in it is a secret', () => {
    const secrets = Object.values(evmSettings).filter(({ secret }) => secret);
    expect(secrets.map(({ key }) => key)).toEqual(['evm.rpc_urls', 'evm.treasury_key']);
  });
});
