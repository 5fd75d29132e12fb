import { statSync } from 'node:fs';
import { join } from 'node:path';
import { Cursors } from '../../src/platform/http/pagination/cursor.ts';
import { byNpi, type Clinicians, search as searched } from '../../src/staffing/clinicians/service.ts';
import { buildRegistry } from '../../src/staffing/registry/build.ts';
import { makeCurrent } from '../../src/staffing/registry/current.ts';
import { RegistryHandle } from '../../src/staffing/registry/handle.ts';
import { madeUpClinicians, SAMPLE } from '../../src/staffing/registry/sample/sample.ts';
import { embeddedTaxonomy } from '../../src/staffing/registry/vocabulary/taxonomy.ts';
import { defineBenchmark } from './harness/benchmark.ts';
import { atMost, type Measured } from './harness/metric.ts';
import { median, print } from './statistics.ts';

/** The number of runs of each query. */
const TIMES = 300;

type Query = Parameters<typeof searched>[1];

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

export const search = defineBenchmark({
  name: 'search',
  capability: 'Search of clinicians',
  about:
    `Searches of a registry of made-up clinicians, in process on one connection: the median of each of ${SHAPES.length} kinds of ` +
    `search, repeated ${TIMES} times, first page and next page. A search that differs each time does not find its rows in the cache. A ` +
    'total with a surname counts up to 10,000 clinicians; all other totals are stored. The real registry has 3,390,000 clinicians.',
  needs: [],
  metrics: {
    page: { label: 'Slowest page', unit: 'µs', goal: atMost(500), goalHoldsFor: 'full' },
    total: { label: 'Slowest page with a total', unit: 'µs' },
    surname: { label: 'Another surname each time', unit: 'µs', goal: atMost(500), goalHoldsFor: 'full' },
    all: {
      label: 'Another surname, code and state each time',
      unit: 'µs',
      goal: atMost(500),
      goalHoldsFor: 'full',
    },
    npi: { label: 'Another NPI each time', unit: 'µs' },
    size: { label: 'Registry file', unit: 'MB', goal: atMost(1300), goalHoldsFor: 'full' },
    built: { label: 'Building the registry file on one core', unit: 's' },
  },
  short: { clinicians: 200_000 },
  full: { clinicians: 3_390_000 },
  async run({ clinicians: count }, bench) {
    const directory = bench.newDirectory();
    const since = performance.now();
    const options = { asOf: SAMPLE.asOf, sample: true, taxonomy: embeddedTaxonomy() };
    const { name } = buildRegistry(directory, madeUpClinicians(count, SAMPLE.seed), options);
    const built = (performance.now() - since) / 1000;
    makeCurrent(directory, name);
    const clinicians = {
      registry: new RegistryHandle(directory),
      cursors: new Cursors(new Uint8Array(32)),
    };
    const pages: Shape[] = [];
    const totals: Shape[] = [];
    print('| Asked | rows | first page, µs | next page, µs |');
    for (const [shape, query] of SHAPES) {
      const measured = await measure(clinicians, shape, query);
      (query.include_total === undefined ? pages : totals).push(...measured);
    }
    const others = await measureOthers(clinicians);
    clinicians.registry.close();
    const size = statSync(join(directory, name)).size / 1e6;
    return { page: slowest(pages), total: slowest(totals), ...others, size, built };
  },
});

interface Shape {
  name: string;
  /** Microseconds. */
  time: number;
}

async function measure(clinicians: Clinicians, shape: string, query: Query): Promise<Shape[]> {
  const { data, next_cursor } = await searched(clinicians, query);
  const first = { name: shape, time: await medianOf(() => searched(clinicians, query)) };
  const next =
    next_cursor === null
      ? null
      : {
          name: `${shape}, next page`,
          time: await medianOf(() => searched(clinicians, { ...query, cursor: next_cursor })),
        };
  print(`| ${shape} | ${data.length} | ${first.time.toFixed(0)} | ${next?.time.toFixed(0) ?? ''} |`);
  return next === null ? [first] : [first, next];
}

function slowest(shapes: readonly Shape[]): Measured {
  const [worst] = shapes.toSorted((left, right) => right.time - left.time);
  if (worst === undefined) throw new Error('nothing was asked');
  return { value: worst.time, note: worst.name };
}

/** Measures queries that differ each time, so that their rows are not cached. */
async function measureOthers(clinicians: Clinicians) {
  const asked = [...madeUpClinicians(TIMES, SAMPLE.seed + 1)].map(
    ({ lastName, state, codes }): Query => ({
      surname: lastName.slice(0, 4),
      ...(state === null ? {} : { state }),
      ...(codes[0] === undefined ? {} : { specialty: codes[0] }),
    }),
  );
  const npis = [...madeUpClinicians(TIMES, SAMPLE.seed)].map(({ npi }) => String(npi));
  const surname = await medianOf((turn) => searched(clinicians, { surname: asked[turn]?.surname ?? 'x' }));
  const all = await medianOf((turn) => searched(clinicians, asked[turn] ?? {}));
  const npi = await medianOf((turn) => byNpi(clinicians, npis[turn] ?? ''));
  print(`| another surname each time | | ${surname.toFixed(0)} | |`);
  print(`| another surname, code and state each time | | ${all.toFixed(0)} | |`);
  print(`| another NPI each time | 1 | ${npi.toFixed(0)} | |`);
  return { surname, all, npi };
}

/** Returns the median time of `TIMES` queries in microseconds. */
async function medianOf(ask: (turn: number) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < TIMES; turn++) {
    const since = performance.now();
    await ask(turn);
    times.push((performance.now() - since) * 1000);
  }
  return median(times);
}
