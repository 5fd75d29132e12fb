import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { sha256Hex } from '../../../../src/platform/crypto/crypto.ts';
import { createOperator } from '../../../../src/trust/operators/create-operator.ts';
import type { NewApiKey } from '../../../../src/trust/operators/schema.ts';
import { Visitor } from '../../../support/account.ts';
import { createKeyFor } from '../../../support/api-keys.ts';
import { type ApiResponse, client } from '../../../support/client.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

let app: TrustApp;
beforeAll(async () => {
  app = await openTrustApp();
});
afterAll(() => app.close());

const KEYS = '/api/v1/operator/api-keys';
const AGENT = 'ab'.repeat(32);
const HOLDER: NewApiKey = { role: 'holder', subject_commitment: AGENT };

const as = (key: string) => client(app.fetch, 'http://localhost', key);
const codeOf = ({ status, body }: ApiResponse): unknown[] => [status, body.reason_code];
const deletion = (by: string, target: string) => as(by).call('DELETE', `${KEYS}/${sha256Hex(target)}`);

/** An operator with two more issuer keys than those that a test makes. */
async function operator() {
  const { operator_id: id, api_key: first } = await createOperator(app.service.trust, {
    name: null,
    admin: false,
  });
  const made = async (request: NewApiKey) =>
    String((await createKeyFor(app.service.trust, id, request)).api_key);
  return { first, made };
}

describe('a key', () => {
  const scope = { max_credits: 10, products: ['a', 'b'], expires_at: '2030-01-01T00:00:00Z' };
  const scoped = (changes: object): NewApiKey => ({ scope: { ...scope, ...changes } });
  type Row = [target: string, caller: string, callersRights: NewApiKey, targetsRights: NewApiKey];

  test.each<Row>([
    ['with the same rights', 'another', {}, {}],
    ['with a scope', 'one without', {}, { scope }],
    ['of an agent', 'an issuer key', {}, HOLDER],
    ['that is an admin key', 'another', { admin: true }, { admin: true }],
    ['that is no admin key', 'an admin key', { admin: true }, {}],
    ['with the same scope', 'one with a scope', { scope }, { scope }],
    ['for fewer credits', 'one for more', { scope }, scoped({ max_credits: 9 })],
    ['for fewer products', 'one for more', { scope }, scoped({ products: ['a'] })],
    ['that ends earlier', 'one that ends later', { scope }, scoped({ expires_at: '2029-01-01T00:00:00Z' })],
    ['of an agent, with the same scope', 'an issuer key', { scope }, { ...HOLDER, scope }],
    ['without a scope', 'one whose scope limits nothing', { scope: {} }, {}],
  ])('%s is deleted by %s', async (_target, _caller, caller, target) => {
    const { made } = await operator();
    const [by, of] = [await made(caller), await made(target)];
    expect((await deletion(by, of)).status).toBe(200);
    expect((await as(of).get('/api/v1/receipts')).status).toBe(401);
  });

  test.each<Row>([
    ['that is an admin key', 'one that is none', {}, { admin: true }],
    ['without a scope', 'one with a scope', { scope }, {}],
    ['without a scope', 'one that only ends', { scope: { expires_at: scope.expires_at } }, {}],
    ['for more credits', 'one for fewer', { scope }, scoped({ max_credits: 11 })],
    ['for other products', 'one without them', { scope }, scoped({ products: ['c'] })],
    ['that ends later', 'one that ends', { scope }, scoped({ expires_at: '2030-01-01T00:00:01Z' })],
    ['of an agent, without a scope', 'an issuer key with one', { scope }, HOLDER],
    ['of the same agent', 'a holder key', HOLDER, HOLDER],
    ['that is an issuer key', 'a holder key', HOLDER, {}],
    ['that may spend nothing', 'a holder key', HOLDER, { scope: { max_credits: 0 } }],
  ])('%s is not deleted by %s', async (_target, _caller, caller, target) => {
    const { made } = await operator();
    const [by, of] = [await made(caller), await made(target)];
    expect(codeOf(await deletion(by, of))).toEqual([403, 'forbidden']);
    expect((await as(of).get('/api/v1/receipts')).status).toBe(200);
  });

  test.each<[string, NewApiKey]>([
    ['an issuer key with the narrowest scope', { scope: { max_credits: 0, products: [] } }],
    ['a holder key', HOLDER],
    ['an admin key', { admin: true }],
  ])('is deleted by itself, even %s', async (_name, request) => {
    const { made } = await operator();
    const key = await made(request);
    expect((await deletion(key, key)).status).toBe(200);
    expect((await as(key).get('/api/v1/receipts')).status).toBe(401);
  });

  test('is deleted by itself only if it is not the last issuer key', async () => {
    const { first, made } = await operator();
    await made(HOLDER);
    expect(codeOf(await deletion(first, first))).toEqual([409, 'conflict']);
  });

  test('is deleted by one of two that delete each other at the same time', async () => {
    const { made } = await operator();
    const [one, two] = [await made({}), await made({})];
    const responses = await Promise.all([deletion(one, two), deletion(two, one)]);
    expect(responses.map(codeOf).sort()).toEqual([
      [200, undefined],
      [401, 'unauthorized'],
    ]);
  });

  test('is deleted by no key of another operator, whatever its rights are', async () => {
    const { first } = await operator();
    expect(codeOf(await deletion(app.apiKey, first))).toEqual([404, 'not_found']);
  });

  test('is deleted in a browser under the same rule', async () => {
    const { first, made } = await operator();
    const visitor = new Visitor(app.fetch);
    await visitor.logIn(await made({ scope: { max_credits: 1 } }));
    const path = `/account/keys/${sha256Hex(first)}/revoke`;
    await visitor.get(path);
    const refused = await visitor.send(path);
    expect([refused.status, refused.text]).toEqual([
      403,
      expect.stringContaining('A key cannot delete a key with more rights than its own'),
    ]);
    expect((await as(first).get('/api/v1/receipts')).status).toBe(200);
  });
});
