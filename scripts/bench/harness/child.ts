import { mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withoutSecrets } from '../../../src/platform/terminal/output.ts';
import { ROOT } from '../../sources.ts';
import { BENCHMARKS } from './catalogue.ts';
import type { Outcome } from './results.ts';

const LONGEST = 200;

/** Runs one benchmark and writes its outcome into a file. run.ts starts it and cleans up after it. */
const [name, form, directory = '', file = '', oldExecutable = ''] = process.argv.slice(2);
const outcome = await measured();
// Writes atomically, because the parent may read the file at any time.
writeFileSync(`${file}.new`, JSON.stringify(outcome));
renameSync(`${file}.new`, file);
process.exit('failure' in outcome ? 1 : 0);

async function measured(): Promise<Outcome> {
  try {
    const benchmark = BENCHMARKS.find((one) => one.name === name);
    if (benchmark === undefined) throw new Error(`the benchmark ${name} does not exist`);
    const metrics = await benchmark.run(form === 'full' ? 'full' : 'short', {
      newDirectory: () => mkdtempSync(join(directory, 'data-')),
      oldExecutable: oldExecutable === '' ? null : oldExecutable,
    });
    return { metrics };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    return { failure: firstLine(error instanceof Error ? error.message : String(error)) };
  }
}

/** Returns the first line of a message without secrets and local paths, because the page is committed. */
function firstLine(message: string): string {
  const [line = ''] = withoutSecrets(message)
    .replaceAll(directory, '…')
    .replaceAll(`${ROOT}/`, '')
    .split('\n');
  return line.slice(0, LONGEST);
}
