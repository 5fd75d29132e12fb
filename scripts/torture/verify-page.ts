import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isBlank } from '../../src/proof/verifier/judge/lines.ts';
import { numbersFrom } from '../../test/support/account-trials.ts';
import { BrowserScript, isForPage, saidByScript } from '../../test/support/verdicts/browser-script.ts';
import { saidByProgram } from '../../test/support/verdicts/program.ts';
import { resultIn } from '../../test/support/verdicts/said.ts';
import { type VerdictVector, verdictVectors } from '../../test/support/verdicts/vectors.ts';

/** What came of the trials. */
export interface Tortured {
  judged: number;
  /** The documents about which the program and the page differ. */
  wrong: unknown[];
}

/**
 * Changes genuine documents of every kind at random, and compares what the script of the verifier page says
 * with what `countersign verify` says: the whole result, with the verdict and the sentence.
 * @param mutations of each kind
 * @param seed of the random numbers, so that trials can be repeated
 * @param directory for files
 */
export async function tortureVerifyPage({
  mutations,
  seed,
  script,
  directory,
}: {
  mutations: number;
  seed: number;
  script: BrowserScript;
  directory: string;
}): Promise<Tortured> {
  const random = numbersFrom(seed);
  const vectors = verdictVectors(directory).filter(
    (vector) => isForPage(vector) && vector.stated.verdict === 'valid' && vector.options.ndjson !== true,
  );
  const wrong: unknown[] = [];
  let judged = 0;
  for (const kind of new Set(vectors.map((vector) => vector.directory))) {
    const genuine = vectors.filter((vector) => vector.directory === kind);
    for (let trial = 0; trial < mutations; trial++) {
      const vector = genuine[random(genuine.length)];
      if (vector === undefined) continue;
      const changed = { ...vector, document: join(directory, 'changed') };
      writeFileSync(changed.document, mutated(readFileSync(vector.document), random));
      const [page, program] = await saidByBoth(script, changed);
      judged++;
      // The program stops where an option is not for the changed document, and reads an empty file as an empty
      // list, which the page refuses. The page must not call it valid.
      const isOther = program === null || isBlank(readFileSync(changed.document));
      const isSame = isOther ? page?.isValid !== true : Bun.deepEquals(page, program);
      if (!isSame)
        wrong.push([kind, vector.name, trial, readFileSync(changed.document, 'latin1'), page, program]);
    }
  }
  return { judged, wrong };
}

/** Returns the results of the page and of the program; null for none. */
async function saidByBoth(script: BrowserScript, vector: VerdictVector) {
  const said = [await saidByScript(script, vector), await saidByProgram(vector)];
  return said.map(({ stdout, code }) => {
    const result = resultIn(stdout);
    return result === null ? null : { ...result, isValid: code === 0 };
  });
}

type Random = (below: number) => number;

/** Returns bytes with one to three changes. */
function mutated(bytes: Uint8Array, random: Random): Uint8Array {
  let changed = bytes;
  for (let changes = 1 + random(3); changes > 0; changes--) changed = changedOnce(changed, random);
  return changed;
}

function changedOnce(bytes: Uint8Array, random: Random): Uint8Array {
  const at = random(bytes.length);
  const end = Math.min(bytes.length, at + 1 + random(40));
  const before = bytes.subarray(0, at);
  switch (random(6)) {
    case 0:
      return Uint8Array.from(bytes, (byte, index) => (index === at ? byte ^ (1 << random(8)) : byte));
    case 1:
      return new Uint8Array([...before, ...bytes.subarray(end)]);
    case 2:
      return new Uint8Array([...before, ...bytes.subarray(at, end), ...bytes.subarray(at)]);
    case 3:
      return new Uint8Array([...before, 0x30 + random(10), ...bytes.subarray(at + 1)]);
    case 4:
      return before;
    default:
      return new Uint8Array([...before, ...(TOKENS[random(TOKENS.length)] ?? []), ...bytes.subarray(at)]);
  }
}

const TOKENS = [
  'null',
  '"__proto__":1,',
  '{',
  ']',
  '\\ud800',
  '\n\n\u2014 ',
  '1e400',
  '\ufeff',
  '\0',
  '"a":0,"a":0,',
].map((text) => new TextEncoder().encode(text));

if (import.meta.main) {
  const [mutations = '1000', seed = '1'] = process.argv.slice(2);
  const directory = mkdtempSync(join(tmpdir(), 'countersign-verify-page-'));
  using script = new BrowserScript();
  const { judged, wrong } = await tortureVerifyPage({
    mutations: Number(mutations),
    seed: Number(seed),
    script,
    directory,
  });
  rmSync(directory, { recursive: true });
  for (const one of wrong.slice(0, 10)) process.stdout.write(`${JSON.stringify(one)}\n`);
  process.stdout.write(`${judged} documents, ${wrong.length} differ\n`);
  process.exitCode = wrong.length > 0 ? 1 : 0;
}
