import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sentenceOf } from '../../../../src/proof/log/problem.ts';
import { HISTORY_FILE } from '../../../../src/tools/monitor/history/history.ts';
import { namedLogKeys } from '../../../../src/tools/monitor/keys/log-keys.ts';
import { Monitor } from '../../../../src/tools/monitor/monitor.ts';
import { auditRemote } from '../../../../src/tools/monitor/remote-audit.ts';
import { FakeLog } from '../../../support/fake-log.ts';
import { hashOf, LinkedService, receiptIdOf } from '../../../support/linked-service.ts';

const NOON = Date.parse('2026-05-01T12:00:00.000Z');
const MINUTE = 60_000;
const AT = new Date(NOON).toISOString();
const ONE = receiptIdOf(1);
const OTHER = 'e'.repeat(64);

let scratch: string;
let log: FakeLog;
let service: LinkedService;
let state: string;
let now: number;

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'countersign-linked-acts-'));
});
afterAll(() => rmSync(scratch, { recursive: true }));
beforeEach(() => {
  log = new FakeLog();
  log.addTimedKeys();
  service = new LinkedService(2);
  service.now = NOON;
  service.setLinked(0, true);
  state = join(scratch, crypto.randomUUID());
  wait(1);
});

/** Lets the log sign its checkpoints some minutes after noon. */
function wait(minutes: number): void {
  now = NOON + minutes * MINUTE;
  log.now = now / 1000;
}

const finalize = (content_hash = hashOf(ONE, 'finalized')): void =>
  log.finalizeReceipt(ONE, log.receiptKey, { finalized_at: AT, content_hash });
const revoke = (content_hash = hashOf(ONE, 'revoked')): void =>
  log.revokeReceipt(ONE, log.receiptKey, { revoked_at: AT, content_hash });

/** One run of `monitor --once`. @returns the problems */
async function watched(): Promise<string[]> {
  log.entries.accounts = service.texts('accounts');
  const listener = { say: () => undefined, progress: () => undefined };
  const monitor = new Monitor(state, log, [log.vkey], { now: () => now }, listener);
  try {
    return (await monitor.round()).problems;
  } finally {
    monitor.close();
  }
}

/** The problems that fsck finds. */
async function audited(): Promise<string[]> {
  const found: string[] = [];
  for await (const step of auditRemote(log, null, await namedLogKeys([log.vkey]), now))
    if ('problem' in step) found.push(sentenceOf(step.problem));
  return found;
}

const noEntry = (act: string, name: string) =>
  `receipt ${ONE} is ${act}, and ${name} has no right entry of that`;
const noLeaf = (act: string) =>
  `receipt ${ONE} is ${act}, and accounts has no leaf of that: entry 1 of accounts says that it was issued, and its account is linked since`;

/** Lies that only the other log shows, once it must have what belongs to them. */
const MISSING: [string, string, number, string, () => void][] = [
  [
    'a leaf finalized without entry',
    'accounts',
    2,
    noEntry('finalized', 'receipts'),
    () => service.leaf('finalized', ONE),
  ],
  [
    'a leaf revoked without entry',
    'accounts',
    2,
    noEntry('revoked', 'revocations'),
    () => service.leaf('revoked', ONE),
  ],
  ['an entry of receipts without leaf', 'receipts', 0, noLeaf('finalized'), () => finalize()],
  ['an entry of revocations without leaf', 'revocations', 0, noLeaf('revoked'), () => revoke()],
];

test.each(MISSING)('%s is a problem from twelve minutes on, once', async (_name, name, index, what, lie) => {
  service.leaf('issued', ONE);
  lie();
  expect([await watched(), await audited()]).toEqual([[], []]);
  wait(11.9);
  expect([await watched(), await audited()]).toEqual([[], []]);
  wait(12);
  expect(await watched()).toEqual([`entry ${index} of fake.example/${name}: ${what}`]);
  expect(await audited()).toEqual([`entry, index ${index} of fake.example/${name}: ${what}`]);
  expect(await watched()).toEqual([]);
});

/** Lies that both logs show at once. */
const CONTRADICTING: [string, number, string, () => void][] = [
  [
    'a leaf finalized with another content_hash',
    2,
    'its content_hash is not that of entry 0 of receipts, by which its receipt is finalized',
    () => {
      finalize();
      service.leaf('finalized', ONE, { hash: OTHER });
    },
  ],
  [
    'a leaf revoked with another content_hash',
    2,
    'its content_hash is not that of entry 0 of revocations, by which its receipt is revoked',
    () => {
      revoke();
      service.leaf('revoked', ONE, { hash: OTHER });
    },
  ],
  [
    'a second leaf issued, in another account',
    3,
    `receipt ${ONE} is issued a second time: the leaves of this receipt begin at index 1`,
    () => {
      service.setLinked(1, true);
      service.leaf('issued', ONE, { account: 1 });
    },
  ],
  [
    'a leaf finalized after the leaf revoked',
    3,
    `receipt ${ONE} is finalized after it was revoked: the leaves of this receipt begin at index 1`,
    () => {
      revoke();
      finalize();
      service.leaf('revoked', ONE);
      service.leaf('finalized', ONE);
    },
  ],
];

test.each(CONTRADICTING)('%s is a problem at once', async (_name, index, what, lie) => {
  service.leaf('issued', ONE);
  lie();
  expect(await watched()).toEqual([`entry ${index} of fake.example/accounts: ${what}`]);
  expect(await audited()).toEqual([`entry, index ${index} of fake.example/accounts: ${what}`]);
  expect(await watched()).toEqual([]);
});

test('an entry that comes a round after its leaf is compared with it', async () => {
  service.leaf('issued', ONE);
  service.leaf('finalized', ONE);
  expect(await watched()).toEqual([]);
  finalize(OTHER);
  const what = 'its content_hash is not that of entry 0 of receipts, by which its receipt is finalized';
  expect(await watched()).toEqual([`entry 2 of fake.example/accounts: ${what}`]);
});

test('an entry of an account that was unlinked since the issue needs no leaf', async () => {
  service.leaf('issued', ONE);
  service.setLinked(0, false);
  finalize();
  service.setLinked(0, true);
  wait(30);
  expect([await watched(), await audited()]).toEqual([[], []]);
});

test('what an earlier version has copied is compared when its history is made anew', async () => {
  service.leaf('issued', ONE);
  service.leaf('issued', ONE);
  service.leaf('finalized', ONE);
  wait(30);
  const found = await watched();
  expect(found).toHaveLength(2);
  rmSync(join(state, 'problems.jsonl'));
  const history = new Database(join(state, HISTORY_FILE));
  history.run('PRAGMA user_version = 3');
  history.close();
  expect(await watched()).toEqual(found);
});

test('is not compared with a log whose checkpoints have no time', async () => {
  log = new FakeLog();
  service.leaf('issued', ONE);
  service.leaf('finalized', ONE);
  revoke();
  expect([await watched(), await audited()]).toEqual([[], []]);
});

test('a hostile log with any number of lies is reported in part', async () => {
  for (let number = 1; number <= 1500; number++) {
    service.leaf('issued', receiptIdOf(number));
    service.leaf('finalized', receiptIdOf(number));
  }
  wait(30);
  const problems = await watched();
  expect(problems).toHaveLength(101);
  expect(problems.at(-1)).toBe('900 more entries of fake.example/accounts are wrong');
});
