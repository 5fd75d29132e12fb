import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nativePrimitives } from '../../../src/platform/crypto/crypto.ts';
import { subjectCommitment } from '../../../src/proof/agent/commitment.ts';
import { REQUIRED_KEYS } from '../../../src/trust/log/keys/signing-keys.ts';
import { newAgentKey } from '../../support/agent.ts';
import { selfSigned } from '../../support/certificate.ts';
import { client, concurrently, DIGEST, underLoad } from '../../support/client.ts';
import { EXECUTABLE, nextOf, run, scratch, serve } from '../../support/process.ts';

let directory: ReturnType<typeof scratch>;
let data: string;
beforeEach(() => {
  directory = scratch();
  data = join(directory.path, 'data');
});
afterEach(() => directory.dispose());

const file = (name: string): string => join(directory.path, name);
const PASSPHRASE = { env: { COUNTERSIGN_KEYS_PASSPHRASE: 'correct horse battery' } };
const SESSION = '/api/v1/operator/session';
const TRANSPARENCY = '/api/v1/transparency/keys';

/** The commands after a restore. @param data the directory, as a word of a shell */
const acceptance = (data: string): string =>
  `countersign restore show --data ${data} && countersign restore accept --data ${data}`;

describe('an installation on a new machine', () => {
  test('goes on from both backups: old receipts verify, old keys work, and new receipts enter a log that goes on', async () => {
    const old = await serve(data);
    const api = client(fetch, old.url, old.apiKey);
    const first = (await api.issue({ blind: true })).body;
    const finalized = await api.finalize(first.receipt_id, { status: 'success', output_hash: DIGEST });
    const keys = (await api.get(TRANSPARENCY)).body;
    // Both are made while it works.
    const [[backup, keyBackup], during] = await underLoad(
      (isOver) =>
        concurrently([...Array(4).keys()], 4, async () => {
          const made: unknown[] = [];
          while (!isOver()) made.push((await api.issue()).status);
          return made;
        }),
      async () => [
        await run(['backup', file('trust.backup'), '--data', data]),
        await run(['keys', 'backup', file('keys.backup'), '--data', data], PASSPHRASE),
      ],
    );
    expect(new Set(during.flat())).toEqual(new Set([201]));
    expect([backup?.code, keyBackup?.code]).toEqual([0, 0]);
    for (const name of ['trust.backup', 'keys.backup']) expect(statSync(file(name)).mode & 0o777).toBe(0o600);
    for (const command of [['restore', file('trust.backup'), '--force'], ['migrate']]) {
      const { code, stderr } = await run([...command, '--data', data]);
      expect([code, stderr]).toEqual([1, expect.stringContaining('is in use by another countersign')]);
    }
    expect((await run(['migrate', '--dry-run', '--data', data])).stdout).toBe(
      'the database already has this version\n',
    );
    await old.stop();

    const there = file('there');
    const restored = await run(['restore', file('trust.backup'), '--data', there]);
    expect([restored.code, restored.stderr]).toEqual([
      0,
      expect.stringContaining(`does not contain ${REQUIRED_KEYS.length} of the signing keys`),
    ]);
    expect(restored.stderr).toContain('warning: the log must not be continued: log.high-water is missing');
    expect(nextOf(restored)).toBe(
      `COUNTERSIGN_KEYS_PASSPHRASE_FILE=PASSPHRASE_FILE countersign keys restore KEYS_FILE --service trust --data ${there}`,
    );
    const early = await run(['serve', '--data', there, '--port', '0']);
    expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('countersign keys restore')]);
    const wrong = await run(['keys', 'restore', file('keys.backup'), '--data', there], {
      env: { COUNTERSIGN_KEYS_PASSPHRASE: 'wrong horse battery' },
    });
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('the passphrase is wrong')]);
    expect((await run(['keys', 'restore', file('keys.backup'), '--data', there], PASSPHRASE)).code).toBe(0);

    // Nothing tells whether more was published than the backup knows of, so nothing is signed until somebody
    // says.
    const refused = await run(['serve', '--data', there, '--port', '0']);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('copy log.high-water from the old machine'),
    ]);
    const reading = await serve(there, {}, ['--read-only']);
    const reader = client(fetch, reading.url, old.apiKey);
    expect((await reader.get(`/api/v1/receipts/${first.receipt_id}`)).body).toEqual(finalized.body);
    expect((await reader.issue()).status).toBe(503);
    await reading.stop();
    cpSync(join(data, 'log.high-water'), join(there, 'log.high-water'));

    const server = await serve(there);
    const again = client(fetch, server.url, old.apiKey);
    expect((await again.get(TRANSPARENCY)).body).toMatchObject({ keys: Object(keys).keys });
    expect((await again.get(`/api/v1/receipts/${first.receipt_id}`)).body).toEqual(finalized.body);
    const next = (await again.issue({ prev_receipt_hash: first.content_hash })).body;
    writeFileSync(file('keys.json'), JSON.stringify(keys));
    writeFileSync(file('both.ndjson'), `${JSON.stringify(finalized.body)}\n${JSON.stringify(next)}\n`);
    const verified = await run(['verify', file('both.ndjson'), '--keys', file('keys.json')]);
    expect([verified.code, verified.stderr]).toEqual([
      0,
      expect.stringContaining(
        'valid: all 2 receipts. Not checked: whether the log has them (a bundle a line); whether others see the same log (--policy); whether any is revoked (--revocations).\n',
      ),
    ]);
    await server.stop();
  });

  test('is restored over a database only with --force, which keeps the old one', async () => {
    const server = await serve(data);
    const api = client(fetch, server.url, server.apiKey);
    const { receipt_id } = (await api.issue()).body;
    expect((await run(['backup', file('b'), '--data', data])).code).toBe(0);
    const late = (await api.issue()).body;
    await server.stop();
    const refused = await run(['restore', file('b'), '--data', data]);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('already exists')]);
    const forced = await run(['restore', file('b'), '--data', data, '--force']);
    expect([forced.code, nextOf(forced)]).toEqual([0, acceptance(data)]);
    const kept = readdirSync(join(data, 'backups'));
    expect(kept).toEqual([expect.stringMatching(/^replaced-.*\.db$/)]);
    const after = await serve(data);
    const same = client(fetch, after.url, server.apiKey);
    expect((await same.get(`/api/v1/receipts/${receipt_id}`)).status).toBe(200);
    expect((await same.get(`/api/v1/receipts/${late.receipt_id}`)).status).toBe(404);
    await after.stop();
    const back = await run(['restore', join(data, 'backups', kept[0] ?? ''), '--data', file('elsewhere')]);
    expect(back.code).toBe(0);
  });

  test('is restored with its keys by one command, whose last line is the next one', async () => {
    const server = await serve(data);
    await run(['backup', file('b'), '--data', data]);
    await run(['keys', 'backup', file('k'), '--data', data], PASSPHRASE);
    await server.stop();
    const there = file("there, it's new");
    const restore = ['restore', file('b'), '--keys', file('k'), '--data', there];
    const wrong = await run(restore, { env: { COUNTERSIGN_KEYS_PASSPHRASE: 'wrong horse battery' } });
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('the passphrase is wrong')]);
    expect(existsSync(join(there, 'trust.db'))).toBe(false);
    const restored = await run(restore, PASSPHRASE);
    const quoted = `'${there.replace("'", "'\\''")}'`;
    expect([restored.code, nextOf(restored)]).toEqual([
      0,
      `cp OLD_DATA/log.high-water ${quoted}/; if it is lost, countersign recover --from-tiles COPY --trust-copy --data ${quoted}; without a copy of the log, countersign log restart --data ${quoted}`,
    ]);
    cpSync(join(data, 'log.high-water'), join(there, 'log.high-water'));
    const again = await run([...restore, '--force'], PASSPHRASE);
    expect(nextOf(again)).toBe(acceptance(quoted));
    await (await serve(there)).stop();
  });

  test('ends the sessions and open challenges of a backup, which may have ended since', async () => {
    const server = await serve(data);
    const api = client(fetch, server.url, server.apiKey);
    const session = async (): Promise<string> => {
      const headers = { authorization: `Bearer ${server.apiKey}` };
      const opened = await fetch(`${server.url}${SESSION}`, { method: 'POST', headers });
      return opened.headers.get('set-cookie')?.split(';')[0] ?? '';
    };
    const statusWith = async (url: string, cookie: string): Promise<number> =>
      (await fetch(`${url}/api/v1/operator/status`, { headers: { cookie } })).status;
    const [ended, open] = [await session(), await session()];
    const key = newAgentKey();
    const { body } = await api.post('/api/v1/passport/agents/enroll/start', { public_key: key.publicKey });
    const proof = {
      subject_commitment: subjectCommitment(nativePrimitives, key.publicKey),
      signature: key.signText(String(body.challenge_nonce)),
      challenge_nonce: body.challenge_nonce,
    };
    const prove = (caller: typeof api) => caller.post('/api/v1/passport/agents/enroll/complete', proof);
    expect((await run(['backup', file('b'), '--data', data])).code).toBe(0);
    const left = { method: 'DELETE', headers: { cookie: ended, 'x-requested-with': 'fetch' } };
    expect((await fetch(`${server.url}${SESSION}`, left)).status).toBe(200);
    expect([await statusWith(server.url, ended), await statusWith(server.url, open)]).toEqual([401, 200]);
    await server.stop();

    const restored = await run(['restore', file('b'), '--data', data, '--force']);
    expect(restored.stderr).toContain('2 sessions were ended: people log in again\n');
    expect(restored.stderr).toContain('1 open challenge was ended: agents that enroll begin again\n');
    const after = await serve(data);
    expect([await statusWith(after.url, ended), await statusWith(after.url, open)]).toEqual([401, 401]);
    const same = client(fetch, after.url, server.apiKey);
    expect((await same.get('/api/v1/operator/status')).status).toBe(200);
    expect(await prove(same)).toMatchObject({ status: 404, body: { reason_code: 'challenge_not_found' } });
    await after.stop();
  });

  test('has no file of an interrupted backup', async () => {
    const server = await serve(data);
    const child = Bun.spawn([EXECUTABLE, 'backup', file('b'), '--data', data], { stderr: 'pipe' });
    while (child.exitCode === null && !readdirSync(directory.path).some((name) => name.endsWith('.new'))) {
      await Bun.sleep(1);
    }
    child.kill('SIGTERM');
    await child.exited;
    expect(readdirSync(directory.path).filter((name) => name.endsWith('.new'))).toEqual([]);
    await server.stop();
  });

  test('asks for the passphrase on a terminal, twice for a new one, and never shows it', async () => {
    await (await serve(data)).stop();
    const typed = async (command: string, lines: string, terminal = 'xterm'): Promise<string> => {
      const child = Bun.spawn(['script', '-qefc', command, '/dev/null'], {
        stdin: 'pipe',
        stdout: 'pipe',
        env: { ...process.env, TERM: terminal },
      });
      let said = '';
      let answered = 0;
      const answers = lines.split('\n');
      for await (const part of child.stdout) {
        said += new TextDecoder().decode(part);
        // A prompt is drawn again after every key.
        while (answered < ['Passphrase:', 'Once more:'].filter((prompt) => said.includes(prompt)).length) {
          child.stdin.write(`${answers[answered++] ?? ''}\r`);
          child.stdin.flush();
        }
      }
      return `${await child.exited} ${said}`;
    };
    const keys = `${EXECUTABLE} keys backup ${file('k')} --data ${data}`;
    expect(await typed(keys, 'one two three\none two four')).toMatch(/^1 [\s\S]*the two passphrases differ/);
    expect(existsSync(file('k'))).toBe(false);
    // Ctrl-C ends a command as SIGINT does; Ctrl-D is only no input.
    for (const [cancelled, code] of [
      ['one\u0003', 130],
      ['one\u0004', 1],
      ['one two three\n\u0004', 1],
    ] as const) {
      const said = await typed(keys, cancelled);
      expect(said).toStartWith(`${code} `);
      expect(said).toContain('cancelled at the prompt');
      expect(existsSync(file('k'))).toBe(false);
    }
    expect(await typed(keys, 'one two threx\u007fe', 'dumb')).toMatch(/^1 [\s\S]*control character/);
    const made = await typed(keys, 'one two threx\u007fe\none two three');
    expect(made).toMatch(new RegExp(`^0 [^]*${REQUIRED_KEYS.length + 1} keys are in`));
    expect(made).not.toContain('one two');
    const restored = await typed(
      `${EXECUTABLE} keys restore ${file('k')} --data ${file('n')}`,
      'one two three',
    );
    expect(restored).toMatch(new RegExp(`^0 [^]*${REQUIRED_KEYS.length + 1} keys restored`));
    const piped = await run(['keys', 'restore', file('k'), '--data', file('n')]);
    expect([piped.code, piped.stderr]).toEqual([
      1,
      expect.stringContaining('COUNTERSIGN_KEYS_PASSPHRASE_FILE'),
    ]);
  });
});

describe('a server that runs', () => {
  test('serves https with a self-signed certificate, and passes a health check that does not trust it', async () => {
    const { cert, key } = selfSigned(directory.path, 'server');
    const port = freePort();
    const args = ['--tls-cert', cert, '--tls-key', key];
    const server = await serve(data, {}, [...args, '--port', String(port)]);
    expect(server.url).toBe(`https://127.0.0.1:${port}`);
    const ca = readFileSync(cert, 'utf8');
    const answer = await fetch(`${server.url}/api/health`, { tls: { ca } });
    expect(await answer.json()).toMatchObject({ status: 'ok' });
    await expect(fetch(`${server.url}/api/health`)).rejects.toThrow();
    const healthy = await run(['healthcheck', ...args.slice(0, 2), '--port', String(port)]);
    expect([healthy.code, JSON.parse(healthy.stdout)]).toEqual([
      0,
      expect.objectContaining({ status: 'ok' }),
    ]);
    // Of a service elsewhere the certificate counts.
    expect((await run(['healthcheck', '--url', server.url])).code).toBe(1);
    await server.stop();
    const gone = await run(['healthcheck', ...args.slice(0, 2), '--port', String(port)]);
    expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining('does not respond')]);
  });

  test('reopens its log file after SIGHUP without losing a line', async () => {
    const log = file('server.log');
    const server = await serve(data, {}, ['--log-file', log, '--log-level', 'debug']);
    const api = client(fetch, server.url, server.apiKey);
    const total = 300;
    let sent = 0;
    for (let round = 0; round < 3; round++) {
      await concurrently([...Array(total / 3).keys()], 8, async () => {
        sent++;
        await api.get('/api/v1/receipts?limit=1');
      });
      renameSync(log, `${log}.${round}`);
      server.signal('SIGHUP');
      while (!existsSync(log)) await Bun.sleep(5);
    }
    const { code, stderr } = await server.stop();
    expect([code, stderr, sent]).toEqual([0, '', total]);
    const lines = readdirSync(directory.path)
      .filter((name) => name.startsWith('server.log'))
      .flatMap((name) => readFileSync(file(name), 'utf8').trim().split('\n'))
      .filter((line) => line !== '');
    const requests = lines
      .map((line) => JSON.parse(line))
      .filter(({ msg, route }) => msg === 'request' && route === '/api/v1/receipts');
    expect(new Set(requests.map(({ requestId }) => requestId)).size).toBe(total);
    expect(statSync(log).mode & 0o777).toBe(0o600);
  });

  test('ignores SIGHUP without a log file; an unwritable log fails no request', async () => {
    const server = await serve(data, {}, ['--log-level', 'debug']);
    server.signal('SIGHUP');
    expect((await client(fetch, server.url, server.apiKey).issue()).status).toBe(201);
    expect((await server.stop()).code).toBe(0);
    const full = await serve(data, {}, ['--log-level', 'debug', '--log-file', '/dev/full']);
    const api = client(fetch, full.url, server.apiKey);
    for (let turn = 0; turn < 20; turn++) expect((await api.issue()).status).toBe(201);
    full.signal('SIGHUP');
    expect((await api.get('/api/v1/receipts')).status).toBe(200);
    const { code, stderr } = await full.stop();
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/^countersign: warning: the log file \/dev\/full cannot be written: .*\n$/),
    ]);
  });

  test('says its port, whatever clients call the service', async () => {
    const server = await serve(data, {}, ['--base-url', 'https://trust.example.com']);
    expect(server.url).toBe('https://trust.example.com');
    const { stdout } = await server.stop();
    expect(stdout).toMatch(/^ {2}Listening {4}http:\/\/127\.0\.0\.1:\d+$/m);
  });

  test('has metrics on a separate port, and warns that rate limits are off', async () => {
    const port = freePort();
    const server = await serve(data, {}, ['--metrics-port', String(port), '--rate-limits', 'off']);
    const api = client(fetch, server.url, server.apiKey);
    const { receipt_id } = (await api.issue()).body;
    for (let turn = 0; turn < 70; turn++) {
      expect((await fetch(`${server.url}/api/v1/receipts/${receipt_id}/public-manifest`)).status).toBe(200);
    }
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    for (const line of [
      /^countersign_http_responses_total\{method="POST",status="201"\} 1$/m,
      /^countersign_http_route_responses_total\{route="\/api\/v1\/receipts",status_class="2xx"\} 1$/m,
      /^countersign_http_request_duration_seconds_count\{route=".*public-manifest"\} 70$/m,
      /^countersign_store_commit_duration_seconds_count \d+$/m,
      /^countersign_receipts\{status="pending",revocation_status="active"\} 1$/m,
      /^countersign_store_wal_bytes \d+$/m,
      /^countersign_build_info\{service="trust",version=".*"\} 1$/m,
    ]) {
      expect(text).toMatch(line);
    }
    // The service itself has no such page, and the metrics' port has no other.
    expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${port}/api/health`)).status).toBe(404);
    expect((await server.stop()).stdout).toContain('WARNING: rate limits are off');
  });
});

describe('a data directory that cannot be used', () => {
  const refused = async (message: RegExp, args: string[] = []) => {
    const { code, stdout, stderr } = await run(['serve', '--port', '0', '--data', data, ...args]);
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(message)]);
  };

  test('is the one of the other service, and nothing is written there', async () => {
    mkdirSync(data);
    writeFileSync(join(data, 'staffing.db'), '');
    await refused(/belongs to another service: it has staffing.db/);
    expect(existsSync(join(data, 'trust.db'))).toBe(false);
  });

  test('is one that its user can only read', async () => {
    // Root may write everywhere: somebody else has to try.
    if (process.getuid?.() !== 0) {
      await (await serve(data)).stop();
      chmodSync(join(data, 'trust.db'), 0o400);
      return refused(/trust.db cannot be written/);
    }
    const open = mkdtempSync(join(tmpdir(), 'countersign-open-'));
    chmodSync(open, 0o755);
    copyFileSync(EXECUTABLE, join(open, 'countersign'));
    chmodSync(join(open, 'countersign'), 0o755);
    const theirs = join(open, 'data');
    await (await serve(theirs)).stop();
    Bun.spawnSync(['chown', '-R', '65534:65534', theirs]);
    chmodSync(join(theirs, 'trust.db'), 0o400);
    const child = Bun.spawn(
      ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', join(open, 'countersign')].concat([
        'serve',
        '--port',
        '0',
        '--data',
        theirs,
      ]),
      { stderr: 'pipe', stdout: 'ignore' },
    );
    const stderr = await new Response(child.stderr).text();
    expect([await child.exited, stderr]).toEqual([1, expect.stringContaining('trust.db cannot be written')]);
    rmSync(open, { recursive: true });
  });

  test('is one on a disk that is full', async () => {
    // A limit of the file size of 50 KiB simulates a full disk.
    const child = Bun.spawn(
      ['sh', '-c', 'ulimit -f 100; exec "$0" serve --port 0 --data "$1"', EXECUTABLE, data],
      { stderr: 'pipe', stdout: 'ignore' },
    );
    const stderr = await new Response(child.stderr).text();
    expect([await child.exited, stderr]).toEqual([1, expect.stringContaining('cannot be written')]);
    expect(stderr).toContain(
      'countersign: hint: check that this user owns it and that the disk has free space',
    );
    // With room again, the same directory is a first start.
    const server = await serve(data);
    expect(server.apiKey).toMatch(/^pp_/);
    await server.stop();
  });
});

/** A port that was free a moment ago. */
function freePort(): number {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
  const port = server.port ?? 0;
  void server.stop(true);
  return port;
}
