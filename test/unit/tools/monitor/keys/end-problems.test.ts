import { expect, test } from 'bun:test';
import type { KeyEntry } from '../../../../../src/proof/log/log-entry.ts';
import { encodeEntries } from '../../../../../src/proof/log/tiles.ts';
import { endProblems } from '../../../../../src/tools/monitor/keys/end-problems.ts';

test('a malformed entry of receipts contradicts no end of a key', async () => {
  const entry: KeyEntry = {
    ...{ event: 'retired', kid: 'k', algorithm: 'Ed25519', public_key: '', purpose: 'receipts' },
    ...{ at: '2026-05-01T12:00:00.000Z', receipts_tree_size: 0, signatures: [] },
  };
  for (const bytes of [Buffer.from('{}'), Buffer.from([0xff])]) {
    const source = { location: 'here', read: async () => new Uint8Array(encodeEntries([bytes])) };
    expect(await endProblems(source, 1, [{ entry, index: 3 }])).toEqual([]);
  }
});
