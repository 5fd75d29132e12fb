import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateKeyPair } from '../../../../src/platform/crypto/key-files.ts';
import { agentRevocationEntryText } from '../../../../src/proof/log/log-entry.ts';
import { LOG_NAMES, type LogName } from '../../../../src/proof/log/log-names.ts';
import { sentenceOf } from '../../../../src/proof/log/problem.ts';
import { namedLogKeys } from '../../../../src/tools/monitor/keys/log-keys.ts';
import { Monitor } from '../../../../src/tools/monitor/monitor.ts';
import { auditRemote } from '../../../../src/tools/monitor/remote-audit.ts';
import { agentOf, evidenceEntries, leafOfEvidence } from '../../../support/evidence-entries.ts';
import { FakeLog } from '../../../support/fake-log.ts';

const NOON = Date.parse('2026-05-01T12:00:00.000Z');
const MINUTE = 60_000;
const after = (minutes: number): string => new Date(NOON + minutes * MINUTE).toISOString();

let scratch: string;
let log: FakeLog;
let state: string;
/** The time of the monitor, and of the timed signatures of the log. */
let now: number;

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'countersign-across-logs-'));
});
afterAll(() => rmSync(scratch, { recursive: true }));
beforeEach(() => {
  log = new FakeLog();
  log.addTimedKeys();
  state = join(scratch, crypto.randomUUID());
  wait(1);
});

/** Lets the log sign its checkpoints some minutes after noon. */
function wait(minutes: number): void {
  now = NOON + minutes * MINUTE;
  log.now = now / 1000;
}

/** One run of `monitor --once`. @returns the problems */
async function watched(): Promise<string[]> {
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

/** The problem of an entry, as the monitor and as fsck report it. */
const both = (name: string, index: number, what: string): [string[], string[]] => [
  [`entry ${index} of fake.example/${name}: ${what}`],
  [`entry, index ${index} of fake.example/${name}: ${what}`],
];

const [ONE, TWO] = [`rcpt_${'1'.repeat(32)}`, `rcpt_${'2'.repeat(32)}`];
const HASH = 'c'.repeat(64);

describe('the end of a key', () => {
  /** Reports a key as compromised at a time, when there were so many receipts. */
  function compromised(minutes: number, size: number): void {
    const { receipts } = log.entries;
    log.entries.receipts = receipts.slice(0, size);
    log.at = after(minutes);
    const successor = generateKeyPair('Ed25519');
    log.addKey(successor, 'receipts', [log.logKey, successor]);
    log.addKey(log.receiptKey, 'receipts', [log.logKey], 'compromised');
    log.addKey(successor, 'receipts', [log.logKey, successor], 'activated');
    log.entries.receipts = receipts;
  }
  const finalizeAt = (minutes: number, count: number): void => {
    for (let made = 0; made < count; made++)
      log.finalizeReceipt(`rcpt_${crypto.randomUUID().replaceAll('-', '')}`, log.receiptKey, {
        finalized_at: after(minutes),
      });
  };

  test('is in order with the receipts that were there, also if the next one is dated a minute before', async () => {
    wait(9);
    finalizeAt(9, 20);
    expect(await watched()).toEqual([]);
    wait(10);
    compromised(10, 20);
    expect([await watched(), await audited()]).toEqual([[], []]);
  });

  test('that states fewer receipts than there were is reported, and disowns none unnoticed', async () => {
    wait(8);
    finalizeAt(8, 20);
    expect(await watched()).toEqual([]);
    wait(10);
    compromised(10, 0);
    expect(await watched()).toEqual([
      expect.stringContaining(`its receipts_tree_size is 0 at ${after(10)}, and entry 0 of receipts`),
    ]);
    expect(await audited()).toHaveLength(20);
  });

  test('that is dated back before the receipts is reported by a monitor that knew the log without it', async () => {
    wait(8);
    finalizeAt(8, 20);
    expect(await watched()).toEqual([]);
    wait(10);
    compromised(2, 0);
    expect(await watched()).toEqual([
      expect.stringContaining(`it is dated ${after(2)}, before the checkpoints that do not have it`),
    ]);
  });
});

describe('logs that continue closed ones', () => {
  const NEXT = 'fake.example-2';
  /** Lets the monitor and fsck read other logs from now on. */
  const reading = async (next: FakeLog): Promise<[string[], string[]]> => {
    log = next;
    return [await watched(), await audited()];
  };

  test('are in order if they have all entries of those, also after a second restart', async () => {
    log.finalize(300);
    log.revokeReceipt(ONE);
    expect(await reading(log.restart(NEXT).restart('fake.example-3'))).toEqual([[], []]);
  });

  test.each<[LogName, (entries: FakeLog['entries']) => void]>([
    ['revocations', ({ revocations }) => revocations.pop()],
    ['receipts', ({ receipts }) => receipts.splice(100, 1)],
    ['keys', ({ keys }) => keys.pop()],
  ])('are reported if they lost entries of %s', async (name, change) => {
    log.finalize(300);
    log.revokeReceipt(ONE);
    log.addKey(generateKeyPair('Ed25519'), 'credentials', [log.logKey]);
    const { tree_size } = log.closing(name);
    const [ofMonitor, ofAudit] = await reading(log.restart(NEXT, change));
    const what = `${NEXT}/${name} does not begin with the ${tree_size} ${tree_size === 1 ? 'entry' : 'entries'} of`;
    expect(ofMonitor.filter((problem) => problem.includes(what))).toHaveLength(1);
    expect(ofAudit.filter((problem) => problem.includes(what))).toHaveLength(1);
    expect(await watched()).toEqual([]);
  });

  test('are reported if a log that nobody saw is declared to be the closed one', async () => {
    log.finalize(3);
    expect(await watched()).toEqual([]);
    const shadow = new FakeLog('shadow.example', log.logKeys, log.receiptKey);
    shadow.finalize(1);
    log.close(shadow.closing('receipts'));
    log.continue({ log: 'receipts', predecessor: 'shadow.example/receipts' });
    expect(await watched()).toEqual([
      expect.stringContaining(
        'fake.example/receipts does not begin with the 1 entry of shadow.example/receipts',
      ),
    ]);
  });
});

describe('a receipt that was finalized and revoked', () => {
  test('is in order, also when both have one date, or are in one round', async () => {
    log.finalizeReceipt(ONE);
    log.finalizeReceipt(TWO);
    log.revokeReceipt(ONE);
    expect([await watched(), await audited()]).toEqual([[], []]);
    log.revokeReceipt(TWO, log.receiptKey, { revoked_at: after(1) });
    log.finalize(300);
    expect([await watched(), await audited()]).toEqual([[], []]);
  });

  const late = `receipt ${ONE} is finalized after it was revoked: entry 1 of receipts is dated ${after(3)}, and this one ${after(0)}`;
  const finalizeLate = () => log.finalizeReceipt(ONE, log.receiptKey, { finalized_at: after(3) });

  test('is reported if it was revoked before, in one round', async () => {
    wait(3);
    log.finalize(1);
    finalizeLate();
    log.revokeReceipt(ONE);
    expect([await watched(), await audited()]).toEqual(both('revocations', 0, late));
    expect(await watched()).toEqual([]);
  });

  test.each([
    ['revoked', () => log.revokeReceipt(ONE), finalizeLate],
    ['finalized', finalizeLate, () => log.revokeReceipt(ONE)],
  ])(
    'is reported if it was revoked before, and a former round saw that it was %s',
    async (_name, first, second) => {
      log.finalize(1);
      wait(3);
      first();
      await watched();
      second();
      const [, inAudit] = both('revocations', 0, late);
      expect((await watched()).at(-1)).toContain(late);
      expect(await audited()).toEqual(inAudit);
      expect(await watched()).toEqual([]);
    },
  );

  test.each([
    ['another receipt', TWO],
    ['itself', ONE],
  ])(
    'is reported if it is revoked with the content_hash of the finalized version of %s',
    async (_name, id) => {
      log.finalize(300);
      log.finalizeReceipt(id, log.receiptKey, { content_hash: HASH });
      expect(await watched()).toEqual([]);
      log.revokeReceipt(ONE, log.receiptKey, { content_hash: HASH });
      const what = 'its content_hash is that of entry 300 of receipts, a version that is not revoked';
      expect([await watched(), await audited()]).toEqual(both('revocations', 0, what));
    },
  );

  test('is reported if another receipt is finalized later with the content_hash of its revoked version', async () => {
    log.revokeReceipt(TWO);
    log.revokeReceipt(ONE, log.receiptKey, { content_hash: HASH });
    expect([await watched(), await audited()]).toEqual([[], []]);
    log.finalize(300);
    log.finalizeReceipt(TWO.replaceAll('2', '3'), log.receiptKey, { content_hash: HASH });
    const what = 'its content_hash is that of entry 300 of receipts, a version that is not revoked';
    expect([await watched(), await audited()]).toEqual(both('revocations', 1, what));
    expect(await watched()).toEqual([]);
  });

  test('of a hostile log with any number of them is reported without comparing them all', async () => {
    for (let index = 0; index < 1200; index++) {
      const id = `rcpt_${String(index).padStart(32, '0')}`;
      log.finalizeReceipt(id, log.receiptKey, { content_hash: HASH });
      log.revokeReceipt(id, log.receiptKey, { content_hash: HASH });
    }
    const problems = await watched();
    expect(problems).toHaveLength(101);
    expect(problems.at(-1)).toBe('900 more entries of fake.example/revocations are wrong');
  });
});

describe('a log after the end of a key', () => {
  test('is reported if it states a smaller log of receipts than an event before', async () => {
    log.finalize(5);
    log.addKey(log.receiptKey, 'receipts', [log.logKey], 'activated');
    log.entries.receipts.length = 3;
    log.addKey(log.receiptKey, 'receipts', [log.logKey], 'compromised');
    const index = log.entries.keys.length - 1;
    const what = 'its receipts_tree_size is 3, and that of an earlier entry 5: a log only grows';
    expect((await audited())[0]).toBe(both('keys', index, what)[1][0] ?? '');
    expect((await watched())[0]).toBe(both('keys', index, what)[0][0] ?? '');
  });

  test('is reported if it states a larger log of receipts than there is a round later', async () => {
    log.finalize(5);
    log.addKey(log.receiptKey, 'receipts', [log.logKey], 'activated');
    log.entries.receipts.length = 3;
    const index = log.entries.keys.length - 1;
    const what = 'its receipts_tree_size is 5, and the log of receipts has 3 entries';
    // The log of receipts could have a newer checkpoint soon.
    expect([await watched(), await audited()]).toEqual([[], []]);
    wait(5);
    const [inRound, inAudit] = both('keys', index, what);
    expect([await watched(), await audited()]).toEqual([inRound, inAudit]);
    expect(await watched()).toEqual([]);
  });

  test.each(['retired', 'compromised'] as const)(
    'is reported if it was %s, and signs an entry later',
    async (event) => {
      const old = log.receiptKey;
      log.addKey(old, 'receipts', [log.logKey], 'activated');
      log.finalize(4);
      log.addKey(old, 'receipts', [log.logKey], event);
      log.addKey(generateKeyPair('Ed25519'), 'receipts', [log.logKey]);
      log.revokeReceipt(TWO, old, { revoked_at: after(1) });
      expect([await watched(), await audited()]).toEqual([[], []]);
      wait(5);
      log.finalizeReceipt(ONE, old, { finalized_at: after(1) });
      log.revokeReceipt(ONE, old, { revoked_at: after(5) });
      const problems = await watched();
      expect(problems).toEqual([
        `entry 4 of fake.example/receipts: it was signed after the end of its key ${old.kid}, which was ${event} when the log had 4 entries`,
        `entry 1 of fake.example/revocations: it was signed after the end of its key ${old.kid}, which was ${event} at ${after(1)}`,
      ]);
      expect(await audited()).toHaveLength(2);
    },
  );
});

describe('the date of an entry', () => {
  const agentRevocation = (agent: number, at: string): Buffer =>
    Buffer.from(agentRevocationEntryText({ subject_commitment: agentOf(agent), at }));
  const item = (agent: number, anchored_at: string): Uint8Array => {
    const [first] = evidenceEntries([agent]);
    return leafOfEvidence({ ...Object(first), anchored_at });
  };
  /** Appends the entry of a receipt, an agent or a key to a log, dated some minutes after noon. */
  const append: Partial<Record<LogName, (id: number, at: string) => void>> = {
    receipts: (id, at) =>
      log.finalizeReceipt(`rcpt_${String(id).repeat(32)}`, log.receiptKey, { finalized_at: at }),
    revocations: (id, at) => void log.entries.revocations.push(agentRevocation(id, at)),
    evidence: (id, at) => void log.entries.evidence.push(item(id, at)),
    keys: (_, at) => {
      log.at = at;
      log.addKey(generateKeyPair('Ed25519'), 'receipts', [log.logKey]);
    },
  };
  const names = LOG_NAMES.filter((name) => append[name] !== undefined);
  /** @returns the index of the entry */
  const appendTo = (name: LogName, id: number, minutes: number): number => {
    append[name]?.(id, after(minutes));
    return log.entries[name].length - 1;
  };

  test.each(names)('of %s may be a minute later than its checkpoint, and no more', async (name) => {
    wait(10);
    appendTo(name, 1, 11);
    expect([await watched(), await audited()]).toEqual([[], []]);
    wait(20);
    const index = appendTo(name, 2, 21.01);
    const what = `it is dated ${after(21.01)}, after the checkpoint that has it, of ${after(20)}`;
    expect([await watched(), await audited()]).toEqual(both(name, index, what));
  });

  test.each(names.filter((name) => name !== 'keys'))(
    'of %s may be a minute earlier than the checkpoints without it, and no more',
    async (name) => {
      wait(10);
      expect(await watched()).toEqual([]);
      wait(20);
      appendTo(name, 1, 9);
      expect(await watched()).toEqual([]);
      wait(30);
      const index = appendTo(name, 2, 18.99);
      const what = `it is dated ${after(18.99)}, before the checkpoints that do not have it, of ${after(20)}`;
      expect(await watched()).toEqual(both(name, index, what)[0]);
    },
  );

  test('is not compared where no signature has a time', async () => {
    log = new FakeLog();
    log.finalizeReceipt(ONE, log.receiptKey, { finalized_at: '2036-01-01T00:00:00.000Z' });
    expect([await watched(), await audited()]).toEqual([[], []]);
  });
});
