import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { bitAt, decodeBitstring } from '../../../../src/proof/credential/bitstring.ts';
import { verifyProof } from '../../../../src/proof/credential/data-integrity.ts';
import { publicKeyOfDidKey } from '../../../../src/proof/credential/multikey.ts';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { inOneGo } from '../../../../src/proof/encoding/steps.ts';
import { Thinning } from '../../../../src/trust/log/checkpoints/thinning.ts';
import { reportCompromised } from '../../../../src/trust/log/keys/report-compromised.ts';
import { rotate } from '../../../../src/trust/log/keys/rotate.ts';
import { enrolledAgent } from '../../../support/agent.ts';
import { publishCheckpoints } from '../../../support/published.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';
import { doneWork } from '../../../support/work.ts';

const HOUR = 3600_000;
const DAY = 24 * HOUR;

let app: TrustApp;
let time: VirtualTime;
let agent: Awaited<ReturnType<typeof enrolledAgent>>;

beforeEach(async () => {
  time = new VirtualTime(Date.parse('2026-11-21T12:00:00.000Z'));
  app = await openTrustApp({}, time);
  agent = await enrolledAgent(app);
});
afterEach(() => app.close());

const LIST = '/api/v1/credentials/status/';

interface Issued {
  id: string;
  issuer: string;
  /** The path of the list on the service. */
  list: string;
  index: number;
}

async function issued(of = agent): Promise<Issued> {
  const { status, body } = await app.anyone.get(`/api/v1/credentials/${of.commitment}`);
  expect([status, body.error]).toEqual([200, undefined]);
  const { statusListCredential, statusListIndex } = Object(body.credentialStatus);
  return {
    id: String(body.id),
    issuer: String(body.issuer),
    list: new URL(statusListCredential).pathname,
    index: Number(statusListIndex),
  };
}

/** Another credential of the same agent. */
async function issuedAfterWork(of = agent): Promise<Issued> {
  await doneWork(app, of.commitment, ['success']);
  await publishCheckpoints(app);
  return issued(of);
}

async function listAt(path: string): Promise<{ document: JsonObject; bits: Uint8Array }> {
  const response = await app.fetch(new Request(`http://localhost${path}`));
  expect(response.status).toBe(200);
  const document = JSON.parse(await response.text());
  const bits = decodeBitstring(document.credentialSubject.encodedList);
  return { document, bits: bits ?? new Uint8Array() };
}

const isRevoked = async ({ list, index }: Issued) => bitAt((await listAt(list)).bits, index);

const revoke = (id: string, body?: unknown, more?: Record<string, string>) =>
  app.own.post(`/api/v1/credentials/${id}/revoke`, body, more);

/** Runs SQL on the database, as damage or time would change it. */
const change = (sql: string) =>
  app.service.trust.store.writeAsService(async ({ connection }) => void connection.sqlite.run(sql));

const countOf = (table: string) =>
  app.service.trust.store.read(async ({ connection }) =>
    Number(Object(connection.sqlite.query(`SELECT count(*) AS n FROM ${table}`).get()).n),
  );

describe('a status list', () => {
  test('is a credential of the same issuer, whose proof holds', async () => {
    const { issuer, list } = await issued();
    const { document } = await listAt(list);
    expect(document).toMatchObject({
      '@context': ['https://www.w3.org/ns/credentials/v2'],
      id: `http://localhost:3000${list}`,
      type: ['VerifiableCredential', 'BitstringStatusListCredential'],
      issuer,
      validFrom: new Date(time.now()).toISOString(),
      validUntil: new Date(time.now() + DAY).toISOString(),
      credentialSubject: {
        id: `http://localhost:3000${list}#list`,
        type: 'BitstringStatusList',
        statusPurpose: 'revocation',
        ttl: 60_000,
      },
    });
    expect(
      inOneGo(verifyProof(nativePrimitives, document, publicKeyOfDidKey(issuer) ?? new Uint8Array())),
    ).toBe(true);
  });

  test('is signed again after a minute, with the same bits', async () => {
    const credential = await issued();
    const first = await listAt(credential.list);
    time.advance(59_999);
    expect(await listAt(credential.list)).toEqual(first);
    time.advance(1);
    const later = await listAt(credential.list);
    expect(later.document.validFrom).not.toBe(first.document.validFrom ?? null);
    expect(later.bits).toEqual(first.bits);
  });

  test('is cacheable for a minute, and not modified for a client that has it', async () => {
    const { list } = await issued();
    const get = (headers: Record<string, string>) =>
      app.fetch(new Request(`http://localhost${list}`, { headers }));
    const response = await get({ accept: 'application/vc' });
    const etag = response.headers.get('etag') ?? '';
    expect([response.headers.get('cache-control'), response.headers.get('content-type')]).toEqual([
      'public, max-age=60',
      'application/vc',
    ]);
    expect((await get({ 'if-none-match': etag })).status).toBe(304);
  });

  test.each([
    ['1', 404, 'not_found'],
    ['999999999999999', 404, 'not_found'],
    ['0', 400, 'validation_error'],
    ['01', 400, 'validation_error'],
    ['-1', 400, 'validation_error'],
    ['1.5', 400, 'validation_error'],
    ['1e3', 400, 'validation_error'],
    ['x', 400, 'validation_error'],
    ['9999999999999999', 400, 'validation_error'],
  ])('with the number %s, which no credential has, is a %d', async (list, status, code) => {
    const { status: found, body } = await app.anyone.get(`${LIST}${list}`);
    expect([found, body.reason_code]).toEqual([status, code]);
  });

  test('takes 65,536 credentials, and the next one begins another list', async () => {
    expect((await issued()).list).toBe(`${LIST}1`);
    await change('UPDATE status_list SET issued = 65535');
    expect((await issuedAfterWork()).list).toBe(`${LIST}1`);
    expect((await issuedAfterWork()).list).toBe(`${LIST}2`);
  });

  test('gives no two credentials the same entry', async () => {
    const entries: number[] = [];
    for (let count = 0; count < 30; count++) entries.push((await issuedAfterWork()).index);
    expect(new Set(entries).size).toBe(30);
    // Random, so that an entry says nothing about when its credential was issued.
    expect(entries).not.toEqual(entries.toSorted((one, other) => one - other));
  });

  test('is signed by its own key after the key is retired, until its last credential ends', async () => {
    const before = await issued();
    await rotate(app.service.trust, 'credentials', 0);
    const after = await issued();
    expect([after.list, after.issuer === before.issuer]).toEqual([`${LIST}2`, false]);
    time.advance(DAY - 1);
    const { document } = await listAt(before.list);
    expect(document.issuer).toBe(before.issuer);
    expect(
      inOneGo(verifyProof(nativePrimitives, document, publicKeyOfDidKey(before.issuer) ?? new Uint8Array())),
    ).toBe(true);
    time.advance(60_001);
    const { status, body } = await app.anyone.get(before.list);
    expect([status, body.reason_code]).toEqual([410, 'status_list_ended']);
    expect((await listAt(after.list)).document.issuer).toBe(after.issuer);
  });

  test('is never signed by a key that was reported as compromised', async () => {
    const before = await issued();
    await listAt(before.list);
    const { kid } = app.service.trust.signer.activeKey('credentials');
    await reportCompromised(app.service.trust, kid);
    const { status, body } = await app.anyone.get(before.list);
    expect([status, body.reason_code]).toEqual([410, 'status_list_ended']);
    const after = await issued();
    expect(after.issuer).not.toBe(before.issuer);
    expect(await isRevoked(after)).toBe(false);
  });

  test('is not signed while the clock is wrong', async () => {
    const { list } = await issued();
    time.jump(2 * HOUR);
    const { status, body } = await app.anyone.get(list);
    expect([status, body.reason_code]).toEqual([503, 'clock_wrong']);
  });
});

describe('a revoked credential', () => {
  test('has its bit in the status list at once, and others have not', async () => {
    const [first, second] = [await issued(), await issuedAfterWork()];
    expect([await isRevoked(first), await isRevoked(second)]).toEqual([false, false]);
    const { status, body } = await revoke(first.id, { reason: 'It was issued by mistake.' });
    expect([status, body]).toEqual([
      200,
      {
        id: first.id,
        agent_commitment_hash: agent.commitment,
        cluster_id: null,
        status: 'revoked',
        revoked_at: new Date(time.now()).toISOString(),
        reason: 'It was issued by mistake.',
        status_list_credential: `http://localhost:3000${first.list}`,
        status_list_index: String(first.index),
      },
    ]);
    expect([await isRevoked(first), await isRevoked(second)]).toEqual([true, false]);
  });

  test('is followed by a new one, which is not revoked', async () => {
    const first = await issued();
    await revoke(first.id);
    const next = await issued();
    expect(next.id).not.toBe(first.id);
    expect(await isRevoked(next)).toBe(false);
  });

  test('cannot be revoked again', async () => {
    const { id } = await issued();
    await revoke(id);
    const { status, body } = await revoke(id);
    expect([status, body.reason_code]).toEqual([409, 'invalid_state']);
  });

  test('is found by its UUID in any spelling', async () => {
    const { id } = await issued();
    const { status } = await revoke(id.replace('urn:uuid:', '').toUpperCase());
    expect(status).toBe(200);
  });

  test('is revoked once by a request that is repeated with its Idempotency-Key', async () => {
    const { id } = await issued();
    const key = { 'idempotency-key': 'revoke-1' };
    const [first, second] = [await revoke(id, {}, key), await revoke(id, {}, key)];
    expect([first.status, second.status, second.body]).toEqual([200, 200, first.body]);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
  });

  test.each([
    ['a UUID of nothing', '00000000-0000-7000-8000-000000000000'],
    ['no UUID', 'x'],
    ['a UUID without dashes', '00000000000070008000000000000000'],
  ])('is not found by %s', async (_, id) => {
    const { status, body } = await revoke(id);
    expect([status, body.reason_code]).toEqual([404, 'not_found']);
  });

  test.each([
    ['of nobody', () => app.anyone, 401, 'unauthorized'],
    ['without admin rights', () => app.other, 403, 'forbidden'],
  ])('needs an admin key: a key %s is refused', async (_, caller, status, code) => {
    const credential = await issued();
    const { status: found, body } = await caller().post(`/api/v1/credentials/${credential.id}/revoke`, {});
    expect([found, body.reason_code]).toEqual([status, code]);
    expect(await isRevoked(credential)).toBe(false);
  });

  test.each([
    [{ reason: '' }, 'reason'],
    [{ reason: 'x'.repeat(1025) }, 'reason'],
    [{ reason: 'a\u0000b' }, 'reason'],
    [{ reason: 7 }, 'reason'],
    [{ cause: 'x' }, 'cause'],
  ])('is refused with the body %j', async (body, field) => {
    const { id } = await issued();
    const { status, body: problem } = await revoke(id, body);
    expect([status, problem.reason_code, Object.keys(Object(problem.issues))]).toEqual([
      400,
      'validation_error',
      [field],
    ]);
  });
});

test('all credentials of a revoked agent are revoked with it', async () => {
  const other = await enrolledAgent(app);
  const all = [await issued(), await issuedAfterWork(), await issuedAfterWork()];
  const kept = await issuedAfterWork(other);
  await listAt(kept.list);
  await app.own.post(`/api/v1/passport/agents/${agent.commitment}/revoke`, {});
  for (const credential of all) expect(await isRevoked(credential)).toBe(true);
  expect(await isRevoked(kept)).toBe(false);
  const [first] = all;
  const { status, body } = await revoke(first?.id ?? '');
  expect([status, body.reason_code]).toEqual([409, 'invalid_state']);
});

test('credentials are deleted 30 days after their end, except revoked ones', async () => {
  const revoked = await issued();
  await revoke(revoked.id);
  await issued();
  const { tasks } = await app.service.background();
  const deleteOld = tasks.find(({ name }) => name === 'delete old credentials');
  time.advance(31 * DAY - 1);
  await deleteOld?.run();
  expect(await countOf('credential')).toBe(2);
  time.advance(1);
  await deleteOld?.run();
  expect(await countOf('credential')).toBe(1);
  expect(await isRevoked(revoked)).toBe(true);
});

test('a checkpoint that a credential cites stays when old checkpoints are deleted', async () => {
  const { store, log } = app.service.trust;
  const sizes: number[] = [];
  for (let count = 0; count < 4; count++) {
    await doneWork(app, agent.commitment, ['success']);
    await publishCheckpoints(app);
    sizes.push(log.publisher.latest('evidence').response.tree_size);
    if (count === 1) await issued();
    time.advance(1000);
  }
  time.advance(2 * HOUR);
  await publishCheckpoints(app);
  const thinning = new Thinning(store, log.publisher.cosigned, 365);
  const left = async () => {
    await thinning.run();
    const rows = await store.read(async ({ connection }) =>
      connection.sqlite
        .query<{ size: number }, []>(
          "SELECT tree_size AS size FROM checkpoint JOIN log USING (log_seq) WHERE name = 'evidence' AND tree_size > 0 ORDER BY 1, checkpoint_seq",
        )
        .all(),
    );
    return [...new Set(rows.map(({ size }) => size))];
  };
  // Of the four in one minute the newest stays, and the one that the credential cites.
  const [, cited = 0, , newest = 0] = sizes;
  expect(await left()).toEqual([cited, newest]);
  // Once the credential is deleted, so is its checkpoint, by the same process.
  time.advance(31 * DAY);
  const { tasks } = await app.service.background();
  await tasks.find(({ name }) => name === 'delete old credentials')?.run();
  await publishCheckpoints(app);
  expect(await left()).toEqual([newest]);
});
