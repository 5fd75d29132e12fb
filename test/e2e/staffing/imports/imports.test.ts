import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { killNineImports } from '../../../../scripts/torture/kill-nine-imports.ts';
import { client } from '../../../support/client.ts';
import { EXECUTABLE, type Finished, type Running, run, scratch, serve } from '../../../support/process.ts';
import {
  madeUpRows,
  monthlyName,
  weeklyName,
  writeDeactivated,
  writePublished,
} from '../../../support/published-files.ts';
import { giveSampleRegistry } from '../../../support/sample-registry.ts';

const directory = scratch();
const data = join(directory.path, 'data');
const files = join(directory.path, 'files');
let server: Running;
let monthly: string;
/** A file that takes longer to read than the other commands of a test, on a loaded machine too. */
let long: string;

beforeAll(async () => {
  mkdirSync(files);
  monthly = writePublished(files, monthlyName('2026-03-08'), madeUpRows(3000));
  long = writePublished(files, monthlyName('2026-07-19'), madeUpRows(60_000));
  const rows = readFileSync(long, 'utf8').replace(/^.*\n/, '');
  for (let copies = 1; copies < 8; copies += 1) appendFileSync(long, rows);
  giveSampleRegistry(data);
  server = await started();
});
afterAll(async () => {
  await server.stop();
  directory.dispose();
});

const started = (): Promise<Running> => serve(data, {}, ['--service', 'staffing', '--rate-limits', 'off']);
const countersign = (...args: string[]): Promise<Finished> => run([...args, '--data', data]);
const json = async (...args: string[]): Promise<Record<string, unknown>> => {
  const { stdout, stderr } = await countersign(...args, '--json');
  if (stdout === '') throw new Error(stderr);
  return Object(JSON.parse(stdout));
};
type Importing = Bun.Subprocess<'ignore', 'pipe', 'pipe'>;
/** Starts an import of the long file. */
const startLong = (): Importing =>
  Bun.spawn([EXECUTABLE, 'import', '--npi', long, '--data', data], { stdout: 'pipe', stderr: 'pipe' });
/** Waits until the status says that the import reads its file. @returns what the status says of it */
async function whenReading(importing: Importing): Promise<unknown> {
  // Without a server, the status would open the directory before the import does, which then refuses.
  while (!existsSync(join(data, 'registry', 'import.json'))) {
    expect(importing.exitCode).toBeNull();
    await Bun.sleep(5);
  }
  for (;;) {
    const { running } = await json('registry', 'status');
    if (Object(running).step === 'reading') return running;
    expect(importing.exitCode).toBeNull();
    await Bun.sleep(10);
  }
}
const current = (): string => readFileSync(join(data, 'registry', 'current'), 'utf8').trim();
/** Returns what the service says of the registry. */
async function served(): Promise<unknown> {
  const made = await client(fetch, server.url, null).post('/api/staffing/partner/v1/sandbox-keys', {
    email: `${crypto.randomUUID()}@firm.example`,
    company: 'Firm',
  });
  const { body } = await client(fetch, server.url, String(made.body.api_key)).get(
    '/api/staffing/partner/v1/me',
  );
  return body.registry;
}
/** Returns the files of the registry directory that no finished import leaves. */
const leftovers = (): string[] =>
  readdirSync(join(data, 'registry')).filter((name) => /scratch|^import\.json|\.new$/.test(name));

describe('imports while the server runs', () => {
  test('load a monthly file, which the server serves at once', async () => {
    const { code, stdout } = await countersign('import', '--npi', monthly);
    expect(code).toBe(0);
    expect(stdout).toContain('has 3,000 clinicians as of 2026-03-08');
    expect(stdout).toContain('read 3,000 rows: 3,000 clinicians');
    expect(await served()).toEqual({ as_of: '2026-03-08', records: 3000, sample: true });
  });

  test('load the report of deactivations and a weekly file', async () => {
    const rows = [...madeUpRows(3100)];
    const npis = rows.slice(0, 7).map(({ NPI }) => [Number(NPI), '2026-01-15'] as const);
    const deactivated = writeDeactivated(files, '2026-03-09', npis);
    expect(await json('import', '--deactivated', deactivated)).toMatchObject({ removed: 7, records: 2993 });
    const weekly = writePublished(files, weeklyName('2026-03-09', '2026-03-15'), rows.slice(2900));
    expect(await json('import', '--npi', weekly)).toMatchObject({
      kind: 'weekly',
      added: 100,
      records: 3093,
    });
    expect(await served()).toEqual({ as_of: '2026-03-15', records: 3093, sample: true });
  });

  test('refuse what is not right, with what to do', async () => {
    const small = writePublished(files, monthlyName('2026-04-12'), madeUpRows(100));
    const refused = await countersign('import', '--npi', small);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('hint: check that the file')]);
    const wrong = writePublished(files, monthlyName('2026-05-10'), madeUpRows(1)).replace('.csv', '.txt');
    expect((await countersign('import', '--npi', wrong)).stderr).toContain('the file does not exist');
    expect((await json('registry', 'status')).last_import).toMatchObject({ outcome: 'refused' });
    for (const args of [[], ['--force'], ['--npi', small, '--npi', small, '--as-of', '2026-01-01']]) {
      expect((await countersign('import', ...args)).code).toBe(2);
    }
    for (const [asOf, why] of [
      ['12.4.2026', 'must be a day of the calendar'],
      ['2026-02-31', 'must be a day of the calendar'],
      ['9999-01-01', 'must not be in the future'],
    ] as const) {
      const { code, stderr } = await countersign('import', '--npi', small, '--as-of', asOf);
      expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
    }
    // Several files are imported in order of their dates, so that the first of them is the first to be
    // refused.
    const weeks = [weeklyName('2026-01-12', '2026-01-18'), weeklyName('2026-01-05', '2026-01-11')];
    const old = weeks.flatMap((name) => ['--npi', writePublished(files, name, madeUpRows(1))]);
    expect((await countersign('import', ...old)).stderr).toContain('weekly file is as of 2026-01-11');
    expect(leftovers()).toEqual([]);
  });

  test('are listed with their reports, and rolled back', async () => {
    const before = current();
    await json('import', '--npi', monthly);
    const { stdout } = await countersign('registry', 'list');
    expect(stdout).toMatch(
      /^FILE .*\n\S+ +CURRENT +2026-03-08 +2993 .*\n\S+ +FORMER +2026-03-15 +3093 .*\n$/,
    );
    expect(await json('registry', 'rollback')).toMatchObject({ kind: 'rollback', registry: before });
    expect(await served()).toEqual({ as_of: '2026-03-15', records: 3093, sample: true });
    expect(await json('registry', 'status')).toMatchObject({
      current: { name: before },
      deactivations_as_of: '2026-03-09',
      running: null,
      last_import: { kind: 'rollback', outcome: 'done' },
    });
    expect((await countersign('registry', 'status')).stdout).toContain(
      'Deactivations  report as of 2026-03-09',
    );
  });

  test('are cancelled by Ctrl-C, and by a stop of the server', async () => {
    const before = current();
    const interrupted = startLong();
    await whenReading(interrupted);
    interrupted.kill('SIGINT');
    expect(await interrupted.exited).toBe(130);
    expect(await new Response(interrupted.stdout).text()).toContain('cancelled, the registry is unchanged');
    const ended = startLong();
    await whenReading(ended);
    expect((await server.stop()).code).toBe(0);
    expect(await ended.exited).toBe(1);
    expect(await new Response(ended.stderr).text()).toContain('the server ended or does not respond');
    expect([current(), leftovers()]).toEqual([before, []]);
    server = await started();
  });

  test('of two files at once, only one runs', async () => {
    const one = startLong();
    await whenReading(one);
    const other = await countersign('import', '--npi', monthly);
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('an import is running since')]);
    one.kill('SIGINT');
    expect(await one.exited).toBe(130);
  });
});

describe('imports without a server', () => {
  beforeAll(async () => {
    await server.stop();
  });
  afterAll(async () => {
    server = await started();
  });

  test('load a monthly file, which the next start serves', async () => {
    const fresh = writePublished(files, monthlyName('2026-07-12'), madeUpRows(3500));
    const { code, stdout } = await countersign('import', '--npi', fresh);
    expect([code, stdout]).toEqual([0, expect.stringContaining('clinicians as of 2026-07-12')]);
    server = await started();
    expect(await served()).toMatchObject({ as_of: '2026-07-12' });
    await server.stop();
  });

  test('are shown to other processes while they run, which change nothing meanwhile', async () => {
    const before = current();
    const importing = startLong();
    expect(await whenReading(importing)).toMatchObject({ running: true, share: expect.any(Number) });
    for (const args of [
      ['import', '--npi', monthly],
      ['registry', 'rollback'],
      ['partners', 'list'],
    ]) {
      const { code, stderr } = await countersign(...args);
      expect([code, stderr]).toEqual([1, expect.stringContaining('an import is running in another process')]);
    }
    importing.kill('SIGINT');
    expect(await importing.exited).toBe(130);
    expect([current(), leftovers()]).toEqual([before, []]);
    expect(await json('registry', 'status')).toMatchObject({
      running: null,
      last_import: { outcome: 'cancelled' },
    });
  });

  test.each([500, 2000])(
    'on a disk that is full after %d KiB, the registry stays as it was',
    async (kib) => {
      const large = writePublished(files, monthlyName('2026-08-09'), madeUpRows(8000));
      const before = current();
      const limited = `ulimit -f ${kib * 2}; exec "$0" "$@"`;
      const child = Bun.spawn(['sh', '-c', limited, EXECUTABLE, 'import', '--npi', large, '--data', data], {
        stdout: 'pipe',
        stderr: 'pipe',
      });
      expect(await child.exited).toBe(1);
      const stderr = await new Response(child.stderr).text();
      expect(stderr).toMatch(/cannot be written \((?:EFBIG|SQLITE_\w+)\)/);
      expect(stderr).toContain('free some space and import the file again');
      expect([current(), leftovers()]).toEqual([before, []]);
      expect(await json('registry', 'status')).toMatchObject({ last_import: { outcome: 'failed' } });
    },
    180_000,
  );
});

describe('a first import without a valid row', () => {
  const fresh = join(directory.path, 'fresh');
  const importGarbage = async (): Promise<void> => {
    const garbage = writePublished(files, monthlyName('2026-09-13'), [{ NPI: ',,,,' }, { NPI: 'x' }]);
    for (const forced of [[], ['--force']]) {
      const { code, stdout, stderr } = await run(['import', '--npi', garbage, ...forced, '--data', fresh]);
      expect([code, stdout]).toEqual([1, expect.stringContaining('refused, the registry is unchanged')]);
      expect(stdout).toContain('read 2 rows: 2 bad');
      expect(stderr).toContain('npidata_pfile_20050523-20260913.csv has no valid row');
      expect(stderr).toContain('--force does not permit it');
    }
  };
  const namesIn = (): string[] =>
    readdirSync(join(fresh, 'registry')).filter((name) => !name.includes('-wal'));

  test('is refused with and without a server, and the sample is served', async () => {
    const other = await serve(fresh, {}, ['--service', 'staffing']);
    try {
      await importGarbage();
    } finally {
      await other.stop();
    }
    await importGarbage();
    const { stdout } = await run(['registry', 'status', '--json', '--data', fresh]);
    expect(JSON.parse(stdout)).toMatchObject({
      current: { records: 20_000, sample: true },
      former: null,
      last_import: { outcome: 'refused', sample: null, rows: { read: 2, bad: 2 } },
    });
    expect(namesIn().filter((name) => /scratch|^import\.json|\.new$|^2026-09-13/.test(name))).toEqual([]);
  });
});

describe('a new data directory', () => {
  const fresh = join(directory.path, 'never-served');

  test('has a status without a registry, which writes nothing there', async () => {
    mkdirSync(fresh);
    const { code, stdout } = await run(['registry', 'status', '--data', fresh]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('Registry       none\n')]);
    expect(readdirSync(fresh)).toEqual([]);
    const missing = await run(['registry', 'status', '--data', join(fresh, 'missing')]);
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('there is no staffing.db')]);
  });

  test('takes an import, which the first start serves with a new admin token', async () => {
    const { code, stderr } = await run(['import', '--npi', monthly, '--data', fresh]);
    expect([code, stderr]).toEqual([0, `${fresh} is a new data directory\n`]);
    const { stdout } = await run(['registry', 'status', '--json', '--data', fresh]);
    expect(JSON.parse(stdout)).toMatchObject({
      current: { records: 3000 },
      last_import: { outcome: 'done' },
    });
    const first = await serve(fresh, {}, ['--service', 'staffing']);
    const { stdout: listed } = await run(['registry', 'list', '--json', '--data', fresh]);
    expect(listed).toMatch(/"state":"current","as_of":"2026-03-08","records":3000/);
    expect(first.ready.admin_token).toMatch(/^adm_[0-9a-f]{64}$/);
    await first.stop();
  });

  test('of another service is refused', async () => {
    const other = join(directory.path, 'trust');
    mkdirSync(other);
    writeFileSync(join(other, 'trust.db'), '');
    for (const args of [
      ['import', '--npi', monthly],
      ['registry', 'status'],
    ]) {
      const { code, stderr } = await run([...args, '--data', other]);
      expect([code, stderr]).toEqual([1, expect.stringContaining('belongs to another service')]);
    }
    expect(readdirSync(other)).toEqual(['trust.db']);
  });
});

test('a kill at any moment leaves a whole registry and no half-made file', async () => {
  const { complete, without } = await killNineImports(3, 3000);
  expect(complete + without).toBe(3);
}, 180_000);
