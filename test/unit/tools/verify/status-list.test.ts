import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { Failure } from '../../../../src/platform/failure.ts';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { readTrustedKeys } from '../../../../src/proof/keys/trusted-keys.ts';
import { noblePrimitives } from '../../../../src/proof/noble.ts';
import { readAdditional } from '../../../../src/tools/verify/read/additional.ts';
import { documentsJudgedByPython, hasPython } from '../../../support/python.ts';
import { NOW, signedCredential, unsignedList } from '../../../support/signed-credential.ts';
import { VECTORS } from '../../../support/vectors.ts';

const status = join(VECTORS, 'credential', 'status-list.json');
const keys = await Bun.file(join(VECTORS, 'credential', 'keys.json')).json();
const list = signedCredential(unsignedList([9]));

test.each<[string, JsonObject]>([
  ['a status list', list],
  ['one in another object', { credential: list }],
  ['one that was changed', { ...list, note: 'x' }],
])('--status is refused beside %s', async (_, value) => {
  const document = Buffer.from(JSON.stringify(value));
  const trusted = { keys: readTrustedKeys(noblePrimitives, keys), at: NOW };
  const error = await readAdditional(document, { status }, trusted).catch((thrown) => thrown);
  if (!(error instanceof Failure)) throw new Error('nothing was refused');
  expect([error.message, error.exitCode]).toEqual([
    '--status is for credentials, but this is a status list',
    2,
  ]);
  if (!hasPython) return;
  const said = await documentsJudgedByPython([{ document, keys, now: NOW / 1000, beside: { status } }]);
  expect(said).toEqual([{ refused: '--status is for credentials, but this is a status list' }]);
});
