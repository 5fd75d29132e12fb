import { afterAll, describe, expect, test } from 'bun:test';
import { engineImplementation, serveVcApi } from '../../../scripts/conformance/vc-api.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/proof/encoding/json.ts';

const plain = (issuer: string, changes: JsonObject = {}): JsonObject => ({
  '@context': ['https://www.w3.org/ns/credentials/v2'],
  type: ['VerifiableCredential'],
  issuer,
  credentialSubject: { id: 'did:example:subject' },
  ...changes,
});

describe('the engine as an implementation of the VC API', () => {
  const engine = engineImplementation();
  const api = serveVcApi([engine]);
  afterAll(() => api.stop());
  const post = async (path: string, body: JsonObject) => {
    const response = await fetch(`${api.urlOf(engine)}/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    const parsed: JsonValue = JSON.parse(await response.text());
    return { status: response.status, body: parsed };
  };

  test('verifies what it signed, with what the suite wrote unchanged', async () => {
    const credential = plain(engine.issuer, { evidence: [{ type: 'Example' }] });
    const issued = await post('credentials/issue', { credential });
    expect(issued).toMatchObject({ status: 201, body: credential });
    expect(await post('credentials/verify', { verifiableCredential: issued.body })).toEqual({
      status: 200,
      body: { verified: true },
    });
  });

  test('refuses a credential that was changed, one without a proof, and one of another method', async () => {
    const issued = await post('credentials/issue', { credential: plain(engine.issuer) });
    if (!isJsonObject(issued.body) || !isJsonObject(issued.body.proof)) throw new Error('no credential');
    const { proof, ...unsigned } = issued.body;
    for (const verifiableCredential of [
      { ...issued.body, name: 'changed' },
      unsigned,
      { ...unsigned, proof: { ...proof, verificationMethod: 'did:web:example.com#key' } },
      { ...unsigned, proof: { ...proof, verificationMethod: `${engine.issuer}#other` } },
      'text',
    ]) {
      expect((await post('credentials/verify', { verifiableCredential })).status).toBe(422);
    }
  });

  test('signs no value that is not an object, and verifies no presentation', async () => {
    expect((await post('credentials/issue', { credential: 'text' })).status).toBe(400);
    expect((await post('presentations/verify', { verifiablePresentation: {} })).status).toBe(501);
  });
});
