/**
 * One life of the simulation of the ledger: `bun simulated-ledger-child.ts DIRECTORY SEED OPERATIONS`. It
 * goes on where the one before was killed, prints the number of operations so far after each batch, and ends
 * when there are enough: with a last comparison, and with what it counted as the last line.
 */
import { join } from 'node:path';
import fc from 'fast-check';
import { audited } from '../../test/support/audit.ts';
import { History } from '../../test/support/ledger-history.ts';
import { plan } from '../../test/support/ledger-operations.ts';
import { begun, resumed } from '../../test/support/ledger-resume.ts';
import type { LedgerSimulation } from '../../test/support/ledger-simulation.ts';

const [directory = '', seed = '', target = ''] = process.argv.slice(2);
const data = join(directory, 'data');
const history = new History(join(directory, 'history.ndjson'), join(data, 'trust.db'));

const batches = fc.tuple(
  fc.array(plan, { minLength: 1, maxLength: 8, size: 'max' }),
  fc.oneof(
    { weight: 30, arbitrary: fc.constant(0) },
    { weight: 6, arbitrary: fc.integer({ min: 1, max: 80 }) },
    { weight: 2, arbitrary: fc.integer({ min: 81, max: 1_500 }) },
  ),
  fc.boolean(),
);

/** The batches of one sample. Those of a life depend on the seed and on how much was done before it. */
const SAMPLE = 200;

async function open(): Promise<[LedgerSimulation, number]> {
  return history.exists ? resumed(data, history) : [await begun(data, history), 0];
}

const print = (line: string) => process.stdout.write(`${line}\n`);
const [simulation, unanswered] = await open();
print(`unanswered ${unanswered}`);
while (simulation.sent < Number(target)) {
  for (const parts of fc.sample(batches, { seed: Number(seed) + simulation.sent, numRuns: SAMPLE })) {
    await simulation.batch(...parts);
    print(`sent ${simulation.sent}`);
    if (simulation.sent >= Number(target)) break;
  }
}
await simulation.settle();
await simulation.finish();
await simulation.close();
history.takeMarks();
const { reported } = await audited(data);
if (reported.length > 0) throw new Error(`fsck reports ${JSON.stringify(reported)}`);
const refused = new Map<string, number>();
for (const line of history.read())
  if (line.kind === 'answered' && line.code !== null)
    refused.set(line.code, (refused.get(line.code) ?? 0) + 1);
const result = { operations: simulation.sent, accepted: [...simulation.accepted], refused: [...refused] };
print(`done ${JSON.stringify(result)}`);
process.exit(0);
