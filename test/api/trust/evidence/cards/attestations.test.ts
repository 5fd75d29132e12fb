import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nativePrimitives, sha256Hex } from '../../../../../src/platform/crypto/crypto.ts';
import { hexToBytes } from '../../../../../src/proof/encoding/hex.ts';
import type { JsonObject } from '../../../../../src/proof/encoding/json.ts';
import { verifyStrict } from '../../../../../src/proof/keys/ed25519.ts';
import { signedObjectMessage } from '../../../../../src/proof/keys/signed-object.ts';
import { enrolledAgent } from '../../../../support/agent.ts';
import { anchored } from '../../../../support/evidence.ts';
import { headOf } from '../../../../support/head.ts';
import { type Scenario, scenarios } from '../../../../support/scenario.ts';
import { parseSvg, wordsOf } from '../../../../support/svg.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

const NOW = Date.parse('2026-11-21T14:02:11.123Z');
const NOBODY = sha256Hex('nobody');
const SVG = 'image/svg+xml';
const PHOTO = 'https://photos.example/a/b.png?size=2';

let app: TrustApp;
let time: VirtualTime;
let agent: Awaited<ReturnType<typeof enrolledAgent>>;
/** Of an item of the agent's evidence. */
let event: string;
const UNKNOWN = sha256Hex('event');

beforeAll(async () => {
  time = new VirtualTime(NOW);
  app = await openTrustApp({}, time);
  agent = await enrolledAgent(app, { name: 'release-bot <script>alert(1)</script>' });
  event = await anchored(app, agent);
});
afterAll(() => app.close());

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  app.fetch(new Request(`http://localhost${path}`, { headers, method }));
const avatar = (hash: string) => `/api/v1/avatar/${hash}`;
const badge = (hash: string, query = '') => `/api/v1/badge/${hash}/attestation${query}`;
const artifact = (commitment: string, hash: string, query = '') =>
  `/api/v1/artifacts/${commitment}/${hash}/attestation${query}`;

/** Sets the photo of an agent, or clears it. */
async function present(agentSeq: number, commitment: string, photo: string | null): Promise<void> {
  const { store, avatars } = app.service.trust;
  await store.writeAsService((tx) => {
    const [digest, type] = photo === null ? [null, null] : [new Uint8Array(32), 'image/png'];
    tx.connection.sqlite.run(
      "INSERT INTO presentation VALUES (NULL, ?, ?, ?, ?, zeroblob(64), 'digest', '2026-11-21T00:00:00.000Z')",
      [agentSeq, photo, digest, type],
    );
    avatars.changedIn(tx, commitment);
  });
}

/** What is said has to be signed by the key that the service publishes for it. */
async function mustBeSigned(said: JsonObject): Promise<void> {
  const { body: key } = await app.anyone.get('/api/v1/public-key?purpose=credentials');
  expect(said.kid).toBe(String(key.kid));
  const message = signedObjectMessage(nativePrimitives, said);
  const signature = hexToBytes(String(said.signature));
  const publicKey = hexToBytes(String(key.public_key));
  expect(verifyStrict(nativePrimitives, signature, message, publicKey)).toBe(true);
  const other = signedObjectMessage(nativePrimitives, { ...said, state: 'OTHER' });
  expect(verifyStrict(nativePrimitives, signature, other, publicKey)).toBe(false);
}

const json = async (response: Response): Promise<JsonObject> => JSON.parse(await response.text());

describe('a request for a picture:', () => {
  test.each([
    ['an avatar', () => avatar(agent.commitment), 'public, max-age=300', null],
    ["nobody's avatar", () => avatar(NOBODY), 'public, max-age=300', null],
    ['a card', () => badge(agent.commitment), 'public, max-age=60', null],
    [
      "an artifact's card",
      () => artifact(agent.commitment, event, '?format=svg'),
      'public, max-age=60',
      'Accept',
    ],
  ])('%s: well-formed, harmless, cacheable, for any page', async (_name, path, caching, vary) => {
    const response = await get(path());
    const svg = await response.text();
    parseSvg(svg);
    const headers = Object.fromEntries(response.headers);
    expect([response.status, headers]).toEqual([
      200,
      expect.objectContaining({
        'content-type': SVG,
        'cache-control': caching,
        'content-security-policy':
          "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
      }),
    ]);
    expect(response.headers.get('vary')).toBe(vary);

    const head = await headOf(app.fetch, path());
    expect([head.status, head.rest, head.headers.get('etag')]).toEqual([200, '', headers.etag ?? '']);
    for (const tags of [headers.etag, `"x", W/${headers.etag}`, '*']) {
      const same = await get(path(), { 'if-none-match': tags ?? '' });
      expect([
        same.status,
        await same.text(),
        same.headers.get('etag'),
        same.headers.get('cache-control'),
      ]).toEqual([304, '', headers.etag ?? '', caching]);
    }
    expect((await get(path(), { 'if-none-match': '"x"' })).status).toBe(200);
  });

  scenarios(
    () => app,
    [
      ...['x', 'ab'.repeat(31), 'AB'.repeat(32), 'g'.repeat(64), `${'ab'.repeat(32)}00`].flatMap(
        (hash): Scenario[] => [
          [`an avatar of ${hash} is refused`, `GET ${avatar(hash)}`, '400 validation_error: hash'],
          [`a badge of ${hash} is refused`, `GET ${badge(hash)}`, '400 validation_error: hash'],
        ],
      ),
      ['an avatar is refused by POST', `POST ${avatar(NOBODY)}`, '405'],
      [
        'a CORS preflight allows every origin',
        `OPTIONS ${avatar(NOBODY)}`,
        '204',
        { responseHeaders: { 'access-control-allow-origin': '*' } },
      ],
      [
        'a badge of nobody is not found',
        `GET ${badge(NOBODY)}`,
        '404 not_found',
        {
          by: 'anyone',
          responseHeaders: { 'cache-control': 'no-store', 'access-control-allow-origin': '*' },
        },
      ],
      ['a signed badge of nobody is not found', `GET ${badge(NOBODY, '?format=json')}`, '404'],
      [
        'a badge in an unknown format is refused',
        `GET ${badge(NOBODY, '?format=png')}`,
        '400 validation_error: format',
      ],
      [
        'a badge with an unknown parameter is refused',
        `GET ${badge(NOBODY, '?size=9')}`,
        '400 validation_error: size',
      ],
      [
        'a badge in two formats is refused',
        `GET ${badge(NOBODY, '?format=svg&format=json')}`,
        '400 validation_error: format',
      ],
      [
        'an artifact of nobody is not found',
        `GET ${artifact(NOBODY, UNKNOWN)}`,
        '404',
        { by: 'anyone', contains: ['No agent'] },
      ],
      [
        'an artifact that the agent does not have is not found',
        () => `GET ${artifact(agent.commitment, NOBODY)}`,
        '404',
        { contains: ['no evidence'] },
      ],
      [
        'an artifact with the same beginning as one of the agent is not found',
        () => `GET ${artifact(agent.commitment, `${event.slice(0, 12)}${'0'.repeat(52)}`)}`,
        '404',
      ],
      [
        'a commit that the agent does not have is not found',
        () => `GET ${artifact(agent.commitment, 'ab'.repeat(20))}`,
        '404',
      ],
      ...['x', UNKNOWN.slice(1), UNKNOWN.toUpperCase(), 'ab'.repeat(21)].map(
        (hash): Scenario => [
          `an artifact ${hash} is refused`,
          `GET ${artifact(NOBODY, hash)}`,
          '400 validation_error: artifact',
        ],
      ),
      [
        'an artifact of what is no commitment, in no format, is refused',
        `GET ${artifact('x', UNKNOWN, '?format=html')}`,
        '400 validation_error: commitment',
      ],
    ],
  );
});

describe('an avatar', () => {
  test('is the same before and after the agent enrolled, and of each hash another', async () => {
    const key = await enrolledAgent(app, { name: 'other' });
    const [own, again, nobodys] = await Promise.all(
      [key.commitment, key.commitment, NOBODY].map(async (hash) => (await get(avatar(hash))).text()),
    );
    expect(own).toBe(again ?? '');
    expect(own).not.toBe(nobodys ?? '');
  });

  test('leads to the photo from the moment that it is set until it is cleared', async () => {
    const { agent: row, commitment } = await enrolledAgent(app);
    const drawn = await get(avatar(commitment));
    const etag = drawn.headers.get('etag') ?? '';
    await present(row.agentSeq, commitment, PHOTO);
    for (const headers of [{}, { 'if-none-match': etag }]) {
      const response = await get(avatar(commitment), headers);
      expect([response.status, await response.text(), response.headers.get('location')]).toEqual([
        302,
        '',
        PHOTO,
      ]);
      expect(response.headers.get('cache-control')).toBe('public, max-age=300');
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('etag')).toBeNull();
    }
    await present(row.agentSeq, commitment, 'https://photos.example/new.png');
    expect((await get(avatar(commitment))).headers.get('location')).toBe('https://photos.example/new.png');
    await present(row.agentSeq, commitment, null);
    expect(await (await get(avatar(commitment))).text()).toBe(await drawn.text());
  });

  test('leads nowhere but to https, and to nothing that no header may hold', async () => {
    const { agent: row, commitment } = await enrolledAgent(app);
    await present(row.agentSeq, commitment, 'javascript:alert(1)');
    expect((await get(avatar(commitment))).headers.get('content-type')).toBe(SVG);
    await present(row.agentSeq, commitment, 'https://photos.example/ü\r\nx: y');
    expect((await get(avatar(commitment))).headers.get('location')).toBe(
      'https://photos.example/%C3%BCx:%20y',
    );
  });
});

describe('the statement of the status of an agent', () => {
  test('is signed, valid for five minutes, and not cacheable', async () => {
    const response = await get(badge(agent.commitment, '?format=json'));
    const said = await json(response);
    expect(said).toMatchObject({
      type: 'agent-attestation',
      subject_commitment: agent.commitment,
      state: 'ISSUED',
      name: 'release-bot <script>alert(1)</script>',
      totals: { evidence_count: 1, artifact_count: 1, failure_count: 0, receipts_count: 0 },
      measured_at: '2026-11-21T14:02:11.123Z',
      valid_until: '2026-11-21T14:07:11.123Z',
    });
    await mustBeSigned(said);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-type')).toStartWith('application/json');
  });

  test('matches the card, which changes once a minute', async () => {
    const first = await get(badge(agent.commitment));
    const words = wordsOf(parseSvg(await first.text()));
    expect(words.join(' ')).toContain('release-bot');
    for (const word of ['ISSUED', 'Evidence', '1', '2026-11-21 14:02 UTC']) expect(words).toContain(word);
    const etag = first.headers.get('etag') ?? '';
    time.advance(10_000);
    expect((await get(badge(agent.commitment), { 'if-none-match': etag })).status).toBe(304);
    time.advance(60_000);
    expect((await get(badge(agent.commitment), { 'if-none-match': etag })).status).toBe(200);
  });

  test('shows immediately that the agent was revoked', async () => {
    const { agent: row, commitment } = await enrolledAgent(app, { name: null });
    expect(await (await get(badge(commitment))).text()).toContain('ISSUED');
    await app.service.trust.store.writeAsService(
      (tx) =>
        void tx.connection.sqlite.run(
          "UPDATE agent SET state = 'REVOKED', revoked_at = '2026-11-21T14:00:00.000Z' WHERE agent_seq = ?",
          [row.agentSeq],
        ),
    );
    const words = wordsOf(parseSvg(await (await get(badge(commitment))).text()));
    for (const word of ['REVOKED', '\u2068Unnamed agent\u2069', '\u2068Revoked 2026-11-21\u2069'])
      expect(words).toContain(word);
    const said = await json(await get(badge(commitment, '?format=json')));
    expect([said.state, said.name]).toEqual(['REVOKED', null]);
    await mustBeSigned(said);
  });
});

describe('the statement about an artifact', () => {
  test('is a signed assertion', async () => {
    const response = await get(artifact(agent.commitment, event));
    const said = await json(response);
    expect(said).toEqual({
      type: 'artifact-attestation',
      subject_commitment: agent.commitment,
      state: 'ISSUED',
      artifact: event,
      artifact_kind: 'evidence',
      event_commitment_hash: event,
      source_type: 'github_push_webhook',
      outcome: 'success',
      anchored_at: '2026-11-21T14:02:11.123Z',
      checked_at: new Date(time.now()).toISOString(),
      signature: expect.stringMatching(/^[0-9a-f]{128}$/),
      kid: expect.any(String),
    });
    await mustBeSigned(said);
    expect(response.headers.get('vary')).toBe('Accept');
  });

  test.each([
    ['*/*', '', 'application/json'],
    [`${SVG}, application/json;q=0.9`, '', SVG],
    [`${SVG};q=0.5, application/json;q=0.9`, '', 'application/json'],
    ['image/avif,image/webp,image/*,*/*;q=0.8', '', SVG],
    [SVG, '?format=json', 'application/json'],
    ['application/json', '?format=svg', SVG],
    ['text/html', '', 'application/json'],
  ])('Accept %s %s: %s', async (accept, query, type) => {
    const response = await get(artifact(agent.commitment, event, query), { accept });
    expect([response.status, response.headers.get('content-type')?.split(';')[0]]).toEqual([200, type]);
    expect(response.headers.get('vary')).toBe('Accept');
  });

  test('is not made for an agent that did not bring it', async () => {
    const { commitment } = await enrolledAgent(app);
    expect((await get(artifact(commitment, event))).status).toBe(404);
  });
});

test('a server that only reads shows pictures and signs nothing', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-pictures-'));
  const first = await openTrustApp({}, null, directory);
  const mine = await enrolledAgent(first);
  const { commitment } = mine;
  const made = await anchored(first, mine);
  await first.close();
  const reading = await openTrustApp({ read_only: 'on' }, null, directory);
  const ask = (path: string) => reading.fetch(new Request(`http://localhost${path}`));
  for (const path of [avatar(commitment), badge(commitment), artifact(commitment, made, '?format=svg')])
    parseSvg(await (await ask(path)).text());
  for (const path of [badge(commitment, '?format=json'), artifact(commitment, made)]) {
    const response = await ask(path);
    expect([response.status, (await json(response)).reason_code]).toEqual([503, 'storage_unavailable']);
  }
  await reading.close();
  rmSync(directory, { recursive: true });
});

test('cards and assertions are limited by address, avatars are not', async () => {
  const limited = await openTrustApp({ rate_limits: 'on', 'limits.public_reads': '3' });
  const ask = async (path: string) => (await limited.fetch(new Request(`http://localhost${path}`))).status;
  const statuses: number[] = [];
  for (const path of [badge(NOBODY), artifact(NOBODY, UNKNOWN), badge(NOBODY, '?format=json'), badge(NOBODY)])
    statuses.push(await ask(path));
  expect(statuses).toEqual([404, 404, 404, 429]);
  for (let times = 0; times < 5; times++) expect(await ask(avatar(NOBODY))).toBe(200);
  await limited.close();
});
