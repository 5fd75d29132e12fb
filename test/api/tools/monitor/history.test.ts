import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure } from '../../../../src/platform/failure.ts';
import type { LogSource } from '../../../../src/platform/tlog/source.ts';
import { agentRevocationEntryText, type EvidenceEntry } from '../../../../src/proof/log/log-entry.ts';
import { sentenceOf } from '../../../../src/proof/log/problem.ts';
import { HISTORY_FILE } from '../../../../src/tools/monitor/history/history.ts';
import { namedLogKeys } from '../../../../src/tools/monitor/keys/log-keys.ts';
import { Monitor } from '../../../../src/tools/monitor/monitor.ts';
import { auditRemote } from '../../../../src/tools/monitor/remote-audit.ts';
import { agentOf, evidenceEntries, hashed, leafOfEvidence } from '../../../support/evidence-entries.ts';
import { FakeLog } from '../../../support/fake-log.ts';

const AT = '2026-05-01T12:00:00.000Z';
const NOW = Date.parse(AT);
let scratch: string;
let log: FakeLog;
let state: string;

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'countersign-entries-'));
});
afterAll(() => rmSync(scratch, { recursive: true }));
beforeEach(() => {
  log = new FakeLog();
  state = join(scratch, crypto.randomUUID());
});

const revokeAgent = (agent: number): void => {
  const entry = agentRevocationEntryText({ subject_commitment: agentOf(agent), at: AT });
  log.entries.revocations.push(Buffer.from(entry));
};
const revokeReceipt = (digit: string): void =>
  log.revokeReceipt(`rcpt_${digit.repeat(32)}`, log.receiptKey, { content_hash: digit.repeat(64) });

/** One run of `monitor --once`. @returns the problems */
async function watched(source: LogSource = log): Promise<string[]> {
  const listener = { say: () => undefined, progress: () => undefined };
  const monitor = new Monitor(state, source, [log.vkey], { now: () => NOW }, listener);
  try {
    return (await monitor.round()).problems;
  } finally {
    monitor.close();
  }
}

/** Returns the log with a file missing. */
const without = (missing: string): LogSource => ({
  location: log.location,
  read: (path) => (path.includes(missing) ? Promise.reject(new Failure('gone')) : log.read(path)),
});

/** The problems that fsck finds. */
async function audited(): Promise<string[]> {
  const found: string[] = [];
  for await (const step of auditRemote(log, null, await namedLogKeys([log.vkey]), NOW))
    if ('problem' in step) found.push(sentenceOf(step.problem));
  return found;
}

test('a history that could not be written is read from the copy before the next round', async () => {
  const listener = { say: () => undefined, progress: () => undefined };
  const monitor = new Monitor(state, log, [log.vkey], { now: () => NOW }, listener);
  const items = evidenceEntries([1, 2, 1, 1]).map(leafOfEvidence);
  log.entries.evidence.push(...items.slice(0, 2));
  expect((await monitor.round()).problems).toEqual([]);
  log.entries.evidence.push(...items.slice(2, 3));
  // Somebody looks into the file, so that the history cannot be committed after the copy.
  const other = new Database(join(state, HISTORY_FILE));
  other.run('BEGIN');
  other.query('SELECT * FROM log').all();
  await expect(monitor.round()).rejects.toThrow('locked');
  other.close();
  log.entries.evidence.push(...items.slice(3));
  expect((await monitor.round()).problems).toEqual([]);
  monitor.close();
});

const RECEIPT = `rcpt_${'a'.repeat(32)}`;

/** What is said of an entry that finalizes RECEIPT, which the entry at index `first` has finalized. */
const secondTime = (first: number): string =>
  `receipt ${RECEIPT} is finalized a second time: it was finalized at index ${first}`;
const inRound = (index: number, first: number): string =>
  `entry ${index} of fake.example/receipts: ${secondTime(first)}`;
const inAudit = (index: number, first: number): string =>
  `entry, index ${index} of fake.example/receipts: ${secondTime(first)}`;

/**
 * Makes the history one that the version before finalized receipts made: a copy of which it reported no
 * second finalization.
 */
function asOfOlderVersion(): void {
  const file = new Database(join(state, HISTORY_FILE));
  file.run('DROP TABLE finalized');
  file.run("DELETE FROM log WHERE name = 'receipts'");
  file.run('PRAGMA user_version = 1');
  file.close();
  rmSync(join(state, 'problems.jsonl'), { recursive: true, force: true });
}

describe('the receipts that a monitor and fsck read', () => {
  test('are finalized once each', async () => {
    for (const count of [3, 300, 1]) {
      log.finalize(count);
      expect([await watched(), await audited()]).toEqual([[], []]);
    }
  });

  test.each<[string, () => void]>([
    ['with two outcomes', () => log.finalizeReceipt(RECEIPT)],
    ['by the same entry twice', () => void log.entries.receipts.push(...log.entries.receipts.slice(1, 2))],
  ])('are reported when one is finalized a second time %s', async (_name, again) => {
    log.finalize(1);
    log.finalizeReceipt(RECEIPT);
    log.finalize(1);
    again();
    expect([await watched(), await audited()]).toEqual([[inRound(3, 1)], [inAudit(3, 1)]]);
  });

  test('are reported in a later run of the monitor, far apart, and each time', async () => {
    log.finalizeReceipt(RECEIPT);
    log.finalize(600);
    expect(await watched()).toEqual([]);
    log.finalizeReceipt(RECEIPT);
    expect(await watched()).toEqual([inRound(601, 0)]);
    log.finalize(1);
    expect(await watched()).toEqual([]);
    log.finalizeReceipt(RECEIPT);
    expect(await watched()).toEqual([inRound(603, 0)]);
    expect(await audited()).toEqual([inAudit(601, 0), inAudit(603, 0)]);
  });

  test('are reported by an open monitor in the round that reads the second entry', async () => {
    const listener = { say: () => undefined, progress: () => undefined };
    const monitor = new Monitor(state, log, [log.vkey], { now: () => NOW }, listener);
    log.finalizeReceipt(RECEIPT);
    expect((await monitor.round()).problems).toEqual([]);
    log.finalizeReceipt(RECEIPT);
    expect((await monitor.round()).problems).toEqual([inRound(1, 0)]);
    expect(await monitor.round()).toMatchObject({ problems: [], known: [inRound(1, 0)] });
    monitor.close();
  });

  test('are reported one by one up to 100 and then counted', async () => {
    log.finalizeReceipt(RECEIPT);
    log.finalize(40);
    for (let repeated = 0; repeated < 150; repeated++) log.finalizeReceipt(RECEIPT);
    const indexes = Array.from({ length: 150 }, (_, at) => 41 + at);
    expect(await watched()).toEqual([
      ...indexes.slice(0, 100).map((index) => inRound(index, 0)),
      '50 more entries of fake.example/receipts are wrong',
    ]);
    expect(await audited()).toEqual(indexes.map((index) => inAudit(index, 0)));
  });

  test('are compared with those of a round that failed', async () => {
    log.finalizeReceipt(RECEIPT);
    expect(await watched()).toEqual([]);
    log.finalize(300);
    await expect(watched(without('receipts/tile/entries/001'))).rejects.toThrow('gone');
    expect(await watched()).toEqual([]);
    log.finalizeReceipt(RECEIPT);
    expect(await watched()).toEqual([inRound(301, 0)]);
  });
});

describe('the copy of a monitor that looked for no second finalizations', () => {
  beforeEach(async () => {
    log.finalizeReceipt(RECEIPT);
    log.finalize(300);
    log.finalizeReceipt(RECEIPT);
    await watched();
    asOfOlderVersion();
  });
  const inCopy = [inRound(301, 0)];

  test('is read once: what is in it is reported then', async () => {
    log.finalize(1);
    expect(await watched()).toEqual(inCopy);
    expect(await watched()).toEqual([]);
    log.finalizeReceipt(RECEIPT);
    expect(await watched()).toEqual([inRound(303, 0)]);
  });

  test('reports a problem that is known already only as known', async () => {
    expect(await watched()).toEqual(inCopy);
    rmSync(join(state, HISTORY_FILE));
    expect(await watched()).toEqual([]);
  });
});

describe('the revocations that a monitor and fsck read', () => {
  test('are of receipts and of agents', async () => {
    revokeAgent(1);
    revokeReceipt('a');
    revokeAgent(2);
    expect([await watched(), await audited()]).toEqual([[], []]);
  });

  test('are reported when an agent or a receipt is revoked twice, also in a later round', async () => {
    revokeAgent(1);
    revokeReceipt('a');
    expect(await watched()).toEqual([]);
    revokeReceipt('b');
    revokeReceipt('a');
    revokeAgent(1);
    const twice = [
      `receipt rcpt_${'a'.repeat(32)} is revoked a second time: it was revoked at index 1`,
      `agent ${agentOf(1)} is revoked a second time: it was revoked at index 0`,
    ];
    expect(await watched()).toEqual([
      `entry 3 of fake.example/revocations: ${twice[0]}`,
      `entry 4 of fake.example/revocations: ${twice[1]}`,
    ]);
    expect(await audited()).toEqual([
      `entry, index 3 of fake.example/revocations: ${twice[0]}`,
      `entry, index 4 of fake.example/revocations: ${twice[1]}`,
    ]);
  });

  test('are remembered without the file of the history, and after a round that failed', async () => {
    revokeAgent(1);
    expect(await watched()).toEqual([]);
    rmSync(join(state, HISTORY_FILE));
    for (let agent = 2; agent <= 300; agent++) revokeAgent(agent);
    // The second bundle is missing, after the entries of the first were taken.
    await expect(watched(without('revocations/tile/entries/001'))).rejects.toThrow('gone');
    expect(await watched()).toEqual([]);
    revokeAgent(1);
    expect(await watched()).toEqual([
      expect.stringContaining(`agent ${agentOf(1)} is revoked a second time`),
    ]);
  });
});

describe('the evidence that a monitor and fsck read', () => {
  const items = evidenceEntries([1, 2, 1, 1, 2, 3, 1]);
  const append = (entries: readonly EvidenceEntry[]): void => {
    log.entries.evidence.push(...entries.map(leafOfEvidence));
  };

  test('is a chain for each agent, over several rounds', async () => {
    for (const item of items) {
      append([item]);
      expect(await watched()).toEqual([]);
    }
    expect(await audited()).toEqual([]);
  });

  test.each<[string, EvidenceEntry[], number, string]>([
    ['dropped', items.toSpliced(2, 1), 2, `it is item 2 of agent ${agentOf(1)}, whose next item is 1`],
    [
      'altered',
      items.with(2, hashed({ ...Object(items[2]), payload_digest: 'e'.repeat(64) })),
      3,
      `its prev_event_hash is not the hash of the item before (item 2 of agent ${agentOf(1)})`,
    ],
    [
      'moved to another agent',
      items.with(2, { ...Object(items[2]), subject_commitment: agentOf(3) }),
      2,
      `its event_commitment_hash is not the digest of its members (item 1 of agent ${agentOf(3)})`,
    ],
  ])('is reported with log, index and agent when an item was %s', async (_name, entries, at, problem) => {
    append(entries.slice(0, 2));
    expect(await watched()).toEqual([]);
    append(entries.slice(2));
    expect((await watched())[0]).toStartWith(`entry ${at} of fake.example/evidence: ${problem}`);
    expect((await audited())[0]).toStartWith(`entry, index ${at} of fake.example/evidence: ${problem}`);
  });

  test('counts no signatures, because its entries have none', async () => {
    append(items);
    let signatures = 0;
    for await (const step of auditRemote(log, null, await namedLogKeys([log.vkey]), NOW))
      if ('seen' in step) ({ signatures } = step.seen);
    log.entries.evidence.length = 0;
    let without = 0;
    for await (const step of auditRemote(log, null, await namedLogKeys([log.vkey]), NOW))
      if ('seen' in step) ({ signatures: without } = step.seen);
    expect(signatures).toBe(without);
  });
});
