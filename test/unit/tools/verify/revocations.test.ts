import { expect, test } from 'bun:test';
import { nativePrimitives, signEd25519 } from '../../../../src/platform/crypto/crypto.ts';
import { hexToBytes } from '../../../../src/proof/encoding/hex.ts';
import { checkpointText } from '../../../../src/proof/log/checkpoint.ts';
import type { ClosedLog } from '../../../../src/proof/log/closed-log.ts';
import { agentRevocationEntryText } from '../../../../src/proof/log/log-entry.ts';
import type { LogKey } from '../../../../src/proof/log/log-keys.ts';
import { emptyRoot } from '../../../../src/proof/log/merkle.ts';
import { formatNote, SIGNATURE_TYPES } from '../../../../src/proof/log/note.ts';
import { encodeEntries } from '../../../../src/proof/log/tiles.ts';
import { checkRevocations } from '../../../../src/proof/receipt/revocations.ts';
import { revocationsFrom } from '../../../../src/tools/verify/read/revocations.ts';
import { rootOfEntries, smallLog, testKey, verifierOf } from '../../../support/small-log.ts';
import { example } from '../../../support/worked-example.ts';

const origin = 'revoked.example/revocations';
const key = testKey(5);
const keys: LogKey[] = [
  {
    log: { name: 'revocations', common: 'revoked.example', closed: [] },
    type: SIGNATURE_TYPES.ed25519,
    publicKey: hexToBytes(key.public_key),
    until: null,
  },
];

/** A log of which there is nothing but a checkpoint of this size, and what was asked of it. */
function hollow(size: number) {
  const text = checkpointText({ origin, size, root: emptyRoot(nativePrimitives) });
  const { name, keyId } = verifierOf(key, origin);
  const signature = new Uint8Array(signEd25519(key.privateKey, Buffer.from(text)));
  const note = formatNote({ text, signatures: [{ name, keyId, signature }] });
  const asked: string[] = [];
  const source = {
    location: 'here',
    async read(path: string) {
      asked.push(path);
      if (path.endsWith('checkpoint')) return new Uint8Array(Buffer.from(note));
      throw new Error('nothing is there');
    },
  };
  return { source, asked };
}

test('a log that says to be larger than anybody reads is refused before it is fetched', async () => {
  for (const size of [100_000_001, Number.MAX_SAFE_INTEGER]) {
    const { source, asked } = hollow(size);
    const drawn: number[] = [];
    const reading = revocationsFrom(source, keys, (count) => drawn.push(count));
    await expect(reading).rejects.toThrow(
      /says that there are [\d,]+ entries, and at most 100,000,000 are read/,
    );
    expect([asked, drawn]).toEqual([['revocations/checkpoint'], []]);
  }
});

test('the largest that is read shows its progress before the first entry is there', async () => {
  const { source, asked } = hollow(100_000_000);
  const drawn: [count: number, share: number][] = [];
  const reading = revocationsFrom(source, keys, (count, share) => drawn.push([count, share]));
  await expect(reading).rejects.toThrow('nothing is there');
  expect([asked.length, drawn]).toEqual([2, [[0, 0]]]);
});

test('an empty log revokes nothing', async () => {
  const { revoked, time } = await revocationsFrom(hollow(0).source, keys, () => undefined);
  expect([revoked.size, time]).toEqual([0, null]);
});

/** A log with these entries. */
function logOf(entries: readonly string[], name = origin) {
  const log = smallLog(name, entries, [key]);
  return {
    location: 'here',
    async read(path: string) {
      return new Uint8Array(
        path.endsWith('checkpoint')
          ? Buffer.from(log.checkpoint)
          : encodeEntries(entries.map((entry) => Buffer.from(entry))),
      );
    },
  };
}

test("agents' revocations count for the root, and revoke no receipt", async () => {
  const agent = agentRevocationEntryText({
    subject_commitment: 'ab'.repeat(32),
    at: '2026-06-01T12:00:00.000Z',
  });
  const { revoked, checkpoint } = await revocationsFrom(
    logOf([agent, example.revocationEntry, agent]),
    keys,
    () => undefined,
  );
  expect([...revoked]).toEqual([example.receipt.receipt_id]);
  expect(Buffer.from(checkpoint ?? []).toString()).toStartWith(`${origin}\n3\n`);
});

test('another log of the same key is not read', async () => {
  const { source, asked } = hollow(3);
  for (const [common, other] of [
    ['revoked.example-2', 'wrong_log'],
    [null, 'log_not_named'],
  ] as const) {
    const trusted = keys.map((one) => ({
      ...one,
      log: { name: 'revocations' as const, common, closed: [] },
    }));
    const found = await revocationsFrom(source, trusted, () => undefined);
    expect([found.other, found.tree]).toEqual([other, { log: origin, tree_size: 3, signed_at: null }]);
    expect(checkRevocations(found, example.receipt.receipt_id, 0)).toBe(other);
  }
  expect(new Set(asked)).toEqual(new Set(['revocations/checkpoint']));
  const untrusted = keys.map((one) => ({ ...one, publicKey: hexToBytes(testKey(6).public_key) }));
  await expect(revocationsFrom(source, untrusted, () => undefined)).rejects.toThrow('no trusted key');
});

test('an entry that revokes neither a receipt nor an agent is an error', async () => {
  const at = '2026-06-01T12:00:00.000Z';
  const agent = agentRevocationEntryText({ subject_commitment: 'ab'.repeat(32), at });
  for (const wrong of [
    agent.replace('agent_revoked', 'agent_restored'),
    agent.replace('"v":1', '"v":2'),
    agent.replace(',"v"', ', "v"'),
    agent.replace('ab', 'AB'),
    '{}',
  ])
    await expect(revocationsFrom(logOf([wrong]), keys, () => undefined)).rejects.toThrow(
      'has an entry that is not a revocation',
    );
});

test('a revocation that only a closed log has is not seen, or read from a copy of that log', async () => {
  const { receipt, revocationEntry } = example;
  const agent = agentRevocationEntryText({ subject_commitment: 'ab'.repeat(32), at: receipt.issued_at });
  const former = 'former.example/revocations';
  const closedLog = (entries: readonly string[], certain = true): ClosedLog => ({
    ...{ log: 'revocations', origin: former, tree_size: entries.length, certain },
    root_hash: rootOfEntries(entries),
  });
  const read = (
    entries: readonly string[],
    closed: readonly ClosedLog[],
    copies: readonly ReturnType<typeof logOf>[] = [],
  ) =>
    revocationsFrom(
      logOf(entries),
      keys,
      () => undefined,
      { keyLog: 'revoked.example/keys', closedLogs: closed },
      copies,
    );
  const check = async (...given: Parameters<typeof read>) => {
    const found = await read(...given);
    return checkRevocations({ ...found, time: 0 }, receipt.receipt_id, 0);
  };
  const both = [agent, revocationEntry];
  const copy = logOf(both, former);
  expect(await check(both, [closedLog(both)])).toBe('revoked');
  expect(await check([agent, agent], [closedLog([agent])])).toBe('ok');
  expect(await check([agent], [closedLog(both)])).toBe('predecessor');
  expect(await check([agent], [closedLog(both)], [copy])).toBe('revoked');
  // What was logged after the last entry that was published proves nothing.
  expect(await check([agent, agent], [closedLog([agent])], [copy])).toBe('ok');
  expect(await check([agent], [closedLog([agent], false)])).toBe('predecessor');
  expect(await check([agent], [closedLog([], true)])).toBe('ok');
  expect((await read([agent], [closedLog(both)])).unread).toEqual([
    `${origin} does not begin with the 2 entries of ${former}, which it continues, and no --predecessor was read`,
  ]);
  await expect(read([agent], [closedLog(both)], [logOf([agent], former)])).rejects.toThrow(
    'has 1 of its 2 entries',
  );
  await expect(read([agent], [closedLog(both)], [logOf([agent, agent], former)])).rejects.toThrow(
    'do not hash to the root',
  );
  await expect(read([agent], [closedLog(both)], [logOf(both, 'x.example/revocations')])).rejects.toThrow(
    'names no closed log of this name',
  );
});
