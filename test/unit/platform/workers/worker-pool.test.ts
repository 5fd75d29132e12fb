import { afterEach, expect, test } from 'bun:test';
import { WorkerPool } from '../../../../src/platform/workers/worker-pool.ts';

const worker = (source: string): Worker => new Worker(URL.createObjectURL(new Blob([source])));
let crew: WorkerPool<Uint8Array<ArrayBuffer>, number>;
afterEach(() => crew.end());

async function* tasks(count: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let index = 0; index < count; index++) yield new Uint8Array([index]);
}
const results = (count: number) => Array.fromAsync(crew.results(tasks(count), ({ buffer }) => [buffer]));

test('workers return results in the order of the tasks, even if a later one is faster', async () => {
  // Every odd task takes longer.
  const script = `self.onmessage = ({ data }) => {
    for (const until = performance.now() + (data[0] % 2) * 3; performance.now() < until; );
    postMessage(data[0] * 2);
  };`;
  crew = new WorkerPool(() => worker(script), 3);
  expect(await results(40)).toEqual(Array.from({ length: 40 }, (_, index) => index * 2));
});

test.each([
  ['throws', 'throw new Error("no more")', /a worker thread failed: .*no more/],
  ['ends', 'process.exit(0)', /a worker thread failed: it ended/],
])('one that %s takes all tasks without a result with it', async (_how, end, message) => {
  const script = `self.onmessage = ({ data }) => { if (data[0] === 7) { ${end} } postMessage(data[0]); };`;
  crew = new WorkerPool(() => worker(script), 2);
  await expect(results(40)).rejects.toThrow(message);
  await expect(results(1)).rejects.toThrow(message);
});

test('a worker pool that has ended starts no worker for a late task', async () => {
  let hired = 0;
  crew = new WorkerPool(() => {
    hired++;
    return worker('self.onmessage = ({ data }) => postMessage(data[0]);');
  }, 2);
  const first = results(3);
  crew.end();
  await expect(first).rejects.toThrow('have ended');
  expect(hired).toBe(0);
});
