import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signEd25519 } from '../../../../src/platform/crypto/crypto.ts';
import { Failure } from '../../../../src/platform/failure.ts';
import type { LogSource } from '../../../../src/platform/tlog/source.ts';
import { bytesToHex } from '../../../../src/proof/encoding/hex.ts';
import {
  agentRevocationEntryText,
  type EvidenceEntry,
  revocationEntryText,
} from '../../../../src/proof/log/log-entry.ts';
import { sentenceOf } from '../../../../src/proof/log/problem.ts';
import { signingMessage } from '../../../../src/proof/receipt/receipt.ts';
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
const revokeReceipt = (digit: string): void => {
  const content_hash = digit.repeat(64);
  const { privateKey, kid } = log.receiptKey;
  const entry = revocationEntryText({
    receipt_id: `rcpt_${digit.repeat(32)}`,
    content_hash,
    signature: bytesToHex(signEd25519(privateKey, signingMessage(content_hash))),
    kid,
    revoked_at: AT,
  });
  log.entries.revocations.push(Buffer.from(entry));
};

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
    const failing = {
      location: log.location,
      read: (path: string) =>
        path.includes('revocations/tile/entries/001') ? Promise.reject(new Failure('gone')) : log.read(path),
    };
    await expect(watched(failing)).rejects.toThrow('gone');
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
