import { chmodSync, chownSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SQL } from 'bun';

/** The account that runs PostgreSQL, which refuses to run as root, and where Debian installs it. */
const ACCOUNT = 'postgres';
const PROGRAMS = '/usr/lib/postgresql/15/bin';

/** A PostgreSQL cluster of its own on a loopback port. */
export interface Postgres {
  sql: SQL;
  /** Runs COPY: `lines` in PostgreSQL's text format into a table. */
  copy(table: string, lines: Iterable<string>): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a fresh PostgreSQL 15 with settings for a machine of this size. @throws Error when it is not
 * installed
 */
export async function startPostgres(): Promise<Postgres> {
  const directory = mkdtempSync(join(tmpdir(), 'postgres-'));
  const asAccount = process.getuid?.() === 0 ? ['runuser', '-u', ACCOUNT, '--'] : [];
  if (asAccount.length > 0) {
    chownSync(directory, await idOf('-u'), await idOf('-g'));
    // The account must reach it.
    chmodSync(tmpdir(), statSync(tmpdir()).mode | 0o011);
  }
  const data = join(directory, 'data');
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  const run = async (command: string[]): Promise<void> => {
    const child = Bun.spawn([...asAccount, ...command], { stdout: 'ignore', stderr: 'pipe', cwd: '/' });
    const [code, problem] = await Promise.all([child.exited, new Response(child.stderr).text()]);
    if (code !== 0) throw new Error(`${command[0]}: ${problem}`);
  };
  await run([
    `${PROGRAMS}/initdb`,
    '-D',
    data,
    '-U',
    'bench',
    '--locale=C.UTF-8',
    '--auth=trust',
    '--no-sync',
  ]);
  const options =
    `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${directory} -c shared_buffers=4GB -c work_mem=64MB ` +
    '-c maintenance_work_mem=1GB -c max_wal_size=8GB -c fsync=off -c jit=off';
  await run([`${PROGRAMS}/pg_ctl`, '-D', data, '-w', '-l', join(directory, 'log'), '-o', options, 'start']);
  const sql = new SQL({ hostname: '127.0.0.1', port, username: 'bench', database: 'postgres', max: 1 });
  return {
    sql,
    async copy(table, lines) {
      const child = Bun.spawn(
        [
          'psql',
          '-h',
          '127.0.0.1',
          '-p',
          String(port),
          '-U',
          'bench',
          '-d',
          'postgres',
          '-q',
          '-c',
          `COPY ${table} FROM STDIN`,
        ],
        { stdin: 'pipe', stdout: 'ignore', stderr: 'inherit' },
      );
      let some: string[] = [];
      for (const line of lines) {
        if (some.push(line) < 10_000) continue;
        child.stdin.write(`${some.join('\n')}\n`);
        await child.stdin.flush();
        some = [];
      }
      if (some.length > 0) child.stdin.write(`${some.join('\n')}\n`);
      await child.stdin.end();
      if ((await child.exited) !== 0) throw new Error(`COPY ${table} failed`);
    },
    async stop() {
      await sql.close();
      await run([`${PROGRAMS}/pg_ctl`, '-D', data, '-m', 'immediate', 'stop']);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function idOf(flag: '-u' | '-g'): Promise<number> {
  return Number(await new Response(Bun.spawn(['id', flag, ACCOUNT], { stdout: 'pipe' }).stdout).text());
}
