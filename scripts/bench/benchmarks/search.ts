import { statSync } from 'node:fs';
import { join } from 'node:path';
import { Cursors } from '../../../src/platform/http/pagination/cursor.ts';
import { getClinician } from '../../../src/staffing/clinicians/get.ts';
import { cursorAt, search as searched } from '../../../src/staffing/clinicians/search.ts';
import type { Clinicians } from '../../../src/staffing/clinicians/services.ts';
import { buildRegistry } from '../../../src/staffing/registry/build.ts';
import { makeCurrent } from '../../../src/staffing/registry/current.ts';
import { RegistryHandle } from '../../../src/staffing/registry/handle.ts';
import { SAMPLE } from '../../../src/staffing/registry/sample/extent.ts';
import { madeUpClinicians } from '../../../src/staffing/registry/sample/sample.ts';
import { fold } from '../../../src/staffing/registry/vocabulary/names.ts';
import { embeddedTaxonomy } from '../../../src/staffing/registry/vocabulary/taxonomy.ts';
import { defineBenchmark } from '../harness/benchmark.ts';
import { atLeast, atMost, type Measured } from '../harness/metric.ts';
import { kinds, type Question, questions } from '../search-mix.ts';
import { loadPostgres, type Position, type PostgresRegistry } from '../search-postgres.ts';
import { median, percentile, print } from '../statistics.ts';
import { threadTime } from '../thread-clock.ts';

/** The seed of the questions. */
const SEED = 20_261_123;
/** PostgreSQL runs every so many of the queries, because some of them take it seconds. */
const POSTGRES_EVERY = 4;
const PAGE = 25;

export const search = defineBenchmark({
  name: 'search',
  capability: 'Search of clinicians',
  about:
    `Questions to a registry of made-up clinicians in process, on one connection: all ${kinds().length} combinations of no, one or two of ` +
    'the filters state, specialty, surname, exact surname, city, ZIP, beginning of a ZIP and first name, each on the first page and deep ' +
    'in the list, with and without the total, in turns, with other values each time (seeded). Processor time of the thread from the query ' +
    'to the JSON text of a page of 25. PostgreSQL 15 runs a part of the same queries from the same clinicians with an index for each ' +
    'filter, and for specialty and state together; latencies as a client on the same machine sees them. The real registry has 3,390,000 ' +
    'clinicians.',
  needs: [],
  metrics: {
    p50: { label: 'Question of the mix, processor time, median', unit: 'µs' },
    p99: { label: 'The same, 99th percentile', unit: 'µs', goal: atMost(1500), goalHoldsFor: 'full' },
    worst: { label: 'The same, slowest', unit: 'µs', goal: atMost(20_000), goalHoldsFor: 'full' },
    kind: { label: 'Slowest kind of question, median', unit: 'µs' },
    npi: { label: 'Another NPI each time', unit: 'µs' },
    postgresMedian: { label: 'PostgreSQL ÷ registry, median latency', unit: 'ratio', goal: atLeast(1) },
    postgresP99: {
      label: 'PostgreSQL ÷ registry, 99th percentile of latency',
      unit: 'ratio',
      goal: atLeast(1),
    },
    size: { label: 'Registry file', unit: 'MB' },
    built: { label: 'Building the registry file on one core', unit: 's' },
  },
  short: { clinicians: 200_000, questions: 2800 },
  full: { clinicians: 3_390_000, questions: 14_000 },
  async run({ clinicians: count, questions: asked }, bench) {
    const directory = bench.newDirectory();
    const people = () => madeUpClinicians(count, SAMPLE.seed);
    const since = performance.now();
    const options = {
      asOf: SAMPLE.asOf,
      sample: true,
      taxonomy: embeddedTaxonomy(),
      groupings: null,
      at: `${SAMPLE.asOf}T00:00:00.000Z`,
    };
    const { name } = buildRegistry(directory, people(), options);
    const built = (performance.now() - since) / 1000;
    makeCurrent(directory, name);
    const clinicians = { registry: new RegistryHandle(directory), cursors: new Cursors(new Uint8Array(32)) };
    const times = await measure(clinicians, asked);
    const npi = await measureNpis(clinicians);
    const postgres = await besidePostgres(
      clinicians,
      await loadPostgres(people),
      Math.ceil(asked / POSTGRES_EVERY),
    );
    clinicians.registry.close();
    return { ...times, npi, ...postgres, size: statSync(join(directory, name)).size / 1e6, built };
  },
});

/**
 * Measures the processor time of the questions of the mix in microseconds, after a round of other questions.
 */
async function measure(clinicians: Clinicians, asked: number) {
  await each(clinicians, SEED + 1, kinds().length, async (ask) => void (await ask()));
  const times: number[] = [];
  const byKind = new Map<string, number[]>();
  let slowest: Measured = { value: 0 };
  await each(clinicians, SEED, asked, async (ask, kind, question) => {
    const before = threadTime();
    await ask();
    const time = threadTime() - before;
    times.push(time);
    byKind.set(kind, [...(byKind.get(kind) ?? []), time]);
    if (time > slowest.value)
      slowest = { value: time, note: `${kind}: ${new URLSearchParams({ ...question, cursor: '…' })}` };
  });
  const medians = [...byKind]
    .map(([kind, some]) => ({ kind, time: median(some) }))
    .sort((left, right) => right.time - left.time);
  print('| Kind of question | median, µs |');
  for (const { kind, time } of medians.slice(0, 12)) print(`| ${kind} | ${time.toFixed(0)} |`);
  print(`slowest: ${slowest.note} ${slowest.value.toFixed(0)} µs`);
  const [first = { kind: 'none', time: Number.NaN }] = medians;
  return {
    p50: median(times),
    p99: percentile(times, 0.99),
    worst: slowest.value,
    kind: { value: first.time, note: first.kind },
  };
}

/** Calls `visit` for questions of the mix; `ask` sends the question. */
async function each(
  clinicians: Clinicians,
  seed: number,
  asked: number,
  visit: (
    ask: () => Promise<unknown>,
    kind: string,
    question: Question,
    after: Position | null,
  ) => Promise<void>,
): Promise<void> {
  let turn = 0;
  for (const { kind, question, someone } of questions(seed)) {
    if (turn++ >= asked) return;
    // A position that a page 1,000 can have: where another clinician stands, under a name in the range of the
    // question.
    const position: Position | null = kind.deep
      ? [
          question.surname === undefined ? fold(someone.lastName) : fold(question.surname),
          fold(someone.firstName ?? ''),
          someone.npi,
        ]
      : null;
    const cursor = position === null ? {} : { cursor: await cursorAt(clinicians, question, position) };
    await visit(() => searched(clinicians, { ...question, ...cursor }), kind.name, question, position);
  }
}

async function measureNpis(clinicians: Clinicians): Promise<number> {
  const times: number[] = [];
  for (const { npi } of madeUpClinicians(1000, SAMPLE.seed)) {
    const before = threadTime();
    await getClinician(clinicians, String(npi));
    times.push(threadTime() - before);
  }
  return median(times);
}

/** Compares the latencies of both, question by question in turns. */
async function besidePostgres(clinicians: Clinicians, postgres: PostgresRegistry, asked: number) {
  const registryTimes: number[] = [];
  const postgresTimes: number[] = [];
  await each(clinicians, SEED + 2, asked, async (ask, _kind, question, after) => {
    registryTimes.push(await latency(ask));
    postgresTimes.push(await latency(() => postgres.ask(question, after, PAGE)));
  });
  await postgres.stop();
  const [left, right] = [median(postgresTimes), percentile(postgresTimes, 0.99)].map((time) =>
    time.toFixed(2),
  );
  print(
    `| registry | ${median(registryTimes).toFixed(2)} ms | ${percentile(registryTimes, 0.99).toFixed(2)} ms |`,
  );
  print(`| PostgreSQL | ${left} ms | ${right} ms |`);
  return {
    postgresMedian: median(postgresTimes) / median(registryTimes),
    postgresP99: percentile(postgresTimes, 0.99) / percentile(registryTimes, 0.99),
  };
}

/** @returns milliseconds */
async function latency(ask: () => Promise<unknown>): Promise<number> {
  const since = performance.now();
  await ask();
  return performance.now() - since;
}
