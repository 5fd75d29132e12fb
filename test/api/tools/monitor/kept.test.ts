import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateKeyPair } from '../../../../src/platform/crypto/key-files.ts';
import { logSource } from '../../../../src/platform/tlog/source.ts';
import { accountEntryText } from '../../../../src/proof/log/log-entry.ts';
import { Monitor, type Round } from '../../../../src/tools/monitor/monitor.ts';
import { verify } from '../../../../src/tools/verify/verify.ts';
import { FakeLog } from '../../../support/fake-log.ts';
import {
  cosigned,
  linesOf,
  type MadeAccount,
  madeAccount,
  OPERATOR,
  POLICY,
  RECEIPT_KEY,
} from '../../../support/made-account.ts';
import { keyRow } from '../../../support/small-log.ts';

const EVERY = 100;
const NOW = Date.now();
const PAUSE = 120_000;

let scratch: string;
let states = 0;
let made: MadeAccount;
const servers: Bun.Server<undefined>[] = [];
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'countersign-kept-'));
  made = madeAccount(300, NOW, EVERY);
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop(true);
});
afterAll(() => rmSync(scratch, { recursive: true }));

const path = (state: string, name: string): string => join(state, 'accounts', name);
const linesIn = (state: string): string[] =>
  existsSync(path(state, 'checkpoints.ndjson'))
    ? readFileSync(path(state, 'checkpoints.ndjson'), 'utf8').trimEnd().split('\n')
    : [];
const noteIn = (line: string | undefined): string => Object(JSON.parse(line ?? '{}')).note;
const sizesIn = (state: string): number[] =>
  linesIn(state).map((line) => Number(noteIn(line).split('\n')[1]));

/** A service with the made account, its list of checkpoints and the monitors of it. */
class Served {
  readonly log = new FakeLog('made.example');
  /** The notes in the list, newest first. */
  notes: string[] = [];
  readonly asked: string[] = [];
  readonly said: string[] = [];
  now = NOW;
  url = '';
  /** Replaces a response. */
  instead: (url: URL) => Response | undefined = () => undefined;

  constructor() {
    const server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: async (request) => {
        const url = new URL(request.url);
        this.asked.push(url.pathname + url.search);
        const instead = this.instead(url);
        if (instead !== undefined) return instead;
        if (url.pathname === '/api/v1/receipts/checkpoints') return this.list(url.searchParams);
        if (url.pathname === '/api/v1/transparency/keys') return new Response(this.keys());
        return new Response(await this.log.read(url.pathname.slice('/log/'.length) + url.search));
      },
    });
    servers.push(server);
    this.url = `http://127.0.0.1:${server.port}`;
  }

  /** Has the log of accounts this many entries, with the checkpoints that were kept until then. */
  grownTo(size: number): this {
    this.log.entries.accounts = made.entries
      .slice(0, size)
      .map((entry) => Buffer.from(accountEntryText(entry)));
    this.notes = made.kept
      .filter((kept) => kept.size <= size)
      .map((kept) => this.noteOf(kept.size, kept.time))
      .reverse();
    this.log.cosigned = this.notes[0] ?? null;
    return this;
  }

  /** Lets a key of the log state the time of its checkpoints. */
  withTimes(): this {
    const timed = generateKeyPair('ML-DSA-44');
    this.log.addKey(timed, 'accounts-log', [this.log.logKey, timed]);
    this.log.signers.accounts.push(timed);
    this.log.now = Math.floor(NOW / 1000) - 200;
    return this;
  }

  noteOf(size: number, time = this.now, log = this.log): string {
    return cosigned(log.note('accounts', size), time);
  }

  list(query: URLSearchParams): Response {
    const [from, limit] = [Number(query.get('cursor') ?? 0), Number(query.get('limit'))];
    const checkpoints = this.notes.slice(from, from + limit).map((note, index) => ({
      checkpoint_id: `cp_${from + index}`,
      origin: 'made.example/accounts',
      tree_size: Number(note.split('\n')[1] ?? 0),
      root_hash: '',
      issued_at: '2026-05-01T12:00:00.000Z',
      previous_checkpoint_id: null,
      note,
    }));
    const next_cursor = from + limit < this.notes.length ? String(from + limit) : null;
    return Response.json({ checkpoints, next_cursor });
  }

  keys(): string {
    const { kid, publicKey, algorithm, privateKey } = this.log.logKeys.accounts;
    const ofLog = keyRow({ kid, public_key: publicKey, algorithm, privateKey }, 'accounts-log');
    return JSON.stringify({
      keys: [keyRow(RECEIPT_KEY, 'receipts'), ofLog],
      log: { origin: 'made.example/keys' },
    });
  }

  monitor(state: string): Monitor {
    const listener = { say: (sentence: string) => void this.said.push(sentence), progress: () => undefined };
    const clock = { now: () => this.now };
    return new Monitor(
      state,
      logSource(this.url),
      [this.log.vkey],
      clock,
      listener,
      undefined,
      new URL(this.url),
    );
  }

  async round(state: string, monitor = this.monitor(state)): Promise<Round> {
    const round = await monitor.round();
    monitor.close();
    return round;
  }

  listReads(): string[] {
    return this.asked
      .splice(0)
      .filter((asked) => asked.startsWith('/api/v1/receipts/checkpoints'))
      .map((asked) => new URL(asked, this.url).searchParams.get('cursor') ?? 'first');
  }
}

const newState = (): string => join(scratch, `state-${states++}`);
const all = (): number => made.entries.length;

/** Returns the summary of `verify --complete`. */
async function verified(
  log: string,
  served: Served,
  receipts = made.receipts,
): Promise<Record<string, unknown>> {
  const file = (name: string, text: string): string => {
    writeFileSync(join(scratch, name), text);
    return join(scratch, name);
  };
  let text = '';
  const options = {
    operator: OPERATOR,
    log,
    complete: true,
    policy: file('policy.txt', POLICY),
    keys: file('keys.json', served.keys()),
  };
  await verify(file('list.ndjson', linesOf(receipts)), options, {
    write: async (more) => {
      text += more;
    },
    say: () => undefined,
  });
  return JSON.parse(text.trimEnd().split('\n').at(-1) ?? '');
}

describe('the checkpoints that a monitor keeps of the log of accounts', () => {
  test('are those that the service lists, and bound the times as the service does', async () => {
    const served = new Served().grownTo(all());
    const state = newState();
    expect((await served.round(state)).problems).toEqual([]);
    expect(linesIn(state).map(noteIn)).toEqual([...served.notes.slice(1), served.notes[0] ?? '']);
    const ofService = await verified(served.url, served);
    expect(ofService).toMatchObject({ complete: true, unbounded_leaves: 0, problems: {} });
    expect(Number(ofService.longest_interval_ms)).toBeGreaterThan(0);
    expect(await verified(state, served)).toEqual(ofService);
  });

  test('prove what a leaf that was dated back says', async () => {
    const served = new Served();
    const [index] = [made.entries.findIndex(({ sequence }) => sequence === 200)];
    const honest = made.entries[index];
    if (honest === undefined) throw new Error('no leaf');
    made.entries[index] = { ...honest, at: new Date(NOW - 90_000_000).toISOString() };
    served.grownTo(all());
    const state = newState();
    await served.round(state);
    made.entries[index] = honest;
    expect((await verified(state, served)).problems).toMatchObject({ time: 1 });
    rmSync(path(state, 'checkpoints.ndjson'));
    expect((await verified(state, served)).problems).not.toHaveProperty('time');
  });

  test('grow with those that the monitor reads, without the list', async () => {
    const served = new Served().grownTo(3 * EVERY);
    const state = newState();
    const monitor = served.monitor(state);
    await monitor.round();
    expect(served.listReads()).toEqual(['first']);
    for (const size of [4 * EVERY, 4 * EVERY, 5 * EVERY]) {
      served.now += 60_000;
      served.grownTo(size);
      expect((await monitor.round()).problems).toEqual([]);
    }
    expect(served.listReads()).toEqual([]);
    expect(sizesIn(state)).toEqual([200, 100, 0, 300, 400, 500]);
    // After a pause the list has more than the monitor read.
    served.now += PAUSE;
    served.grownTo(all());
    await monitor.round();
    monitor.close();
    expect(served.listReads()).toEqual(['first']);
    expect(sizesIn(state).slice(6, -1)).toEqual(
      made.kept
        .map(({ size }) => size)
        .filter((size) => size > 500 && size < all())
        .reverse(),
    );
    expect(await verified(state, served)).toMatchObject({ complete: true, unbounded_leaves: 0 });
  });

  test('count although the copy is ahead of them, at any size', async () => {
    for (const behind of [1, 7, 256, 300]) {
      const served = new Served().grownTo(all());
      served.log.cosigned = served.noteOf(all() - behind);
      const state = newState();
      expect((await served.round(state)).problems).toEqual([]);
      expect(readFileSync(path(state, 'checkpoint'), 'utf8')).not.toContain('one.example/w');
      const ofService = await verified(served.url, served);
      // The list does not have the newest one, and the file does.
      const checkpoints = Number(ofService.checkpoints) + 1;
      expect(await verified(state, served)).toEqual({ ...ofService, checkpoints });
    }
  });

  test('are read in pages to the one that was kept last', async () => {
    const served = new Served().withTimes().grownTo(all());
    const state = newState();
    const { log } = served;
    log.cosigned = served.noteOf(all());
    served.notes.unshift(log.cosigned);
    await served.round(state);
    const there = linesIn(state).length;
    served.asked.length = 0;
    // Many of one size: a log that does not grow.
    for (let count = 0; count < 150; count++) {
      log.now++;
      served.notes.unshift(served.noteOf(all()));
    }
    log.cosigned = served.notes[0] ?? null;
    await served.round(state);
    expect(served.listReads()).toEqual(['first', '10', '110']);
    expect(linesIn(state)).toHaveLength(there + 150);
    // A witness has cosigned it too since then.
    const { cosigned: newest } = log;
    log.cosigned = cosigned(newest ?? '', NOW, ['three']);
    for (const _ of [1, 2]) await served.round(state);
    expect(served.listReads()).toEqual(['first', 'first']);
    expect(linesIn(state)).toHaveLength(there + 151);
  });

  test('of a list that cannot be read are read again later, and the logs are watched', async () => {
    const served = new Served().grownTo(all());
    const state = newState();
    const monitor = served.monitor(state);
    const lists: [string, () => Response][] = [
      ['status 500', () => new Response('', { status: 500 })],
      ['a form that the API does not have', () => Response.json({ checkpoints: 7 })],
      ['does not list checkpoints', () => new Response('<html>')],
      ['does not end', () => Response.json({ checkpoints: [], next_cursor: '1' })],
    ];
    for (const [problem, answer] of lists) {
      served.instead = ({ pathname }) => (pathname.startsWith('/api/') ? answer() : undefined);
      const { problems, logs } = await monitor.round();
      expect(problems).toEqual([expect.stringContaining(problem)]);
      expect(logs.accounts?.tree_size).toBe(all());
      expect([linesIn(state), existsSync(path(state, 'cosigned-checkpoint'))]).toEqual([[], false]);
    }
    // Ends half-way: what is there is read once more.
    served.notes = [...served.notes, ...served.notes, ...served.notes];
    served.instead = ({ search }) =>
      search.includes('cursor=10') ? new Response('', { status: 503 }) : undefined;
    expect((await monitor.round()).problems).toEqual([expect.stringContaining('status 503')]);
    served.instead = () => undefined;
    expect((await monitor.round()).problems).toEqual([]);
    monitor.close();
    expect(await verified(state, served)).toMatchObject({ complete: true, unbounded_leaves: 0 });
  });

  test.each([403, 404])(
    'of a server that answers %d for a list are those that the monitor reads',
    async (status) => {
      const served = new Served().grownTo(all());
      const state = newState();
      const monitor = served.monitor(state);
      served.instead = ({ pathname }) =>
        pathname.startsWith('/api/') ? new Response('', { status }) : undefined;
      for (const _ of [1, 2]) {
        served.now += PAUSE;
        expect((await monitor.round()).problems).toEqual([]);
      }
      monitor.close();
      expect(served.said.filter((sentence) => sentence.includes('lists no checkpoints'))).toHaveLength(1);
      expect(sizesIn(state)).toEqual([all()]);
    },
  );

  test('are not those that nobody cosigned, of later entries, or of another log', async () => {
    const served = new Served().grownTo(3 * EVERY);
    const later = new Served().grownTo(all());
    const elsewhere = new FakeLog('other.example', served.log.logKeys);
    const { notes } = served;
    served.notes = [
      cosigned(later.log.note('accounts'), NOW),
      served.log.note('accounts', 10),
      cosigned(elsewhere.note('accounts', 0), NOW),
      ...notes,
    ];
    const state = newState();
    expect((await served.round(state)).problems).toEqual([]);
    expect(linesIn(state).map(noteIn).slice(0, -1)).toEqual(notes.slice(1));
    // As long as no witness cosigns, there is none.
    const alone = new Served().grownTo(3 * EVERY);
    alone.log.cosigned = null;
    const other = newState();
    expect((await alone.round(other)).problems).toEqual([]);
    expect(readdirSync(join(other, 'accounts')).sort()).toEqual(['checkpoint', 'tile']);
  });

  test('are signed by the log, and short', async () => {
    const served = new Served().grownTo(3 * EVERY);
    const stranger = new FakeLog('made.example');
    stranger.entries = served.log.entries;
    const { notes } = served;
    served.notes = [
      'no note',
      cosigned(stranger.note('accounts', 150), NOW),
      `${served.noteOf(150)}${'x'.repeat(2 ** 16)}`,
      `${served.noteOf(150)}\u2014 \ud800.example AAAAAAA=\n`,
      ...notes,
    ];
    const state = newState();
    const { problems } = await served.round(state);
    expect(problems).toEqual([
      expect.stringContaining('is not kept: the note has no empty line'),
      expect.stringContaining('is not kept: no trusted key has signed the checkpoint'),
      expect.stringContaining('is not kept: it has more than 65,536 characters'),
      expect.stringContaining('is not kept: it has half of a surrogate pair'),
    ]);
    expect(linesIn(state).map(noteIn).slice(0, -1)).toEqual(notes.slice(1));
    // A hostile list has no end of problems.
    const worse = new Served().grownTo(3 * EVERY);
    worse.notes = Array.from({ length: 50 }, () => 'no note');
    expect((await worse.round(newState())).problems).toHaveLength(10);
  });

  test('that contradict the copy are an equivocation', async () => {
    const forked = (served: Served): string => {
      const other = served.log.fork();
      other.entries.accounts = [...served.log.entries.accounts].reverse();
      return served.noteOf(150, NOW, other);
    };
    const listed = new Served().grownTo(3 * EVERY);
    listed.notes = [listed.notes[0] ?? '', forked(listed)];
    const newest = new Served().grownTo(3 * EVERY);
    newest.log.cosigned = forked(newest);
    for (const served of [listed, newest]) {
      const state = newState();
      await expect(served.round(state)).rejects.toMatchObject({
        exitCode: 2,
        message: expect.stringMatching(/EQUIVOCATION.*the first 150 of its 300 leaves have the root/),
      });
      const evidence = readdirSync(state).find((name) => name.startsWith('equivocation-'));
      expect(readFileSync(join(state, evidence ?? '', 'checkpoint-after'), 'utf8')).toBe(forked(served));
    }
    // A key that has ended could be anybody's by now.
    const old = new Served().grownTo(3 * EVERY);
    const next = generateKeyPair('Ed25519');
    old.log.at = '2026-05-01T12:02:00.000Z';
    old.log.addKey(old.log.logKeys.accounts, 'accounts-log', [old.log.logKeys.accounts], 'activated');
    old.log.addKey(next, 'accounts-log', [old.log.logKeys.accounts, next]);
    old.log.addKey(old.log.logKeys.accounts, 'accounts-log', [next], 'retired');
    const { notes } = old;
    old.notes = [...notes, forked(old)];
    old.log.signers.accounts = [next];
    old.log.cosigned = old.noteOf(3 * EVERY);
    const state = newState();
    const { problems } = await old.round(state);
    expect(problems.filter((problem) => problem.includes('is not kept'))).toEqual([
      expect.stringContaining('were retired before its time'),
    ]);
    expect(linesIn(state).map(noteIn).slice(0, -1)).toEqual(notes);
  });

  test('are not replaced by an older one, or by one that is not trusted', async () => {
    const served = new Served().withTimes().grownTo(3 * EVERY);
    const state = newState();
    served.log.cosigned = served.noteOf(3 * EVERY);
    await served.round(state);
    const first = readFileSync(path(state, 'cosigned-checkpoint'), 'utf8');
    expect(first).toBe(served.log.cosigned ?? '');
    const before = served.log.cosigned;
    served.log.now -= 100;
    const replayed = [served.noteOf(2 * EVERY), served.noteOf(3 * EVERY)];
    served.log.now += 100;
    const ahead = new Served().grownTo(all());
    replayed.push(cosigned(ahead.log.note('accounts'), NOW));
    for (const note of replayed) {
      served.log.cosigned = note;
      expect((await served.round(state)).problems.filter((it) => it.includes('cosigned'))).toEqual([]);
      expect(readFileSync(path(state, 'cosigned-checkpoint'), 'utf8')).toBe(first);
    }
    const stranger = new FakeLog('made.example');
    stranger.entries = served.log.entries;
    served.log.cosigned = cosigned(stranger.note('accounts'), NOW);
    expect((await served.round(state)).problems).toContainEqual(
      expect.stringMatching(/^the newest cosigned checkpoint of made\.example\/accounts is not trusted/),
    );
    served.log.cosigned = cosigned(before ?? '', NOW, ['three']);
    await served.round(state);
    expect(readFileSync(path(state, 'cosigned-checkpoint'), 'utf8')).toBe(served.log.cosigned);
  });

  test('are not dropped for new ones when their file is full, and the logs are watched', async () => {
    const served = new Served().grownTo(3 * EVERY);
    const state = newState();
    await served.round(state);
    const file = openSync(path(state, 'checkpoints.ndjson'), 'r+');
    // Without content but its last byte, it takes no room on the disk.
    writeSync(file, '\n', 2 ** 32 - 1);
    closeSync(file);
    const { problems, logs } = await served.grownTo(5 * EVERY).round(state);
    expect(problems.filter((problem) => problem.includes('is full: remove lines'))).toHaveLength(1);
    expect(logs.accounts?.tree_size).toBe(5 * EVERY);
    expect(statSync(path(state, 'checkpoints.ndjson')).size).toBe(2 ** 32);
    rmSync(path(state, 'checkpoints.ndjson'));
  });

  test('survive a kill, and a damaged copy is not taken for an equivocation', async () => {
    const served = new Served().grownTo(3 * EVERY);
    const state = newState();
    await served.round(state);
    const file = path(state, 'checkpoints.ndjson');
    appendFileSync(file, '{"note":"half a li');
    await served.grownTo(4 * EVERY).round(state);
    expect(sizesIn(state)).toEqual([200, 100, 0, 300, 400]);
    truncateSync(file, 20);
    await served.grownTo(5 * EVERY).round(state);
    expect(sizesIn(state)).toEqual([500]);
    writeFileSync(path(state, 'cosigned-checkpoint'), 'x');
    await expect(served.round(state)).rejects.toThrow('cosigned-checkpoint is damaged');
    rmSync(path(state, 'cosigned-checkpoint'));
    const tile = path(state, 'tile/0/000');
    const bytes = readFileSync(tile);
    bytes[40] = (bytes[40] ?? 0) ^ 1;
    writeFileSync(tile, bytes);
    await expect(served.round(state)).rejects.toThrow('its tiles do not match its entries');
    rmSync(tile);
    await expect(served.round(state)).rejects.toThrow('its tiles do not match its entries');
  });
});
