import { randomBytes } from 'node:crypto';
import { nativePrimitives, signEd25519 } from '../../../src/platform/crypto/crypto.ts';
import { digest } from '../../../src/proof/encoding/digest.ts';
import { bytesToHex } from '../../../src/proof/encoding/hex.ts';
import { client } from '../../../test/support/client.ts';
import { EXECUTABLE } from '../../build.ts';
import { type AgentWithKey, enrolledWithKey } from '../enrolled-agent.ts';
import { type Bench, defineBenchmark } from '../harness/benchmark.ts';
import { atLeast, type Metric } from '../harness/metric.ts';
import { type Product, startProduct } from '../product.ts';
import { median, print } from '../statistics.ts';

const SERVICE_TOKEN = `svc_${randomBytes(32).toString('hex')}`;
const CREDITS = 100_000_000;
const AT_ONCE = 64;
const EVIDENCE = { source_type: 'task_deliverable', deliverable_digest: 'ab'.repeat(32) };

/** A service with two agents that hire each other, in turns. */
interface Side {
  product: Product;
  agents: AgentWithKey[];
  call: ReturnType<typeof client>;
}

const ratio = (label: string): Metric => ({
  label: `${label} per processor second, new ÷ old`,
  unit: 'ratio',
  goal: atLeast(0.95),
});

export const compareHires = defineBenchmark({
  name: 'compare-hires',
  capability: 'Old and new executable',
  about:
    'The executable of `--against` and the new one, in turns, each with a service of its own: hires, then acceptances of the same ones, 64 at once, in ' +
    'a second of processor time of all threads. What is between them, the deliveries with the service token, is not measured. The median of the ratios of all rounds.',
  needs: ['product', 'old executable'],
  metrics: { hires: ratio('Hires'), accepts: ratio('Acceptances') },
  short: { rounds: 5, hires: 500 },
  full: { rounds: 20, hires: 1000 },
  async run({ rounds, hires }, bench) {
    if (bench.oldExecutable === null) throw new Error('there is no executable to compare with');
    const sides = [await open(bench.oldExecutable, bench), await open(EXECUTABLE, bench)] as const;
    const ratios = { hires: [] as number[], accepts: [] as number[] };
    // The first round compiles the code that all others run.
    for (let round = 0; round <= rounds; round++) {
      const costs = [NOTHING, NOTHING];
      for (const index of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const))
        costs[index] = await costsOf(sides[index], `${round}`, hires);
      const [old = NOTHING, own = NOTHING] = costs;
      print(`| ${round} | ${old.hire} | ${own.hire} | ${old.accept} | ${own.accept} µs |`);
      if (round === 0) continue;
      ratios.hires.push(old.hire / own.hire);
      ratios.accepts.push(old.accept / own.accept);
    }
    for (const { product } of sides) await product.stop();
    return { hires: median(ratios.hires), accepts: median(ratios.accepts) };
  },
});

/** Processor time of one request, in µs. */
interface Costs {
  hire: number;
  accept: number;
}

const NOTHING: Costs = { hire: 0, accept: 0 };

/** Hires, delivers and accepts `count` times. */
async function costsOf({ product, agents, call }: Side, round: string, count: number): Promise<Costs> {
  const tasks = Array.from({ length: count }, (_, index) => ({
    task_id: `round-${round}-${index}`,
    hirer: agents[index % 2],
    worker: agents[(index + 1) % 2],
  }));
  const costOf = async (act: (task: (typeof tasks)[number]) => Promise<unknown>): Promise<number> => {
    const since = product.processorSeconds();
    await eachOf(tasks, act);
    return Math.round(((product.processorSeconds() - since) * 1e6) / count);
  };
  const hire = await costOf(({ task_id, hirer, worker }) =>
    done(call, '/api/v1/passport/engagements', {
      ...{ task_id, amount: 1 },
      ...{ hirer_commitment: hirer?.commitment, worker_commitment: worker?.commitment },
    }),
  );
  const service = client(fetch, product.url, SERVICE_TOKEN);
  const { source_type, deliverable_digest } = EVIDENCE;
  await eachOf(tasks, ({ task_id, worker }) => {
    if (worker === undefined) throw new Error('there is no worker');
    const payload = { task_id, deliverable_digest };
    const signature = bytesToHex(signEd25519(worker.key, Buffer.from(digest(nativePrimitives, payload))));
    const body = { source_type, payload, signature };
    return done(service, `/api/v1/passport/agents/${worker.commitment}/evidence`, body);
  });
  const accept = await costOf(({ task_id }) =>
    done(call, `/api/v1/passport/engagements/${task_id}/accept`, {}),
  );
  return { hire, accept };
}

async function done(call: ReturnType<typeof client>, path: string, body: object): Promise<void> {
  const { status, body: said } = await call.post(path, body);
  if (status >= 300) throw new Error(`${path} responded with ${status}: ${JSON.stringify(said)}`);
}

/** Acts on all items, 64 at once. */
async function eachOf<Item>(items: readonly Item[], act: (item: Item) => Promise<unknown>): Promise<void> {
  const rest = items.values();
  const work = async () => {
    for (const item of rest) await act(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

async function open(executable: string, bench: Bench): Promise<Side> {
  const data = bench.newDirectory();
  const product = await startProduct(executable, data, {
    ...{ service: 'trust', rateLimits: 'off' },
    env: { COUNTERSIGN_SERVICE_TOKEN: SERVICE_TOKEN },
  });
  const call = client(fetch, product.url, product.apiKey);
  const { body } = await call.get('/api/v1/operator/status');
  const credits = (...args: string[]) =>
    Bun.spawnSync([executable, 'credits', ...args, '--yes', '--data', data], { stderr: 'inherit' });
  credits('adjust', String(body.operator_id), String(2 * CREDITS));
  const agents = [await enrolledWithKey(product), await enrolledWithKey(product)];
  for (const { commitment } of agents) credits('grant', commitment, String(CREDITS));
  return { product, agents, call };
}
