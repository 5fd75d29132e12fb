import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SOURCES } from '../../../scripts/build.ts';
import { commitOf } from '../../../scripts/commit.ts';
import { client, DIGEST } from '../../support/client.ts';
import { EXECUTABLE, type Running, run, scratch, serve } from '../../support/process.ts';

/** What `version` prints for a build of a checkout. */
const BUILT = /^countersign \d+\.\d+\.\d+ \([0-9a-f]{12}(-dirty)?\)\n$/;
const HELP = join(import.meta.dir, '../../unit/commands/help');
const directory = scratch();
const file = (name: string): string => join(directory.path, name);
let server: Running;
let keys: string;
let receipt: Record<string, unknown>;
/** One that is not blind. */
let open: Record<string, unknown>;

beforeAll(async () => {
  server = await serve(file('data'));
  const api = client(fetch, server.url, server.apiKey);
  keys = file('keys.json');
  writeFileSync(keys, JSON.stringify((await api.get('/api/v1/transparency/keys')).body));
  const issued = await api.issue({ blind: true });
  receipt = (await api.finalize(issued.body.receipt_id, { status: 'success', output_hash: DIGEST })).body;
  open = (await api.issue()).body;
});
afterAll(async () => {
  await server.stop();
  directory.dispose();
});

const verify = (document: unknown, ...args: string[]) =>
  run(['verify', '-', '--keys', keys, ...args], {
    stdin: typeof document === 'string' ? document : JSON.stringify(document),
  });

describe('verify', () => {
  test('reports a valid receipt as text and as JSON with exit 0, with keys from a file and a URL', async () => {
    writeFileSync(file('receipt.json'), JSON.stringify(receipt));
    for (const source of [keys, server.url, `${server.url}/api/v1/public-key`]) {
      const { code, stdout, stderr } = await run(['verify', file('receipt.json'), '--keys', source]);
      expect([code, JSON.parse(stdout)]).toMatchObject([
        0,
        {
          verdict: 'valid',
          authentic: true,
          revocation: 'not_checked',
          checks: { hash: 'ok', signature: 'ok', key: 'trusted' },
          problems: [],
          kid: receipt.kid,
        },
      ]);
      expect(stderr).toStartWith('valid: ');
    }
  });

  test.each([
    ['malformed', { unknown: 'member' }],
    ['malformed', { refusal_reason: 'does not belong' }],
    ['hash_mismatch', { agent_id: 'another' }],
    ['bad_signature', { signature: 'ab'.repeat(64) }],
    ['key_unknown', { kid: 'another' }],
  ])('%s when %j is changed', async (verdict, change) => {
    const { code, stdout, stderr } = await verify({ ...receipt, ...change });
    expect([code, JSON.parse(stdout).verdict]).toEqual([1, verdict]);
    expect(stderr).toStartWith(`${verdict}: `);
  });

  test('finds a receipt tampered with in any member never valid and never authentic', async () => {
    for (const [name, value] of [...Object.entries(receipt), ['blind_salt', 'ab'.repeat(32)] as const]) {
      const text = String(value);
      const last = text.endsWith('0') ? '1' : '0';
      const { code, stdout } = await verify({ ...receipt, [name]: `${text.slice(0, -1)}${last}` });
      expect([name, code, JSON.parse(stdout).authentic]).toEqual([name, 1, false]);
    }
  });

  test('does not accept the keys of another service', async () => {
    const other = await serve(file('other'));
    const { code, stdout } = await run(['verify', '-', '--keys', other.url], {
      stdin: JSON.stringify(receipt),
    });
    expect([code, JSON.parse(stdout)]).toMatchObject([1, { verdict: 'key_unknown', authentic: false }]);
    expect((await other.stop()).code).toBe(0);
  });

  test('reports invalid JSON and a duplicate member as malformed', async () => {
    for (const text of ['{', `{"kid":"a",${JSON.stringify(receipt).slice(1)}`]) {
      const { code, stdout } = await verify(text);
      expect([code, JSON.parse(stdout).verdict]).toEqual([1, 'malformed']);
    }
  });

  test('finds a receipt expired at a later time, and revoked after it was revoked', async () => {
    expect(JSON.parse((await verify(receipt, '--at', '2036-01-31T12:00:00Z')).stdout).verdict).toBe(
      'expired',
    );
    expect((await verify(receipt, '--at', '2036-01-31T11:59:59.999Z')).code).toBe(0);
    const api = client(fetch, server.url, server.apiKey);
    const issued = await api.issue();
    const revoked = await api.revoke(issued.body.receipt_id);
    expect(JSON.parse((await verify(revoked.body)).stdout)).toMatchObject({
      verdict: 'revoked',
      authentic: true,
    });
  });

  test('checks the domain of a blind receipt by its salt', async () => {
    expect((await verify(receipt, '--domain', 'CODE_GENERATION')).code).toBe(0);
    expect(await verify(receipt, '--domain', 'CUSTOMER_SUPPORT')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('domain: not CUSTOMER_SUPPORT'),
    });
    const { blind_salt: _, ...shared } = receipt;
    expect(await verify(shared, '--domain', 'CODE_GENERATION')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('cannot be checked without the blind_salt'),
    });
  });

  test('checks the domain of a receipt that is not blind', async () => {
    const right = await verify(open, '--domain', 'CODE_GENERATION');
    expect([right.code, JSON.parse(right.stdout).checks.domain]).toEqual([0, 'ok']);
    const wrong = await verify(open, '--domain', 'FINANCIAL_CLEARING');
    expect([wrong.code, JSON.parse(wrong.stdout)]).toMatchObject([
      1,
      { verdict: 'valid', checks: { domain: 'mismatch' } },
    ]);
    expect(wrong.stderr).toContain('domain: not FINANCIAL_CLEARING');
  });

  test('accepts keys over http only from this machine, and follows no redirect', async () => {
    const published = readFileSync(keys, 'utf8');
    const wrong = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch(request) {
        const { pathname } = new URL(request.url);
        if (pathname === '/moved') return Response.redirect(`${server.url}/api/v1/transparency/keys`);
        if (pathname === '/failing') return new Response(published, { status: 500 });
        return new Response(pathname === '/page' ? '<html>' : '{"keys":"none"}');
      },
    });
    try {
      const sources = [
        'http://keys.example',
        'http://127.0.0.1.keys.example',
        'http://localhost@keys.example/',
        'http://203.0.113.9/keys',
        ...['moved', 'failing', 'page', 'other'].map((path) => `http://127.0.0.1:${wrong.port}/${path}`),
      ];
      for (const source of sources) {
        const { code, stdout, stderr } = await run(['verify', '-', '--keys', source], {
          stdin: JSON.stringify(receipt),
        });
        expect([source, code, stdout]).toEqual([source, 1, '']);
        expect(stderr).toMatch(/^countersign: error: .+\ncountersign: hint: .+\n$/);
        if (!source.includes(`:${wrong.port}`)) expect(stderr).toContain('cannot be authenticated over http');
      }
    } finally {
      await wrong.stop(true);
    }
    const named = await run(['verify', '-', '--keys', server.url.replace('127.0.0.1', 'localhost')], {
      stdin: JSON.stringify(receipt),
    });
    expect(named.code).toBe(0);
  });

  test('explains wrong arguments', async () => {
    const one = (...args: string[]) => run(['verify', ...args]);
    writeFileSync(file('any.json'), '{}');
    for (const args of [
      [file('nope.json'), '--keys', keys],
      [file('any.json'), '--keys', file('nope.json')],
      // Of two mistakes, the file is reported first.
      [file('nope.json')],
    ]) {
      const { code, stdout, stderr } = await one(...args);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toBe(
        `countersign: error: ${file('nope.json')} cannot be read: the file does not exist\ncountersign: hint: check the path\n`,
      );
    }
    expect((await one('nope.json')).stderr).toContain(
      `countersign: hint: check the path; a relative path starts at ${process.cwd()}\n`,
    );
    expect(await one(keys)).toMatchObject({
      code: 2,
      stderr:
        "countersign: error: required option '--keys <file|url>' not specified\ncountersign: hint: see countersign verify --help\n",
    });
    expect((await one('-')).code).toBe(2);
    expect((await one('-', '--keys', keys, '--at', 'tomorrow')).code).toBe(2);
    expect((await one('-', '--keys', keys, '--domain', 'NONE')).code).toBe(2);
    writeFileSync(
      file('forged.json'),
      readFileSync(keys, 'utf8').replace(String(receipt.kid), 'x'.repeat(43)),
    );
    const forged = await run(['verify', '-', '--keys', file('forged.json')], {
      stdin: JSON.stringify(receipt),
    });
    expect([forged.code, forged.stdout]).toEqual([1, '']);
  });
});

describe('the other commands', () => {
  test('keygen writes a private key that only its owner can read, and never replaces one', async () => {
    const { code, stdout } = await run(['keygen', '--out', file('agent.pem')]);
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      { public_key: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
    expect(statSync(file('agent.pem')).mode & 0o777).toBe(0o600);
    const before = readFileSync(file('agent.pem'), 'utf8');
    expect(stdout).not.toContain('PRIVATE');
    // What was printed is the public half of what was written.
    const spki = createPublicKey(createPrivateKey(before)).export({ type: 'spki', format: 'der' });
    expect(JSON.parse(stdout).public_key).toBe(spki.subarray(12).toString('hex'));
    expect((await run(['keygen', '--out', file('agent.pem')])).code).toBe(1);
    expect(readFileSync(file('agent.pem'), 'utf8')).toBe(before);
    expect(await run(['keygen', '--out', file('no/such/directory.pem')])).toEqual({
      code: 1,
      stdout: '',
      stderr:
        `countersign: error: ${file('no/such/directory.pem')} cannot be written (ENOENT)\n` +
        'countersign: hint: check that its directory exists, that this user may write to it, and that the disk has free space\n',
    });
    expect(existsSync(file('no'))).toBe(false);
  });

  test('openapi prints the document of each service, and version prints the version', async () => {
    const { stdout } = await run(['openapi', '--base-url', 'https://trust.example']);
    expect(JSON.parse(stdout)).toMatchObject({
      openapi: '3.1.0',
      info: { version: '1.0.0' },
      servers: [{ url: 'https://trust.example' }],
    });
    // What the service serves is the same document, but for the servers that it names.
    const answer = await fetch(`${server.url}/openapi.json`);
    const served: Record<string, unknown> = JSON.parse(await answer.text());
    expect({ ...JSON.parse(stdout), servers: null }).toEqual({ ...served, servers: null });
    const administration = await run(['openapi', '--service', 'staffing', '--admin']);
    expect(Object.keys(JSON.parse(administration.stdout).paths)).toContain(
      '/api/staffing/partner/v1/admin/partners',
    );
    expect((await run(['openapi', '--admin'])).code).toBe(2);
    const built = commitOf(SOURCES) === null ? /^countersign \d+\.\d+\.\d+\n$/ : BUILT;
    expect((await run(['version'])).stdout).toMatch(built);
    expect((await run(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test('standard output that cannot be written is an error', async () => {
    for (const command of ['version', 'openapi']) {
      const child = Bun.spawn(['sh', '-c', `exec "$0" ${command} >/dev/full`, EXECUTABLE], {
        stderr: 'pipe',
      });
      const stderr = await new Response(child.stderr).text();
      expect(stderr).toStartWith('countersign: error: standard output cannot be written: ');
      expect([stderr.split('\n').length, await child.exited]).toEqual([3, 1]);
    }
  });

  test('a reader that has seen enough ends a command without a word, as SIGPIPE would', async () => {
    const line = '{ "$0" openapi; echo $? >&2; } | head -c 1';
    const child = Bun.spawn(['sh', '-c', line, EXECUTABLE], { stdout: 'pipe', stderr: 'pipe' });
    const shown = [await new Response(child.stdout).text(), await new Response(child.stderr).text()];
    expect(shown).toEqual(['{', '141\n']);
  });

  test('commands that restore name a missing file before they ask for anything else', async () => {
    for (const args of [
      ['restore', file('nope.db')],
      ['keys', 'restore', file('nope.backup')],
    ]) {
      const { code, stderr } = await run([...args, '--data', file('data')]);
      expect([code, stderr]).toEqual([
        2,
        `countersign: error: ${args.at(-1)} cannot be read: the file does not exist\ncountersign: hint: check the path\n`,
      ]);
    }
  });

  test('help shows the help of a command, and names what an unknown one is similar to', async () => {
    expect((await run(['help'])).stdout).toBe((await run(['--help'])).stdout);
    expect(await run(['help', 'keys', 'backup'])).toEqual(await run(['keys', 'backup', '--help']));
    for (const args of [['help', 'verfy'], ['verfy']]) {
      const { code, stdout, stderr } = await run(args);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toBe(
        "countersign: error: unknown command 'verfy'\n(Did you mean verify?)\ncountersign: hint: see countersign --help\n",
      );
    }
  });

  test('completion prints a script by which bash completes commands, options and choices', async () => {
    const { code, stdout } = await run(['completion', 'bash']);
    expect(code).toBe(0);
    const offered = (...line: string[]): string => {
      const words = ['countersign', ...line].map((word) => `'${word}'`).join(' ');
      const script = `${stdout}
COMP_WORDS=(${words}); COMP_CWORD=${line.length}; _countersign; echo "\${COMPREPLY[@]}"`;
      return Bun.spawnSync(['bash', '--norc', '-c', script]).stdout.toString();
    };
    expect(offered('ver')).toBe('verify version\n');
    expect(offered('keys', '')).toBe('backup restore rotate\n');
    expect(offered('verify', 'receipt.json', '--pr')).toBe('--proof --predecessor\n');
    expect(offered('keys', 'rotate', '--purpose', 'k')).toBe('keys-log\n');
    for (const shell of ['zsh', 'fish']) {
      expect((await run(['completion', shell])).stdout).toContain('_countersign');
    }
    expect((await run(['completion', 'tcsh'])).code).toBe(2);
  });

  test('any command exits with 2, an error and a hint after wrong usage', async () => {
    for (const args of [
      ['nope'],
      ['serve', '--nope'],
      ['serve', '--port', 'x'],
      ['verify'],
      ['keygen'],
      ['openapi', '--base-url', 'nowhere'],
    ]) {
      const { code, stderr } = await run(args);
      expect([args, code]).toEqual([args, 2]);
      expect(stderr).toMatch(/^countersign: error: /);
      expect(stderr).toContain('countersign: hint: ');
    }
    expect((await run([])).code).toBe(2);
  });

  test.each(['', 'verify', 'operators list', 'serve'])(
    'the help of "%s" is as it was reviewed',
    async (command) => {
      const { code, stdout } = await run([...command.split(' ').filter(Boolean), '--help']);
      expect(code).toBe(0);
      const reviewed = readFileSync(
        join(HELP, `${command.replaceAll(' ', '-') || 'countersign'}.txt`),
        'utf8',
      );
      expect(stdout).toBe(reviewed);
    },
  );
});
