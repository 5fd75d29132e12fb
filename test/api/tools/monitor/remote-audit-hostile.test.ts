import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { generateKeyPair } from '../../../../src/platform/crypto/key-files.ts';
import { Failure } from '../../../../src/platform/failure.ts';
import { DAY_MS } from '../../../../src/platform/time/units.ts';
import type { LogSource } from '../../../../src/platform/tlog/source.ts';
import { bytesToHex } from '../../../../src/proof/encoding/hex.ts';
import { parseCheckpoint } from '../../../../src/proof/log/checkpoint.ts';
import { LOG_NAMES, type LogName } from '../../../../src/proof/log/log-names.ts';
import { parseNote } from '../../../../src/proof/log/note.ts';
import { sentenceOf } from '../../../../src/proof/log/problem.ts';
import { namedLogKeys } from '../../../../src/tools/monitor/keys/log-keys.ts';
import { auditRemote, type NewestCheckpoint } from '../../../../src/tools/monitor/remote-audit.ts';
import { FakeLog } from '../../../support/fake-log.ts';

const AT_MS = 1_777_636_800_000;

type Page = { checkpoints: Record<string, unknown>[]; next_cursor: string | null };

/** What a service lists, by log and cursor. */
let listed: (log: LogName, cursor: string | null) => Page;
let pages = 0;
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch(request) {
    pages++;
    const { searchParams } = new URL(request.url);
    const log = LOG_NAMES.find((name) => name === searchParams.get('log'));
    if (log === undefined) return new Response('', { status: 400 });
    return Response.json(listed(log, searchParams.get('cursor')));
  },
});
afterAll(() => server.stop(true));

let log: FakeLog;
beforeEach(() => {
  log = new FakeLog();
  log.finalize(5);
  pages = 0;
  listed = (name) => ({ checkpoints: [rowOf(log.note(name), null)], next_cursor: null });
});

/** A checkpoint as the API lists it. */
function rowOf(note: string, previous: string | null, changes: Record<string, unknown> = {}) {
  const { origin, size, root } = parseCheckpoint(parseNote(Buffer.from(note)).text);
  return {
    checkpoint_id: `ckpt_${size}`,
    origin,
    tree_size: size,
    root_hash: bytesToHex(root),
    issued_at: new Date(AT_MS + size * 1000).toISOString(),
    previous_checkpoint_id: previous,
    note,
    ...changes,
  };
}

const ofLog = (): LogSource => log;

async function audited({ api = true, now = AT_MS, source = ofLog() } = {}) {
  const sentences: string[] = [];
  const newest: NewestCheckpoint[] = [];
  const from = api ? new URL(`http://127.0.0.1:${server.port}/`) : null;
  for await (const step of auditRemote(source, from, await namedLogKeys([log.vkey]), now)) {
    if ('problem' in step) sentences.push(sentenceOf(step.problem));
    else if (step.newest !== undefined) newest.push(step.newest);
  }
  return { sentences, newest };
}

describe('a list of checkpoints that fsck reads', () => {
  test('has no problem', async () => {
    expect((await audited()).sentences).toEqual([]);
  });

  test('that is empty is reported', async () => {
    listed = () => ({ checkpoints: [], next_cursor: null });
    expect((await audited()).sentences).toContain(
      'checkpoint, fake.example/receipts: the list is empty, but the log has a checkpoint',
    );
  });

  test('that lacks the newest is reported, unless that was published after the read', async () => {
    const older = (name: LogName) => rowOf(log.note(name, 0), null);
    listed = (name) => ({ checkpoints: [older(name)], next_cursor: null });
    expect((await audited()).sentences).toContain(
      'checkpoint, fake.example/receipts: the newest checkpoint is not listed',
    );
    let asked = 0;
    listed = (name) => {
      const newer = asked++ % 2 === 1 && log.entries[name].length > 0;
      return {
        checkpoints: newer ? [rowOf(log.note(name), 'ckpt_0'), older(name)] : [older(name)],
        next_cursor: null,
      };
    };
    expect((await audited()).sentences).not.toContain(
      'checkpoint, fake.example/receipts: the newest checkpoint is not listed',
    );
  });

  test('that does not begin with a first one is reported', async () => {
    listed = (name) => ({ checkpoints: [rowOf(log.note(name), 'ckpt_0')], next_cursor: null });
    expect((await audited()).sentences[0]).toMatch(
      /previous_checkpoint_id is not the id of the previous checkpoint/,
    );
  });

  test.each([
    ['one page again and again', 'again', () => ({})],
    ['one page under ever another name', null, () => ({})],
    ['its own predecessor for ever', null, () => ({ previous_checkpoint_id: 'ckpt_2' })],
  ])('that goes on with %s comes to an end', async (_name, cursor, changes) => {
    listed = (name) => ({
      checkpoints: [rowOf(log.note(name, name === 'revocations' ? 0 : 2), null, changes())],
      next_cursor: cursor ?? crypto.randomUUID(),
    });
    await audited().catch(() => undefined);
    expect(pages).toBeLessThan(LOG_NAMES.length * 125);
  });

  test('is not read further than a hundred that are wrong', async () => {
    const stranger = new FakeLog();
    let size = 1_000_000;
    listed = () => {
      size -= 1;
      const row = rowOf(stranger.note('receipts'), null, { tree_size: size, note: 'none' });
      return {
        checkpoints: [{ ...row, issued_at: new Date(AT_MS + size * 1000).toISOString() }],
        next_cursor: String(size),
      };
    };
    const { sentences } = await audited();
    expect([sentences.length < LOG_NAMES.length * 225, pages < LOG_NAMES.length * 125]).toEqual([true, true]);
  });
});

describe('a newest checkpoint that fsck reads', () => {
  test('by a key that the key log reports as compromised is not trusted', async () => {
    const next = generateKeyPair('Ed25519');
    log.addKey(next, 'keys-log', [log.logKey, next]);
    log.addKey(log.logKey, 'keys-log', [log.logKey, next], 'activated');
    log.addKey(log.logKey, 'keys-log', [next], 'compromised');
    await expect(audited({ api: false })).rejects.toThrow(
      /fake.example\/keys .*is not trusted: no trusted key/,
    );
    log.addKey(log.logKey, 'keys-log', [next], 'retired');
    await expect(audited({ api: false })).rejects.toThrow(/is not trusted/);
    log.signers.keys = [log.logKey, next];
    expect((await audited({ api: false })).sentences).toEqual([
      expect.stringContaining('cannot be retired: it is compromised'),
    ]);
  });

  test.each(LOG_NAMES.map((name) => [name]))("of %s by another log's key is not trusted", async (name) => {
    for (const other of LOG_NAMES.filter((known) => known !== name)) {
      log.signers[name] = [log.logKeys[other]];
      await expect(audited({ api: false })).rejects.toThrow(`${name} in ${log.location} is not trusted`);
    }
  });

  test('is not audited with keys of other logs than the key log', async () => {
    const steps = auditRemote(log, null, await namedLogKeys([log.vkeyOf('receipts')]), AT_MS);
    await expect(steps.next()).rejects.toThrow('none of the log keys is a key of the key log');
  });

  test('signed only by compromised keys proves nothing', async () => {
    log.addKey(log.logKey, 'keys-log', [log.logKey], 'activated');
    log.addKey(log.logKey, 'keys-log', [log.logKey], 'compromised');
    await expect(audited({ api: false })).rejects.toThrow(
      /all the log keys that were trusted were compromised/,
    );
  });

  test('by a key that was retired long ago is not trusted', async () => {
    const next = generateKeyPair('Ed25519');
    log.addKey(next, 'keys-log', [log.logKey, next]);
    log.addKey(log.logKey, 'keys-log', [log.logKey, next], 'activated');
    log.addKey(log.logKey, 'keys-log', [log.logKey, next], 'retired');
    expect((await audited({ api: false, now: AT_MS + DAY_MS })).sentences).toEqual([]);
    await expect(audited({ api: false, now: AT_MS + 31 * DAY_MS })).rejects.toThrow(/were retired before/);
  });

  test('of another log is reported', async () => {
    const other = new FakeLog('evil.example', log.logKeys);
    log.instead.set('revocations/checkpoint', () => Buffer.from(other.note('revocations')));
    expect((await audited({ api: false })).sentences).toEqual([
      'checkpoint, fake.example/revocations: the newest checkpoint is of another log: expected fake.example/revocations, found evil.example/revocations',
    ]);
  });

  test('has an age; a missing or future time is reported', async () => {
    log.addTimedKeys();
    const timed = [...log.signers.keys];
    const { sentences, newest } = await audited({ api: false, now: AT_MS + DAY_MS });
    expect([sentences, newest[1]]).toEqual([
      [],
      { log: 'fake.example/receipts', tree_size: 5, age_seconds: 86_400, isLate: true },
    ]);
    log.signers.keys = [log.logKey];
    expect((await audited({ api: false })).sentences[0]).toMatch(/has no signature of the log with a time/);
    log.signers.keys = timed;
    expect((await audited({ api: false, now: AT_MS - DAY_MS })).sentences[0]).toMatch(/signed in the future/);
  });
});

test('a key that only signed itself is reported, and so is what it signs', async () => {
  const forger = generateKeyPair('Ed25519');
  const at = log.entries.keys.length;
  log.addKey(forger, 'receipts', [forger]);
  log.finalize(1, forger);
  expect((await audited({ api: false })).sentences).toEqual([
    expect.stringMatching(
      new RegExp(`^entry, index ${at} of fake.example/keys: it adds the key .* cross-signed$`),
    ),
    expect.stringMatching(/^entry, index 5 of fake.example\/receipts: .*which no trusted key cross-signed$/),
  ]);
});

test('a tile that fsck cannot read is a problem like any other', async () => {
  const source: LogSource = {
    location: log.location,
    read: async (path) => {
      if (path === 'receipts/tile/0/000.p/5') throw new Failure('returned status 404');
      return log.read(path);
    },
  };
  expect((await audited({ api: false, source })).sentences).toEqual([
    'tile, tile/0/000.p/5, fake.example/receipts: it cannot be read: returned status 404',
  ]);
});
