import { client } from '../../../test/support/client.ts';
import { EXECUTABLE } from '../../build.ts';
import { defineBenchmark } from '../harness/benchmark.ts';
import { type Product, startProduct } from '../product.ts';
import { median, print } from '../statistics.ts';
import { runWrk } from '../wrk.ts';

export const beside = defineBenchmark({
  name: 'beside',
  capability: 'Receipts',
  about:
    'What anonymous clients cost operators: the median latency of 64 connections that issue receipts while 100 connections repeat one ' +
    'public request, divided by the latency without them. For every public GET route of the OpenAPI document, rate limits on.',
  needs: ['wrk', 'product'],
  metrics: {
    worst: {
      label: 'Median latency of an issue under load of one public route ÷ without it, worst route',
      unit: 'ratio',
    },
    middle: { label: 'The same, median of the routes', unit: 'ratio' },
    alone: { label: 'Median latency of an issue without it', unit: 'ms' },
  },
  short: { seconds: 1 },
  full: { seconds: 3 },
  async run({ seconds }, bench) {
    const product = await startProduct(EXECUTABLE, bench.newDirectory(), {
      service: 'trust',
      rateLimits: 'on',
    });
    await issuing(product, seconds);
    const alone = await issuing(product, seconds);
    print(`| alone | ${alone.toFixed(1)} ms | |`);
    const routes: { path: string; ratio: number }[] = [];
    for (const path of await publicPaths(product)) {
      const [latency] = await Promise.all([
        issuing(product, seconds),
        runWrk({ url: product.url + path, connections: 100, seconds, anyStatus: true }),
      ]);
      print(`| ${path} | ${latency.toFixed(1)} ms | ${(latency / alone).toFixed(1)} |`);
      routes.push({ path, ratio: latency / alone });
    }
    await product.stop();
    const [worst = { path: 'none', ratio: Number.NaN }] = routes.toSorted(
      (left, right) => right.ratio - left.ratio,
    );
    return {
      worst: { value: worst.ratio, note: shortened(worst.path) },
      middle: median(routes.map(({ ratio }) => ratio)),
      alone,
    };
  },
});

/** @returns the median latency in milliseconds */
async function issuing({ url, apiKey }: Product, seconds: number): Promise<number> {
  const env = { API_KEY: apiKey };
  const path = `${url}/api/v1/receipts`;
  return (await runWrk({ url: path, connections: 64, seconds, script: 'issue.lua', env })).p50;
}

/** Replaces the ids in a path, which differ in every run. */
function shortened(path: string): string {
  return path.replace(/rcpt_[0-9a-f]+|[0-9a-f]{32,}/g, '{id}');
}

/** Returns the paths of all public GET routes, with existing ids. */
async function publicPaths({ url, apiKey }: Product): Promise<string[]> {
  const own = client(fetch, url, apiKey);
  const { body: receipt } = await own.issue();
  await own.finalize(receipt.receipt_id, { status: 'refusal', refusal_reason: 'no' });
  const { body: document } = await own.get('/openapi.json');
  const ids: Record<string, string> = {
    hash: 'ab'.repeat(32),
    commitment: 'ab'.repeat(32),
    artifact: 'cd'.repeat(20),
  };
  const paths: string[] = [];
  for (const [path, operations] of Object.entries(Object(document.paths))) {
    const { get } = Object(operations);
    // An operation without `security` needs a key.
    const security: object[] | undefined = get?.security;
    const isPublic =
      security?.every((choice) => Object.keys(choice).length > 0) === false || security?.length === 0;
    if (!isPublic) continue;
    const id = path.includes('/receipts/') ? String(receipt.receipt_id) : 'ab'.repeat(32);
    paths.push(
      path
        .replace('{name}', 'receipts')
        .replace(/\{(\w+)\}/g, (_whole, name: string) => ids[name] ?? id)
        .replace(/consistency$/, 'consistency?from=0&to=1'),
    );
  }
  return paths;
}
