import { afterEach, describe, expect, test } from 'bun:test';
import { hexToBytes } from '../../../../../src/proof/encoding/hex.ts';
import { publicKeyMultibase } from '../../../../../src/proof/keys/kid.ts';
import { issuerOf } from '../../../../../src/trust/agents/dids/issuer.ts';
import { reportCompromised } from '../../../../../src/trust/log/keys/report-compromised.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';

let app: TrustApp;
afterEach(() => app.close());

const openAt = async (url: string) => {
  app = await openTrustApp({}, null, ':memory:', { url });
  return app.service.trust;
};

describe('the identity that signs credentials', () => {
  test('of a service with a public https host is its did:web for every key, with the kid as the name of the method', async () => {
    const trust = await openAt('https://trust.example:8443');
    const issuer = issuerOf(trust);
    expect(issuer.did).toBe('did:web:trust.example%3A8443');
    for (const key of trust.signer.all()) {
      expect(issuer.didFor(key)).toBe(issuer.did);
      expect(issuer.methodFor(key)).toBe(`${issuer.did}#${key.kid}`);
    }
  });

  test('of any other service is the did:key of the key that signs, also of one that was replaced', async () => {
    const trust = await openAt('http://trust.example');
    const before = trust.signer.activeKey('credentials');
    const multibase = publicKeyMultibase(hexToBytes(before.publicKey));
    expect(issuerOf(trust).did).toBe(`did:key:${multibase}`);
    expect(issuerOf(trust).methodFor(before)).toBe(`did:key:${multibase}#${multibase}`);
    await reportCompromised(trust, before.kid);
    const after = publicKeyMultibase(hexToBytes(trust.signer.activeKey('credentials').publicKey));
    expect(after).not.toBe(multibase);
    expect(issuerOf(trust).did).toBe(`did:key:${after}`);
    expect(issuerOf(trust).didFor(before)).toBe(`did:key:${multibase}`);
  });
});
