import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TrustedKeyCase } from '../../../../scripts/vectors/trusted-keys.ts';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { isJsonObject, JsonError, parseJsonBytes } from '../../../../src/proof/encoding/json.ts';
import { readTrustedKeys, TrustedKeysError } from '../../../../src/proof/keys/trusted-keys.ts';
import { readLogKeys } from '../../../../src/proof/log/log-keys.ts';
import { noblePrimitives } from '../../../../src/proof/noble.ts';
import type { Primitives } from '../../../../src/proof/primitives.ts';
import { judgeBytes } from '../../../../src/proof/receipt/verdict.ts';
import { hasPython, judgedByPython } from '../../../support/python.ts';
import { VECTORS } from '../../../support/vectors.ts';

const read = (name: string): Buffer => readFileSync(join(VECTORS, 'trusted-keys', name));
const cases: TrustedKeyCase[] = JSON.parse(read('lists.json').toString());
const receipt = read('receipt.json');
const NOW = Date.parse('2026-06-01T12:01:00.000Z');

function verdictWith(primitives: Primitives, list: Uint8Array): string | null {
  try {
    const document = parseJsonBytes(list);
    const keys = readTrustedKeys(primitives, document);
    readLogKeys(primitives, document);
    return judgeBytes(primitives, receipt, { keys, now: NOW }).verdict;
  } catch (error) {
    if (!(error instanceof JsonError || error instanceof TrustedKeysError)) throw error;
    return null;
  }
}

test.each([
  ['native', nativePrimitives],
  ['noble', noblePrimitives],
])('each list of trusted keys gives the verdict that it states: %s', (_name, primitives) => {
  const found = cases.map(({ name, list }) => [name, verdictWith(primitives, Buffer.from(list))]);
  expect(found).toEqual(cases.map(({ name, verdict }) => [name, verdict]));
});

test.skipIf(!hasPython)(
  'src/tools/python/verify.py says so too',
  async () => {
    const said = await judgedByPython(
      cases.map(({ list }) => ({ receipt, keys: Buffer.from(list), now: NOW / 1000 })),
    );
    const verdicts = said.map((one) => {
      const { verdict = null, refused } = isJsonObject(one) ? one : {};
      return refused === undefined ? verdict : null;
    });
    expect(cases.map(({ name }, index) => [name, verdicts[index]])).toEqual(
      cases.map(({ name, verdict }) => [name, verdict]),
    );
    const errors = said.filter((one) => isJsonObject(one) && one.error !== undefined);
    expect(errors).toEqual([]);
  },
  60_000,
);

test.skipIf(!hasPython)(
  'src/tools/python/verify.py gives no verdict on a malformed proof either, if the list is refused',
  async () => {
    const refused = cases.filter(({ verdict }) => verdict === null);
    const said = await judgedByPython(
      refused.map(({ list }) => ({
        receipt: Buffer.from('c2sp.org/tlog-proof@v1\n'),
        keys: Buffer.from(list),
        now: NOW / 1000,
      })),
    );
    expect(said).toEqual(refused.map(() => ({ refused: expect.any(String) })));
  },
  60_000,
);
