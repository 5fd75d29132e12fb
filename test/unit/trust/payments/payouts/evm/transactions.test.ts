import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { encodeFunctionData, erc20Abi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import {
  accountOf,
  openTransaction,
  readTransaction,
  transferInput,
} from '../../../../../../src/trust/payments/payouts/evm/chain/transactions.ts';
import { hexOf } from '../../../../../../src/trust/payments/payouts/evm/chain/values.ts';

const hexOfLength = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((value) => hexOf(value.toHex()));
const amount = (bits: number) => fc.bigInt(0n, 2n ** BigInt(bits) - 1n);

const unsigned = fc.record({
  chainId: fc.integer({ min: 1, max: 2 ** 40 }),
  nonce: fc.nat(),
  to: hexOfLength(20),
  value: amount(256),
  data: fc.uint8Array({ maxLength: 100 }).map((value) => hexOf(value.toHex())),
  gas: amount(40),
  maxPriorityFeePerGas: amount(60),
  maxFeePerGas: amount(60).map((fee) => fee + 2n ** 60n),
});
const key = fc
  .bigInt(1n, 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140n)
  .map((value) => hexOf(value.toString(16).padStart(64, '0')));

test('transactions are signed as by viem, and open with their signer and their hash', async () => {
  await fc.assert(
    fc.asyncProperty(unsigned, key, async (transaction, privateKey) => {
      const account = await accountOf(privateKey);
      const reference = privateKeyToAccount(privateKey);
      const signed = await account.sign(transaction);
      expect(account.address).toBe(reference.address);
      expect(signed.raw).toBe(await reference.signTransaction({ ...transaction, type: 'eip1559' }));
      expect(await openTransaction(signed.raw)).toEqual({
        transaction: await readTransaction(signed.raw),
        hash: signed.hash,
        sender: account.address,
      });
    }),
    { numRuns: 50 },
  );
});

test('bytes that are no signed transaction do not open', async () => {
  const raw = (
    await (
      await accountOf(`0x${'11'.repeat(32)}`)
    ).sign(fc.sample(unsigned, { numRuns: 1, seed: 1 })[0] ?? expect.unreachable())
  ).raw;
  for (const bytes of ['0x', '0x02', '0x00', raw.slice(0, -2), `${raw}00`])
    expect(await openTransaction(hexOf(bytes.slice(2)))).toBeNull();
});

test('the input of a transfer is that of its ABI', () => {
  fc.assert(
    fc.property(hexOfLength(20), amount(256), (to, units) => {
      const args = [to, units] as const;
      expect(transferInput(to, units)).toBe(
        encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }),
      );
    }),
  );
});
