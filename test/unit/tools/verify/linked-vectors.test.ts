import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredCase } from '../../../../scripts/vectors/linked-receipt.ts';
import { Failure } from '../../../../src/platform/failure.ts';
import { isJsonObject, type JsonValue, parseJson } from '../../../../src/proof/encoding/json.ts';
import { verify } from '../../../../src/tools/verify/verify.ts';
import { comparable } from '../../../support/document-vectors.ts';
import { hasPython, linkedJudgedByPython } from '../../../support/python.ts';
import { VECTORS } from '../../../support/vectors.ts';

const pathOf = (name: string): string => join(VECTORS, 'linked-receipt', name);
const cases: StoredCase[] = JSON.parse(readFileSync(pathOf('receipts.json'), 'utf8'));

/**
 * What the program writes, and whether it accepts the receipt; null for the first if it cannot say anything.
 */
async function judged({ receipt, manifest, keys, policy, at }: StoredCase): Promise<[JsonValue, boolean]> {
  let text = '';
  const options = { keys: pathOf(keys), proof: pathOf(manifest), ...(policy && { policy: pathOf(policy) }) };
  const results = {
    write: async (more: string): Promise<void> => {
      text += more;
    },
    say: () => undefined,
  };
  try {
    const isAccepted = await verify(pathOf(receipt), { linked: true, ...options }, results, Date.parse(at));
    return [parseJson(text), isAccepted];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [null, false];
  }
}

/**
 * Whether a result is that of a case, with exactly the checks of `linked`, `proof` and `quorum` that it
 * states.
 */
function isStated(result: JsonValue, { verdict, checks }: StoredCase): boolean {
  if (!isJsonObject(result)) return verdict === null;
  if (!isJsonObject(result.checks)) return false;
  const { linked, proof, quorum } = result.checks;
  return verdict === result.verdict && Bun.deepEquals({ linked, proof, quorum }, checks);
}

test('each case has the verdict and the checks that it states, in src/tools/python/verify.py too', async () => {
  const wrong: unknown[] = [];
  const ours: JsonValue[] = [];
  for (const one of cases) {
    const [result, isAccepted] = await judged(one);
    if (!isStated(result, one) || isAccepted !== one.accepted) wrong.push([one, result, isAccepted]);
    ours.push(comparable(result));
  }
  expect(wrong).toEqual([]);
  if (!hasPython) return;
  const theirs = await linkedJudgedByPython(
    cases.map(({ receipt, manifest, keys, policy, at }) => ({
      document: readFileSync(pathOf(receipt)),
      manifest: readFileSync(pathOf(manifest)),
      keys: parseJson(readFileSync(pathOf(keys), 'utf8')),
      policy: policy && readFileSync(pathOf(policy), 'utf8'),
      now: Date.parse(at) / 1000,
    })),
  );
  const differences = cases.flatMap(({ name }, index) => {
    const answer = theirs[index] ?? null;
    const said = typeof Object(answer).refused === 'string' ? null : comparable(answer);
    return Bun.deepEquals(said, ours[index]) ? [] : [[name, ours[index], answer]];
  });
  expect(differences).toEqual([]);
}, 60_000);
