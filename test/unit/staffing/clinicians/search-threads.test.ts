import { afterEach, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { startWorker } from '../../../../src/platform/workers/workers.ts';
import { search } from '../../../../src/staffing/clinicians/search.ts';
import { SearchThreads } from '../../../../src/staffing/clinicians/search-threads.ts';
import { searchThreadsOf } from '../../../../src/staffing/clinicians/settings.ts';
import { amendRegistry } from '../../../../src/staffing/registry/amend.ts';
import { currentRegistry } from '../../../../src/staffing/registry/current.ts';
import { openTestRegistry, recordOf, refusalOf, type TestRegistry } from '../../../support/registry.ts';
import { sampleOf } from '../../../support/registry-model.ts';

let served: TestRegistry;
let threads: SearchThreads | undefined;
let started = 0;
afterEach(() => {
  threads?.end();
  served.close();
});

/**
 * Serves clinicians with threads that are always wanted.
 * @returns the context of searches, and the pages that threads rendered
 */
function withThreads(size: number, start = () => startWorker('searcher')) {
  started = 0;
  threads = new SearchThreads(served.registry, size, {
    isBusy: () => true,
    start() {
      started++;
      return start();
    },
  });
  const rendered: (Promise<unknown> | null)[] = [];
  const own = threads;
  const page: SearchThreads['page'] = (request) => {
    const asked = own.page(request);
    rendered.push(asked);
    return asked;
  };
  return { clinicians: { ...served, searchThreads: Object.assign(Object.create(own), { page }) }, rendered };
}

const QUERIES = [
  {},
  { state: 'TX' },
  { specialty: 'RN' },
  { surname: 'g' },
  { include_total: 'true' },
  { city: 'austin' },
] as const;

describe('searches in threads', () => {
  test('return what the main thread returns', async () => {
    served = openTestRegistry(sampleOf(0, 200, 3));
    const { clinicians, rendered } = withThreads(2);
    const alone = await Promise.all(QUERIES.map((query) => search({ ...served }, { ...query, limit: '7' })));
    served.registry.close();
    served.registry.reopen();
    const threaded = await Promise.all(QUERIES.map((query) => search(clinicians, { ...query, limit: '7' })));
    expect(threaded).toEqual(alone);
    expect((await Promise.all(rendered)).every((page) => page !== null)).toBe(true);
    expect(started).toBe(2);
  });

  test('see a change and another file before the searches that follow', async () => {
    served = openTestRegistry([recordOf({ npi: 2_000_000_002, lastName: 'FIRST' })]);
    const { clinicians, rendered } = withThreads(1);
    const names = async () => (await search(clinicians, {})).data.map(({ last_name }) => last_name);
    expect(await names()).toEqual(['FIRST']);
    const path = join(served.directory, currentRegistry(served.directory) ?? '');
    const put = [recordOf({ npi: 2_000_000_002, lastName: 'SECOND' })];
    amendRegistry(path, { put, remove: [], at: '2026-03-09T00:00:00.000Z', kind: 'weekly' });
    expect(await names()).toEqual(['SECOND']);
    served.swap([recordOf({ npi: 2_000_000_002, lastName: 'THIRD' })]);
    expect(await names()).toEqual(['THIRD']);
    expect((await Promise.all(rendered)).every((page) => page !== null)).toBe(true);
  });

  test('refuse what the main thread refuses', async () => {
    served = openTestRegistry(sampleOf(0, 5, 3));
    const { clinicians } = withThreads(1);
    expect(await refusalOf(search(clinicians, { specialty: 'juggling' }))).toBe('UNKNOWN_SPECIALTY');
  });

  test('are served by the main thread when the thread fails, and no thread is started for a while', async () => {
    served = openTestRegistry(sampleOf(0, 5, 3));
    const failing = URL.createObjectURL(new Blob(["self.onmessage = () => { throw new Error('failed'); };"]));
    const { clinicians } = withThreads(1, () => new Worker(failing));
    expect((await search(clinicians, {})).data.length).toBeGreaterThan(0);
    expect((await search(clinicians, { limit: '2' })).data.length).toBe(2);
    expect(started).toBe(1);
  });

  test('start only when they are needed, and end with the service', async () => {
    served = openTestRegistry(sampleOf(0, 5, 3));
    const { clinicians } = withThreads(1);
    expect(started).toBe(0);
    const pending = search(clinicians, {});
    threads?.end();
    expect((await pending).data.length).toBeGreaterThan(0);
    expect((await search(clinicians, { limit: '1' })).data.length).toBe(1);
  });
});

test('the number of threads is one less than the processors, at most four, unless it is configured', () => {
  expect([1, 2, 5, 64].map((processors) => searchThreadsOf(null, processors))).toEqual([0, 1, 4, 4]);
  expect(searchThreadsOf(0, 8)).toBe(0);
  expect(searchThreadsOf(12, 2)).toBe(12);
});
