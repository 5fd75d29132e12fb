import { defineBenchmark } from '../harness/benchmark.ts';
import { atLeast } from '../harness/metric.ts';
import { API_KEY, startServer } from '../server-process.ts';
import { median, print } from '../statistics.ts';
import { issueAt } from '../wrk.ts';

export const linked = defineBenchmark({
  name: 'linked',
  capability: 'Receipts',
  about:
    'Durable issuing while the account of the operator is linked, against the same while it is not, on the same server, 64 connections, ' +
    'in turns, every other round linked first, because a growing database makes both slower. Linked, each issue also writes a leaf of the log of accounts, whose checkpoints are published meanwhile.',
  needs: ['wrk', 'trust server'],
  metrics: {
    ratio: { label: 'Linked issue ÷ issue', unit: 'ratio', goal: atLeast(0.85) },
    rate: { label: 'Receipts issued while linked', unit: 'requests/s' },
    p99: { label: 'Linked issue, worst 99th percentile', unit: 'ms' },
  },
  short: { rounds: 4, seconds: 3 },
  full: { rounds: 6, seconds: 5 },
  async run({ rounds, seconds }, bench) {
    const server = await startServer(bench.newDirectory());
    const url = `${server.url}/api/v1/receipts`;
    for (const isLinked of [false, true]) {
      await setLinked(server.url, isLinked);
      await issueAt(url, 2, 'mixed');
    }
    const ratios: number[] = [];
    const loads = [];
    for (let round = 1; round <= rounds; round++) {
      const measured = async (isLinked: boolean) => {
        await setLinked(server.url, isLinked);
        return issueAt(url, seconds, 'mixed');
      };
      const isFirst = round % 2 === 0;
      const before = await measured(isFirst);
      const after = await measured(!isFirst);
      const [without, load] = isFirst ? [after, before] : [before, after];
      ratios.push(load.rate / without.rate);
      loads.push(load);
      print(
        `| ${round} | ${without.rate.toFixed(0)} | ${load.rate.toFixed(0)} | ${(load.rate / without.rate).toFixed(3)} | ${load.p99} ms |`,
      );
    }
    await server.stop();
    return {
      ratio: median(ratios),
      rate: median(loads.map(({ rate }) => rate)),
      p99: Math.max(...loads.map(({ p99 }) => p99)),
    };
  },
});

/** @throws Error for a response other than 200 */
async function setLinked(url: string, isLinked: boolean): Promise<void> {
  const response = await fetch(`${url}/api/v1/operator/linked`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ linked: isLinked }),
  });
  if (!response.ok) throw new Error(`linking failed: ${response.status} ${await response.text()}`);
}
