import { afterAll, describe, expect, test } from 'bun:test';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { currentRegistry } from '../../../src/staffing/registry/current.ts';
import { SAMPLE } from '../../../src/staffing/registry/sample/extent.ts';
import { buildSample } from '../../../src/staffing/registry/sample/load.ts';
import { client } from '../../support/client.ts';
import { EXECUTABLE, scratch, serve } from '../../support/process.ts';

const PREFIX = '/api/staffing/partner/v1';
const MOST_BYTES = 3_000_000;
const directory = scratch();
afterAll(() => directory.dispose());

/** Starts the service on a new data directory. @returns the bytes of its registry, and a search for all clinicians */
async function firstStart(name: string, args: string[]) {
  const data = join(directory.path, name);
  const server = await serve(data, {}, ['--service', 'staffing', ...args]);
  const { call } = client(fetch, server.url, null);
  const account = await call('POST', `${PREFIX}/sandbox-keys`, {
    email: 'ada@firm.example',
    company: 'Firm',
  });
  const search = `${PREFIX}/clinicians/search?limit=1&include_total=true`;
  const { body } = await client(fetch, server.url, String(account.body.api_key)).call('GET', search);
  await server.stop();
  const registry = join(data, 'registry');
  return { found: body, bytes: readFileSync(join(registry, currentRegistry(registry) ?? 'none')) };
}

function built(clinicians: number): Buffer {
  const registry = join(directory.path, `built-${clinicians}`);
  mkdirSync(registry);
  return readFileSync(join(registry, buildSample(registry, clinicians)));
}

describe('the sample registry of a first start', () => {
  test('is the one that the executable contains, byte for byte as it is built from source', async () => {
    const { found, bytes } = await firstStart('all', []);
    expect(bytes.equals(built(SAMPLE.clinicians))).toBe(true);
    expect(found).toMatchObject({ total: 20_000 });
  });

  test('has as many clinicians as --sample says', async () => {
    const { found, bytes } = await firstStart('some', ['--sample', '250']);
    expect(bytes.equals(built(250))).toBe(true);
    expect(found).toMatchObject({ total: 250 });
  });

  test('takes at most 3 MB of the executable', () => {
    const dist = join(EXECUTABLE, '..');
    const [packed = ''] = readdirSync(dist).filter((name) => name.startsWith('sample-registry-'));
    expect(statSync(join(dist, packed)).size).toBeLessThan(MOST_BYTES);
  });
});
