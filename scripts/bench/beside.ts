import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { client } from '../../test/support/client.ts';
import { EXECUTABLE } from '../build.ts';
import { milliseconds, newData, type Product, shoot, startProduct } from './product.ts';
import { print } from './server-process.ts';

/**
 * What strangers do to those who work: 64 connections that issue receipts, alone and beside 100 connections that ask one public route
 * over and over, rate limits on. Prints the median latency of issuing for each public GET route of the OpenAPI document. Build first.
 * Needs wrk. `bun scripts/bench/beside.ts [executable] [seconds]`
 */
const executable = resolve(process.argv[2] ?? EXECUTABLE);
const SECONDS = Number(process.argv[3] ?? 3);

const data = newData();
const product = await startProduct(executable, data, { service: 'trust', rateLimits: 'on' });
try {
  await issuing(product);
  const alone = await issuing(product);
  print(`| alone | ${alone.toFixed(1)} ms | |`);
  for (const path of await publicPaths(product)) {
    const [beside] = await Promise.all([
      issuing(product),
      shoot({ url: product.url + path, connections: 100, seconds: SECONDS, anyStatus: true }),
    ]);
    print(`| ${path} | ${beside.toFixed(1)} ms | ${(beside / alone).toFixed(1)} |`);
  }
} finally {
  await product.stop();
  rmSync(data, { recursive: true, force: true });
}

/** @returns the median latency in milliseconds */
async function issuing({ url, apiKey }: Product): Promise<number> {
  const env = { API_KEY: apiKey };
  const path = `${url}/api/v1/receipts`;
  return milliseconds(
    (await shoot({ url: path, connections: 64, seconds: SECONDS, script: 'issue.lua', env })).p50,
  );
}

/** Every public GET route, with ids that there are. */
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
    // An operation without a `security` of its own needs a key.
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
