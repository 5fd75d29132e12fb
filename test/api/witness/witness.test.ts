import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { assert, asyncProperty, constantFrom, integer, oneof, string, uint8Array } from 'fast-check';
import { nativePrimitives, sha256Hex } from '../../../src/platform/crypto/crypto.ts';
import { encodeBase64 } from '../../../src/proof/encoding/base64.ts';
import {
  formatNote,
  parseNote,
  parseSignatureLines,
  parseVerifierKey,
  SIGNATURE_TYPES,
} from '../../../src/proof/log/note.ts';
import { checkNote } from '../../../src/proof/log/note-signature.ts';
import { concurrently } from '../../support/client.ts';
import { headOf } from '../../support/head.ts';
import { VirtualTime } from '../../support/virtual-time.ts';
import { body, openWitnessApp, SmallLog, type WitnessApp } from '../../support/witness.ts';
import { newNoteSigner } from '../../unit/proof/log/signed-notes.ts';

let app: WitnessApp;
let time: VirtualTime;
let names = 0;
/** Every test has a log of its own, of which nothing was cosigned. */
const logs = Array.from({ length: 40 }, (_, index) => new SmallLog(`log.example/${index}`));
const freshLog = (): SmallLog => logs[names++] ?? new SmallLog('none left');
const both = new SmallLog('log.example/both', 'leaf', [
  newNoteSigner('log.example/both', 'ed25519'),
  newNoteSigner('log.example/both', 'mlDsa44'),
]);

beforeAll(async () => {
  time = new VirtualTime(1_800_000_000_000);
  app = await openWitnessApp([...logs, both], {}, time);
});
afterAll(() => app.close());

const verifiers = () => app.service.vkeys.map((vkey) => parseVerifierKey(nativePrimitives, vkey));
const textOf = (note: string): string => parseNote(Buffer.from(note)).text;

/** The checks of the lines that the response to a note has. */
const checks = (note: string, lines: string) =>
  checkNote(
    nativePrimitives,
    { text: textOf(note), signatures: parseSignatureLines(lines) },
    verifiers(),
  ).map(({ key, verified, timestamp }) => [key.type, verified, timestamp]);

const GOOD = (seconds: number) => [
  [SIGNATURE_TYPES.cosignature, true, seconds],
  [SIGNATURE_TYPES.mlDsa44, true, seconds],
];

const kept = async (log: SmallLog): Promise<string | null> => {
  const path = `/${sha256Hex(log.origin)}/checkpoint`;
  const response = await app.fetch(new Request(`http://localhost${path}`));
  return response.status === 200 ? response.text() : null;
};

const sizeOf = async (log: SmallLog): Promise<number | null> => {
  const note = await kept(log);
  return note === null ? null : Number(note.split('\n')[1]);
};

describe('a checkpoint that follows the cosigned one', () => {
  test('is cosigned by both keys, stored with the signatures of its log, and shown to monitors', async () => {
    const log = freshLog();
    expect(await kept(log)).toBeNull();
    for (const [from, to] of [
      [0, 0],
      [0, 3],
      [3, 3],
      [3, 8],
      [8, 13],
    ] as const) {
      const { status, text, headers } = await app.add(log.submission(from, to));
      expect([from, to, status, headers.get('content-type')]).toEqual([
        from,
        to,
        200,
        'text/plain; charset=utf-8',
      ]);
      expect(checks(log.note(to), text)).toEqual(GOOD(1_800_000_000));
      expect(await kept(log)).toBe(`${log.note(to)}${text}`);
    }
  });

  test('has a time that never goes back', async () => {
    const log = freshLog();
    const clock = new VirtualTime(1_700_000_000_000);
    const other = await openWitnessApp([log], {}, clock);
    const seconds = async (from: number, to: number) => {
      const { text } = await other.add(log.submission(from, to));
      const [line] = parseSignatureLines(text);
      return Number(Buffer.from(line?.signature ?? []).readBigUInt64BE());
    };
    expect(await seconds(0, 1)).toBe(1_700_000_000);
    clock.advance(-5000);
    expect(await seconds(1, 2)).toBe(1_700_000_000);
    clock.advance(7000);
    expect(await seconds(2, 2)).toBe(1_700_000_002);
    await other.close();
  });

  test.each([61_000, -61_000, 10 * 365 * 86_400_000])(
    'is not cosigned while the clock of the witness is wrong by %d ms, and then with the right time',
    async (jump) => {
      const log = freshLog();
      const clock = new VirtualTime(1_700_000_000_000);
      const other = await openWitnessApp([log], {}, clock);
      expect((await other.add(log.submission(0, 1))).status).toBe(200);
      clock.jump(jump);
      const { status, text } = await other.add(log.submission(1, 2));
      expect([status, text]).toEqual([503, expect.stringContaining('clock of this witness was changed')]);
      const health = await other.fetch(new Request('http://localhost/health'));
      expect([health.status, await health.text()]).toEqual([
        503,
        expect.stringContaining('The clock was set'),
      ]);
      clock.jump(-jump);
      const right = await other.add(log.submission(1, 2));
      const [line] = parseSignatureLines(right.text);
      expect([right.status, Buffer.from(line?.signature ?? []).readBigUInt64BE()]).toEqual([
        200,
        1_700_000_000n,
      ]);
      await other.close();
    },
  );

  test('has all that its log signed and the witness verified, and nothing else', async () => {
    const stranger = newNoteSigner('elsewhere.example', 'ed25519');
    const note = both.note(4, [...both.signers, stranger]);
    const { status, text } = await app.add(body(0, [], note));
    expect([status, checks(note, text)]).toEqual([200, GOOD(1_800_000_000)]);
    const { signatures } = parseNote(Buffer.from((await kept(both)) ?? ''));
    expect(signatures.map(({ name }) => name)).toEqual([
      both.origin,
      both.origin,
      'witness.example/w1',
      'witness.example/w1',
    ]);
    // A line that is repeated leaves room for the witness's own.
    const crowded = both.note(5, Array(63).fill(both.signers[0]));
    expect((await app.add(body(4, both.proof(4, 5), crowded))).status).toBe(200);
    expect(parseNote(Buffer.from((await kept(both)) ?? '')).signatures).toHaveLength(3);
    // A log that rotates its keys signs with one of those that are trusted, and one of these is enough.
    const [, mlDsa] = both.signers;
    expect((await app.add(body(5, both.proof(5, 6), both.note(6, mlDsa ? [mlDsa] : [])))).status).toBe(200);
  });
});

describe('a witness refuses', () => {
  const refusals: [string, number, (log: SmallLog) => string, RegExp][] = [
    ['an unknown origin', 404, () => new SmallLog('unknown.example').submission(0, 5), /does not know/],
    ['no signature at all', 403, (log) => body(8, [], `${textOf(log.note(8))}\n`), /has no signature/],
    [
      'a signature by a stranger alone',
      403,
      (log) => body(8, [], log.note(8, [newNoteSigner(log.origin, 'ed25519')])),
      /no trusted key/,
    ],
    [
      'a signature of a trusted key that does not verify',
      403,
      (log) => body(8, [], log.note(8).replace('\n8\n', '\n9\n')),
      /is invalid/,
    ],
    [
      'a good signature beside a wrong one',
      403,
      (log) => body(8, [], `${log.note(8)}${log.note(9).split('\n\n')[1]}`),
      /is invalid/,
    ],
    [
      'a cosignature key of the name that is no key of the log',
      403,
      (log) => body(8, [], log.note(8, [newNoteSigner(log.origin, 'cosignature')])),
      /no trusted key/,
    ],
    ['an old size above the new', 400, (log) => body(9, [], log.note(8)), /old size exceeds/],
    ['an old size that is not the cosigned one', 409, (log) => log.submission(4, 9), /^8\n$/],
    ['an old size of zero, to learn the right one', 409, (log) => log.submission(0, 9), /^8\n$/],
    ['a smaller tree than the cosigned one', 409, (log) => log.submission(4, 6), /^8\n$/],
    ['a proof that is missing', 422, (log) => body(8, [], log.note(9)), /does not show/],
    ['a proof of other sizes', 422, (log) => body(8, log.proof(4, 9), log.note(9)), /does not show/],
    [
      'a proof with a hash too many',
      422,
      (log) => body(8, [...log.proof(8, 9), encodeBase64(log.root(1))], log.note(9)),
      /does not show/,
    ],
    [
      'a tree that does not contain the cosigned one',
      422,
      (log) => log.fork('other').submission(8, 12),
      /does not show/,
    ],
    ['another root at the same size', 409, (log) => log.fork('other').submission(8, 8), /different root/],
    ['a proof at the same size', 422, (log) => body(8, log.proof(4, 8), log.note(8)), /must be empty/],
  ];

  test.each(refusals)('%s: %i', async (_name, status, make, said) => {
    const log = freshLog();
    expect((await app.add(log.submission(0, 8))).status).toBe(200);
    const before = await kept(log);
    const response = await app.add(make(log));
    expect([response.text, response.status]).toEqual([response.text, status]);
    expect(response.text).toMatch(said);
    expect(response.text).not.toContain('—');
    expect(response.headers.get('content-type')).toBe(
      /^\d+\n$/.test(response.text) ? 'text/x.tlog.size' : 'text/plain; charset=utf-8',
    );
    expect(await kept(log)).toBe(before);
  });

  test('for a log of which nothing was cosigned: a wrong root at size 0, a proof from nothing, another old size', async () => {
    const log = freshLog();
    const [signer] = log.signers;
    const text = `${log.origin}\n0\n${encodeBase64(log.root(1))}\n`;
    const zero = formatNote({ text, signatures: signer ? [signer.sign(text)] : [] });
    for (const [given, status, said] of [
      [body(0, [], zero), 422, /size 0 must be the hash of the empty string/],
      [body(0, log.proof(1, 3), log.note(3)), 422, /must be empty/],
      [log.submission(2, 3), 409, /^0\n$/],
    ] as const) {
      const response = await app.add(given);
      expect([response.status, response.text]).toEqual([status, expect.stringMatching(said)]);
    }
    expect(await kept(log)).toBeNull();
  });

  test.each([
    ['nothing', ''],
    ['no empty line', 'old 0\n'],
    ['no old size', '\n\nnote'],
    ['a size with a leading zero', 'old 00'],
    ['a negative size', 'old -1'],
    ['a size with a sign', 'old +1'],
    ['a size beyond 2^53', 'old 9007199254740992'],
    ['another word', 'new 1'],
    ['two spaces', 'old  1'],
    ['a carriage return', 'old 0\r'],
    ['a proof line that is not base64', 'old 1\n!!!'],
    ['a proof line of 31 bytes', `old 1\n${encodeBase64(new Uint8Array(31))}`],
    [
      '64 proof lines',
      `old 1\n${Array(64)
        .fill(encodeBase64(new Uint8Array(32)))
        .join('\n')}`,
    ],
    ['bytes that are no UTF-8', new Uint8Array([0x6f, 0x6c, 0x64, 0x20, 0x30, 0xff])],
  ])('a malformed head: %s: 400', async (_name, head) => {
    const rest = `\n\n${logs[0]?.note(20)}`;
    const whole =
      typeof head === 'string'
        ? `${head}${head === '' ? '' : rest}`
        : new Uint8Array(Buffer.concat([head, Buffer.from(rest)]));
    const { status, text } = await app.add(whole);
    expect([text, status]).toEqual([text, 400]);
  });

  test.each([
    ['a size that is none', (note: string) => note.replace('\n20\n', '\n020\n')],
    ['a root that is none', (note: string) => note.replace(/\n[^\n]{44}\n/, '\nAAAA\n')],
    ['no newline at the end', (note: string) => note.trimEnd()],
    ['a signature line that is none', (note: string) => `${note}— x\n`],
    ['a control character', (note: string) => note.replace('\n20\n', '\n20\t\n')],
    ['one line', () => 'log.example/0\n'],
  ])('a malformed checkpoint: %s: 400', async (_name, change) => {
    const { status, text } = await app.add(`old 0\n\n${change(logs[0]?.note(20) ?? '')}`);
    expect([text, status]).toEqual([text, 400]);
  });
});

describe('a log that forks', () => {
  test('is written to the log of the witness, and both notes are kept, once a tree', async () => {
    const log = freshLog();
    const forked = log.fork('other');
    await app.add(log.submission(0, 8));
    const cosigned = await kept(log);
    const before = readdirSync(join(app.directory, 'forks')).length;
    for (const submission of [
      forked.submission(8, 8),
      forked.submission(8, 8),
      // Another old size does not hide it.
      forked.submission(4, 8),
      forked.submission(8, 11),
    ]) {
      expect([409, 422]).toContain((await app.add(submission)).status);
    }
    const files = readdirSync(join(app.directory, 'forks')).filter((name) =>
      name.includes(sha256Hex(log.origin).slice(0, 16)),
    );
    expect(files.map((name) => name.split('-')[0]).sort()).toEqual(['fork', 'suspicious']);
    expect(readdirSync(join(app.directory, 'forks'))).toHaveLength(before + 2);
    for (const name of files) {
      const text = readFileSync(join(app.directory, 'forks', name), 'utf8');
      expect(text).toContain(cosigned ?? 'none');
      expect(text).toContain(forked.note(name.startsWith('fork') ? 8 : 11));
      expect(statSync(join(app.directory, 'forks', name)).mode & 0o777).toBe(0o600);
    }
    const said = app
      .logged()
      .split('\n')
      .filter((line) => line.includes(`"origin":"${log.origin}"`))
      .map((line) => [JSON.parse(line).level, JSON.parse(line).msg]);
    const fork = 'the log has forked: it signed two different trees of the same size';
    expect(said).toEqual([
      [50, fork],
      [20, fork],
      [20, fork],
      [40, expect.stringContaining('no valid consistency proof')],
    ]);
  });

  test('fills no disk with evidence', async () => {
    const log = freshLog();
    await app.add(log.submission(0, 1));
    await concurrently([...Array(120).keys()], 8, (index) => app.add(body(1, [], log.note(index + 2))));
    const prefix = `suspicious-${sha256Hex(log.origin).slice(0, 16)}`;
    const files = readdirSync(join(app.directory, 'forks')).filter((name) => name.startsWith(prefix));
    expect(files).toHaveLength(100);
  });
});

/** A repeated line adds nothing: a note with a repeated signature is the same note. */
function withoutRepetition(text: string): string {
  const lines = text.split('\n');
  return lines.filter((line, at) => line === '' || lines.indexOf(line) === at).join('\n');
}

describe('any input to a witness', () => {
  test('malformed bodies are refused, never with 500, and nothing is signed', async () => {
    const log = freshLog();
    await app.add(log.submission(0, 8));
    const before = await kept(log);
    const good = log.submission(8, 13);
    const edited = integer({ min: 0, max: good.length - 1 }).chain((at) =>
      oneof(
        constantFrom('', '\n', ' ', '0', '—', '\0', 'A=').map(
          (part) => good.slice(0, at) + part + good.slice(at + 1),
        ),
        integer({ min: 0, max: good.length }).map((to) => good.slice(0, at) + good.slice(to)),
      ),
    );
    const anything = oneof(
      string({ maxLength: 300 }),
      uint8Array({ maxLength: 300 }).map((bytes) => new Uint8Array(bytes)),
      edited.filter((text) => withoutRepetition(text) !== good),
    );
    await assert(
      asyncProperty(anything, async (given) => {
        const { status, text } = await app.add(given);
        if (status === 200) {
          // Only what leaves the signed text and the proof as they were: a line of a stranger, at most.
          expect([text, String(given)]).toEqual(['nothing', 'was to be signed']);
        }
        expect([400, 403, 404, 409, 422]).toContain(status);
      }),
      { numRuns: 1500 },
    );
    expect(await kept(log)).toBe(before);
  }, 180_000);

  test('many checkpoints at once never take the cosigned size back, and of two next trees one wins', async () => {
    const log = freshLog();
    const sizes = [...Array(40).keys()].map((index) => index + 1);
    const seen: number[] = [];
    const signed = new Map<number, string>();
    await concurrently(sizes, 16, async (size) => {
      let old = 0;
      for (;;) {
        const { status, text } = await app.add(
          old > size ? log.submission(0, size) : log.submission(old, size),
        );
        const now = await sizeOf(log);
        seen.push(now ?? 0);
        if (status === 200) {
          signed.set(size, text);
          return;
        }
        expect(status).toBe(409);
        old = Number(text);
        if (old >= size) return;
      }
    });
    expect(await sizeOf(log)).toBe(40);
    for (const [size, text] of signed) expect(checks(log.note(size), text)).toEqual(GOOD(1_800_000_000));

    const raced = freshLog();
    await app.add(raced.submission(0, 5));
    const responses = await Promise.all(
      [...Array(20).keys()].map((index) => {
        const branch = index % 2 === 0 ? raced : raced.fork('other');
        return app.add(body(5, index % 2 === 0 ? raced.proof(5, 6) : [], branch.note(6)));
      }),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 409 || status === 422)).toHaveLength(19);
  });
});

describe('a witness over HTTP', () => {
  const ask = async (method: string, path: string, more: RequestInit = {}) => {
    const response = await app.fetch(new Request(`http://localhost${path}`, { method, ...more }));
    return { status: response.status, text: await response.text(), headers: response.headers };
  };

  test('refuses other methods, other paths and large bodies', async () => {
    expect(await ask('GET', '/add-checkpoint')).toMatchObject({
      status: 405,
      text: 'method not allowed; use POST\n',
    });
    const refused = await ask('DELETE', `/${'0'.repeat(64)}/checkpoint`);
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect(await ask('GET', '/nothing')).toMatchObject({ status: 404, text: 'not found\n' });
    expect((await ask('GET', `/${'A'.repeat(64)}/checkpoint`)).status).toBe(404);
    expect((await ask('GET', `/${'0'.repeat(64)}/checkpoint`)).status).toBe(404);
    const large = await ask('POST', '/add-checkpoint', { body: 'x'.repeat(65_537) });
    expect([large.status, large.text]).toEqual([413, 'The body is larger than 65536 bytes.\n']);
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(8192)),
    });
    expect((await ask('POST', '/add-checkpoint', { body: stream })).status).toBe(413);
    expect((await ask('POST', '/add-checkpoint', { body: 'x'.repeat(65_536) })).status).toBe(400);
  });

  test('responds to two Host headers with one clear 400', async () => {
    const refused = await ask('GET', '/', { headers: { host: 'a.example, b.example' } });
    expect([refused.status, refused.text]).toEqual([400, 'The Host header is given more than once.\n']);
  });

  test('has a page with its keys, its health, HEAD as GET, and headers on every response', async () => {
    const page = await ask('GET', '/');
    for (const part of ['witness.example/w1', ...app.service.vkeys, 'log.example/both']) {
      expect(page.text).toContain(part);
    }
    for (const path of ['/health', '/api/health']) {
      expect(await ask('GET', path)).toMatchObject({ status: 200, text: 'healthy\n' });
    }
    const head = await headOf(app.fetch, '/');
    expect([head.status, head.rest]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(page.text)));
    for (const { headers } of [page, head, await ask('PUT', '/')]) {
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    }
  });

  test('limits submissions by client address', async () => {
    const log = new SmallLog('limited.example');
    const limited = await openWitnessApp([log], { rate_limits: 'on', 'limits.submissions': '3' });
    const submit = (peer: string) =>
      limited.fetch(
        new Request('http://localhost/add-checkpoint', { method: 'POST', body: log.submission(0, 1) }),
        peer,
      );
    const statuses: number[] = [];
    for (let turn = 0; turn < 4; turn++) statuses.push((await submit('203.0.113.1')).status);
    expect(statuses).toEqual([200, 409, 409, 429]);
    const refused = await submit('203.0.113.1');
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 61);
    expect((await submit('203.0.113.2')).status).toBe(409);
    await limited.close();
  });

  test('reports that it is stopping', () => {
    expect(app.service.app().unavailable(new Request('http://localhost/')).status).toBe(503);
  });
});

describe('a witness on a full disk', () => {
  test('returns no cosignature', async () => {
    const log = new SmallLog('full.example');
    const full = await openWitnessApp([log]);
    expect((await full.add(log.submission(0, 3))).status).toBe(200);
    const { store } = full.service.witness;
    await store.writeAsService(({ connection: { sqlite } }) => {
      sqlite.run(
        "CREATE TEMP TRIGGER full BEFORE UPDATE ON witnessed_log BEGIN SELECT RAISE(ABORT, 'no'); END",
      );
    });
    const { status, text } = await full.add(log.submission(3, 5));
    expect([status, text]).toEqual([500, 'unexpected failure\n']);
    await full.close();
  });

  test('has a database that itself never goes back', async () => {
    const log = new SmallLog('guarded.example');
    const guarded = await openWitnessApp([log]);
    await guarded.add(log.submission(0, 3));
    const sqlite = new Database(join(guarded.directory, 'witness.db'));
    for (const change of [
      'UPDATE witnessed_log SET size = 2',
      "UPDATE witnessed_log SET root = x'00'",
      'UPDATE witnessed_log SET cosigned_at = 1',
      'DELETE FROM witnessed_log',
      "UPDATE identity SET name = 'x'",
      'DELETE FROM identity',
      'DELETE FROM cosigning_key',
    ]) {
      expect(() => sqlite.run(change)).toThrow();
    }
    sqlite.close();
    await guarded.close();
  });

  test('refuses a fork even where the evidence cannot be written', async () => {
    const log = new SmallLog('evidence.example');
    const blocked = await openWitnessApp([log]);
    await blocked.add(log.submission(0, 3));
    const forks = join(blocked.directory, 'forks');
    rmSync(forks, { recursive: true, force: true });
    await Bun.write(forks, 'a file');
    expect((await blocked.add(log.fork('other').submission(3, 3))).status).toBe(409);
    expect(blocked.logged()).toContain('could not save evidence against a log');
    await blocked.close();
  });
});

test('the metrics of a witness cover every log', async () => {
  const log = new SmallLog('figures.example');
  const other = await openWitnessApp([log]);
  await other.add(log.submission(0, 3));
  const read = async (name: string) =>
    (await other.service.background()).metrics.find((figure) => figure.name === name)?.read();
  expect(await read('countersign_witnessed_tree_size')).toEqual([{ labels: { log: log.origin }, value: 3 }]);
  const [age] = (await read('countersign_witnessed_age_seconds')) ?? [];
  expect(age?.value).toBeWithin(0, 10);
  await other.close();
});
