import { nativePrimitives } from '../../src/platform/crypto/crypto.ts';
import { DEFAULT_CONTEXT, subjectCommitment } from '../../src/proof/agent/commitment.ts';
import { newAgentKey } from '../../test/support/agent.ts';
import { client } from '../../test/support/client.ts';
import { evidencePath, expectedEventHash, signedEvidence } from '../../test/support/evidence.ts';
import { type Running, run, scratch, serve } from '../../test/support/process.ts';
import { receiver } from '../../test/support/receiver.ts';
import { killUnder } from './kill.ts';

const API_KEY = `pp_${'5b'.repeat(32)}`;
const ENV = {
  COUNTERSIGN_BOOTSTRAP_API_KEY: API_KEY,
  COUNTERSIGN_RATE_LIMITS: 'off',
  COUNTERSIGN_WEBHOOKS_ALLOW_PRIVATE: 'on',
};
const WORKERS = 16;
const ONCE_EVENTS = ['reputation.degraded', 'reputation.milestone', 'enrollment.completed'];

type Client = ReturnType<typeof client>;
type Agent = ReturnType<typeof newAgentKey> & { commitment: string };

/**
 * Kills the service with SIGKILL repeatedly, on one data directory, while two agents submit evidence. After
 * each restart, every item with a 2xx response must be in its agent's chain, every hash of the chain must be
 * correct, and the counts must match. At the end, fsck must report no problem, and no event may have been
 * delivered twice that must be delivered once.
 *
 * @returns the number of items with a 2xx response
 */
export async function killNineEvidence(rounds: number): Promise<number> {
  const { path, dispose } = scratch();
  const data = `${path}/data`;
  const webhookReceiver = receiver(() => new Response('ok'));
  const agents = [newAgent(), newAgent()];
  const promised = new Map<string, Agent>();
  try {
    let server = await serve(data, ENV);
    const api = client(fetch, server.url, API_KEY);
    await api.post('/api/v1/webhooks', {
      url: `http://127.0.0.1:${webhookReceiver.port}/`,
      events: ONCE_EVENTS,
    });
    for (const agent of agents) await enroll(api, agent);
    for (let round = 0; round < rounds; round++) {
      await loadAndKill(server, agents, promised, round);
      server = await serve(data, ENV);
      for (const agent of agents) await mustBeKept(client(fetch, server.url, API_KEY), agent, promised);
    }
    const { code } = await server.stop();
    if (code !== 0) throw new Error(`the restarted service ended with ${code}`);
    const fsck = await run(['fsck', data]);
    if (fsck.code !== 0) throw new Error(`fsck: ${fsck.stdout}${fsck.stderr}`);
    requireNoDuplicates(webhookReceiver.received.map(({ body }) => body));
    return promised.size;
  } finally {
    await webhookReceiver.stop();
    dispose();
  }
}

function newAgent(): Agent {
  const key = newAgentKey();
  return { ...key, commitment: subjectCommitment(nativePrimitives, key.publicKey, DEFAULT_CONTEXT) };
}

async function enroll(api: Client, { publicKey, signText }: Agent): Promise<void> {
  const { body } = await api.post('/api/v1/passport/agents/enroll/start', { public_key: publicKey });
  const { status } = await api.post('/api/v1/passport/agents/enroll/complete', {
    subject_commitment: body.subject_commitment,
    signature: signText(String(body.challenge_nonce)),
  });
  if (status !== 201) throw new Error(`enroll/complete returned ${status}`);
}

async function loadAndKill(
  server: Running,
  agents: readonly Agent[],
  promised: Map<string, Agent>,
  round: number,
): Promise<void> {
  const api = client(fetch, server.url, API_KEY);
  // A random number, so that each round is killed at a different point within a commit group.
  const target = promised.size + 150 + Math.floor(Math.random() * 300);
  const reached = Promise.withResolvers<void>();
  let sent = 0;
  const work = async (agent: Agent): Promise<never> => {
    for (;;) {
      const status = sent % 3 === 0 ? 'ERROR' : 'OK';
      const span = { name: `${round}/${sent++}`, attributes: { 'gen_ai.system': 'x' }, status };
      const { status: evidenceStatus, body } = await api.post(
        evidencePath(agent.commitment),
        signedEvidence(agent, 'otel_genai_trace', span),
      );
      if (evidenceStatus !== 201) throw new Error(`evidence returned ${evidenceStatus}`);
      promised.set(String(body.event_commitment_hash), agent);
      if (promised.size === target) reached.resolve();
    }
  };
  const load = Array.from({ length: WORKERS }, async (_, index) => {
    const agent = agents[index % agents.length];
    if (agent === undefined) throw new Error('there is no agent');
    return work(agent);
  });
  await killUnder(server, reached, load);
}

/**
 * Checks that an agent's chain contains all promised items and is consistent, and that the profile's counts
 * match.
 */
async function mustBeKept(
  api: Client,
  { commitment }: Agent,
  promised: ReadonlyMap<string, Agent>,
): Promise<void> {
  const items = await chainOf(api, commitment);
  const hashes = new Set(items.map((item) => item.event_commitment_hash));
  for (const [hash, agent] of promised) {
    if (agent.commitment === commitment && !hashes.has(hash))
      throw new Error(`${hash} was promised and is gone`);
  }
  for (const [index, item] of items.entries()) {
    const before = items[index + 1]?.event_commitment_hash ?? null;
    if (item.prev_event_hash !== before) throw new Error(`${item.event_commitment_hash} follows another`);
    if (expectedEventHash(commitment, item) !== item.event_commitment_hash) {
      throw new Error(`${item.event_commitment_hash} is not the hash of its event`);
    }
  }
  const { body } = await api.get(`/api/v1/profiles/${commitment}`);
  const counted = Object(body.totals);
  const failures = items.filter(({ outcome }) => outcome === 'failure').length;
  if (counted.evidence_count !== items.length || counted.failure_count !== failures) {
    throw new Error(`${JSON.stringify(counted)} counts ${items.length} items with ${failures} failures`);
  }
}

/** Returns all evidence of an agent, newest first. */
async function chainOf(api: Client, commitment: string): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  let cursor = '';
  for (;;) {
    const { body } = await api.get(`${evidencePath(commitment)}?limit=100${cursor}`);
    if (!Array.isArray(body.evidence)) throw new Error(`the list is ${JSON.stringify(body)}`);
    items.push(...body.evidence);
    if (body.next_cursor === null) return items;
    cursor = `&cursor=${body.next_cursor}`;
  }
}

/** Checks that no event was delivered twice. A kill may prevent a delivery, but must not repeat it. */
function requireNoDuplicates(bodies: readonly string[]): void {
  const notifications = bodies.map((body) => {
    const { event, data } = JSON.parse(body);
    return `${event} of ${data.agent_commitment ?? data.subject_commitment} ${data.milestone_tier ?? ''}`;
  });
  const again = notifications.find((one, index) => notifications.indexOf(one) !== index);
  if (again !== undefined) throw new Error(`notified twice: ${again}`);
  if (!notifications.some((one) => one.startsWith('reputation.degraded')))
    throw new Error('no notification was sent');
}
