import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfChanged } from '../build.ts';
import { a2aTck } from './a2a-tck.ts';
import { startService } from './service.ts';
import type { Suite } from './suite.ts';
import { dataModel, eddsa } from './w3c.ts';

/** All suites, in the order of docs/conformance.md. */
const SUITES: readonly Suite[] = [...a2aTck, dataModel, eddsa];

const USAGE = `Usage: bun scripts/conformance SUITE DIRECTORY

Starts dist/countersign with the data of its demonstration on loopback, runs a published conformance suite against it, and prints the
result of each test. DIRECTORY is a checkout of the suite, ready to run. docs/conformance.md has the results and their reasons.

Suites:
${SUITES.map(({ name, about }) => `  ${name.padEnd(18)}${about}`).join('\n')}

For the steps that make a checkout ready: bun scripts/conformance SUITE

Exit codes: 0 every test passed or was skipped; 1 a test failed; 2 wrong usage.
`;

const { suite, directory } = parsed();
buildIfChanged();
const service = await startService();
try {
  process.stdout.write(`${suite.name} on ${service.version} at ${service.url}\n`);
  const results = await suite.run(directory, service);
  for (const { name, outcome, reason } of results) {
    if (outcome !== 'passed')
      process.stdout.write(`${outcome}: ${name}\n  ${reason.replaceAll('\n', '\n  ')}\n`);
  }
  const count = (outcome: string) => results.filter((result) => result.outcome === outcome).length;
  process.stdout.write(`${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped\n`);
  process.exitCode = results.length === 0 || count('failed') > 0 ? 1 : 0;
} finally {
  await service.stop();
}

function parsed(): { suite: Suite; directory: string } {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    strict: false,
    options: { help: { type: 'boolean', short: 'h' } },
  });
  const [name, path] = positionals;
  const suite = SUITES.find((one) => one.name === name);
  if (values.help === true || suite === undefined) return usage(values.help === true ? 0 : 2, USAGE);
  if (path === undefined) return usage(0, `${suite.steps.join('\n')}\n`);
  if (!existsSync(path)) return usage(2, `The directory ${path} does not exist.\n`);
  return { suite, directory: resolve(path) };
}

function usage(code: number, text: string): never {
  (code === 0 ? process.stdout : process.stderr).write(text);
  process.exit(code);
}
