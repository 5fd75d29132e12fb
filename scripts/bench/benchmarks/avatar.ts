import { Database } from 'bun:sqlite';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { defineBenchmark } from '../harness/benchmark.ts';
import { atLeast } from '../harness/metric.ts';
import { startServer } from '../server-process.ts';
import { median, print } from '../statistics.ts';
import { type Load, runWrk } from '../wrk.ts';

export const avatar = defineBenchmark({
  name: 'avatar',
  capability: 'Agents',
  about:
    'Avatars against the no-op GET of the same server, 64 connections, in turns. A tenth of the agents has a photo. One agent: the ' +
    'avatar of an agent without a photo. Hashes: of no agent, one after the other. 100,000 hashes are more than the cache holds, so ' +
    'the server looks up and draws each one.',
  needs: ['wrk', 'trust server'],
  metrics: {
    one: { label: 'One agent ÷ no-op GET', unit: 'ratio', goal: atLeast(0.7) },
    thousand: { label: '1,000 hashes ÷ no-op GET', unit: 'ratio', goal: atLeast(0.7) },
    many: { label: '100,000 hashes ÷ no-op GET', unit: 'ratio' },
  },
  short: { agents: 100_000, rounds: 3, seconds: 2 },
  full: { agents: 100_000, rounds: 5, seconds: 5 },
  async run({ agents, rounds, seconds }, bench) {
    const data = bench.newDirectory();
    await (await startServer(data)).stop();
    const known = enrolled(join(data, 'trust.db'), agents);
    const server = await startServer(data, 'off');
    const plain = (path: string) => runWrk({ url: `${server.url}${path}`, connections: 64, seconds });
    /** Requests the avatars of `hashes` unknown hashes; with `FIXED`, the same path each time. */
    const scripted = (hashes: number, more: { FIXED?: string } = {}) => {
      const env = { HASHES: String(hashes), ...more };
      return runWrk({ url: server.url, connections: 64, seconds, script: 'avatar.lua', env });
    };
    await plain(`/api/v1/avatar/${known}`);
    const ratios: Record<'one' | 'thousand' | 'many', number[]> = { one: [], thousand: [], many: [] };
    for (let round = 1; round <= rounds; round++) {
      const [noop, scriptedNoop] = [await plain('/noop'), await scripted(1000, { FIXED: '/noop' })];
      const report = (name: keyof typeof ratios, base: Load, load: Load): void => {
        ratios[name].push(load.rate / base.rate);
        print(
          `| ${round} | ${name} | ${base.rate.toFixed(0)} | ${load.rate.toFixed(0)} | ${(load.rate / base.rate).toFixed(3)} | ${load.p99} ms |`,
        );
      };
      report('one', noop, await plain(`/api/v1/avatar/${known}`));
      report('thousand', scriptedNoop, await scripted(1000));
      report('many', scriptedNoop, await scripted(100_000));
    }
    await server.stop();
    return { one: median(ratios.one), thousand: median(ratios.thousand), many: median(ratios.many) };
  },
});

/**
 * Inserts agents that satisfy only the schema, a tenth of them with a photo. @returns the hash of one without
 * a photo
 */
function enrolled(file: string, agents: number): string {
  const database = new Database(file, { readwrite: true, strict: true });
  const agent = database.query(
    `INSERT INTO agent VALUES (?1, ?2, ?2, 'passport-v1', NULL, ?3, 'ISSUED', NULL, '2026-01-01T00:00:00.000Z', NULL, NULL)`,
  );
  const photo = database.query(
    `INSERT INTO presentation VALUES (NULL, ?1, 'https://example.com/photo.png', ?2, 'image/png', ?3, 'digest', '2026-01-01T00:00:00.000Z')`,
  );
  let hash = '';
  database.transaction(() => {
    for (let seq = 1; seq <= agents; seq++) {
      const commitment = randomBytes(32);
      agent.run(seq, commitment, randomBytes(16));
      if (seq % 10 === 0) photo.run(seq, randomBytes(32), randomBytes(64));
      else hash = commitment.toString('hex');
    }
  })();
  database.close();
  return hash;
}
