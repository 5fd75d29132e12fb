import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { formatVerifierKey, keyIdOf, SIGNATURE_TYPES } from '../../../../src/proof/log/note.ts';
import { trustedLogKeys } from '../../../../src/tools/verify/log-keys.ts';
import { policyFrom } from '../../../../src/tools/verify/policy.ts';
import { testKey, verifierOf } from '../../../support/small-log.ts';

const directory = mkdtempSync(join(tmpdir(), 'countersign-policy-'));
afterAll(() => rmSync(directory, { recursive: true }));

const NOBODY = { keys: [], logKeys: [], compromisedLogKeys: [], keyLog: null };
const logKey = verifierOf(testKey(2), 'receipts.example/receipts');
const { publicKey } = logKey;
const type = SIGNATURE_TYPES.cosignature;
const own = { name: 'own', type, publicKey, keyId: keyIdOf(nativePrimitives, 'own', type, publicKey) };

test('a witness with the key of --log-key is refused, as with that of a list or of the policy', async () => {
  const path = join(directory, 'policy');
  const witness = `witness own ${formatVerifierKey(own)}\nquorum own\n`;
  const options = { logKey: [formatVerifierKey(logKey)] };
  const message = 'the witness own has a key of the log';
  writeFileSync(path, witness);
  const policy = policyFrom(path, NOBODY, options);
  await expect(trustedLogKeys(policy, NOBODY, options)).rejects.toThrow(message);
  expect(await trustedLogKeys(undefined, NOBODY, options)).toMatchObject([{ publicKey }]);
  const logKeys = [{ log: { name: 'receipts' as const, common: null }, type: 1, publicKey, until: null }];
  expect(() => policyFrom(path, { ...NOBODY, logKeys }, {})).toThrow(message);
  expect(() => policyFrom(path, { ...NOBODY, compromisedLogKeys: [publicKey] }, {})).toThrow(
    'the witness own has a key that was reported as compromised',
  );
  writeFileSync(path, `log ${formatVerifierKey(logKey)}\n${witness}`);
  expect(() => policyFrom(path, NOBODY, {})).toThrow(message);
});
