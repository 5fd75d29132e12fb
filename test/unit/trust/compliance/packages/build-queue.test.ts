import { afterEach, describe, expect, test } from 'bun:test';
import { mapLogs } from '../../../../../src/proof/log/log-names.ts';
import type { BuildOrder } from '../../../../../src/trust/compliance/packages/build-order.ts';
import { BuildQueue } from '../../../../../src/trust/compliance/packages/build-queue.ts';
import { LogDamage } from '../../../../../src/trust/log/damage.ts';
import { eventually } from '../../../../support/virtual-time.ts';

/** A Worker that does what the subject of an order says. It keeps an order `slow` until it is terminated. */
const SCRIPT = URL.createObjectURL(
  new Blob([
    `self.onmessage = ({ data }) => {
      if ('file' in data) return;
      const built = { parts: ['', '', ''], digest: data.packageId, cited: [] };
      if (data.subject === 'quick') self.postMessage({ built });
      if (data.subject === 'later') setTimeout(() => self.postMessage({ built }), 50);
      if (data.subject === 'unknown') self.postMessage({ built: null });
      if (data.subject === 'damaged') self.postMessage({ damage: { log: 'receipts', reason: 'leaf 7' } });
      if (data.subject === 'wrong') self.postMessage({ failure: 'a mistake' });
      if (data.subject === 'crash') throw new Error('crashed');
    };`,
  ]),
);

const order = (subject: string, packageId = subject): BuildOrder => ({
  kind: 'assessment',
  subject,
  framework: 'NIST_AI_RMF',
  period: { from: '', to: '' },
  view: 'public',
  treeSizes: mapLogs(() => 0),
  assessors: [],
  packageId,
  issuer: '',
  generatedAt: '',
  logs: mapLogs((name) => ({
    log: { logSeq: 1, name, origin: name, openedAt: '', closedSize: null, closedAt: null },
    treeSize: 0,
    rootHash: '',
    note: '',
  })),
});

const queues: BuildQueue[] = [];
afterEach(() => {
  for (const queue of queues.splice(0)) queue.close();
});

function queueOf(limits: { limitMs?: number; idleMs?: number } = {}): BuildQueue {
  const queue = new BuildQueue('unused', () => new Worker(SCRIPT), limits);
  queues.push(queue);
  return queue;
}

/** The reason of a rejection, or `built`. */
const outcome = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'built',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

describe('the queue of builds', () => {
  test('gives each order its own package', async () => {
    const queue = queueOf();
    const orders = Array.from({ length: 8 }, (_, index) => queue.build(order('later', `pkg_${index}`)));
    const hashes = (await Promise.all(orders)).map((built) => built?.digest);
    expect(hashes).toEqual(orders.map((_, index) => `pkg_${index}`));
    expect(queue.workers).toBe(2);
  });

  test('refuses more than two at once and eight that wait', async () => {
    const queue = queueOf();
    const orders = Array.from({ length: 11 }, () => outcome(queue.build(order('slow'))));
    expect(await orders[10]).toContain('2 packages are being built and 8 wait');
    queue.close();
    expect(new Set(await Promise.all(orders.slice(0, 10)))).toEqual(
      new Set(['The server is stopping. Repeat the request later.']),
    );
  });

  test("builds a sponsor's package before those of others, and displaces the newest of them when it is full", async () => {
    const queue = queueOf({ limitMs: 60_000 });
    const ofSponsor = (subject: string): BuildOrder => ({ ...order(subject), view: 'sponsor' });
    const built: string[] = [];
    const started = async (one: BuildOrder): Promise<unknown> => {
      const found = await queue.build(one);
      built.push(one.packageId);
      return found;
    };
    const others = Array.from({ length: 10 }, (_, index) =>
      outcome(started(order('later', `other ${index}`))),
    );
    const sponsors = [ofSponsor('quick'), { ...ofSponsor('quick'), packageId: 'second' }].map((one) =>
      outcome(started(one)),
    );
    expect(await others[9]).toContain('Repeat the request later');
    expect(await others[8]).toContain('Repeat the request later');
    expect(await Promise.all(sponsors)).toEqual(['built', 'built']);
    expect(await Promise.all(others.slice(0, 8))).toEqual(Array.from({ length: 8 }, () => 'built'));
    // Two Workers end in any order. In the order of arrival, the sponsors' would have been the last.
    const last = built.indexOf('other 7');
    expect([built.indexOf('quick') < last, built.indexOf('second') < last]).toEqual([true, true]);
  });

  test("refuses a sponsor's package only while eight of sponsors wait", async () => {
    const queue = queueOf({ limitMs: 60_000 });
    const slow: BuildOrder = { ...order('slow'), view: 'sponsor' };
    const waiting = Array.from({ length: 10 }, () => outcome(queue.build(slow)));
    expect(await outcome(queue.build(slow))).toContain('8 wait');
    queue.close();
    for (const one of await Promise.all(waiting)) expect(one).toContain('The server is stopping');
  });

  test('ends a build that takes too long, and goes on with the next', async () => {
    const queue = queueOf({ limitMs: 2_000 });
    const slow = [outcome(queue.build(order('slow'))), outcome(queue.build(order('slow')))];
    const next = outcome(queue.build(order('quick')));
    for (const message of await Promise.all(slow)) expect(message).toContain('Choose a shorter period');
    expect(await next).toBe('built');
  });

  test('reports what a build found, and keeps its Worker', async () => {
    const queue = queueOf();
    expect(await queue.build(order('unknown'))).toBeNull();
    const damage = await queue.build(order('damaged')).catch((error: unknown) => error);
    expect(damage).toEqual(new LogDamage('receipts', 'leaf 7'));
    expect(await outcome(queue.build(order('wrong')))).toBe('building a package failed: a mistake');
    expect(queue.workers).toBe(1);
  });

  test('rejects the order of a Worker that fails, and starts another one', async () => {
    const queue = queueOf();
    expect(await outcome(queue.build(order('crash')))).toContain('building a package failed');
    expect(await outcome(queue.build(order('quick')))).toBe('built');
  });

  test('ends a Worker that has nothing to do', async () => {
    const queue = queueOf({ idleMs: 20 });
    expect(await outcome(queue.build(order('quick')))).toBe('built');
    await eventually(() => queue.workers === 0);
    expect(await outcome(queue.build(order('quick')))).toBe('built');
  });

  test('takes nothing after it was closed', async () => {
    const queue = queueOf();
    queue.close();
    expect(await outcome(queue.build(order('quick')))).toContain('The server is stopping');
    expect(queue.workers).toBe(0);
  });
});
