import { join } from 'node:path';
import pino from 'pino';
import { takeDataDirectory } from '../../../src/platform/data-directory.ts';
import { openTrustService } from '../../../src/trust/service/service.ts';
import { defineBenchmark } from '../harness/benchmark.ts';
import { atMost, type Measured } from '../harness/metric.ts';
import { seed } from '../seed.ts';
import { API_KEY } from '../server-process.ts';
import { median, print } from '../statistics.ts';
import { worstStaffing } from '../worst-staffing.ts';
import { type Ask, type Reading, worstTrust } from '../worst-trust.ts';

const WARMING = 3;

/** The cost of a read: median and CPU time in milliseconds. */
interface Cost {
  name: string;
  elapsed: number;
  cpu: number;
}

export const reads = defineBenchmark({
  name: 'reads',
  capability: 'All reads',
  about:
    'What each GET of both services costs the main thread with the most expensive data that callers can store: names and URLs of full ' +
    'length, payloads of 1 MiB, 300 pushes of 2,048 commits whose SHAs begin alike, pages of 100. In process, from the request to the ' +
    'whole response, one after the other. CPU time is the mean of the main thread; other programs on the machine do not lengthen it.',
  needs: [],
  metrics: {
    trust: { label: 'Trust service, CPU time of the slowest read', unit: 'ms', goal: atMost(50) },
    trustElapsed: { label: 'Trust service, slowest read, median', unit: 'ms' },
    staffing: { label: 'Staffing service, CPU time of the slowest read', unit: 'ms', goal: atMost(50) },
    staffingElapsed: { label: 'Staffing service, slowest read, median', unit: 'ms' },
    routes: { label: 'Reads measured', unit: 'count' },
  },
  short: { receipts: 50_000, reads: 20 },
  full: { receipts: 200_000, reads: 40 },
  async run({ receipts, reads: times }, bench) {
    const data = bench.newDirectory();
    await openedTrust(data, async () => undefined);
    await seed(join(data, 'trust.db'), receipts);
    const trust = await openedTrust(data, async (service, ask) => {
      const readings = await worstTrust(service, data, ask);
      // Scheduled tasks do not run here, and without recent health checks the service would report itself as
      // degraded.
      return measureAll('Trust', readings, ask, times, () => service.trust.health.refresh());
    });
    const staffing: Cost[] = [];
    await worstStaffing(bench.newDirectory(), async (readings, ask) => {
      staffing.push(...(await measureAll('Staffing', readings, ask, times)));
    });
    return {
      trust: slowest(trust, 'cpu'),
      trustElapsed: slowest(trust, 'elapsed'),
      staffing: slowest(staffing, 'cpu'),
      staffingElapsed: slowest(staffing, 'elapsed'),
      routes: trust.length + staffing.length,
    };
  },
});

function slowest(costs: readonly Cost[], by: 'cpu' | 'elapsed'): Measured {
  const [worst] = costs.toSorted((left, right) => right[by] - left[by]);
  if (worst === undefined) throw new Error('nothing was read');
  return { value: worst[by], note: worst.name };
}

async function openedTrust<T>(
  data: string,
  task: (service: Awaited<ReturnType<typeof openTrustService>>, ask: Ask) => Promise<T>,
): Promise<T> {
  const directory = takeDataDirectory(data);
  const service = await openTrustService(
    directory,
    new Map([
      ['rate_limits', 'off'],
      ['bootstrap_api_key', API_KEY],
      ['webhooks.allow_private', 'on'],
    ]),
    pino({ level: 'silent' }),
    { version: 'bench', url: 'http://localhost' },
  );
  const { fetch } = service.app('/');
  const result = await task(service, (method, path, body) =>
    fetch(
      new Request(`http://localhost${path}`, {
        method,
        headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    ),
  );
  await service.close();
  directory.release();
  return result;
}

async function measureAll(
  service: string,
  readings: readonly Reading[],
  ask: Ask,
  times: number,
  before: () => Promise<void> = async () => undefined,
): Promise<Cost[]> {
  print(`| ${service} | median, ms | most, ms | CPU, ms | KiB |`);
  const costs: Cost[] = [];
  for (const reading of readings) {
    await before();
    costs.push(await measure(reading, ask, times));
  }
  return costs;
}

async function measure({ name, path }: Reading, ask: Ask, count: number): Promise<Cost> {
  const times: number[] = [];
  let bytes = 0;
  let used = process.threadCpuUsage();
  for (let read = 0; read < WARMING + count; read++) {
    if (read === WARMING) used = process.threadCpuUsage();
    const before = performance.now();
    const response = await ask('GET', path);
    bytes = (await response.arrayBuffer()).byteLength;
    const time = performance.now() - before;
    if (response.status >= 500) throw new Error(`${path}: ${response.status}`);
    if (read >= WARMING) times.push(time);
    if (read === 0 && response.status >= 400) process.stderr.write(`${response.status} ${path}\n`);
  }
  const { user, system } = process.threadCpuUsage(used);
  const cpu = (user + system) / 1000 / count;
  const elapsed = median(times);
  print(
    `| ${name} | ${elapsed.toFixed(2)} | ${Math.max(...times).toFixed(2)} | ${cpu.toFixed(1)} | ${(bytes / 1024).toFixed(1)} |`,
  );
  return { name, elapsed, cpu };
}
