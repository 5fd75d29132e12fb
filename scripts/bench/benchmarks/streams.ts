import { listen } from '../../../src/platform/http/server.ts';
import { Traffic } from '../../../src/platform/http/traffic.ts';
import { a2aClient } from '../../../test/support/a2a.ts';
import { openMarket } from '../../../test/support/engagements.ts';
import { defineBenchmark } from '../harness/benchmark.ts';
import { atMost } from '../harness/metric.ts';
import { median, print } from '../statistics.ts';
import type { StreamCommand, StreamReport } from '../stream-clients.ts';
import { watchDelays } from '../watch-delays.ts';

/** The memory that a storm may leave behind is compared after so many collections. */
const COLLECTIONS = 3;

export const streams = defineBenchmark({
  name: 'streams',
  capability: 'Agents',
  about:
    'Clients that follow one A2A task by Server-Sent Events (`SubscribeToTask`), each on a connection. An event is told to all of them. Then all ' +
    'leave and come back at once, 10 times; the next event is told to all again. The service runs in this process and the clients on another ' +
    'thread. A stall is the processor time of the main thread between two runs of a timer of 1 ms.',
  needs: [],
  metrics: {
    event: { label: 'From the change until the last client has the event', unit: 'ms', goal: atMost(1000) },
    stall: { label: 'Longest stall while it is told', unit: 'ms', goal: atMost(10) },
    reconnects: { label: 'Streams opened a second in the storm', unit: 'count' },
    stormStall: { label: 'Longest stall in the storm', unit: 'ms' },
    memory: { label: 'Memory for each client after the storm', unit: 'bytes' },
  },
  short: { clients: 1000, reconnects: 10, rounds: 3 },
  full: { clients: 1000, reconnects: 10, rounds: 5 },
  async run({ clients, reconnects, rounds }) {
    // The first delivery of a process compiles what the others use.
    await measuredOnce(10, 1);
    const measured = [];
    for (let round = 1; round <= rounds; round++) {
      const one = await measuredOnce(clients, reconnects);
      print(
        `| ${round} | ${one.event.toFixed(0)} ms | ${one.stall.toFixed(1)} ms | ${one.reconnects.toFixed(0)}/s | ${one.stormStall.toFixed(1)} ms | ${one.memory.toFixed(0)} bytes |`,
      );
      measured.push(one);
    }
    return {
      event: median(measured.map(({ event }) => event)),
      stall: Math.max(...measured.map(({ stall }) => stall)),
      reconnects: median(measured.map((one) => one.reconnects)),
      stormStall: Math.max(...measured.map(({ stormStall }) => stormStall)),
      memory: median(measured.map(({ memory }) => memory)),
    };
  },
});

async function measuredOnce(clients: number, reconnects: number) {
  const most = String(2 * clients * reconnects);
  const market = await openMarket({
    credits: { promotional: 1000 },
    settings: { check_responses: 'off', 'a2a.streams': most, 'a2a.streams_per_caller': most },
  });
  const { app, hirer, worker } = market;
  const server = listen('127.0.0.1', 0, null, { traffic: new Traffic() });
  server.serve(app.service.app('/'));
  const own = a2aClient(app.fetch, 'http://localhost', app.apiKey);
  const terms = { skill: 'hire_agent', amount: 10 };
  const { id } = await own.send([
    { data: { ...terms, hirer_commitment: hirer.commitment, worker_commitment: worker.commitment } },
  ]);
  const taskId = String(id);
  const thread = new Worker(new URL('../stream-clients.ts', import.meta.url).href);
  const told = (command: StreamCommand): Promise<StreamReport> =>
    new Promise((resolve, reject) => {
      thread.onmessage = ({ data }: MessageEvent<StreamReport>) => resolve(data);
      thread.onerror = ({ message }) => reject(new Error(message));
      thread.postMessage(command);
    });
  await told({ do: 'open', port: Number(new URL(server.url).port), apiKey: app.apiKey, taskId, clients });
  const before = memory();
  const [stall, event] = await watched(async () => {
    const all = told({ do: 'wait', state: 'TASK_STATE_INPUT_REQUIRED' });
    const since = performance.timeOrigin + performance.now();
    await market.deliver(worker, taskId);
    return (await all).at - since;
  });
  const [stormStall, seconds] = await watched(async () => {
    const since = performance.timeOrigin + performance.now();
    return ((await told({ do: 'storm', rounds: reconnects })).at - since) / 1000;
  });
  const open = app.service.trust.taskStreams.size;
  const held = (memory() - before) / clients;
  const all = told({ do: 'wait', state: 'TASK_STATE_COMPLETED' });
  await own.send([{ text: 'accept' }], { taskId });
  await all;
  thread.terminate();
  await server.stop(1000);
  await app.close();
  if (open < clients) throw new Error(`${open} of ${clients} streams are open after the storm`);
  return { event, stall, reconnects: (clients * reconnects) / seconds, stormStall, memory: held };
}

/** Returns the longest stall while something is done, in milliseconds, and its result. */
async function watched<Result>(act: () => Promise<Result>): Promise<[number, Result]> {
  Bun.gc(true);
  const delays = watchDelays();
  try {
    const result = await act();
    return [delays.stop(), result];
  } catch (error) {
    delays.stop();
    throw error;
  }
}

/** Returns the bytes of the heap that are in use. */
function memory(): number {
  for (let times = 0; times < COLLECTIONS; times++) Bun.gc(true);
  return process.memoryUsage().heapUsed;
}
