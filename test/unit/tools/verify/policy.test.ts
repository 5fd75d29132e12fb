import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { readTrustedKeys } from '../../../../src/proof/keys/trusted-keys.ts';
import { formatVerifierKey, keyIdOf, SIGNATURE_TYPES } from '../../../../src/proof/log/note.ts';
import { trustIn } from '../../../../src/tools/verify/read/trust.ts';
import { keyRow, testKey, verifierOf } from '../../../support/small-log.ts';

const directory = mkdtempSync(join(tmpdir(), 'countersign-policy-'));
afterAll(() => rmSync(directory, { recursive: true }));

const NOBODY = { keys: [], logKeys: [], compromisedLogKeys: [], keyLog: null, closedLogs: [] };
const logKey = verifierOf(testKey(2), 'receipts.example/receipts');
const { publicKey } = logKey;
const type = SIGNATURE_TYPES.cosignature;
const own = { name: 'own', type, publicKey, keyId: keyIdOf(nativePrimitives, 'own', type, publicKey) };

test('a witness with the key of --log-key is refused, as with that of a list or of the policy', async () => {
  const path = join(directory, 'policy');
  const witness = `witness own ${formatVerifierKey(own)}\nquorum own\n`;
  const options = { policy: path, logKey: [formatVerifierKey(logKey)] };
  const message = 'the witness own has a key of the log';
  writeFileSync(path, witness);
  await expect(trustIn(NOBODY, options)).rejects.toThrow(message);
  const { logKeys: named } = await trustIn(NOBODY, { ...options, policy: undefined });
  expect(named).toMatchObject([{ publicKey }]);
  const logKeys = [
    { log: { name: 'receipts' as const, common: null, closed: [] }, type: 1, publicKey, until: null },
  ];
  const only = { policy: path, logKey: undefined };
  await expect(trustIn({ ...NOBODY, logKeys }, only)).rejects.toThrow(message);
  await expect(trustIn({ ...NOBODY, compromisedLogKeys: [publicKey] }, only)).rejects.toThrow(
    'the witness own has a key that was reported as compromised',
  );
  const credentials = keyRow(testKey(2), 'credentials');
  const keys = readTrustedKeys(nativePrimitives, { keys: [credentials] });
  await expect(trustIn({ ...NOBODY, keys }, only)).rejects.toThrow(
    'the witness own has a key of the service',
  );
  writeFileSync(path, `log ${formatVerifierKey(logKey)}\n${witness}`);
  await expect(trustIn(NOBODY, only)).rejects.toThrow(message);
  await expect(trustIn(NOBODY, options)).rejects.toThrow('both say which log keys to trust');
});

test('a policy and a file of --log-key that have nothing in them are wrong usage', async () => {
  const empty = join(directory, 'empty');
  writeFileSync(empty, '');
  await expect(trustIn(NOBODY, { policy: undefined, logKey: [empty] })).rejects.toMatchObject({
    message: `${empty} has no log key`,
    hint: expect.stringContaining('GET /log/<name>/vkeys'),
    exitCode: 2,
  });
  await expect(trustIn(NOBODY, { policy: empty, logKey: undefined })).rejects.toMatchObject({
    message: `the policy ${empty} is empty`,
    exitCode: 2,
  });
});

test('a policy that cannot be read names the option, and where a relative path starts', async () => {
  await expect(trustIn(NOBODY, { policy: 'nowhere', logKey: undefined })).rejects.toMatchObject({
    message: 'the policy nowhere cannot be read: the file does not exist',
    hint: expect.stringMatching(/^check the path; a relative path starts at .*; --policy takes the path/),
    exitCode: 2,
  });
});
