import { describe, expect, test } from 'bun:test';
import { addressWord, TRANSFER_TOPIC } from '../../../../../../src/trust/payments/payouts/evm/chain/chain.ts';
import { outcomeOf } from '../../../../../../src/trust/payments/payouts/evm/receipts.ts';

const TOKEN = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const FROM = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const TO = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const OTHER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';

const log = (value: bigint, { token = TOKEN, from = FROM, to = TO, topic = TRANSFER_TOPIC } = {}) => ({
  address: token.toLowerCase(),
  topics: [topic, `0x${addressWord(from)}`, `0x${addressWord(to)}`],
  data: `0x${value.toString(16).padStart(64, '0')}`,
});
const outcome = (logs: ReturnType<typeof log>[], isSuccess = true) =>
  outcomeOf(
    { blockNumber: 1, blockHash: '0x', isSuccess, logs },
    { token: TOKEN, from: FROM, to: TO, units: 42n },
  );

describe('a transaction', () => {
  test.each([
    ['that transferred the amount paid', [log(42n)], 'paid'],
    ['that transferred it in two parts paid', [log(40n), log(2n)], 'paid'],
    ['without an event paid nothing', [], 'nothing'],
    ['that transferred less paid another amount', [log(41n)], 'other-amount'],
    ['that transferred more paid another amount', [log(43n)], 'other-amount'],
    ['with the event of another token paid nothing', [log(42n, { token: OTHER })], 'nothing'],
    ['with a transfer to somebody else paid nothing', [log(42n, { to: OTHER })], 'nothing'],
    ['with a transfer from somebody else paid nothing', [log(42n, { from: OTHER })], 'nothing'],
    ['with another event paid nothing', [log(42n, { topic: `0x${'ab'.repeat(32)}` })], 'nothing'],
  ] as const)('%s', (_, logs, expected) => {
    expect(outcome([...logs])).toBe(expected);
  });

  test('that was reverted paid nothing', () => {
    expect(outcome([log(42n)], false)).toBe('nothing');
  });

  test('of an old token has the amount in a topic', () => {
    const { data, ...indexed } = log(42n);
    expect(outcome([{ ...indexed, topics: [...indexed.topics, data], data: '0x' }])).toBe('paid');
  });
});
