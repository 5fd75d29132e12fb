import { Database } from 'bun:sqlite';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { madeUpClinicians } from '../../src/staffing/registry/sample/sample.ts';
import { EXECUTABLE, type Running, run, scratch, serve } from '../../test/support/process.ts';
import {
  monthlyName,
  rowOf,
  weeklyName,
  writeDeactivated,
  writePublished,
} from '../../test/support/published-files.ts';

/** The files of the directory that may be there when no import runs. */
const ORDERLY =
  /^(?:current|former|last-import\.json|[0-9]{4}-[0-9]{2}-[0-9]{2}-[0-9a-z]+\.db(?:-wal|-shm|\.report\.json)?)$/;

/** What imports did until they were killed. */
export interface KilledImports {
  /** The imports that had taken effect, and those that had none. */
  complete: number;
  without: number;
}

/**
 * Kills imports with SIGKILL at random moments: in the server that runs them, and in a command without a
 * server; monthly files, weekly files, the report of deactivations and rollbacks. After each kill, the
 * registry must be what it was before or after the import, intact, with no half-made file left by the next
 * start.
 *
 * @param clinicians the clinicians of the monthly file
 */
export async function killNineImports(rounds: number, clinicians = 12_000): Promise<KilledImports> {
  const { path, dispose } = scratch();
  const data = join(path, 'data');
  const files = join(path, 'files');
  mkdirSync(files);
  const done: KilledImports = { complete: 0, without: 0 };
  try {
    const inputs = writeInputs(files, clinicians);
    let server = await start(data);
    await mustSucceed(['import', '--npi', inputs.monthly, '--data', data]);
    await mustSucceed(['import', '--npi', inputs.monthly, '--data', data]);
    const timed = performance.now();
    await mustSucceed(['import', '--npi', inputs.monthly, '--data', data]);
    const longest = performance.now() - timed;
    for (let round = 0; round < rounds; round++) {
      const before = stateOf(data);
      const command = commandOf(inputs, round);
      // Every second round without a server.
      const isServed = round % 2 === 0;
      if (!isServed) await server.stop();
      const child = Bun.spawn([EXECUTABLE, ...command, '--data', data], {
        stdout: 'ignore',
        stderr: 'ignore',
      });
      await Bun.sleep(Math.random() * longest * 1.1);
      if (isServed) await server.stop('SIGKILL');
      else child.kill('SIGKILL');
      await child.exited;
      server = await start(data);
      const after = stateOf(data);
      if (after.current === before.current && after.state === before.state) done.without++;
      else done.complete++;
      mustBeOrderly(data);
    }
    await mustSucceed(['import', '--npi', inputs.monthly, '--data', data]);
    await server.stop();
    return done;
  } finally {
    dispose();
  }
}

interface Inputs {
  monthly: string;
  weekly: string;
  deactivated: string;
}

function writeInputs(directory: string, count: number): Inputs {
  const part = Math.ceil(count / 20);
  const clinicians = [...madeUpClinicians(count + part, 3)];
  const rows = clinicians.map(rowOf);
  const changed = rows.slice(count - part).map((row) => ({ ...row, 'Provider First Name': 'CHANGED' }));
  const npis = clinicians.slice(0, 100).map(({ npi }) => [npi, '2026-01-15'] as const);
  return {
    monthly: writePublished(directory, monthlyName('2026-03-08'), rows.slice(0, count)),
    weekly: writePublished(directory, weeklyName('2026-03-09', '2026-03-15'), changed),
    deactivated: writeDeactivated(directory, '2026-03-09', npis),
  };
}

function commandOf({ monthly, weekly, deactivated }: Inputs, round: number): string[] {
  const commands = [
    ['import', '--npi', monthly],
    ['import', '--npi', weekly],
    ['import', '--npi', monthly, '--deactivated', deactivated],
    ['registry', 'rollback'],
    ['import', '--deactivated', deactivated],
  ];
  return commands[Math.floor(round / 2) % commands.length] ?? [];
}

function start(data: string): Promise<Running> {
  return serve(data, { COUNTERSIGN_RATE_LIMITS: 'off' }, ['--service', 'staffing']);
}

async function mustSucceed(args: string[]): Promise<void> {
  const { code, stderr } = await run(args);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
}

/**
 * Returns the current file and the number of its changes. @throws Error when it is damaged or its counts are
 * wrong
 */
function stateOf(data: string): { current: string; state: number } {
  const current = readFileSync(join(data, 'registry', 'current'), 'utf8').trim();
  const database = new Database(join(data, 'registry', current), { readwrite: true });
  try {
    const [check] = database.query<{ quick_check: string }, []>('PRAGMA quick_check').all();
    if (check?.quick_check !== 'ok') throw new Error(`${current} is damaged: ${check?.quick_check}`);
    const facts = database
      .query<{ records: number; state: number; clinicians: number }, []>(
        'SELECT records, state, (SELECT count(DISTINCT place % 4294967296) FROM clinician) AS clinicians FROM registry',
      )
      .get();
    if (facts === null || facts.records !== facts.clinicians) {
      throw new Error(`${current} has ${facts?.clinicians} clinicians and says ${facts?.records}`);
    }
    return { current, state: facts.state };
  } finally {
    database.close();
  }
}

function mustBeOrderly(data: string): void {
  const directory = join(data, 'registry');
  const names = readdirSync(directory);
  const strange = names.filter((name) => !ORDERLY.test(name));
  const registries = names.filter((name) => name.endsWith('.db'));
  if (strange.length > 0 || registries.length > 2) throw new Error(`left behind: ${names.join(', ')}`);
}

if (import.meta.main) {
  const rounds = Number(process.argv[2] ?? 100);
  const { complete, without } = await killNineImports(rounds);
  process.stdout.write(`${rounds} kills: ${complete} imports had taken effect, ${without} had none\n`);
}
