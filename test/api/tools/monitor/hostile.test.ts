import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateKeyPair, type KeyPair } from '../../../../src/platform/crypto/key-files.ts';
import { Failure } from '../../../../src/platform/failure.ts';
import { DAY_MS } from '../../../../src/platform/time/units.ts';
import type { LogSource } from '../../../../src/platform/tlog/source.ts';
import { verifierKeyOf } from '../../../../src/platform/tlog/verifier-key.ts';
import { LOG_NAMES } from '../../../../src/proof/log/log-names.ts';
import { formatVerifierKey } from '../../../../src/proof/log/note.ts';
import { Monitor, type Round } from '../../../../src/tools/monitor/monitor.ts';
import { FakeLog } from '../../../support/fake-log.ts';

let scratch: string;
let states = 0;
const said: string[] = [];

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'countersign-hostile-'));
});
afterAll(() => rmSync(scratch, { recursive: true }));

const newState = (): string => join(scratch, `state-${states++}`);
const AT_MS = 1_777_636_800_000;

function monitor(state: string, source: LogSource, named: readonly string[] = [], now = AT_MS): Monitor {
  const hearing = { say: (sentence: string) => void said.push(sentence), progress: () => undefined };
  return new Monitor(state, source, named, { now: () => now }, hearing);
}

const watch = (...args: Parameters<typeof monitor>): Promise<Round> => monitor(...args).round();

async function failureOf(act: Promise<unknown>): Promise<Failure> {
  try {
    await act;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('nothing failed');
}

/** A log that signs by both algorithms. */
function timedLog(): FakeLog {
  const log = new FakeLog();
  log.addTimedKeys();
  return log;
}

const equivocations = (state: string): string[] =>
  readdirSync(state).filter((name) => name.startsWith('equivocation-'));

describe('a wrong entry that a monitor meets', () => {
  /** A log with one, which the monitor has not seen yet. */
  async function seenBefore(): Promise<{ log: FakeLog; state: string }> {
    const log = new FakeLog();
    const state = newState();
    log.finalize(2);
    await watch(state, log, [log.vkey]);
    log.finalize(1, generateKeyPair('Ed25519'));
    return { log, state };
  }
  const WRONG = /^entry 2 of fake.example\/receipts: its key /;

  test('is reported even if a later log fails in the same round, and in every round until it is resolved', async () => {
    const { log, state } = await seenBefore();
    log.instead.set('revocations/checkpoint', () => {
      throw new Failure('returned status 500');
    });
    const broken = monitor(state, log);
    const round = broken.newRound();
    await failureOf(broken.round(round));
    expect(round.problems).toEqual([expect.stringMatching(WRONG)]);
    log.instead.clear();
    for (const _ of [1, 2]) {
      const again = await watch(state, log);
      expect([again.problems, again.known]).toEqual([[], [expect.stringMatching(WRONG)]]);
    }
    rmSync(broken.problemFilePath);
    expect(await watch(state, log)).toMatchObject({ problems: [], known: [] });
  });

  test('is recorded before the copy continues, so that a kill in between loses nothing', async () => {
    const { log, state } = await seenBefore();
    const file = join(state, 'problems.jsonl');
    // What cannot be written down keeps the copy where it is.
    mkdirSync(file);
    await failureOf(watch(state, log));
    expect(readFileSync(join(state, 'receipts/checkpoint'), 'utf8')).toContain('/receipts\n2\n');
    rmdirSync(file);
    expect((await watch(state, log)).problems).toEqual([expect.stringMatching(WRONG)]);
  });

  test('is one line even if found again, after a line that a kill truncated', async () => {
    const { log, state } = await seenBefore();
    const file = join(state, 'problems.jsonl');
    writeFileSync(file, '{"at":"2026-');
    await watch(state, log);
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    expect(lines).toEqual(['{"at":"2026-', expect.stringContaining('entry 2 of')]);
    expect((await watch(state, log)).known).toEqual(['{"at":"2026-', expect.stringMatching(WRONG)]);
  });

  test('among a million is reported as a hundred sentences and a count', async () => {
    const log = new FakeLog();
    log.finalize(130, generateKeyPair('Ed25519'));
    const { problems } = await watch(newState(), log, [log.vkey]);
    expect([problems.length, problems.at(-1)]).toEqual([
      101,
      '30 more entries of fake.example/receipts are wrong',
    ]);
  });
});

describe('an older checkpoint of the same history', () => {
  test.each([
    ['without a time', () => new FakeLog()],
    ['with a time', timedLog],
  ])('%s is stale and no equivocation', async (_name, make) => {
    const log = make();
    const state = newState();
    log.finalize(300);
    const older = log.note('receipts', 120);
    log.now += 60;
    await watch(state, log, [log.vkey]);
    const held = readFileSync(join(state, 'receipts/checkpoint'), 'utf8');
    log.instead.set('receipts/checkpoint', () => Buffer.from(older));
    const { problems, logs } = await watch(state, log);
    expect(problems).toEqual([
      'the checkpoint of fake.example/receipts is older than the copy: it has 120 leaves, the copy 300; a cache or a replica may be behind',
    ]);
    expect(logs.receipts).toMatchObject({ tree_size: 120, new_entries: 0 });
    expect([equivocations(state), readFileSync(join(state, 'receipts/checkpoint'), 'utf8')]).toEqual([
      [],
      held,
    ]);
    log.instead.clear();
    expect(await watch(state, log)).toMatchObject({ problems: [], known: [] });
  });

  test('that was signed later is a rollback', async () => {
    const log = timedLog();
    const state = newState();
    log.finalize(300);
    await watch(state, log, [log.vkey]);
    log.now += 1;
    const after = log.note('receipts', 120);
    log.instead.set('receipts/checkpoint', () => Buffer.from(after));
    expect(await failureOf(watch(state, log))).toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(/shrank from 300 leaves to 120: the log was rolled back, .*12:00:01/),
    });
    expect(equivocations(state)).toHaveLength(1);
  });

  test('is not judged by a copy whose entries are damaged', async () => {
    const log = new FakeLog();
    const state = newState();
    log.finalize(300);
    await watch(state, log, [log.vkey]);
    const bundle = join(state, 'receipts/tile/entries/000');
    const bytes = readFileSync(bundle);
    bytes[40] = (bytes[40] ?? 0) ^ 1;
    writeFileSync(bundle, bytes);
    log.instead.set('receipts/checkpoint', () => Buffer.from(log.note('receipts', 120)));
    expect(await failureOf(watch(state, log))).toMatchObject({
      exitCode: 1,
      message: expect.stringContaining('is damaged: its entries do not match'),
    });
  });

  test('of the same tree does not replace the newer one', async () => {
    const log = timedLog();
    const state = newState();
    const older = log.note('receipts');
    log.now += 60;
    await watch(state, log, [log.vkey]);
    log.instead.set('receipts/checkpoint', () => Buffer.from(older));
    const held = readFileSync(join(state, 'receipts/checkpoint'), 'utf8');
    expect(held).not.toBe(older);
    await watch(state, log);
    expect(readFileSync(join(state, 'receipts/checkpoint'), 'utf8')).toBe(held);
  });
});

describe('the age of a checkpoint', () => {
  test('cannot be hidden by leaving out the signature that states it', async () => {
    const log = timedLog();
    const state = newState();
    await watch(state, log, [log.vkey]);
    log.signers.receipts = [log.logKeys.receipts];
    const { problems, logs } = await watch(state, log, [], AT_MS + DAY_MS);
    expect(problems).toContain(
      'the newest checkpoint of fake.example/receipts has no signature of the log with a time: its age is unknown',
    );
    expect(logs.receipts?.age_seconds).toBeNull();
  });

  test('is told at the first round too, when the key that states it has just been read of', async () => {
    const log = timedLog();
    const { problems, logs } = await watch(newState(), log, [log.vkey], AT_MS + DAY_MS);
    expect([problems.length, logs.keys?.age_seconds]).toEqual([LOG_NAMES.length, 86_400]);
  });

  test('may be a little ahead, and not in the future', async () => {
    const log = timedLog();
    const state = newState();
    log.now += 60;
    expect((await watch(state, log, [log.vkey])).problems).toEqual([]);
    log.now += 1;
    expect((await watch(state, log)).problems[0]).toMatch(
      /keys was signed in the future, at 2026-05-01T12:01:01/,
    );
    log.now = 8_640_000_000_000;
    expect((await watch(state, log)).problems[0]).toMatch(/at \+275760-09-13T00:00:00/);
  });

  test('is unknown where no key states it, and that is said', async () => {
    said.length = 0;
    const log = new FakeLog();
    expect((await watch(newState(), log, [log.vkey])).problems).toEqual([]);
    expect(said).toEqual([expect.stringContaining('the age of the checkpoints is unknown')]);
  });
});

describe('pinned keys', () => {
  /** A monitor whose key log reports all keys that it trusts. */
  async function compromisedIn(state: string): Promise<FakeLog> {
    const log = new FakeLog();
    await watch(state, log, [log.vkey]);
    log.addKey(log.logKey, 'keys-log', [log.logKey], 'activated');
    log.addKey(log.logKey, 'keys-log', [log.logKey], 'compromised');
    return log;
  }
  const noneLeft = {
    exitCode: 1,
    message: expect.stringContaining('there is no trusted '),
  };

  test('stay with their end when all were compromised, and no other key is trusted then', async () => {
    const state = newState();
    const log = await compromisedIn(state);
    for (const _ of [1, 2]) {
      const failure = await failureOf(watch(state, log));
      expect(failure).toMatchObject({ ...noneLeft, hint: expect.stringContaining('--log-key') });
    }
    const kept = readFileSync(join(state, 'trusted-log-keys'), 'utf8');
    expect(kept).toEndWith(`# compromised at 2026-05-01T12:01:00.000Z: ${log.vkey}\n`);
    // The same key again is no way on; another is.
    expect(await failureOf(watch(state, log, [log.vkey]))).toMatchObject(noneLeft);
    const next = generateKeyPair('Ed25519');
    log.signers.keys = [next];
    const vkey = formatVerifierKey(verifierKeyOf(next, 'fake.example/keys'));
    expect((await watch(state, log, [vkey])).logs.receipts?.tree_size).toBe(0);
    expect(readFileSync(join(state, 'trusted-log-keys'), 'utf8')).toContain(`${vkey}\n`);
    expect(readFileSync(join(state, 'trusted-log-keys'), 'utf8')).toContain(
      kept.split('\n').at(-2) ?? 'none',
    );
  });

  test.each([
    ['removed', (path: string) => rmSync(path)],
    ['emptied', (path: string) => writeFileSync(path, '')],
  ])('whose file was %s beside a copy are not taken from the service again', async (_name, change) => {
    const log = new FakeLog();
    const state = newState();
    await watch(state, log, [log.vkey]);
    change(join(state, 'trusted-log-keys'));
    expect(await failureOf(watch(state, log))).toMatchObject(noneLeft);
    const other = new FakeLog('other.example');
    expect(await failureOf(watch(state, log, [other.vkey]))).toMatchObject({ exitCode: 2 });
    expect((await watch(state, log, [log.vkey])).problems).toEqual([]);
  });

  test('that were compromised stay so, whatever the key log says later', async () => {
    const log = new FakeLog();
    const state = newState();
    const next = generateKeyPair('Ed25519');
    log.addKey(next, 'keys-log', [log.logKey, next]);
    log.addKey(log.logKey, 'keys-log', [log.logKey, next], 'activated');
    log.addKey(log.logKey, 'keys-log', [next], 'compromised');
    log.addKey(log.logKey, 'keys-log', [next], 'retired');
    log.signers.keys = [log.logKey, next];
    const vkey = formatVerifierKey(verifierKeyOf(next, 'fake.example/keys'));
    expect((await watch(state, log, [log.vkey, vkey])).problems).toEqual([
      expect.stringContaining('cannot be retired: it is compromised'),
    ]);
    log.signers.keys = [log.logKey];
    expect((await failureOf(watch(state, log))).message).toContain('is not trusted');
  });

  test.each([
    ['purpose', (key: KeyPair) => [key, 'receipts'] as const],
    ['kid', (key: KeyPair) => [{ ...key, kid: generateKeyPair('Ed25519').kid }, 'keys-log'] as const],
  ])('that were reported under another %s are trusted no longer', async (_name, reported) => {
    const log = new FakeLog();
    const state = newState();
    const next = generateKeyPair('Ed25519');
    log.addKey(next, 'keys-log', [log.logKey, next]);
    log.addKey(log.logKey, 'keys-log', [log.logKey, next], 'activated');
    const [key, purpose] = reported(log.logKey);
    log.addKey(key, purpose, [next], 'compromised');
    log.signers.keys = [log.logKey, next];
    const vkey = formatVerifierKey(verifierKeyOf(next, 'fake.example/keys'));
    expect((await watch(state, log, [log.vkey, vkey])).problems).not.toEqual([]);
    log.signers.keys = [log.logKey];
    expect((await failureOf(watch(state, log))).message).toContain('is not trusted');
  });

  test('that were retired are trusted only for their time', async () => {
    const log = new FakeLog();
    const state = newState();
    const next = generateKeyPair('Ed25519');
    log.addKey(log.logKey, 'keys-log', [log.logKey], 'activated');
    log.addKey(next, 'keys-log', [log.logKey, next]);
    log.addKey(log.logKey, 'keys-log', [log.logKey, next], 'retired');
    log.signers.keys = [log.logKey, next];
    await watch(state, log, [log.vkey]);
    log.signers.keys = [log.logKey];
    expect((await watch(state, log, [], AT_MS + 30 * DAY_MS)).problems).toEqual([]);
    expect((await failureOf(watch(state, log, [], AT_MS + 31 * DAY_MS))).message).toContain(
      'were retired before',
    );
    log.signers.keys = [log.logKey, next];
    expect((await watch(state, log, [], AT_MS + 31 * DAY_MS)).problems).toEqual([]);
    // Whoever stole it then cannot bring in a key of his own by it either.
    const stolen = log.fork();
    const thief = generateKeyPair('Ed25519');
    stolen.addKey(thief, 'keys-log', [log.logKey, thief]);
    stolen.signers.keys = [thief];
    expect((await failureOf(watch(state, stolen, [], AT_MS + 31 * DAY_MS))).message).toContain(
      'is not trusted',
    );
  });

  test('that are all gone are missed in every round of one run', async () => {
    const state = newState();
    const log = new FakeLog();
    const running = monitor(state, log, [log.vkey]);
    await running.round();
    log.addKey(log.logKey, 'keys-log', [log.logKey], 'activated');
    log.addKey(log.logKey, 'keys-log', [log.logKey], 'compromised');
    for (const _ of [1, 2]) expect(await failureOf(running.round())).toMatchObject(noneLeft);
  });

  test('do not grow by a key that only signed itself, nor by the keys that it signs', async () => {
    const log = new FakeLog();
    const state = newState();
    await watch(state, log, [log.vkey]);
    const [stranger, forger] = [generateKeyPair('Ed25519'), generateKeyPair('Ed25519')];
    const at = log.entries.keys.length;
    log.addKey(stranger, 'keys-log', [stranger]);
    log.addKey(forger, 'receipts', [forger, stranger]);
    log.finalize(1, forger);
    const { problems } = await watch(state, log);
    expect(problems).toEqual([
      expect.stringMatching(new RegExp(`^entry ${at} of .* which no earlier key cross-signed`)),
      expect.stringMatching(new RegExp(`^entry ${at + 1} of .* which no earlier key cross-signed`)),
      expect.stringMatching(/^entry 0 of fake.example\/receipts: .*which no trusted key cross-signed/),
    ]);
    log.signers.keys = [stranger];
    expect((await failureOf(watch(state, log))).message).toContain('is not trusted');
    const pinned = readFileSync(join(state, 'trusted-log-keys'), 'utf8').trim().split('\n');
    expect(pinned.sort()).toEqual(LOG_NAMES.map((name) => log.vkeyOf(name)).sort());
  });
});

describe('a log that a monitor follows', () => {
  test.each(LOG_NAMES.map((name) => [name]))(
    "is not trusted as %s when another log's key signed it",
    async (name) => {
      const log = new FakeLog();
      const state = newState();
      await watch(state, log, [log.vkey]);
      for (const other of LOG_NAMES.filter((known) => known !== name)) {
        log.signers[name] = [log.logKeys[other]];
        expect((await failureOf(watch(state, log))).message).toBe(
          `the checkpoint of fake.example/${name} is not trusted: no trusted key has signed the checkpoint`,
        );
      }
      log.signers[name] = [log.logKeys[name]];
      expect((await watch(state, log)).problems).toEqual([]);
    },
  );

  test('is not begun with keys of other logs than the key log', async () => {
    const log = new FakeLog();
    const state = newState();
    const named = [log.vkeyOf('receipts'), log.vkeyOf('revocations')];
    expect(await failureOf(watch(state, log, named))).toMatchObject({
      exitCode: 2,
      message: 'none of the log keys is a key of the key log, which has the keys of the other logs',
      hint: expect.stringContaining('/log/keys/vkeys'),
    });
    // Nothing is stored then, so the right key begins it.
    expect((await watch(state, log, [...named, log.vkey])).problems).toEqual([]);
  });

  test('takes the next key of one log from the key log, and for that log only', async () => {
    const log = new FakeLog();
    const state = newState();
    await watch(state, log, [log.vkey]);
    const next = generateKeyPair('Ed25519');
    log.addKey(next, 'receipts-log', [log.logKeys.receipts, next]);
    log.signers.receipts = [next];
    expect((await watch(state, log)).problems).toEqual([]);
    log.signers.revocations = [next];
    expect((await failureOf(watch(state, log))).message).toContain('revocations is not trusted');
  });

  test('lets no thief of the key of another log bring in a key', async () => {
    const log = new FakeLog();
    const state = newState();
    await watch(state, log, [log.vkey]);
    const thief = generateKeyPair('Ed25519');
    log.addKey(thief, 'keys-log', [log.logKeys.receipts, thief]);
    // Not for the key log itself, also where the monitor reads ahead for a replaced key.
    log.signers.keys = [thief];
    expect((await failureOf(watch(state, log))).message).toContain('keys is not trusted');
    log.signers.keys = [log.logKey];
    const at = log.entries.keys.length - 1;
    expect((await watch(state, log)).problems).toEqual([
      expect.stringMatching(new RegExp(`^entry ${at} of .* which no earlier key cross-signed`)),
    ]);
    log.signers.revocations = [thief];
    expect((await failureOf(watch(state, log))).message).toContain('revocations is not trusted');
  });

  test("trusts a log's key no longer that the key log reports, and still the keys of the other logs", async () => {
    const log = new FakeLog();
    const state = newState();
    await watch(state, log, [log.vkey]);
    const next = generateKeyPair('Ed25519');
    log.addKey(next, 'receipts-log', [log.logKey, next]);
    log.addKey(log.logKeys.receipts, 'receipts-log', [log.logKey, next], 'activated');
    log.addKey(log.logKeys.receipts, 'receipts-log', [log.logKey], 'compromised');
    expect((await failureOf(watch(state, log))).message).toContain('receipts is not trusted');
    log.signers.receipts = [next];
    expect((await watch(state, log)).problems).toEqual([]);
  });
});

test('a key log without a trusted signature is read only to a limit', async () => {
  const log = new FakeLog();
  const state = newState();
  await watch(state, log, [log.vkey]);
  const [entry = new Uint8Array()] = log.entries.keys;
  log.signers.keys = [generateKeyPair('Ed25519')];
  for (const count of [1000, 60_000]) {
    log.entries.keys = Array.from({ length: count }, () => entry);
    log.instead.set('keys/checkpoint', () => Buffer.from(log.note('keys', count)));
    log.asked.length = 0;
    expect((await failureOf(watch(state, log))).message).toContain('is not trusted');
    expect(log.asked.filter((path) => path.includes('entries')).length).toBeLessThanOrEqual(4);
  }
  // Long ones are cut short by their bytes.
  log.entries.keys = Array.from({ length: 1000 }, () => Buffer.alloc(60_000, 0x61));
  log.instead.clear();
  log.asked.length = 0;
  await failureOf(watch(state, log));
  expect(log.asked.filter((path) => path.includes('entries')).length).toBe(1);
});

test('a damaged key log in the copy is reported, and the log is not accused', async () => {
  const log = new FakeLog();
  const state = newState();
  await watch(state, log, [log.vkey]);
  const bundle = join(state, `keys/tile/entries/000.p/${log.entries.keys.length}`);
  const bytes = readFileSync(bundle);
  bytes[100] = (bytes[100] ?? 0) ^ 1;
  writeFileSync(bundle, bytes);
  expect((await failureOf(watch(state, log))).message).toContain('keys is damaged: its entries do not match');
  rmSync(bundle);
  expect((await failureOf(watch(state, log))).message).toContain('keys is damaged: ');
});
