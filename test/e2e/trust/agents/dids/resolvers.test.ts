import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { base58 } from '@scure/base';
import { publicKeyOfMultibase } from '../../../../../src/proof/credential/multikey.ts';
import { client } from '../../../../support/client.ts';
import { type HttpsFront, httpsFront } from '../../../../support/https-front.ts';
import { type Running, run, scratch, serve } from '../../../../support/process.ts';

const RESOLVE = join(import.meta.dir, '../../../../support/resolve-dids.ts');
const directory = scratch();
const file = (name: string): string => join(directory.path, name);
let front: HttpsFront;
let server: Running;
let passport: Record<string, unknown>;

beforeAll(async () => {
  front = await httpsFront(directory.path, 'trust.example');
  const base = ['--base-url', 'https://trust.example', '--port', front.servicePort];
  server = await serve(file('data'), {}, base);
  await run(['keygen', '--out', file('agent.pem')]);
  const { code, stdout, stderr } = await run(
    ['enroll', 'https://trust.example', '--key', file('agent.pem')],
    {
      env: front.env,
    },
  );
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  passport = JSON.parse(stdout);
});
afterAll(async () => {
  await server.stop();
  await front.stop();
  directory.dispose();
});

/** Resolves DIDs by did-resolver with web-did-resolver and key-did-resolver, in a process of its own. */
async function resolved(...dids: unknown[]) {
  const child = Bun.spawn([process.execPath, RESOLVE, ...dids.map(String)], {
    env: { ...process.env, ...front.env },
    stderr: 'inherit',
  });
  const lines = (await new Response(child.stdout).text()).trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}

/** The relationships that every resolver of did:key derives from the key. */
const RELATIONSHIPS = ['authentication', 'assertionMethod', 'capabilityInvocation'];

describe("other people's DID resolvers", () => {
  test('resolve the issuer of a passport to the document of the service, which has the key that signed the passport', async () => {
    expect(passport.issuer).toBe('did:web:trust.example');
    const [{ didDocument, didResolutionMetadata }] = await resolved(passport.issuer);
    expect(didResolutionMetadata).toEqual({ contentType: 'application/did+ld+json' });
    expect(didDocument).toEqual(
      (await client(fetch, `http://127.0.0.1:${front.servicePort}`, null).get('/.well-known/did.json')).body,
    );
    expect(didDocument.assertionMethod).toEqual([`did:web:trust.example#${passport.kid}`]);
  });

  test('resolve the did:web of an agent to its document', async () => {
    const did = `did:web:trust.example:api:v1:anp:agents:${passport.subject_commitment}`;
    const [{ didDocument }] = await resolved(did);
    expect(didDocument).toMatchObject({ id: did, alsoKnownAs: [passport.did] });
    const [{ publicKeyMultibase }] = didDocument.verificationMethod;
    expect(Buffer.from(publicKeyOfMultibase(publicKeyMultibase) ?? []).toString('hex')).toBe(
      String(passport.public_key),
    );
  });

  test('derive from the did:key of an agent the same key, method and relationships as its document has', async () => {
    const [{ didDocument: derived }] = await resolved(passport.did);
    const path = `/api/v1/anp/agents/${passport.subject_commitment}`;
    const { body } = await client(fetch, `http://127.0.0.1:${front.servicePort}`, null).get(path);
    const [method] = Object(body).verificationMethod;
    expect([body.id, method.id]).toEqual([derived.id, derived.verificationMethod[0].id]);
    const { publicKeyBase58 } = derived.verificationMethod[0];
    expect(Buffer.from(base58.decode(publicKeyBase58)).toString('hex')).toBe(String(passport.public_key));
    for (const name of RELATIONSHIPS) expect([name, body[name]]).toEqual([name, derived[name]]);
  });

  test('find no document for an agent that never enrolled, nor for another host', async () => {
    const agents = 'did:web:trust.example:api:v1:anp:agents';
    const [unknown, elsewhere] = await resolved(`${agents}:${'0'.repeat(64)}`, 'did:web:other.example');
    expect(unknown.didResolutionMetadata.error).toBe('notFound');
    expect([elsewhere.didDocument, elsewhere.didResolutionMetadata.error]).toEqual([null, 'notFound']);
  });
});

test('after a rotation, resolvers still find the key that signed an earlier passport; after its compromise they do not', async () => {
  const rotate = (...args: string[]) => run(['keys', 'rotate', '--yes', '--data', file('data'), ...args]);
  const methodsNow = async (): Promise<string[]> => {
    const [{ didDocument }] = await resolved(passport.issuer);
    return didDocument.assertionMethod;
  };
  const signing = `did:web:trust.example#${passport.kid}`;
  expect((await rotate('--purpose', 'credentials')).code).toBe(0);
  const both = await methodsNow();
  expect(both).toHaveLength(2);
  expect(both[0]).toBe(signing);
  expect((await rotate('--compromised', String(passport.kid))).code).toBe(0);
  expect(await methodsNow()).toEqual(both.slice(1));
});

test('a service without a public https host is a did:key, which resolvers turn into the key that signs', async () => {
  const local = await serve(file('local'));
  const { body } = await client(fetch, local.url, null).get('/.well-known/did.json');
  const [{ didDocument }] = await resolved(body.id);
  expect(didDocument.assertionMethod).toEqual(body.assertionMethod);
  const { body: published } = await client(fetch, local.url, null).get(
    '/api/v1/public-key?purpose=credentials',
  );
  const { publicKeyBase58 } = didDocument.verificationMethod[0];
  expect(Buffer.from(base58.decode(publicKeyBase58)).toString('hex')).toBe(String(published.public_key));
  await local.stop();
});
