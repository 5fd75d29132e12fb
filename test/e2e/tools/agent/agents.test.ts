import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { challengeNonce } from '../../../../src/proof/agent/challenge.ts';
import { digest } from '../../../../src/proof/encoding/digest.ts';
import { hexToBytes } from '../../../../src/proof/encoding/hex.ts';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { verifyStrict } from '../../../../src/proof/keys/ed25519.ts';
import { noblePrimitives } from '../../../../src/proof/noble.ts';
import { client } from '../../../support/client.ts';
import { EXECUTABLE, type Running, run, scratch, serve } from '../../../support/process.ts';
import { eventually } from '../../../support/virtual-time.ts';

const directory = scratch();
const file = (name: string): string => join(directory.path, name);
let server: Running;

beforeAll(async () => {
  server = await serve(file('data'), { COUNTERSIGN_AGENTS_POW_DIFFICULTY: '3' });
  for (const name of ['a.pem', 'b.pem']) await run(['keygen', '--out', file(name)]);
  writeFileSync(file('api-key'), `${server.apiKey}\n`);
});
afterAll(async () => {
  await server.stop();
  directory.dispose();
});

/** Whether a signed response is by the key that the service publishes, by other people's primitives. */
async function isVouchedFor({ signature, kid, ...said }: Record<string, unknown>): Promise<boolean> {
  const { body } = await client(fetch, server.url, null).get('/api/v1/public-key?purpose=credentials');
  return (
    kid === body.kid &&
    verifyStrict(
      noblePrimitives,
      hexToBytes(String(signature)),
      Buffer.from(digest(noblePrimitives, said as JsonObject)),
      hexToBytes(String(body.public_key)),
    )
  );
}

/** The nonce of a challenge for agents without a sponsor. */
function autonomousNonce(host: string): string {
  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  return challengeNonce({
    purpose: 'autonomous',
    host,
    subjectCommitment: null,
    expiresAt,
    random: 'A'.repeat(43),
  });
}

describe('countersign enroll', () => {
  test('prints a passport that verifies, with the sponsor whose API key it was', async () => {
    const args = ['enroll', server.url, '--key', file('a.pem'), '--name', 'Clerk'];
    const { code, stdout } = await run([...args, '--api-key-file', file('api-key')]);
    const passport = JSON.parse(stdout);
    expect([code, await isVouchedFor(passport)]).toEqual([0, true]);
    expect([passport.name, passport.state, typeof passport.sponsor]).toEqual(['Clerk', 'ISSUED', 'string']);
    const again = await run(args);
    expect([again.code, JSON.parse(again.stdout).passport_id]).toEqual([0, passport.passport_id]);
  });

  test('takes the time of a test service from --now, and from nobody else', async () => {
    const ready = file('ready.json');
    const args = ['serve', '--test', '--clock', '2026-01-01T00:00:00Z', '--port', '0', '--ready-file', ready];
    const service = Bun.spawn([EXECUTABLE, ...args], { stdout: 'ignore', stderr: 'ignore' });
    await eventually(() => existsSync(ready));
    const { url } = JSON.parse(readFileSync(ready, 'utf8'));
    const enroll = ['enroll', url, '--key', file('a.pem')];
    const refused = await run(enroll);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('pass its time with --now')]);
    const { code, stdout } = await run([...enroll, '--now', '2026-01-01T00:00:00Z']);
    expect([code, JSON.parse(stdout).state]).toEqual([0, 'ISSUED']);
    const call = `POST /api/v1/passport/agents/${'ab'.repeat(32)}/revoke`;
    const authorize = ['authorize', call, '--key', file('a.pem'), '--audience', 'a+b'];
    const authorized = await run([...authorize, '--now', '2026-01-01T00:00:00Z']);
    expect(JSON.parse(authorized.stdout).agent_auth.expires_at).toBe('2026-01-01T00:05:00.000Z');
    service.kill();
    await service.exited;
  });

  test.each([
    ['a key that is not there', ['--key', 'nowhere.pem'], 2, 'the key file nowhere.pem does not exist'],
    ['no key', [], 2, '--key'],
    ['an API key that is none', ['--key', '$a', '--api-key-file', '$a'], 1, 'contains no API key'],
    ['a name that the service refuses', ['--key', '$a', '--name', 'x\ny'], 1, 'must be 1 to 256 characters'],
  ])('refuses %s', async (_what, args, status, words) => {
    const given = args.map((arg) => (arg === '$a' ? file('a.pem') : arg));
    const { code, stdout, stderr } = await run(['enroll', server.url, ...given]);
    expect([code, stdout]).toEqual([status, '']);
    expect(stderr).toContain(words);
  });

  test('uses no key that others can read', async () => {
    await run(['keygen', '--out', file('open.pem')]);
    chmodSync(file('open.pem'), 0o644);
    const { code, stderr } = await run(['enroll', server.url, '--key', file('open.pem')]);
    expect(code).toBe(1);
    expect(stderr).toContain('chmod 600');
  });

  test('goes to no service by a connection that others can read', async () => {
    const { code, stderr } = await run(['enroll', 'http://example.com', '--key', file('a.pem')]);
    expect(code).toBe(2);
    expect(stderr).toContain('https');
  });

  test('signs nothing but a challenge', async () => {
    const digestToSteal = 'ab'.repeat(32);
    using thief = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: ({ method }) =>
        method === 'POST'
          ? Response.json({ subject_commitment: digestToSteal, challenge_nonce: digestToSteal })
          : new Response('', { status: 404 }),
    });
    for (const command of ['enroll', 'solve']) {
      const { code, stdout, stderr } = await run([command, thief.url.href, '--key', file('a.pem')]);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toContain('is not safe to sign');
    }
  });

  test.each(['enroll', 'solve'])("%s passes no other service's challenge on", async (command) => {
    using relay = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: async (request) => {
        const { pathname } = new URL(request.url);
        return fetch(`${server.url}${pathname}`, {
          method: request.method,
          headers: { 'content-type': 'application/json' },
          ...(request.method === 'POST' ? { body: await request.text() } : {}),
        });
      },
    });
    await run(['keygen', '--out', file(`${command}.pem`)]);
    const { code, stdout, stderr } = await run([command, relay.url.href, '--key', file(`${command}.pem`)]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`the challenge is for ${new URL(server.url).host}`);
  });

  test('says what is wrong with a service that is none', async () => {
    using other = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('<html>') });
    const { code, stderr } = await run(['enroll', other.url.href, '--key', file('a.pem')]);
    expect(code).toBe(1);
    expect(stderr).toContain('no JSON object');
  });
});

describe('countersign solve', () => {
  test('does the work and prints a holder key that works', async () => {
    const { code, stdout } = await run(['solve', server.url, '--key', file('b.pem'), '--name', 'Loner']);
    const { api_key, role, passport } = JSON.parse(stdout);
    expect([code, role, passport.name, await isVouchedFor(passport)]).toEqual([0, 'HOLDER', 'Loner', true]);
    const issued = await client(fetch, server.url, api_key).issue({ agent_id: passport.subject_commitment });
    expect(issued.status).toBe(201);
    const again = await run(['solve', server.url, '--key', file('b.pem')]);
    expect([again.code, again.stdout]).toEqual([1, '']);
    expect(again.stderr).toContain('is already enrolled there');
  });

  test('does not begin what would take hours', async () => {
    using greedy = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: ({ method, url }) =>
        method === 'POST'
          ? Response.json({ challenge_nonce: autonomousNonce(new URL(url).host), pow_difficulty: 20 })
          : new Response('', { status: 404 }),
    });
    const { code, stderr } = await run(['solve', greedy.url.href, '--key', file('b.pem')]);
    expect(code).toBe(1);
    expect(stderr).toContain('at most 8 are accepted');
  });
});

describe('countersign authorize', () => {
  test('prints a body that does something in the name of the agent, at the service that it names', async () => {
    await run(['keygen', '--out', file('c.pem')]);
    const { stdout } = await run(['solve', server.url, '--key', file('c.pem')]);
    const { subject_commitment } = JSON.parse(stdout).passport;
    const anyone = client(fetch, server.url, null);
    const { audience } = (await anyone.get('/api/v1/public-key')).body;
    const path = `/api/v1/passport/agents/${subject_commitment}`;
    const by = ['--key', file('c.pem'), '--audience', String(audience)];
    const key = await run(['authorize', `POST ${path}/keys`, ...by]);
    const made = await anyone.post(`${path}/keys`, key.stdout);
    expect([key.code, made.status, made.body.role]).toEqual([0, 201, 'holder']);
    const name = await run(['authorize', `PUT ${path}/name`, ...by, '--body', '-'], {
      stdin: '{"name":"New"}',
    });
    const named = await anyone.call('PUT', `${path}/name`, name.stdout);
    expect([named.status, named.body.name]).toEqual([200, 'New']);
  });

  test.each([
    ['a query string', ['PUT /a?b=c', '--audience', 'a', '--key', '$c'], 2, 'the path of a URL'],
    ['no path', ['PUT', '--audience', 'a', '--key', '$c'], 2, 'the path of a URL'],
    ['another method', ['GET /a', '--audience', 'a', '--key', '$c'], 2, 'It must be POST'],
    ['no audience', ['PUT /a', '--key', '$c'], 2, '--audience'],
    [
      'no key',
      ['PUT /a', '--audience', 'a', '--key', 'nowhere.pem'],
      2,
      'the key file nowhere.pem does not exist',
    ],
  ])('refuses %s', async (_what, args, status, words) => {
    const given = args.map((arg) => (arg === '$c' ? file('c.pem') : arg));
    const { code, stdout, stderr } = await run(['authorize', ...given]);
    expect([code, stdout]).toEqual([status, '']);
    expect(stderr).toContain(words);
  });
});

describe('countersign sign', () => {
  test('signs the digest of an object', async () => {
    const { code, stdout } = await run(['sign', '-', '--key', file('a.pem')], { stdin: '{"b":1,"a":[2]}' });
    const { payload_digest, signature, public_key } = JSON.parse(stdout);
    expect([code, payload_digest]).toEqual([0, digest(noblePrimitives, { a: [2], b: 1 })]);
    const message = Buffer.from(payload_digest);
    expect(verifyStrict(noblePrimitives, hexToBytes(signature), message, hexToBytes(public_key))).toBe(true);
  });

  test('writes a request that anchors the object as evidence', async () => {
    const payload = { name: 'chat', attributes: { 'gen_ai.system': 'example' }, 7: '__proto__' };
    const { stdout } = await run(['enroll', server.url, '--key', file('a.pem')]);
    const { subject_commitment } = JSON.parse(stdout);
    const args = ['sign', '-', '--key', file('a.pem'), '--evidence', 'otel_genai_trace'];
    const request = await run(args, { stdin: JSON.stringify(payload) });
    const api = client(fetch, server.url, server.apiKey);
    const path = `/api/v1/passport/agents/${subject_commitment}/evidence`;
    const anchored = await api.post(path, request.stdout);
    expect([anchored.status, anchored.body.reading]).toEqual([201, 'digest']);
    // What is printed would be an integer that no double holds, which the service refuses.
    const inexact = await run(args, {
      stdin: '{"name":"chat","attributes":{"gen_ai.system":"x"},"n":1.2345678901234568e20}',
    });
    expect([inexact.code, inexact.stdout]).toEqual([1, '']);
    expect(inexact.stderr).toContain('a double cannot represent');
    const wrong = await run(['sign', '-', '--key', file('a.pem'), '--evidence', 'tweet'], { stdin: '{}' });
    expect([wrong.code, wrong.stdout]).toEqual([2, '']);
  });

  test.each([
    [
      'agent-auth',
      { type: 'agent-auth', method: 'PUT', path: '/', body: {} },
      'payload.type must not be agent-auth',
    ],
    [
      'agent-auth that fits',
      { type: 'agent-auth', sha: 'ab'.repeat(20), commit: {} },
      'must not be agent-auth',
    ],
    [
      'a presentation',
      { subject_commitment: 'x', photo_url: null, photo_content_sha256: null, photo_mime_type: null },
      'all four members of a presentation',
    ],
    ['not of its source type', { b: 1 }, 'payload.id is required'],
  ])('signs as evidence nothing that is %s', async (_, payload, message) => {
    const args = ['sign', '-', '--key', file('a.pem'), '--evidence', 'github_commit_payload'];
    const { code, stdout, stderr } = await run(args, { stdin: JSON.stringify(payload) });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(message);
  });

  test.each<[string, string, readonly string[], number, string]>([
    [
      'a delivery of no engagement',
      '{"b":1}',
      ['--delivers', '/dev/null'],
      1,
      'no engagement with a task_id',
    ],
    ['a consent to no engagement', '{"engagement":{"task_id":"a"}}', ['--consents'], 1, 'no engagement with'],
    [
      'a consent to terms that are no digest',
      '{"task_id":"a","terms_digest":"x"}',
      ['--consents'],
      1,
      'no engagement',
    ],
    ['a consent as a delivery', '{}', ['--consents', '--delivers', '/dev/null'], 2, 'cannot be used with'],
    [
      'a delivery as other evidence',
      '{}',
      ['--delivers', '/dev/null', '--evidence', 'task_deliverable'],
      2,
      'cannot be used',
    ],
    ['an arbiter without a delivery', '{}', ['--arbiter', 'ab'.repeat(32)], 2, '--arbiter needs --delivers'],
    ['a deliverable that is not there', '{}', ['--delivers', 'no-such-file'], 1, 'no-such-file'],
  ])('signs nothing for %s', async (_, stdin, more, expected, says) => {
    const { code, stdout, stderr } = await run(['sign', '-', '--key', file('a.pem'), ...more], { stdin });
    expect([code, stdout, stderr]).toEqual([expected, '', expect.stringContaining(says)]);
  });

  test.each(['[1]', '{', '"text"', '{"a":1,"a":2}', '{"a":"\\ud800"}', '{"a":1e400}'])(
    'signs no %s, which is no JSON object',
    async (stdin) => {
      const { code, stdout, stderr } = await run(['sign', '-', '--key', file('a.pem')], { stdin });
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toContain('countersign: error: standard input contains no JSON');
    },
  );
});
