import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nativePrimitives } from '../../../../../src/platform/crypto/crypto.ts';
import type { LogSource } from '../../../../../src/platform/tlog/source.ts';
import {
  agentRevocationEntryText,
  type EvidenceEntry,
  receiptEntryText,
} from '../../../../../src/proof/log/log-entry.ts';
import type { LogName } from '../../../../../src/proof/log/log-names.ts';
import { Frontier, leafHash } from '../../../../../src/proof/log/merkle.ts';
import { encodeEntries } from '../../../../../src/proof/log/tiles.ts';
import { EntryHistory, HISTORY_FILE } from '../../../../../src/tools/monitor/history/history.ts';
import { agentOf, evidenceEntries, hashed, leafOfEvidence } from '../../../../support/evidence-entries.ts';
import { example } from '../../../../support/worked-example.ts';

let scratch: string;
let state = '';
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'countersign-history-'));
});
afterAll(() => rmSync(scratch, { recursive: true }));
beforeEach(() => {
  state = join(scratch, crypto.randomUUID());
  mkdirSync(state);
});

const problemsOf = (entries: readonly EvidenceEntry[], history = EntryHistory.temporary()): string[] =>
  entries.flatMap((entry, index) => {
    const problem = history.take('evidence', leafOfEvidence(entry), index);
    return problem === null ? [] : [`${index}: ${problem}`];
  });
function errorOf(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return null;
}

const good = evidenceEntries([1, 2, 1, 1, 2, 3, 1]);
const at = (index: number): EvidenceEntry => {
  const entry = good[index];
  if (entry === undefined) throw new Error(`there is no entry ${index}`);
  return entry;
};
/** Recomputes the hash, as somebody does who controls the log. */
const changed = (index: number, changes: Partial<EvidenceEntry>): EvidenceEntry[] =>
  good.with(index, hashed({ ...at(index), ...changes }));

const receiptId = (receipt: number): string => `rcpt_${String(receipt).padStart(32, '0')}`;
const finalization = (receipt: number) => ({
  receipt_id: receiptId(receipt),
  content_hash: 'c'.repeat(64),
});

describe('the history of evidence', () => {
  test('accepts the chains of several agents, in any mixture', () => {
    expect(problemsOf(good)).toEqual([]);
  });

  test.each<[string, EvidenceEntry[], string[]]>([
    [
      'dropped at the beginning',
      good.toSpliced(0, 1),
      [`1: it is item 1 of agent ${agentOf(1)}, whose next item is 0`],
    ],
    [
      'dropped in the middle',
      good.toSpliced(2, 1),
      [`2: it is item 2 of agent ${agentOf(1)}, whose next item is 1`],
    ],
    [
      'dropped, and the next one moved up',
      good.toSpliced(2, 1).with(2, hashed({ ...at(3), index: 1 })),
      [
        `2: its prev_event_hash is not the hash of the item before (item 1 of agent ${agentOf(1)})`,
        `5: it is item 3 of agent ${agentOf(1)}, whose next item is 2`,
      ],
    ],
    [
      'swapped',
      good.with(2, at(3)).with(3, at(2)),
      [
        `2: it is item 2 of agent ${agentOf(1)}, whose next item is 1`,
        `3: it is item 1 of agent ${agentOf(1)}, whose next item is 3`,
      ],
    ],
    [
      'repeated',
      good.toSpliced(3, 0, at(2)),
      [`3: it is item 1 of agent ${agentOf(1)}, whose next item is 2`],
    ],
    [
      'altered',
      good.with(2, { ...at(2), payload_digest: 'e'.repeat(64) }),
      [`2: its event_commitment_hash is not the digest of its members (item 1 of agent ${agentOf(1)})`],
    ],
    [
      'altered with its hash',
      changed(2, { payload_digest: 'e'.repeat(64) }),
      [`3: its prev_event_hash is not the hash of the item before (item 2 of agent ${agentOf(1)})`],
    ],
    [
      'moved to another agent',
      good.with(2, { ...at(2), subject_commitment: agentOf(2) }),
      [
        `2: its event_commitment_hash is not the digest of its members (item 1 of agent ${agentOf(2)})`,
        `3: it is item 2 of agent ${agentOf(1)}, whose next item is 1`,
        `4: it is item 1 of agent ${agentOf(2)}, whose next item is 2`,
      ],
    ],
    [
      'moved to another agent with its hash',
      changed(2, { subject_commitment: agentOf(2) }),
      [
        `2: its prev_event_hash is not the hash of the item before (item 1 of agent ${agentOf(2)})`,
        `3: it is item 2 of agent ${agentOf(1)}, whose next item is 1`,
        `4: it is item 1 of agent ${agentOf(2)}, whose next item is 2`,
      ],
    ],
  ])('finds an item that was %s', (_name, entries, expected) => {
    const found = problemsOf(entries);
    expect(found.map((problem, index) => problem.slice(0, expected[index]?.length))).toEqual(expected);
  });

  test('finds bytes that are no entry, and continues after them', () => {
    const history = EntryHistory.temporary();
    const [first = new Uint8Array(), second = new Uint8Array()] = evidenceEntries([1, 1]).map(leafOfEvidence);
    expect(history.take('evidence', first, 0)).toBeNull();
    for (const wrong of [
      Buffer.from('{}'),
      Buffer.from([0xff]),
      new Uint8Array(),
      Buffer.from(example.revocationEntry),
    ])
      expect(history.take('evidence', wrong, 1)).toStartWith('it is not an entry of evidence: ');
    expect(history.take('evidence', second, 2)).toBeNull();
  });
});

describe('the history of revocations', () => {
  const agent = agentRevocationEntryText({ subject_commitment: agentOf(1), at: '2026-06-01T12:00:00.000Z' });
  const take = (history: EntryHistory, text: string, index: number) =>
    history.take('revocations', Buffer.from(text), index);

  test('accepts one of each receipt and of each agent', () => {
    const history = EntryHistory.temporary();
    expect(take(history, agent, 0)).toBeNull();
    expect(take(history, example.revocationEntry, 1)).toBeNull();
    expect(take(history, agent.replace(agentOf(1), agentOf(2)), 2)).toBeNull();
  });

  test('finds a second one, whatever its date', () => {
    const history = EntryHistory.temporary();
    for (const [index, text] of [agent, example.revocationEntry].entries()) take(history, text, index);
    expect(take(history, agent.replace('2026-06-01', '2026-06-02'), 2)).toBe(
      `agent ${agentOf(1)} is revoked a second time: it was revoked at index 0`,
    );
    expect(take(history, example.revocationEntry, 3)).toBe(
      `receipt ${example.receipt.receipt_id} is revoked a second time: it was revoked at index 1`,
    );
  });
});

describe('the history of finalizations', () => {
  const entryOf = (receipt: number): Uint8Array =>
    Buffer.from(
      receiptEntryText({
        receipt_id: receiptId(receipt),
        content_hash: 'b'.repeat(64),
        signature: 'c'.repeat(128),
        kid: 'k'.repeat(43),
        finalized_at: '2026-06-01T12:00:00.000Z',
      }),
    );
  const entries = [1, 2, 3, 1, 2, 1].map(entryOf);
  const source: LogSource = { location: 'copy', read: async () => encodeEntries(entries) };
  const frontier = new Frontier(nativePrimitives);
  for (const entry of entries) frontier.append(leafHash(nativePrimitives, entry));
  const trees = { receipts: { size: entries.length, root: frontier.root() } };
  const second = (receipt: number, index: number, first: number) => ({
    index,
    what: `receipt ${receiptId(receipt)} is finalized a second time: it was finalized at index ${first}`,
  });
  const inCopy = [second(1, 3, 0), second(2, 4, 1), second(1, 5, 0)];

  /** Opens the history and reads the copy. @returns the problems */
  async function readCopy(settled: (name: LogName) => void = () => undefined) {
    const problems: object[] = [];
    const history = EntryHistory.open(state);
    try {
      await history.catchUp(source, trees, {
        begin: () => problems.splice(0),
        progress: () => undefined,
        entryProblems: (_name, found) => problems.push(...found),
        settled,
      });
    } finally {
      history.close();
    }
    return problems;
  }

  test('finds each further one when it is settled', () => {
    const history = EntryHistory.temporary();
    for (const [index, receipt] of [1, 2, 3, 1, 2, 1].entries())
      expect(history.finalize(finalization(receipt), index)).toEqual([]);
    expect(history.settle()).toEqual(inCopy);
    expect(history.settle()).toEqual([]);
    history.finalize(finalization(3), 6);
    expect(history.settle()).toEqual([second(3, 6, 2)]);
    history.close();
  });

  test('finds those in a copy once', async () => {
    expect(await readCopy()).toEqual(inCopy);
    expect(await readCopy()).toEqual([]);
  });

  test('finds those in a copy again if they were not stored', async () => {
    const full = new Error('the disk is full');
    await expect(
      readCopy(() => {
        throw full;
      }),
    ).rejects.toBe(full);
    expect(await readCopy()).toEqual(inCopy);
  });

  test('is not made durable with finalizations that were not compared', async () => {
    const history = EntryHistory.open(state);
    history.finalize(finalization(1), 0);
    expect(() => history.commit('receipts', trees.receipts)).toThrow('not compared');
    history.close();
  });
});

describe('the file of a history', () => {
  const leaves = good.map(leafOfEvidence);
  const copy = (entries = leaves): LogSource => ({
    location: 'copy',
    read: async (path) => {
      if (!path.startsWith('evidence/tile/entries/000.p/')) throw new Error(`${path} is not there`);
      return encodeEntries(entries);
    },
  });
  const tree = (size: number, entries = leaves) => {
    const frontier = new Frontier(nativePrimitives);
    for (const entry of entries.slice(0, size)) frontier.append(leafHash(nativePrimitives, entry));
    return { evidence: { size, root: frontier.root() } };
  };
  const none: LogSource = { location: 'none', read: () => Promise.reject(new Error('it was read')) };

  /** Opens the history of a copy of `size` entries. @returns the problems of the entries after it */
  async function problemsAfter(size: number, source: LogSource, entries = leaves): Promise<string[]> {
    const history = EntryHistory.open(state);
    try {
      await history.catchUp(source, tree(size, entries));
      return entries.slice(size).flatMap((entry, more) => history.take('evidence', entry, size + more) ?? []);
    } finally {
      history.close();
    }
  }
  async function committed(size: number): Promise<void> {
    const history = EntryHistory.open(state);
    await history.catchUp(none, {});
    for (const [index, entry] of leaves.slice(0, size).entries()) history.take('evidence', entry, index);
    history.commit('evidence', tree(size).evidence);
    history.close();
  }

  test('continues where the last commit was, without reading the copy', async () => {
    await committed(4);
    expect(await problemsAfter(4, none)).toEqual([]);
    expect((await problemsAfter(4, none, leaves.with(4, leaves[3] ?? new Uint8Array()))).length).toBe(1);
    expect([readdirSync(state), statSync(join(state, HISTORY_FILE)).mode & 0o777]).toEqual([
      [HISTORY_FILE],
      0o600,
    ]);
  });

  test('that was killed before its commit reads the entries from the copy', async () => {
    await committed(2);
    const killed = EntryHistory.open(state);
    await killed.catchUp(none, tree(2));
    killed.take('evidence', leaves[2] ?? new Uint8Array(), 2);
    killed.close();
    expect(await problemsAfter(5, copy(leaves.slice(0, 5)))).toEqual([]);
    expect(await problemsAfter(5, none)).toEqual([]);
  });

  test('forgets the entries of a round that failed', async () => {
    const history = EntryHistory.open(state);
    await history.catchUp(none, {});
    for (let round = 0; round < 3; round++) {
      expect(problemsOf(good, history)).toEqual([]);
      history.discard(new Error('the round failed'));
    }
    history.close();
  });

  test.each<[string, () => void]>([
    ['missing', () => rmSync(join(state, HISTORY_FILE))],
    ['damaged', () => writeFileSync(join(state, HISTORY_FILE), 'x'.repeat(8192))],
    ['empty', () => writeFileSync(join(state, HISTORY_FILE), '')],
  ])('that is %s is made from the copy', async (_name, harm) => {
    await committed(4);
    harm();
    expect(await problemsAfter(4, copy(leaves.slice(0, 4)))).toEqual([]);
    expect(existsSync(join(state, HISTORY_FILE))).toBe(true);
  });

  test('that is ahead of the copy, or of another tree, is made anew', async () => {
    await committed(6);
    expect(await problemsAfter(4, copy(leaves.slice(0, 4)))).toEqual([]);
    for (const more of [0, 1]) {
      await committed(4);
      const others = evidenceEntries([3, 3, 3, 3, 3, 3]).map(leafOfEvidence);
      const history = EntryHistory.open(state);
      await history.catchUp(copy(others.slice(0, 4 + more)), tree(4 + more, others));
      expect(history.take('evidence', others[4 + more] ?? new Uint8Array(), 4 + more)).toBeNull();
      history.close();
    }
  });

  test('that is damaged in the middle is made from the copy when that is noticed', async () => {
    const path = join(state, HISTORY_FILE);
    for (const noticed of ['by the next start', 'in a round']) {
      await committed(4);
      const history = noticed === 'in a round' ? EntryHistory.open(state) : null;
      await history?.catchUp(none, tree(4));
      const pages = readFileSync(path);
      writeFileSync(path, pages.fill(0xff, 4096));
      if (history !== null) {
        const other = new Database(path);
        // Another connection wrote, so that this one reads the pages again.
        other.run('PRAGMA user_version = 2');
        other.close();
        const damage = errorOf(() => problemsOf(good.slice(4), history));
        expect(damage).toMatchObject({ code: 'SQLITE_CORRUPT' });
        history.discard(damage);
        await history.catchUp(copy(leaves.slice(0, 4)), tree(4));
        expect(problemsOf(good.slice(4), history)).toEqual([]);
        history.close();
      } else expect(await problemsAfter(4, copy(leaves.slice(0, 4)))).toEqual([]);
      rmSync(path);
    }
  });

  test('of an empty copy forgets everything, also after the next start', async () => {
    await committed(3);
    expect(await problemsAfter(0, none)).toEqual([]);
    expect(await problemsAfter(0, none)).toEqual([]);
  });

  test('that cannot be written is an error that names it', () => {
    expect(() => EntryHistory.open(join(state, 'nowhere'))).toThrow(/history\.db cannot be used: /);
  });
});
