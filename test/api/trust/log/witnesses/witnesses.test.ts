import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { nativePrimitives } from '../../../../../src/platform/crypto/crypto.ts';
import { takeDataDirectory } from '../../../../../src/platform/data-directory.ts';
import { createMetrics } from '../../../../../src/platform/monitoring/metrics.ts';
import { hexToBytes } from '../../../../../src/proof/encoding/hex.ts';
import { LOG_NAMES, mapLogs } from '../../../../../src/proof/log/log-names.ts';
import {
  formatVerifierKey,
  keyIdOf,
  type NoteSignature,
  parseNote,
  parseVerifierKey,
  SIGNATURE_TYPES,
  signatureLine,
  type VerifierKey,
} from '../../../../../src/proof/log/note.ts';
import { checkNote } from '../../../../../src/proof/log/note-signature.ts';
import { quorumOf, readWitnessPolicy } from '../../../../../src/trust/log/witnesses/policy.ts';
import { openWitnesses } from '../../../../../src/trust/log/witnesses/witnesses.ts';
import { openWitness, type WitnessService } from '../../../../../src/witness/service.ts';
import { finalized, latest } from '../../../../support/log.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';
import { newNoteSigner } from '../../../../unit/proof/log/signed-notes.ts';

let directory: string;
let app: TrustApp | null = null;
let time: VirtualTime;
const closing: (() => unknown)[] = [];
const LOGS = LOG_NAMES;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-witnesses-'));
  time = new VirtualTime();
});
afterEach(async () => {
  await app?.close();
  app = null;
  for (const close of closing.splice(0).reverse()) await close();
  rmSync(directory, { recursive: true });
});

const file = (name: string, text: string): string => {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
};

type Answer = (request: Request) => Response | Promise<Response>;

/** Something that listens and answers as a witness, or does not. */
function station(response: Answer): { url: string; requests: string[] } {
  const requests: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      requests.push(await request.clone().text());
      return response(request);
    },
  });
  closing.push(() => server.stop(true));
  return { url: `http://127.0.0.1:${server.port}`, requests };
}

/** A service whose policy has these witnesses, each at an address. */
async function openWith(witnesses: { name: string; key: VerifierKey; url: string }[], quorum = 'none') {
  const lines = witnesses.map(({ name, key, url }) => `witness ${name} ${formatVerifierKey(key)} ${url}\n`);
  app = await openTrustApp(
    { 'log.witness_policy': file('witnesses.policy', `${lines.join('')}quorum ${quorum}\n`) },
    time,
  );
  return app;
}

const ask = async (own: TrustApp): Promise<void> => {
  for (const job of (await own.service.background()).tasks.filter(({ name }) => name.startsWith('ask ')))
    await job.run();
};
const publish = (own: TrustApp) => own.service.trust.log.publisher.publish();

/** A witness of its own, which knows the logs of the service on localhost:3000. */
async function realWitness(own: TrustApp): Promise<WitnessService> {
  const lines: string[] = [];
  for (const log of LOGS) {
    const response = await own.fetch(new Request(`http://localhost/log/${log}/vkeys`));
    lines.push(await response.text());
  }
  const data = takeDataDirectory(join(directory, 'witness'));
  const config = {
    name: 'witness.example/w1',
    logs: file('logs.policy', `${lines.join('')}quorum none\n`),
    rate_limits: 'off',
  };
  const service = await openWitness(data, new Map(Object.entries(config)), pino({ level: 'silent' }), {
    clock: time,
  });
  closing.push(async () => {
    await service.close();
    data.release();
  });
  return service;
}

const value = async (own: TrustApp, name: string): Promise<Record<string, number>> => {
  const rows =
    (await (await own.service.background()).metrics.find((metric) => metric.name === name)?.read()) ?? [];
  return Object.fromEntries(rows.map(({ labels, value: is }) => [Object.values(labels).join(' '), is]));
};

/** A witness that signs whatever it is shown, with or without faults. */
function signing(
  change: (lines: NoteSignature[], text: string) => NoteSignature[] | Response = (lines) => lines,
  types: ('cosignature' | 'mlDsa44')[] = ['cosignature'],
) {
  const signers = types.map((type) => newNoteSigner('witness.example/s', type));
  const { url, requests } = station(async (request) => {
    const body = await request.text();
    const { text } = parseNote(Buffer.from(body.slice(body.indexOf('\n\n') + 2)));
    const lines = change(
      signers.map((signer) => signer.sign(text)),
      text,
    );
    return lines instanceof Response ? lines : new Response(lines.map(signatureLine).join(''));
  });
  return { url, requests, signers, keys: signers.map(({ key }) => key) };
}

describe('a witness that cosigns a checkpoint', () => {
  test('has its lines below the note, wherever the checkpoint is shown, and the ETag changes', async () => {
    const { url, keys, requests } = signing(undefined, ['cosignature', 'mlDsa44']);
    const own = await openWith(
      keys.map((key, index) => ({ name: `w${index}`, key, url })),
      'w0',
    );
    expect(await value(own, 'countersign_log_quorum_met')).toEqual(mapLogs(() => 0));
    const receipt = await finalized(own.own);
    await publish(own);
    const path = '/api/v1/receipts/checkpoints/latest';
    const before = await own.fetch(new Request(`http://localhost${path}`));
    const plain: Record<string, unknown> = JSON.parse(await before.text());
    const etag = before.headers.get('etag') ?? '';
    const cached = () =>
      own.fetch(new Request(`http://localhost${path}`, { headers: { 'if-none-match': etag } }));
    expect((await cached()).status).toBe(304);

    await ask(own);
    // One request for both keys of one address, a log each.
    expect(requests).toHaveLength(LOGS.length);
    const after = await cached();
    expect(after.status).toBe(200);
    expect(after.headers.get('etag')).not.toBe(etag);
    const { body } = await latest(own.anyone);
    expect({ ...body, note: null }).toEqual({ ...plain, note: null });
    const note = String(body.note);
    expect(note).toStartWith(String(plain.note));
    const problems = checkNote(nativePrimitives, parseNote(Buffer.from(note)), keys);
    expect(problems.map(({ verified }) => verified)).toEqual([true, true]);

    const manifest = (await own.anyone.get(`/api/v1/receipts/${receipt.receipt_id}/public-manifest`)).body;
    expect(Object(manifest.inclusion_path).checkpoint).toBe(note);
    for (const place of ['/log/receipts/checkpoint', `/api/v1/receipts/${receipt.receipt_id}/proof`]) {
      const response = await own.fetch(new Request(`http://localhost${place}`));
      expect([place, await response.text()]).toEqual([place, expect.stringContaining(note)]);
    }
    const list = (await own.anyone.get('/api/v1/receipts/checkpoints?limit=1')).body;
    expect(Object(list.checkpoints)[0].note).toBe(note);
    expect(await value(own, 'countersign_log_quorum_met')).toEqual(mapLogs(() => 1));

    // Nothing is asked for twice.
    await ask(own);
    expect(requests).toHaveLength(LOGS.length);
    // What was cosigned stays with its checkpoint, and the next has none yet.
    await finalized(own.own);
    await publish(own);
    expect((await latest(own.anyone)).body.note).not.toContain('witness.example/s');
    expect(await value(own, 'countersign_log_quorum_met')).toEqual(mapLogs(() => 1));
    const both = (await own.anyone.get('/api/v1/receipts/checkpoints?limit=2')).body;
    expect(Object(both.checkpoints)[1].note).toBe(note);
    time.advance(5000);
    const ages = await value(own, 'countersign_witness_cosignature_age_seconds');
    expect(ages['w0 receipts']).toBe(5);
    expect(Object.keys(ages)).toHaveLength(2 * LOGS.length);
  });

  test('is asked again from the size that it has cosigned, and after a restart it says which', async () => {
    const settings = { 'log.origin': 'log.example' };
    const first = await openTrustApp(settings, time);
    const vkeys: string[] = [];
    for (const log of LOGS) {
      vkeys.push(await (await first.fetch(new Request(`http://localhost/log/${log}/vkeys`))).text());
    }
    expect(vkeys[0]).toMatch(
      /^log log\.example\/receipts\+[0-9a-f]{8}\+A\S+\nlog log\.example\/receipts\+\S+\n$/,
    );
    app = first;
    const witness = await realWitness(first);
    const { fetch: cosign } = witness.app();
    const { url, requests } = station((request) => cosign(request));
    const policy = witness.vkeys.map((vkey, index) => `witness w${index} ${vkey} ${url}\n`);
    const path = file('witnesses.policy', `${policy.join('')}group all-of-it all w0 w1\nquorum all-of-it\n`);
    const { trust } = first.service;
    const isMet = quorumOf(readWitnessPolicy(path));
    const open = () =>
      openWitnesses(trust, readWitnessPolicy(path), {
        resolve: async () => ['127.0.0.1'],
        log: pino({ level: 'silent' }),
        failed: () => undefined,
      });
    const witnesses = await open();
    const round = async (of = witnesses) => {
      time.advance(4000);
      await finalized(first.own);
      await publish(first);
      await of.tasks[0]?.run();
      expect(isMet?.(trust.log.publisher.latest('receipts').cosignatures)).toBe(true);
      return requests.map((body) => body.split('\n')[0]).splice(0);
    };
    expect((await round()).sort()).toEqual(LOGS.map(() => 'old 0'));
    requests.length = 0;
    expect(await round()).toEqual(['old 1']);
    requests.length = 0;
    const restarted = await open();
    expect(
      restarted.age(
        { name: 'w0', key: parseVerifierKey(nativePrimitives, witness.vkeys[0] ?? '') },
        'receipts',
      ),
    ).toBe(0);
    // It does not know any more; it asks once, learns it, and asks again.
    expect(await round(restarted)).toEqual(['old 0', 'old 2']);
    requests.length = 0;
    expect(await round(restarted)).toEqual(['old 3']);
    const keys = witness.vkeys.map((vkey) => parseVerifierKey(nativePrimitives, vkey));
    const { body } = await latest(first.anyone);
    const problems = checkNote(nativePrimitives, parseNote(Buffer.from(String(body.note))), keys);
    expect(problems.map(({ verified }) => verified)).toEqual([true, true]);
  });
});

describe('a witness that does not cosign:', () => {
  const garbage: [string, string, Answer][] = [
    ['a redirect', 'refused', () => Response.redirect('http://127.0.0.1:9/')],
    ['a page', 'answer', () => new Response('<html>hello</html>')],
    ['nothing', 'answer', () => new Response('')],
    ['bytes that are no UTF-8', 'answer', () => new Response(new Uint8Array([0xe2, 0x80, 0x94, 0xff]))],
    ['a huge answer', 'answer', () => new Response('— '.repeat(1_000_000))],
    [
      'an answer without end',
      'answer',
      () => new Response(new ReadableStream({ pull: (c) => c.enqueue(new Uint8Array(65_536)) })),
    ],
    ['an error', 'refused', () => new Response('no', { status: 500 })],
    ['404', 'refused', () => new Response('unknown', { status: 404 })],
    ['204', 'refused', () => new Response(null, { status: 204 })],
    ['409 that is no size', 'answer', () => size('five\n')],
    ['409 without newline', 'answer', () => size('5')],
    ['409 with a size beyond 2^53', 'answer', () => size('9007199254740993\n')],
    ['a size beyond the log', 'ahead', () => size('1000\n')],
    ['422', 'fork', () => new Response('no', { status: 422 })],
  ];
  const size = (text: string): Response =>
    new Response(text, { status: 409, headers: { 'content-type': 'text/x.tlog.size' } });

  test.each(garbage)('%s: counted as %s, and nothing is kept', async (_name, reason, response) => {
    const { key } = newNoteSigner('witness.example/s', 'cosignature');
    const { url } = station(response);
    const own = await openWith([{ name: 'w', key, url }]);
    const before = (await latest(own.anyone)).body;
    await ask(own);
    expect((await latest(own.anyone)).body).toEqual(before);
    expect(own.logged()).toContain(`"reason":"${reason}"`);
    // Publishing goes on.
    await finalized(own.own);
    await publish(own);
    expect((await latest(own.anyone)).checkpoint.size).toBe(1);
    const health = await own.anyone.get('/api/health');
    expect([health.status, health.body.status]).toEqual([200, 'ok']);
    if (reason === 'ahead' || reason === 'fork') {
      expect(own.logged()).toContain('was the log restored to an older state');
      // Whoever runs it hears of it there as well; a witness alone takes nobody's service down.
      expect(Object(health.body.problems)).toEqual(
        LOGS.map((log) =>
          expect.stringContaining(`The witness w knows more of the log of ${log}, or another tree`),
        ),
      );
    } else {
      expect(health.body.problems).toEqual([]);
    }
  });

  const conflicts: [string, (size: number) => Response, string][] = [
    ['without a size', () => new Response('no\n', { status: 409 }), 'fork'],
    ['with that size', (of) => size(`${of}\n`), 'fork'],
    ['with a smaller size, again and again', (of) => size(`${of - 1}\n`), 'conflict'],
    ['with a larger size', (of) => size(`${of + 1}\n`), 'ahead'],
    ['with a malformed size', (of) => size(`+${of}\n`), 'answer'],
  ];
  test.each(conflicts)(
    '409 %s, to a request whose old size is the size of the checkpoint',
    async (_name, response, reason) => {
      const { url } = station(async (request) => {
        const lines = (await request.text()).split('\n');
        const [old, to] = [lines[0], Number(lines[lines.indexOf('') + 2])];
        return old === `old ${to}` ? response(to) : size(`${to}\n`);
      });
      const own = await openWith([
        { name: 'w', key: newNoteSigner('witness.example/s', 'cosignature').key, url },
      ]);
      await finalized(own.own);
      await publish(own);
      await ask(own);
      const failures = own
        .logged()
        .split('\n')
        .filter((line) => line.includes('"log":"receipts"'));
      expect(failures).toHaveLength(1);
      expect(failures[0]).toContain(`"reason":"${reason}"`);
      const isDispute = reason === 'fork' || reason === 'ahead';
      expect(JSON.parse(failures[0] ?? '{}').level).toBe(isDispute ? 50 : 40);
      const { problems } = (await own.anyone.get('/api/health')).body;
      expect(JSON.stringify(problems).includes('log of receipts')).toBe(isDispute);
    },
  );

  test('409 without a size, to a request with another old size: counted as answer', async () => {
    const { url } = station(() => new Response('5\n', { status: 409 }));
    const own = await openWith([
      { name: 'w', key: newNoteSigner('witness.example/s', 'cosignature').key, url },
    ]);
    await finalized(own.own);
    await publish(own);
    await ask(own);
    expect(own.logged()).toMatch(/"log":"receipts","reason":"answer"/);
  });

  test.each([
    ['a signature over another checkpoint', (lines: NoteSignature[]) => lines],
    ['a signature by another key', null],
    ['a line of a stranger alone', undefined],
  ] as const)('%s', async (_name, kind) => {
    const stranger = newNoteSigner('stranger.example', 'cosignature');
    const honest = newNoteSigner('witness.example/s', 'cosignature');
    const { url } = station(async (request) => {
      const body = await request.text();
      const { text } = parseNote(Buffer.from(body.slice(body.indexOf('\n\n') + 2)));
      const other = text.replace(/\n\d+\n/, '\n77\n');
      if (kind === undefined) return new Response(signatureLine(stranger.sign(text)));
      if (kind === null) {
        return new Response(
          signatureLine({ ...stranger.sign(text), name: honest.key.name, keyId: honest.key.keyId }),
        );
      }
      return new Response(signatureLine(honest.sign(other)));
    });
    const own = await openWith([{ name: 'w', key: honest.key, url }]);
    await ask(own);
    expect((await latest(own.anyone)).body.note).not.toContain('example/s');
    expect(own.logged()).toContain('"reason":"signature"');
  });

  test('a cosignature of an earlier checkpoint', async () => {
    const first = new Map<string, NoteSignature[]>();
    const { url, keys } = signing((lines, text) => {
      const [origin = ''] = text.split('\n');
      first.set(origin, first.get(origin) ?? lines);
      return first.get(origin) ?? lines;
    });
    const own = await openWith(keys.map((key) => ({ name: 'w', key, url })));
    await ask(own);
    expect((await latest(own.anyone)).body.note).toContain('example/s');
    await finalized(own.own);
    await publish(own);
    time.advance(4000);
    await ask(own);
    expect((await latest(own.anyone)).body.note).not.toContain('example/s');
    expect(own.logged()).toContain('"log":"receipts","reason":"signature"');
  });

  test('one that cuts the connection', async () => {
    const { key } = newNoteSigner('witness.example/s', 'cosignature');
    const cut = Bun.listen({
      hostname: '127.0.0.1',
      port: 0,
      socket: {
        data(socket) {
          socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n\u2014 witness');
          socket.end();
        },
      },
    });
    closing.push(() => cut.stop(true));
    const own = await openWith([{ name: 'w', key, url: `http://127.0.0.1:${cut.port}` }]);
    await ask(own);
    expect(own.logged().match(/"reason":"unreachable"/g)).toHaveLength(LOGS.length);
    expect((await latest(own.anyone)).body.note).not.toContain('example/s');
  });

  test('of several lines, only the first valid one of a known key is stored', async () => {
    const stranger = newNoteSigner('stranger.example', 'cosignature');
    const { url, keys } = signing((lines, text) => [stranger.sign(text), ...lines, ...lines]);
    const own = await openWith(keys.map((key) => ({ name: 'w', key, url })));
    await ask(own);
    const note = String((await latest(own.anyone)).body.note);
    expect(note.match(/witness\.example\/s/g)).toHaveLength(1);
    expect(note).not.toContain('stranger');
  });

  test('a time of zero is no cosignature', async () => {
    const signer = newNoteSigner('witness.example/s', 'mlDsa44');
    const { url } = signing((_lines, text) => [signer.sign(text, 0)]);
    const own = await openWith([{ name: 'w', key: signer.key, url }]);
    await ask(own);
    expect((await latest(own.anyone)).body.note).not.toContain('example/s');
  });

  test('a slow one times out after five seconds, and does not delay another', async () => {
    const { key } = newNoteSigner('slow.example', 'cosignature');
    const slow = station(() => new Promise<Response>(() => undefined));
    const dripping = station(
      () =>
        new Response(
          new ReadableStream({
            async pull(controller) {
              await Bun.sleep(200);
              controller.enqueue(new Uint8Array([0x20]));
            },
          }),
        ),
    );
    const good = signing();
    const own = await openWith([
      { name: 'slow', key, url: slow.url },
      { name: 'dripping', key: newNoteSigner('dripping.example', 'cosignature').key, url: dripping.url },
      ...good.keys.map((of) => ({ name: 'good', key: of, url: good.url })),
    ]);
    const jobs = (await own.service.background()).tasks.filter(({ name }) => name.startsWith('ask '));
    expect(jobs.map(({ name }) => name)).toEqual(['ask slow', 'ask dripping', 'ask good']);
    const since = performance.now();
    const [first, second, third] = jobs.map((job) => job.run());
    await third;
    expect(performance.now() - since).toBeLessThan(2000);
    expect((await latest(own.anyone)).body.note).toContain('witness.example/s');
    await Promise.all([first, second]);
    expect(performance.now() - since).toBeWithin(4500, 8000);
    expect(own.logged().match(/"reason":"unreachable"/g)).toHaveLength(2 * LOGS.length);
  }, 180_000);

  test('pauses longer after every failure, and is asked again when the pause ends', async () => {
    let isUp = false;
    const { url, keys, requests } = signing((lines) => (isUp ? lines : new Response('no', { status: 503 })));
    const own = await openWith(keys.map((key) => ({ name: 'w', key, url })));
    const asked = async (ms: number): Promise<number> => {
      time.advance(ms);
      requests.length = 0;
      await ask(own);
      return requests.length / LOGS.length;
    };
    expect(await asked(0)).toBe(1);
    const turns: number[] = [];
    for (const ms of [1999, 1, 3999, 1, 7999, 1, 16_000, 32_000, 60_000, 59_999, 1])
      turns.push(await asked(ms));
    expect(turns).toEqual([0, 1, 0, 1, 0, 1, 1, 1, 1, 0, 1]);
    isUp = true;
    expect(await asked(60_000)).toBe(1);
    expect((await latest(own.anyone)).body.note).toContain('witness.example/s');
    expect(own.logged()).toContain('a witness cosigns again');
    // Said once, not at every turn.
    expect(own.logged().match(/a witness does not cosign/g)).toHaveLength(LOGS.length);
    // A clock that is set back delays no request.
    isUp = false;
    await finalized(own.own);
    await publish(own);
    await ask(own);
    time.advance(-3_600_000);
    requests.length = 0;
    await ask(own);
    expect(requests).toHaveLength(1);
  });

  test('one that knew another tree and cosigns again holds nothing against the log any more', async () => {
    let disputes = true;
    const { url, keys } = signing((lines) => (disputes ? new Response('no', { status: 422 }) : lines));
    const own = await openWith(keys.map((key) => ({ name: 'w', key, url })));
    const problems = async () => Object((await own.anyone.get('/api/health')).body.problems);
    await ask(own);
    expect(await problems()).toHaveLength(LOGS.length);
    disputes = false;
    time.advance(2000);
    await ask(own);
    expect(await problems()).toEqual([]);
  });

  test('a store that does not take what came: the job fails, and tries again', async () => {
    const { url, keys } = signing();
    const own = await openWith(keys.map((key) => ({ name: 'w', key, url })));
    const { store } = own.service.trust;
    await store.writeAsService(({ connection: { sqlite } }) => {
      sqlite.run(
        "CREATE TEMP TRIGGER full BEFORE INSERT ON checkpoint_cosignature BEGIN SELECT RAISE(ABORT, 'no'); END",
      );
    });
    await expect(ask(own)).rejects.toThrow('no');
    expect((await latest(own.anyone)).body.note).not.toContain('example/s');
    await store.writeAsService(({ connection: { sqlite } }) => {
      sqlite.run('DROP TRIGGER full');
    });
    time.advance(2000);
    await ask(own);
    expect((await latest(own.anyone)).body.note).toContain('example/s');
  });
});

describe('the stored cosignatures', () => {
  test('never change', async () => {
    const { url, keys } = signing();
    const own = await openWith(keys.map((key) => ({ name: 'w', key, url })));
    await ask(own);
    await own.service.trust.store.writeAsService(({ connection: { sqlite } }) => {
      for (const change of [
        "UPDATE checkpoint_cosignature SET line = 'x'",
        'DELETE FROM checkpoint_cosignature',
      ]) {
        expect(() => sqlite.run(change)).toThrow(/cosignatures/);
      }
    });
  });

  test('come back at the next start', async () => {
    const { url, keys } = signing();
    const policy = file(
      'p',
      `witness w ${formatVerifierKey(keys[0] ?? newNoteSigner('x', 'cosignature').key)} ${url}\nquorum w\n`,
    );
    const data = takeDataDirectory(join(directory, 'data'));
    const { openTrustService } = await import('../../../../../src/trust/service/service.ts');
    const open = () =>
      openTrustService(data, new Map([['log.witness_policy', policy]]), pino({ level: 'silent' }), {
        version: 'test',
        url: 'http://localhost:3000',
      });
    const first = await open();
    for (const job of (await first.background()).tasks.filter(({ name }) => name === 'ask w'))
      await job.run();
    const { note } = first.trust.log.publisher.latest('keys').response;
    expect(note).toContain('witness.example/s');
    await first.close();
    const second = await open();
    expect(second.trust.log.publisher.latest('keys').response.note).toBe(note);
    await second.close();
    data.release();
  });
});

describe('a wrong policy of witnesses is refused before anything is made:', () => {
  const key = formatVerifierKey(newNoteSigner('w.example', 'cosignature').key);
  const many = Array.from(
    { length: 33 },
    (_, index) =>
      `witness w${index} ${formatVerifierKey(newNoteSigner(`w${index}`, 'cosignature').key)} http://w\n`,
  );
  test.each([
    ['a word that is none', `witnes w ${key} http://w\nquorum none\n`, /p, line 1: the line does not begin/],
    ['a key that is none', `# mine\nwitness w ${key}x http://w\nquorum none\n`, /p, line 2: /],
    ['no quorum', `witness w ${key} http://w\n`, /without a quorum/],
    ['no newline', `witness w ${key} http://w\nquorum none`, /line 2: the line does not end with a newline/],
    ['no URL', `\nwitness  w\t${key}\nquorum w\n`, /p, line 2: the witness w has no URL/],
    ['a URL that is none', `witness w ${key} w.example\nquorum w\n`, /p, line 1: w.example is not an http/],
    ['a URL of another kind', `witness w ${key} ftp://w\nquorum w\n`, /line 1: ftp:\/\/w is not/],
    ['a URL with a query', `witness w ${key} http://w/?a\nquorum w\n`, /line 1: /],
    ['no witness', 'quorum none\n', /names 0 witnesses/],
    ['too many witnesses', `${many.join('')}quorum none\n`, /names 33 witnesses/],
    ['bytes that are no UTF-8', Buffer.from([0x23, 0xff, 0x0a]), /cannot be read: it is not UTF-8/],
  ])('%s', async (_name, text, said) => {
    writeFileSync(join(directory, 'p'), text);
    const opening = openTrustApp({ 'log.witness_policy': join(directory, 'p') });
    await expect(opening).rejects.toThrow(said);
    await expect(opening).rejects.toMatchObject({ name: 'Failure', exitCode: 2 });
  });

  test('a witness with a key of the service, whatever it is for', async () => {
    const data = join(directory, 'own');
    const first = await openTrustApp({}, null, data);
    const { keys } = Object((await first.anyone.get('/api/v1/transparency/keys')).body);
    await first.close();
    for (const purpose of ['credentials', 'receipts', 'accounts-log']) {
      const own = keys.find((row: { purpose: string }) => row.purpose === purpose);
      const raw = hexToBytes(own.public_key);
      const [name, type] = ['own.example/w', SIGNATURE_TYPES.cosignature];
      const vkey = formatVerifierKey({
        ...{ name, type, publicKey: raw, keyId: keyIdOf(nativePrimitives, name, type, raw) },
      });
      writeFileSync(join(directory, 'p'), `witness w ${vkey} https://w.example\nquorum w\n`);
      const opening = openTrustApp({ 'log.witness_policy': join(directory, 'p') }, null, data);
      await expect(opening).rejects.toThrow('the witness w of log.witness_policy has a key of this service');
    }
    await (await openTrustApp({}, null, data)).close();
  });

  test('a file that is not there', async () => {
    const opening = openTrustApp({ 'log.witness_policy': join(directory, 'nothing') });
    await expect(opening).rejects.toThrow(/nothing cannot be read/);
  });
});

test('failures are counted by witness and reason, from 0, so that an alert sees the first one', async () => {
  const { recorder, listen } = createMetrics('trust', 'test');
  const { url: page, stop } = listen('127.0.0.1', 0);
  closing.push(stop);
  const { url } = station(() => new Response('no', { status: 422 }));
  const { key } = newNoteSigner('witness.example/s', 'cosignature');
  const path = file('p', `witness w ${formatVerifierKey(key)} ${url}\nquorum w\n`);
  const own = await openTrustApp({ 'log.witness_policy': path }, time, ':memory:', { recorder });
  app = own;
  const counted = async (reason: string): Promise<string | undefined> => {
    const name = `countersign_witness_failures_total{witness="w",reason="${reason}"} `;
    const lines = (await (await fetch(page)).text()).split('\n');
    return lines.find((line) => line.startsWith(name))?.slice(name.length);
  };
  for (const reason of ['unreachable', 'refused', 'answer', 'signature', 'conflict', 'ahead', 'fork'])
    expect([reason, await counted(reason)]).toEqual([reason, '0']);
  await ask(own);
  expect(await counted('fork')).toBe(String(LOGS.length));
  expect(await counted('ahead')).toBe('0');
});
