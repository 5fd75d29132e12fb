/**
 * Records the examples of responses in the documentation: `bun scripts/record-examples.ts` runs the
 * demonstration of each service in this process, sends it requests, and writes `examples.json` next to
 * the `api.md` of each capability. With `--check` it writes nothing, and exits with 1 if a file is stale.
 * With the name of a service it records only that one.
 */
import { readExamples, writeExamples } from './examples/files.ts';
import { seedRandomness } from './examples/seed.ts';
import { staleOperations } from './examples/stale.ts';

/** The number of operations whose names are printed. */
const SHOWN = 8;

const options = process.argv.slice(2);
const isCheck = options.includes('--check');
const service = options.find((option) => option !== '--check');
process.exitCode = service === undefined ? await recordAll() : await record(service);

/** Records each service in its own process, so that the seeded values of one do not depend on the other. */
async function recordAll(): Promise<number> {
  const processes = ['trust', 'staffing'].map((name) =>
    Bun.spawn([process.execPath, import.meta.path, name, ...options], {
      stdio: ['ignore', 'inherit', 'inherit'],
    }),
  );
  return Math.max(...(await Promise.all(processes.map(({ exited }) => exited))));
}

/** @returns the exit code */
async function record(name: string): Promise<number> {
  const recorded = await examplesOf(name);
  const stale = staleOperations(recorded, readExamples(name));
  if (stale.length === 0) return 0;
  const shown = stale.length > SHOWN ? [...stale.slice(0, SHOWN), '…'] : stale;
  process.stdout.write(`${name}: the examples of ${stale.length} operations changed: ${shown.join(', ')}\n`);
  if (!isCheck) writeExamples(name, recorded);
  else process.stderr.write('The examples are stale: run bun scripts/record-examples.ts\n');
  return isCheck ? 1 : 0;
}

/** Records one service. Its code is loaded after the randomness is seeded. */
async function examplesOf(name: string) {
  seedRandomness();
  if (name === 'trust') return (await import('./examples/trust.ts')).recordTrust();
  if (name === 'staffing') return (await import('./examples/staffing.ts')).recordStaffing();
  throw new Error(`there is no service ${name}`);
}
