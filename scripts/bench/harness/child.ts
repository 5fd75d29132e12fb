import { mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withoutSecrets } from '../../../src/platform/terminal/output.ts';
import { ROOT } from '../../sources.ts';
import { BENCHMARKS } from './catalogue.ts';
import type { Outcome } from './results.ts';

const LONGEST = 200;

/** Runs one benchmark and writes its outcome into a file. Started by run.ts, which cleans up behind it. */
const [name, form, directory = '', file = '', former = ''] = process.argv.slice(2);
const outcome = await measured();
// Whole or not at all: who started this may read it at any time.
writeFileSync(`${file}.new`, JSON.stringify(outcome));
renameSync(`${file}.new`, file);
process.exit('failure' in outcome ? 1 : 0);

async function measured(): Promise<Outcome> {
  try {
    const benchmark = BENCHMARKS.find((one) => one.name === name);
    if (benchmark === undefined) throw new Error(`there is no benchmark ${name}`);
    const figures = await benchmark.run(form === 'full' ? 'full' : 'short', {
      newDirectory: () => mkdtempSync(join(directory, 'data-')),
      oldExecutable: former === '' ? null : former,
    });
    return { figures };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    return { failure: firstLine(error instanceof Error ? error.message : String(error)) };
  }
}

/** Goes into a page that is committed: without secrets and without this machine's paths. */
function firstLine(message: string): string {
  const [line = ''] = withoutSecrets(message)
    .replaceAll(directory, '…')
    .replaceAll(`${ROOT}/`, '')
    .split('\n');
  return line.slice(0, LONGEST);
}
