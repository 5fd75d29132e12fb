import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { SIGNED_TYPES } from '../../../../src/proof/keys/signed-types.ts';
import { readTrustedKeys } from '../../../../src/proof/keys/trusted-keys.ts';
import { judge } from '../../../../src/proof/receipt/verdict.ts';
import { responsesOf, staffingDocument } from '../../../support/openapi.ts';
import { openStaffingApp, type StaffingApp } from '../../../support/staffing-app.ts';
import { isSignedBy } from '../../../support/statements.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

let trust: TrustApp;
let staffing: StaffingApp;
beforeAll(async () => {
  [trust, staffing] = await Promise.all([openTrustApp(), openStaffingApp()]);
});
afterAll(async () => {
  await Promise.all([trust.close(), staffing.close()]);
});

/** The example of each JSON response, by `operation status`; undefined for a response without one. */
async function examplesOf(app: TrustApp | StaffingApp) {
  const { get } = app.anyone;
  const document = Object(app === staffing ? await staffingDocument(get) : (await get('/openapi.json')).body);
  const operations = Object.values(document.paths).flatMap((item) => Object.values(Object(item)));
  return operations.flatMap((operation) => {
    const { operationId } = Object(operation);
    return responsesOf(document, operation).flatMap(([status, response]) => {
      const media = Object(response).content?.['application/json'];
      return media === undefined ? [] : [[`${operationId} ${status}`, media.example] as const];
    });
  });
}

/** The objects with a `type`, a signature and a kid in an example, at any depth. */
function statementsIn(value: unknown): Record<string, unknown>[] {
  if (value === null || typeof value !== 'object') return [];
  const object: Record<string, unknown> = { ...value };
  const within = Object.values(object).flatMap(statementsIn);
  return ['type', 'signature', 'kid'].every((member) => Object.hasOwn(object, member))
    ? [object, ...within]
    : within;
}

describe('the examples of responses in the OpenAPI documents', () => {
  test('are there for every response that is JSON', async () => {
    for (const app of [trust, staffing]) {
      const examples = await examplesOf(app);
      expect(examples.length).toBeGreaterThan(100);
      expect(examples.filter(([, example]) => example === undefined)).toEqual([]);
    }
  });

  test('have receipts that verify with the keys of the example of the key list', async () => {
    const examples = new Map(await examplesOf(trust));
    const keys = readTrustedKeys(nativePrimitives, examples.get('listTransparencyKeys 200'));
    const [revoked, issued] = examples.get('listReceiptVersions 200').versions;
    const receipts = {
      'issueReceipt 201': [examples.get('issueReceipt 201'), 'valid'],
      'finalizeReceipt 200': [examples.get('finalizeReceipt 200'), 'valid'],
      'finalizeReceipt 409': [examples.get('finalizeReceipt 409').receipt, 'valid'],
      'listReceipts 200': [examples.get('listReceipts 200').receipts[0], 'valid'],
      'revokeReceipt 200': [examples.get('revokeReceipt 200'), 'revoked'],
      'the revoked version': [revoked.receipt, 'revoked'],
      'the issued version': [issued.receipt, 'valid'],
    };
    const now = Date.parse('2026-05-01T12:10:00Z');
    for (const [name, [receipt, expected]] of Object.entries(receipts)) {
      const { verdict, authentic } = judge(nativePrimitives, receipt, { keys, now });
      expect([name, verdict, authentic]).toEqual([name, expected, true]);
    }
  });

  test('have statements and passports that the credentials key of the example of the key list signed', async () => {
    const examples = await examplesOf(trust);
    const keys = new Map(examples).get('listTransparencyKeys 200').keys;
    const verified: string[] = [];
    for (const [name, example] of examples) {
      for (const signed of statementsIn(example)) {
        // What a package has for its sponsor is not signed with it.
        const { sampled_receipts: _receipts, ...said } = signed;
        expect([name, signed.type, isSignedBy(keys, said)]).toEqual([name, signed.type, true]);
        verified.push(String(signed.type));
      }
    }
    // Agents sign the first three, and the log of keys has the last.
    const others = ['agent-auth', 'arbiter-consent', 'assessment', 'instrument-attestation', 'key-event'];
    const types = SIGNED_TYPES.filter((type) => !others.includes(type));
    expect([...new Set(verified)].sort()).toEqual(types);
  });

  test('have the guide to webhooks as it is served', async () => {
    const examples = new Map(await examplesOf(trust));
    const { body } = await trust.anyone.get('/api/v1/webhooks/verify-guide');
    expect(examples.get('getWebhookVerifyGuide 200')).toEqual(body);
  });
});
