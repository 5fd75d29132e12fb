import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { examplesOf } from '../../../test/support/try-it-out.ts';
import type { Attack, AttackedService } from '../attacked/attack.ts';
import { startAttackedStaffing } from '../attacked/staffing.ts';
import { startAttackedTrust } from '../attacked/trust.ts';
import { defineBenchmark } from '../harness/benchmark.ts';
import { atMost } from '../harness/metric.ts';
import { print } from '../statistics.ts';
import { type Load, type LoadResult, runWrk } from '../wrk.ts';

const VICTIM = 2;
const ATTACKER = 100;

const WHO = ['one payer', '100 free payers', 'one /64'] as const;

interface Outcome {
  name: string;
  /** The latency of the victim ÷ what it may be, as median and 99th percentile. */
  median: number;
  p99: number;
}

export const fairness = defineBenchmark({
  name: 'fairness',
  capability: 'Receipts',
  about:
    `What one payer does to another. An operator issues receipts, or a partner searches, on ${VICTIM} connections; beside it ${ATTACKER} ` +
    'connections send the same request without end: of one free payer, of 100 in turns, of strangers in one /64. Limits are the defaults. ' +
    'The service runs on one core, both senders on the other. Alone means beside the same sender at a listener that does nothing. The median may be ' +
    'five times that, or that and one request of the attacker, whichever is more; the 99th percentile ten times. The full form also sends ' +
    'the example of every operation.',
  needs: ['wrk', 'product'],
  metrics: {
    median: { label: 'Median latency ÷ what it may be, worst', unit: 'ratio', goal: atMost(1) },
    p99: { label: '99th percentile ÷ what it may be, worst', unit: 'ratio', goal: atMost(1) },
    alone: { label: 'Issuing alone, median', unit: 'ms' },
    search: { label: 'Searching alone, median', unit: 'ms' },
  },
  short: { seconds: 3, operations: 0 },
  full: { seconds: 5, operations: 200 },
  async run({ seconds, operations }, bench) {
    const directory = bench.newDirectory();
    const idle = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('x') });
    const nothing = { url: String(idle.url), connections: ATTACKER, seconds, anyStatus: true };
    const outcomes: Outcome[] = [];
    const medians = { trust: 0, staffing: 0 };
    for (const start of [startAttackedTrust, startAttackedStaffing]) {
      const service = await start(directory);
      const working = (): Promise<Load> =>
        onOtherCore({ ...service.victim, connections: VICTIM, seconds: seconds - 1 });
      await working();
      const alone = await beside(nothing, working);
      medians[service.name] = alone.p50;
      print(`${service.name} alone: ${alone.p50} ms, 99th percentile ${alone.p99} ms`);
      const documented = await documentedAttacks(service, operations);
      for (const [attack, who] of [
        ...service.attacks.flatMap((one) => WHO.map((who) => [one, who] as const)),
        ...documented.map((one) => [one, WHO[0]] as const),
      ]) {
        const load = attackOf(service, directory, attack, who, seconds);
        const { p50: single } = await onOtherCore({ ...load, connections: 1, seconds: 1 });
        const victim = await beside(load, working);
        const may = Math.max(5 * alone.p50, alone.p50 + single);
        // Without any response, wrk states a latency of 0.
        const outcome =
          victim.requests === 0
            ? { median: Number.POSITIVE_INFINITY, p99: Number.POSITIVE_INFINITY }
            : { median: victim.p50 / may, p99: victim.p99 / (10 * alone.p99) };
        const name = `${service.name}: ${attack.name}, ${who}`;
        outcomes.push({ name, ...outcome });
        print(
          `| ${name} | one: ${single} ms | ${victim.p50} ms | ${victim.p99} ms | ${outcome.median.toFixed(3)} | ${outcome.p99.toFixed(3)} |`,
        );
      }
      await service.stop();
    }
    await idle.stop(true);
    const worst = (by: 'median' | 'p99'): Outcome[] => outcomes.toSorted((one, other) => other[by] - one[by]);
    for (const { name, median, p99 } of worst('median').slice(0, 10))
      print(`| ${name} | ${median.toFixed(3)} | ${p99.toFixed(3)} |`);
    const of = (by: 'median' | 'p99') => {
      const [first] = worst(by);
      return { value: first?.[by] ?? Number.NaN, note: first?.name ?? '' };
    };
    return { median: of('median'), p99: of('p99'), alone: medians.trust, search: medians.staffing };
  },
});

/** Returns the example of each operation in the OpenAPI documents, at most `most`. */
async function documentedAttacks({ url, documents }: AttackedService, most: number): Promise<Attack[]> {
  const all: Attack[] = [];
  for (const path of most === 0 ? [] : documents) {
    const document: unknown = await (await fetch(`${url}${path}`)).json();
    for (const { name, method, path, body } of examplesOf(document))
      all.push({ name, method, path, ...(body === null ? {} : { body: JSON.parse(body) }) });
  }
  return all.slice(0, most);
}

/** Measures while a load is under way. */
async function beside(load: LoadResult, measured: () => Promise<Load>): Promise<Load> {
  const under = onOtherCore(load);
  // wrk connects one after the other.
  await Bun.sleep(500);
  const result = await measured();
  await under;
  return result;
}

const onOtherCore = (load: LoadResult): Promise<Load> => runWrk({ ...load, core: 1 });

function attackOf(
  { url, keys }: AttackedService,
  directory: string,
  { name, method = 'GET', path, body }: Attack,
  who: (typeof WHO)[number],
  seconds: number,
): LoadResult {
  const file = join(directory, `${name.replaceAll('/', '_')}.json`);
  if (body !== undefined) writeFileSync(file, JSON.stringify(body));
  const sent = { 'one payer': keys.slice(0, 1), '100 free payers': keys, 'one /64': [] }[who];
  return {
    ...{ url, connections: ATTACKER, seconds, script: 'attack.lua', anyStatus: true },
    env: {
      ...{ METHOD: method, TARGET: path },
      ...(body === undefined ? {} : { BODY: file }),
      ...(sent.length > 0 ? { KEYS: sent.join(',') } : { NETWORK: '2001:db8:1:2::' }),
    },
  };
}
