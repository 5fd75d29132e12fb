import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { client, concurrently } from '../../../test/support/client.ts';
import { defineBenchmark } from '../harness/benchmark.ts';
import { atLeast } from '../harness/metric.ts';
import { API_KEY, type BenchServer, startServer } from '../server-process.ts';
import { median, print } from '../statistics.ts';
import { type Load, runWrk } from '../wrk.ts';

const A2A = '/api/v1/a2a/tasks';
/** The tasks that are made at the same time. */
const AT_ONCE = 64;

export const a2a = defineBenchmark({
  name: 'a2a',
  capability: 'Credentials and A2A',
  about:
    'A2A over HTTP: tasks/get with a key, of another task each time, with its history and artifact, against a validated no-op POST on the ' +
    'same server, 64 connections, in turns. The tasks are completed: each looked up the reputation of an agent.',
  needs: ['wrk', 'trust server'],
  metrics: {
    ratio: { label: 'tasks/get ÷ no-op POST', unit: 'ratio', goal: atLeast(0.45) },
    rate: { label: 'tasks/get', unit: 'requests/s' },
    p99: { label: 'tasks/get, worst 99th percentile', unit: 'ms' },
    memory: { label: 'Memory of the server afterwards', unit: 'MB' },
  },
  short: { tasks: 10_000, rounds: 3, seconds: 3 },
  full: { tasks: 100_000, rounds: 5, seconds: 5 },
  async run({ tasks, rounds, seconds }, bench) {
    const data = bench.newDirectory();
    const server = await startServer(data, 'off');
    const file = join(data, 'tasks');
    writeFileSync(file, (await completedTasks(server, tasks)).join('\n'));
    const post = (path: string, env: Record<string, string> = {}, time = seconds): Promise<Load> => {
      const options = { url: `${server.url}${path}`, connections: 64, seconds: time, script: 'a2a.lua' };
      return runWrk({ ...options, env: { API_KEY, TASKS: file, ...env } });
    };
    await post('/noop', { NOOP: '1' }, 2);
    await post(A2A, {}, 2);
    const ratios: number[] = [];
    const loads: Load[] = [];
    for (let round = 1; round <= rounds; round++) {
      const noop = await post('/noop', { NOOP: '1' });
      const got = await post(A2A);
      ratios.push(got.rate / noop.rate);
      loads.push(got);
      print(
        `| ${round} | ${noop.rate.toFixed(0)} | ${got.rate.toFixed(0)} | ${(got.rate / noop.rate).toFixed(3)} | ${got.p99} ms |`,
      );
    }
    const memory = server.memory().now;
    await server.stop();
    return {
      ratio: median(ratios),
      rate: median(loads.map(({ rate }) => rate)),
      p99: Math.max(...loads.map(({ p99 }) => p99)),
      memory,
    };
  },
});

/** Makes tasks that look up the reputation of an agent. @returns their ids */
async function completedTasks({ url }: BenchServer, count: number): Promise<string[]> {
  const api = client(fetch, url, API_KEY);
  const publicKey = crypto.getRandomValues(new Uint8Array(32)).toHex();
  const agent = await (await fetch(`${url}/enrolled`, { method: 'POST', body: publicKey })).text();
  return concurrently([...Array.from({ length: count }).keys()], AT_ONCE, async (number) => {
    const data = { skill: 'lookup_reputation', subject_commitment: agent };
    const message = { messageId: `message-${number}`, role: 'ROLE_USER', parts: [{ data }] };
    const { body } = await api.post(A2A, {
      jsonrpc: '2.0',
      id: number,
      method: 'SendMessage',
      params: { message },
    });
    const { task }: { task?: { id: string; status: { state: string } } } = Object(body.result);
    if (task?.status.state !== 'TASK_STATE_COMPLETED') throw new Error(`a task: ${JSON.stringify(body)}`);
    return task.id;
  });
}
