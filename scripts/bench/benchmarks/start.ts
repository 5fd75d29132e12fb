import { EXECUTABLE } from '../../build.ts';
import { type Bench, defineBenchmark } from '../harness/benchmark.ts';
import { atMost } from '../harness/metric.ts';
import { memoryOf } from '../server-process.ts';
import { median, print } from '../statistics.ts';

export const start = defineBenchmark({
  name: 'start',
  capability: 'Start',
  about:
    'Milliseconds from exec of the executable to the first response, and the memory of the idle process, with an existing data ' +
    'directory. The directory of the staffing service contains its sample registry.',
  needs: ['product'],
  metrics: {
    trust: { label: 'Trust service, first response, median', unit: 'ms', goal: atMost(80) },
    trustSlowest: { label: 'Trust service, first response, slowest', unit: 'ms' },
    trustMemory: { label: 'Trust service, idle memory', unit: 'MB', goal: atMost(70) },
    staffing: { label: 'Staffing service, first response, median', unit: 'ms', goal: atMost(90) },
    staffingSlowest: { label: 'Staffing service, first response, slowest', unit: 'ms' },
    staffingMemory: { label: 'Staffing service, idle memory', unit: 'MB' },
  },
  short: { starts: 15 },
  full: { starts: 30 },
  async run({ starts }, bench) {
    const trust = await startsOf('trust', starts, bench);
    const staffing = await startsOf('staffing', starts, bench);
    return {
      trust: median(trust.times),
      trustSlowest: Math.max(...trust.times),
      trustMemory: median(trust.memory),
      staffing: median(staffing.times),
      staffingSlowest: Math.max(...staffing.times),
      staffingMemory: median(staffing.memory),
    };
  },
});

async function startsOf(service: 'trust' | 'staffing', starts: number, bench: Bench) {
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  const data = bench.newDirectory();
  const times: number[] = [];
  const memory: number[] = [];
  // The first start creates the data.
  for (let turn = 0; turn <= starts; turn++) {
    const since = performance.now();
    const server = Bun.spawn(
      [EXECUTABLE, 'serve', '--service', service, '--port', String(port), '--data', data],
      { stdout: 'ignore', stderr: 'ignore' },
    );
    while (!(await responds(port))) {
      if (server.exitCode !== null) throw new Error(`the ${service} service did not start`);
      await Bun.sleep(1);
    }
    if (turn > 0) {
      times.push(performance.now() - since);
      memory.push(memoryOf(server.pid, 'VmRSS'));
    }
    server.kill('SIGTERM');
    await server.exited;
  }
  const range = (values: number[]) =>
    [Math.min(...values), median(values), Math.max(...values)].map((one) => one.toFixed(0)).join(' / ');
  print(`| ${service} | ${range(times)} ms | ${range(memory)} MB |`);
  return { times, memory };
}

async function responds(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/api/health`)).ok;
  } catch {
    return false;
  }
}
