import { createReadStream } from 'node:fs';
import Papa from 'papaparse';
import { nameOf } from '../../src/staffing/nppes/generate/files.ts';
import { embeddedTaxonomy } from '../../src/staffing/registry/vocabulary/taxonomy.ts';
import { underLoad } from '../../test/support/client.ts';
import { type Running, run, scratch, serve } from '../../test/support/process.ts';

const API = '/api/staffing/partner/v1';
const ENV = { COUNTERSIGN_RATE_LIMITS: 'off', COUNTERSIGN_BOOTSTRAP_EMAIL: 'walk@firm.example' };
/** More than the import of millions of clinicians takes. */
const COMMAND_MS = 1_800_000;
const RN_IN_CA = 'state=CA&specialty=RN';

/** A clinician as a response has it. */
type Clinician = Readonly<Record<string, unknown>> & {
  npi: string;
  last_name: string;
  first_name: string | null;
};

interface Page {
  data: Clinician[];
  next_cursor: string | null;
  total?: number;
}

interface Change {
  npi: string;
  change: 'added' | 'updated' | 'removed';
  clinician: Clinician | null;
}

/** What was compared. */
export interface Walked {
  clinicians: number;
  walked: number;
  walkedDuringChanges: number;
  changes: number;
}

/**
 * Loads a made-up file, and compares every page of a large filter (RN in CA) with a plain scan of the file.
 * Then walks the same pages while a weekly file is applied and another full file is loaded: who matches
 * before and after under the same name must be found exactly once, and nobody else but whom one of the files
 * has. Who gets another name while the pages are read can be found under both. At last, the changes replayed
 * on a copy of the first registry must give the last one.
 *
 * @param rows the rows of the full file
 * @throws Error for the first difference
 */
export async function walkRegistry(rows: number): Promise<Walked> {
  const { path, dispose } = scratch();
  try {
    const weekly = Math.max(200, Math.floor(rows / 100));
    const full = await generate(path, ['--rows', String(rows)], { kind: 'full', rows });
    const week = await generate(path, ['--kind', 'weekly', '--of', String(rows), '--rows', String(weekly)], {
      kind: 'weekly',
      rows: weekly,
    });
    const next = `${path}/npidata_pfile_20050523-20260208.csv`;
    await must(['generate', '--rows', String(rows + weekly), '--out', next]);
    const data = `${path}/data`;
    const server = await serve(data, ENV, ['--service', 'staffing']);
    await must(['import', '--npi', full, '--data', data]);
    const key = await liveKey(server, data);

    const scanned = await scan(full);
    const before = await walk(server, key);
    mustEqual(
      'the pages of RN in CA and a plain scan of the file',
      before.map(({ npi }) => npi).sort(),
      scanned,
    );
    const copy = await copyAll(server, key);
    const since = await feedEnd(server, key);

    const [, { during, rounds }] = await underLoad(
      (isOver) => walkUntil(isOver, server, key),
      async () => {
        await must(['import', '--npi', week, '--data', data]);
        await must(['import', '--npi', next, '--data', data]);
      },
    );
    const after = await walk(server, key);
    const { changes, changed } = await replay(server, key, since, copy);
    mustHaveAll(during, before, after, changed);

    const last = await copyAll(server, key);
    mustBeEqualCopies('the replayed changes and the last registry', copy, last);
    await server.stop();
    return { clinicians: last.size, walked: before.length, walkedDuringChanges: rounds, changes };
  } finally {
    dispose();
  }
}

async function generate(
  directory: string,
  args: string[],
  { kind, rows }: { kind: 'full' | 'weekly'; rows: number },
): Promise<string> {
  const file = `${directory}/${nameOf({ kind, rows, of: rows, week: 1, seed: 1 })}`;
  await must(['generate', ...args, '--out', file]);
  return file;
}

/** Runs a command that must succeed. */
async function must(command: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(command, { limitMs: COMMAND_MS });
  if (code !== 0) throw new Error(`${command.slice(0, 2).join(' ')}: ${stdout}${stderr}`);
  return stdout;
}

async function liveKey({ url, apiKey }: Running, data: string): Promise<string> {
  const me: { account: { partner_id: string } } = await get(`${url}${API}/me`, apiKey);
  return JSON.parse(await must(['partners', 'promote', '--yes', me.account.partner_id, '--data', data]))
    .api_key;
}

function bearer(key: string, more: Record<string, string> = {}) {
  return { headers: { authorization: `Bearer ${key}`, ...more } };
}

/** Returns the NPIs of registered nurses in California in a file, sorted. */
async function scan(file: string): Promise<string[]> {
  const nurses = new Set(
    embeddedTaxonomy()
      .filter(({ classification }) => classification === 'Registered Nurse')
      .map(({ code }) => code),
  );
  const npis: string[] = [];
  await new Promise<void>((done, failed) => {
    Papa.parse<Record<string, string>>(createReadStream(file), {
      header: true,
      step: ({ data: row }) => {
        const isNurse = Object.entries(row).some(
          ([column, value]) => column.startsWith('Healthcare Provider Taxonomy Code_') && nurses.has(value),
        );
        const isActive =
          row['Entity Type Code'] === '1' &&
          (row['NPI Deactivation Date'] === '' || row['NPI Reactivation Date'] !== '');
        if (isNurse && isActive && isInCalifornia(row)) npis.push(row.NPI ?? '');
      },
      complete: () => done(),
      error: failed,
    });
  });
  return npis.sort();
}

function isInCalifornia(row: Record<string, string>): boolean {
  const practice = 'Provider Business Practice Location Address';
  const country = row[`${practice} Country Code (If outside U.S.)`];
  return row[`${practice} State Name`] === 'CA' && (country === 'US' || country === '');
}

/** The part of the time that walks take while the registry changes: the imports need the same processors. */
const SHARE_OF_WALKS = 0.2;

/** Walks repeatedly, at least once. @returns the last walk, and the number of all */
async function walkUntil(isOver: () => boolean, server: Running, key: string) {
  for (let rounds = 1; ; rounds++) {
    const since = performance.now();
    const during = await walk(server, key);
    mustBeDistinct(during);
    if (isOver()) return { during, rounds };
    const resumeAt = since + (performance.now() - since) / SHARE_OF_WALKS;
    while (performance.now() < resumeAt && !isOver()) await Bun.sleep(1);
    if (isOver()) return { during, rounds };
  }
}

/** Reads all pages of RN in CA. */
async function walk({ url }: Running, key: string): Promise<Clinician[]> {
  const found: Clinician[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const more = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page: Page = await get(`${url}${API}/clinicians/search?${RN_IN_CA}&limit=100${more}`, key);
    found.push(...page.data);
    cursor = page.next_cursor;
  }
  return found;
}

async function get<T>(url: string, key: string): Promise<T> {
  const response = await fetch(url, bearer(key));
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return JSON.parse(await response.text());
}

/**
 * A copy of the registry: the hash of each clinician, by NPI. Millions of clinicians themselves need too much
 * memory.
 */
type Copy = Map<string, bigint>;

/** Reads the whole registry as NDJSON. */
async function copyAll({ url }: Running, key: string): Promise<Copy> {
  const response = await fetch(
    `${url}${API}/clinicians/search`,
    bearer(key, { accept: 'application/x-ndjson' }),
  );
  if (!response.ok || response.body === null) throw new Error(`${response.status} ${await response.text()}`);
  const copy: Copy = new Map();
  let rest = '';
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const clinician: Clinician = JSON.parse(line);
      copy.set(clinician.npi, hashOf(clinician));
    }
  }
  if (rest !== '') throw new Error(`the stream ends within a line: ${rest.slice(0, 80)}`);
  return copy;
}

/** Returns the cursor of the end of the changes. */
async function feedEnd(server: Running, key: string): Promise<string> {
  let cursor = '';
  await eachChange(server, key, '', (_, next) => {
    cursor = next;
  });
  return cursor;
}

/** Applies the changes after a cursor to a copy. @returns their number, and the NPIs that changed */
async function replay(server: Running, key: string, since: string, copy: Copy) {
  let changes = 0;
  const changed = new Set<string>();
  await eachChange(server, key, since, (page) => {
    for (const { npi, clinician } of page) {
      changes++;
      changed.add(npi);
      if (clinician === null) copy.delete(npi);
      else copy.set(npi, hashOf(clinician));
    }
  });
  return { changes, changed };
}

async function eachChange(
  { url }: Running,
  key: string,
  since: string,
  visit: (changes: Change[], next: string) => void,
): Promise<void> {
  let cursor = since;
  for (;;) {
    const query =
      cursor === '' ? `since=${new Date().toISOString()}` : `cursor=${encodeURIComponent(cursor)}`;
    const page: { data: Change[]; has_more: boolean; next_cursor: string } = await get(
      `${url}${API}/clinicians/changes?limit=100&${query}`,
      key,
    );
    visit(page.data, page.next_cursor);
    cursor = page.next_cursor;
    if (!page.has_more) return;
  }
}

function hashOf(clinician: Clinician): bigint {
  return BigInt(Bun.hash(JSON.stringify(clinician)));
}

function mustBeEqualCopies(what: string, left: Copy, right: Copy): void {
  const differing = [...left.keys(), ...right.keys()].find((npi) => left.get(npi) !== right.get(npi));
  if (differing === undefined) return;
  throw new Error(`${what} differ: ${left.size} and ${right.size}; for example ${differing}`);
}

function nameOfClinician({ last_name, first_name }: Clinician): string {
  return `${last_name}\n${first_name}`;
}

function mustBeDistinct(walked: readonly Clinician[]): void {
  const found = new Set<string>();
  for (const clinician of walked) {
    const one = `${clinician.npi}\n${nameOfClinician(clinician)}`;
    if (found.has(one)) throw new Error(`found twice: ${one}`);
    found.add(one);
  }
}

/**
 * Who matched before and after under the same name, and did not change in between, must have been found. A weekly
 * file moves a clinician, and the next full file moves them back: meanwhile they do not match.
 */
function mustHaveAll(
  during: readonly Clinician[],
  before: readonly Clinician[],
  after: readonly Clinician[],
  changed: ReadonlySet<string>,
): void {
  const then = new Map(after.map((clinician) => [clinician.npi, nameOfClinician(clinician)]));
  const found = new Set(during.map(({ npi }) => npi));
  for (const clinician of before) {
    const isSame = then.get(clinician.npi) === nameOfClinician(clinician) && !changed.has(clinician.npi);
    if (isSame && !found.has(clinician.npi)) {
      throw new Error(`not found while the registry changed: ${clinician.npi}`);
    }
  }
}

function mustEqual(what: string, left: readonly string[], right: readonly string[]): void {
  const other = new Set(right);
  const missing = left.find((one) => !other.has(one));
  const own = new Set(left);
  const extra = right.find((one) => !own.has(one));
  if (left.length !== right.length || missing !== undefined || extra !== undefined) {
    throw new Error(`${what} differ: ${left.length} and ${right.length}; for example ${missing ?? extra}`);
  }
}

if (import.meta.main) {
  const rows = Number(process.argv[2] ?? 3_390_000);
  const { clinicians, walked, walkedDuringChanges, changes } = await walkRegistry(rows);
  process.stdout.write(
    `${clinicians} clinicians, ${walked} of them RN in CA; ${walkedDuringChanges} walks while the registry changed; ${changes} changes replayed\n`,
  );
}
