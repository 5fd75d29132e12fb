import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Cursors } from '../../src/platform/http/cursor.ts';
import { byNpi, type Clinicians, search } from '../../src/staffing/clinicians/service.ts';
import { embeddedTaxonomy } from '../../src/staffing/clinicians/taxonomy.ts';
import { buildRegistry } from '../../src/staffing/registry/build.ts';
import { makeCurrent } from '../../src/staffing/registry/current.ts';
import { RegistryHolder } from '../../src/staffing/registry/holder.ts';
import { madeUpClinicians, SAMPLE } from '../../src/staffing/registry/sample/sample.ts';
import { ROOT } from '../sources.ts';

/**
 * What searching costs: builds a registry of made-up clinicians, then asks each shape of question in process, on one
 * connection. Prints the size of the file and a table row a shape: the first page and the page behind it, in
 * microseconds, as medians. The real registry has 3,390,000. `bun scripts/bench/search.ts [clinicians]`
 */
const CLINICIANS = Number(process.argv[2] ?? 200_000);
const TIMES = 300;

type Query = Parameters<typeof search>[1];

const SHAPES: [string, Query][] = [
  ['nothing', {}],
  ['100 a page', { limit: '100' }],
  ['state', { state: 'TX' }],
  ['rare state', { state: 'AS' }],
  ['code', { specialty: '163W00000X' }],
  ['classification of 3 codes', { specialty: 'PA' }],
  ['classification of 18 codes', { specialty: 'NP' }],
  ['classification of 56 codes', { specialty: 'RN' }],
  ['grouping', { specialty: 'MD' }],
  ['code, state', { specialty: '207RC0000X', state: 'WY' }],
  ['18 codes, state', { specialty: 'NP', state: 'CA' }],
  ['56 codes, state', { specialty: 'RN', state: 'CA' }],
  ['surname', { surname: 'garcia' }],
  ['letter', { surname: 's' }],
  ['surname, state', { surname: "O'Brien", state: 'CA' }],
  ['surname, exact', { surname: 'Lopez', match: 'exact' }],
  ['surname of nobody', { surname: 'zzyzx' }],
  ['surname, 18 codes, state', { surname: 'wil', specialty: 'NP', state: 'CA' }],
  ['surname, 56 codes, state', { surname: 'wil', specialty: 'RN', state: 'CA' }],
  ['total of state, 56 codes', { specialty: 'RN', state: 'CA', include_total: 'true' }],
  ['total of letter', { surname: 's', include_total: 'true' }],
  ['total of letter, 56 codes', { surname: 's', specialty: 'RN', include_total: 'true' }],
];

const directory = mkdtempSync(join(ROOT, 'dist', 'bench-'));
try {
  let since = performance.now();
  const options = { asOf: SAMPLE.asOf, sample: true, taxonomy: embeddedTaxonomy() };
  const { name } = buildRegistry(directory, madeUpClinicians(CLINICIANS, SAMPLE.seed), options);
  const { size } = statSync(join(directory, name));
  print(`${CLINICIANS} clinicians: built in ${seconds(since)} s, ${(size / 1e6).toFixed(0)} MB`);
  makeCurrent(directory, name);
  since = performance.now();
  const clinicians = { registry: new RegistryHolder(directory), cursors: new Cursors(new Uint8Array(32)) };
  print(`opened in ${((performance.now() - since) * 1000).toFixed(0)} µs`);
  print('| Asked | rows | first page, µs | next page, µs |');
  for (const [shape, query] of SHAPES) await measure(clinicians, shape, query);
  await measureOthers(clinicians);
  clinicians.registry.close();
} finally {
  rmSync(directory, { recursive: true, force: true });
}

async function measure(clinicians: Clinicians, shape: string, query: Query): Promise<void> {
  const { data, next_cursor } = await search(clinicians, query);
  const first = await medianOf(() => search(clinicians, query));
  const next =
    next_cursor === null ? '' : await medianOf(() => search(clinicians, { ...query, cursor: next_cursor }));
  print(`| ${shape} | ${data.length} | ${first} | ${next} |`);
}

/** Questions that are others each time, so that their rows are not at hand. */
async function measureOthers(clinicians: Clinicians): Promise<void> {
  const asked = [...madeUpClinicians(TIMES, SAMPLE.seed + 1)].map(
    ({ lastName, state, codes }): Query => ({
      surname: lastName.slice(0, 4),
      ...(state === null ? {} : { state }),
      ...(codes[0] === undefined ? {} : { specialty: codes[0] }),
    }),
  );
  const surname = await medianOf((turn) => search(clinicians, { surname: asked[turn]?.surname ?? 'x' }));
  print(`| another surname each time | | ${surname} | |`);
  const all = await medianOf((turn) => search(clinicians, asked[turn] ?? {}));
  print(`| another surname, code and state each time | | ${all} | |`);
  const npis = [...madeUpClinicians(TIMES, SAMPLE.seed)].map(({ npi }) => String(npi));
  print(`| another NPI each time | 1 | ${await medianOf((turn) => byNpi(clinicians, npis[turn] ?? ''))} | |`);
}

async function medianOf(ask: (turn: number) => Promise<unknown>): Promise<string> {
  const times: number[] = [];
  for (let turn = 0; turn < TIMES; turn++) {
    const since = performance.now();
    await ask(turn);
    times.push(performance.now() - since);
  }
  return ((times.sort((left, right) => left - right)[TIMES / 2] ?? 0) * 1000).toFixed(0);
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
