import { join } from 'node:path';
import { defineBenchmark } from '../harness/benchmark.ts';
import { atMost } from '../harness/metric.ts';
import { seedStandings } from '../seed-standings.ts';
import { startServer } from '../server-process.ts';
import { median, print } from '../statistics.ts';

const WARM_UP = 200;

export const leaderboard = defineBenchmark({
  name: 'leaderboard',
  capability: 'Agents',
  about:
    'Pages of 50 agents of the leaderboard by score, one caller that follows the cursors from the first page on, so that no page comes ' +
    'twice. The time is that of the whole request.',
  needs: ['trust server'],
  metrics: {
    p99: { label: 'Page by score, 99th percentile', unit: 'ms', goal: atMost(5) },
    p50: { label: 'The same, median', unit: 'ms' },
  },
  short: { agents: 100_000, pages: 1000 },
  full: { agents: 1_000_000, pages: 5000 },
  async run({ agents, pages }, bench) {
    const data = bench.newDirectory();
    await (await startServer(data, 'off')).stop();
    seedStandings(join(data, 'trust.db'), agents);
    const server = await startServer(data, 'off', 'off');
    const times: number[] = [];
    let cursor = '';
    for (let page = 0; page < WARM_UP + pages; page++) {
      const since = performance.now();
      const response = await fetch(`${server.url}/api/v1/leaderboard?sort=score&limit=50${cursor}`);
      const { next_cursor }: { next_cursor: string } = JSON.parse(await response.text());
      if (page >= WARM_UP) times.push(performance.now() - since);
      cursor = `&cursor=${encodeURIComponent(next_cursor)}`;
    }
    await server.stop();
    times.sort((one, other) => one - other);
    const p99 = times[Math.floor(times.length * 0.99)] ?? Number.NaN;
    print(`| ${median(times).toFixed(2)} ms | ${p99.toFixed(2)} ms | ${times.at(-1)?.toFixed(2)} ms |`);
    return { p99, p50: median(times) };
  },
});
