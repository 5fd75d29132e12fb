import { Database } from 'bun:sqlite';
import { cpus, release, totalmem, type } from 'node:os';
import { SOURCES } from '../../build.ts';
import { commitOf } from '../../commit.ts';
import { ROOT } from '../../sources.ts';

/**
 * The sources that a measurement depends on: the product, the benchmarks and the test support that they use.
 */
const MEASURED = [...SOURCES, 'scripts', 'test/support'];

/** Returns the measured commit, with `+dirty` when files differ from it; `no commit` without git. */
export function measuredCommit(): string {
  return commitOf(MEASURED)?.replace('-dirty', '+dirty') ?? 'no commit';
}

/** Returns a short description of the machine. */
export function machine(): string {
  const processors = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const { stdout } = Bun.spawnSync(['stat', '-f', '-c', '%T', ROOT], { stderr: 'ignore' });
  const model = processors[0]?.model ?? 'unknown processor';
  return `${processors.length} × ${model}, ${memory} GiB, ${stdout.toString().trim()}, ${type()} ${release()}`;
}

/** Returns the versions of the measuring tools; without wrk when it is not installed. */
export function versions(): Record<string, string> {
  const database = new Database(':memory:');
  const sqlite = database.query<{ version: string }, []>('SELECT sqlite_version() AS version').get();
  database.close();
  return { Bun: Bun.version, SQLite: sqlite?.version ?? 'unknown', ...wrkVersion() };
}

function wrkVersion(): Record<string, string> {
  if (Bun.which('wrk') === null) return {};
  // `wrk -v` also prints its usage, and exits with 1.
  const { stdout, stderr } = Bun.spawnSync(['wrk', '-v']);
  const [, version = 'unknown'] = /^wrk (?:debian\/)?(\S+)/.exec(`${stdout}${stderr}`) ?? [];
  return { wrk: version };
}
