import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { client } from '../../../support/client.ts';
import { httpsFront } from '../../../support/https-front.ts';
import { type Running, run, scratch, serve } from '../../../support/process.ts';
import { didKeyIssuer, signedCredential } from '../../../support/signed-credential.ts';
import { testKey } from '../../../support/small-log.ts';
import { tampered } from '../../../support/statements.ts';
import { expanded, loaderOf, opinionOf } from '../../../support/stranger.ts';

/*
 * @digitalbazaar/vc with its suite and its status lists judges what the executable issues. It shares no code with the service.
 */

const HOUR = 3600_000;
const directory = scratch();
const file = (name: string): string => join(directory.path, name);
let server: Running;
let api: ReturnType<typeof client>;
let loader: DocumentLoader;
let agent: string;
let credential: JsonObject;

/** Enrolls an agent by the executable. @returns its commitment */
async function enroll(name: string): Promise<string> {
  expect((await run(['keygen', '--out', file(`${name}.pem`)])).code).toBe(0);
  writeFileSync(file('api-key'), server.apiKey, { mode: 0o600 });
  const args = ['--key', file(`${name}.pem`), '--name', name, '--api-key-file', file('api-key')];
  const { stdout } = await run(['enroll', server.url, ...args]);
  return String(JSON.parse(stdout).subject_commitment);
}

async function credentialOf(commitment: string): Promise<JsonObject> {
  const { status, body } = await api.get(`/api/v1/credentials/${commitment}`);
  expect(status).toBe(200);
  return JSON.parse(JSON.stringify(body));
}

const serviceSays = async (document: unknown) => {
  const { status, body } = await api.post('/api/v1/credentials/verify', Object(document));
  return { status, code: body.reason_code ?? null, valid: body.valid, checks: Object(body.checks) };
};

/** What the command says, with the keys of the service and its status lists. */
async function commandSays(document: unknown, ...args: string[]) {
  const asked = ['credential', 'verify', '-', '--keys', server.url, '--status', server.url, ...args];
  const { code, stdout } = await run(asked, { stdin: JSON.stringify(document) });
  return { code, verdict: JSON.parse(stdout).verdict };
}

beforeAll(async () => {
  server = await serve(file('data'), { COUNTERSIGN_RATE_LIMITS: 'off' });
  api = client(fetch, server.url, server.apiKey);
  loader = await loaderOf(server.url);
  agent = await enroll('clerk');
  const receipt = await api.issue({ agent_id: agent });
  await api.finalize(receipt.body.receipt_id, { status: 'success', output_hash: 'ab'.repeat(32) });
  credential = await credentialOf(agent);
});
afterAll(async () => {
  await server.stop();
  directory.dispose();
});

describe('a credential of the executable', () => {
  test('is accepted by a stranger, by the service and by the command', async () => {
    expect(await opinionOf(credential, loader)).toEqual({ opinion: 'valid', reason: null });
    expect(await serviceSays(credential)).toMatchObject({
      status: 200,
      valid: true,
      checks: { shape: true, issuer: true, proof: true, validity: true, status: true },
    });
    expect(await commandSays(credential)).toEqual({ code: 0, verdict: 'valid' });
  });

  test('states the reputation of the agent and the checkpoints that it was computed at', async () => {
    const subject = Object(credential.credentialSubject);
    expect(subject).toMatchObject({ agent_commitment_hash: agent, receipts_count: 1, sample_size: 1 });
    for (const [log, leaves] of [
      ['evidence', 0],
      ['receipts', 1],
    ] as const) {
      const { origin, tree_size, root_hash } = subject.checkpoint[log];
      expect([origin.endsWith(`/${log}`), tree_size]).toEqual([true, leaves]);
      if (tree_size === 0) continue;
      const query = `from=${tree_size}&to=${tree_size}&log=${log}`;
      const { body } = await api.get(`/api/v1/receipts/checkpoints/consistency?${query}`);
      expect(root_hash).toBe(String(body.from_root));
    }
  });

  test('is understood as JSON-LD: its contexts define every word', async () => {
    const found = await expanded(credential, loader);
    const [subject] = [found['https://www.w3.org/2018/credentials#credentialSubject']].flat();
    const words = Object.keys(Object(subject)).filter((name) => name.startsWith('urn:countersign:'));
    // The members of the subject but id.
    expect(words).toHaveLength(Object.keys(Object(credential.credentialSubject)).length - 1);
    await expect(expanded({ ...credential, rating: 5 }, loader)).rejects.toThrow();
  });

  test('has a status list that is a credential itself', async () => {
    const { statusListCredential } = Object(credential.credentialStatus);
    const list = await (await fetch(statusListCredential)).json();
    expect(await opinionOf(list, loader)).toEqual({ opinion: 'valid', reason: null });
    expect(await serviceSays(list)).toMatchObject({ status: 200, valid: true, checks: { status: null } });
    await expanded(list, loader);
  });

  test('is refused by everybody in every form that differs in one value', async () => {
    for (const [path, changed] of tampered(credential)) {
      const { status, valid, code } = await serviceSays(changed);
      expect([path, status, valid, String(code).startsWith('credential_')]).toEqual([path, 422, false, true]);
      // The suite lets a document have further contexts than its proof (vc-di-eddsa, 3.3.2); we do not.
      if (path === '.@context[]') continue;
      expect([path, (await opinionOf(changed, loader)).opinion]).toEqual([path, 'invalid']);
    }
    const changed = {
      ...credential,
      credentialSubject: { ...Object(credential.credentialSubject), score: 100 },
    };
    expect(await commandSays(changed)).toEqual({ code: 1, verdict: 'bad_proof' });
  });

  test.each([
    ['before it begins', -2 * HOUR, 'not_yet_valid', '"validFrom"'],
    ['after it has expired', 25 * HOUR, 'expired', '"validUntil"'],
  ])('is refused %s', async (_, later, verdict, word) => {
    const at = new Date(Date.now() + later);
    const { opinion, reason } = await opinionOf(credential, loader, at);
    expect([opinion, String(reason)]).toEqual(['invalid', expect.stringContaining(word)]);
    expect(await commandSays(credential, '--at', at.toISOString())).toEqual({ code: 1, verdict });
  });
});

describe('a credential that the service did not issue is refused', () => {
  const stranger = testKey(7);
  test.each<[string, () => JsonObject, string]>([
    [
      'by its own did:key',
      () => {
        const { issuer, method } = didKeyIssuer(stranger);
        return signedCredential({ ...unsignedOf(credential), issuer }, { key: stranger, method });
      },
      'credential_issuer_unknown',
    ],
    [
      'under the name of the service, by another key',
      () => {
        const { verificationMethod } = Object(credential.proof);
        return signedCredential(unsignedOf(credential), { key: stranger, method: verificationMethod });
      },
      'credential_bad_proof',
    ],
  ])('%s', async (_, forged, code) => {
    expect((await opinionOf(forged(), loader)).opinion).toBe('invalid');
    expect(await serviceSays(forged())).toMatchObject({ status: 422, code });
    expect((await commandSays(forged())).code).toBe(1);
  });
});

test('a credential of a service with a public host is accepted under its did:web, until its key is reported as compromised', async () => {
  const url = 'https://trust.example';
  const front = await httpsFront(directory.path, 'trust.example');
  const address = `http://127.0.0.1:${front.servicePort}`;
  const env = { COUNTERSIGN_RATE_LIMITS: 'off' };
  const web = await serve(file('web'), env, ['--base-url', url, '--port', front.servicePort]);
  try {
    await run(['keygen', '--out', file('web.pem')]);
    const { stdout } = await run(['enroll', url, '--key', file('web.pem')], { env: front.env });
    const path = `/api/v1/credentials/${JSON.parse(stdout).subject_commitment}`;
    const anyone = client(fetch, address, null);
    const issued = (await anyone.get(path)).body;
    expect(issued.issuer).toBe('did:web:trust.example');
    expect(await opinionOf(issued, await loaderOf(url, address))).toEqual({ opinion: 'valid', reason: null });
    const args = ['credential', 'verify', '-', '--keys', address, '--issuer', 'did:web:trust.example'];
    const judged = await run(args, { stdin: JSON.stringify(issued) });
    expect([judged.code, JSON.parse(judged.stdout).verdict]).toEqual([0, 'valid']);

    const [, kid = ''] = String(Object(issued.proof).verificationMethod).split('#');
    expect((await run(['keys', 'rotate', '--yes', '--compromised', kid, '--data', file('web')])).code).toBe(
      0,
    );
    expect((await opinionOf(issued, await loaderOf(url, address))).opinion).toBe('invalid');
    const after = await run(args, { stdin: JSON.stringify(issued) });
    expect([after.code, JSON.parse(after.stdout).verdict]).toEqual([1, 'key_compromised']);
    const next = (await anyone.get(path)).body;
    expect((await opinionOf(next, await loaderOf(url, address))).opinion).toBe('valid');
  } finally {
    await web.stop();
    await front.stop();
  }
});

describe('revocation', () => {
  test('of one credential is seen by everybody, and of no other', async () => {
    const { body } = await api.post(`/api/v1/credentials/${credential.id}/revoke`, { reason: 'a test' });
    expect(body).toMatchObject({ id: credential.id, status: 'revoked' });
    expect(await opinionOf(credential, loader)).toEqual({ opinion: 'revoked', reason: null });
    expect(await serviceSays(credential)).toMatchObject({
      status: 422,
      code: 'credential_revoked',
      checks: { proof: true, validity: true, status: false },
    });
    expect(await commandSays(credential)).toEqual({ code: 1, verdict: 'revoked' });
    const next = await credentialOf(agent);
    expect(next.id).not.toBe(credential.id);
    expect(await opinionOf(next, loader)).toEqual({ opinion: 'valid', reason: null });
    expect(await commandSays(next)).toEqual({ code: 0, verdict: 'valid' });
  });

  test('of an agent revokes its credentials', async () => {
    const other = await enroll('auditor');
    const issued = await credentialOf(other);
    expect((await opinionOf(issued, loader)).opinion).toBe('valid');
    expect((await api.post(`/api/v1/passport/agents/${other}/revoke`, {})).status).toBe(200);
    expect((await opinionOf(issued, loader)).opinion).toBe('revoked');
    expect(await serviceSays(issued)).toMatchObject({ status: 422, code: 'credential_revoked' });
    expect(await commandSays(issued)).toEqual({ code: 1, verdict: 'revoked' });
  });
});

function unsignedOf({ proof: _proof, ...unsigned }: JsonObject): JsonObject {
  return unsigned;
}
