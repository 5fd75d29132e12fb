import { randomBytes } from 'node:crypto';
import { sha256Hex } from '../../platform/crypto/crypto.ts';
import type { Trigger, TriggerKeys, Triggers } from '../../platform/triggers/trigger.ts';
import type { JsonObject } from '../../proof/encoding/json.ts';
import type { SourceType } from '../../proof/evidence/source-types.ts';
import { anchorBy, type DemoAgent, demoAgent, enroll } from '../demo/agents.ts';

const AGENTS = '/api/v1/passport/agents';
/** The first milestone, in items of evidence. */
const MILESTONE = 100;
/** So many failures, and nothing else, degrade a reputation; so many successes after them restore it. */
const FAILURES = 10;
const SUCCESSES = 91;

const enrollment: Trigger = {
  summary: 'enrolls an agent',
  run: async (keys) => named(await newAgent(keys)),
};

const frozen: Trigger = {
  summary: 'enrolls an agent, and freezes it',
  async run(keys) {
    const agent = await newAgent(keys);
    await freeze(keys, agent);
    return named(agent);
  },
};

const unfrozen: Trigger = {
  summary: 'enrolls an agent, freezes it, and ends the freeze',
  async run(keys) {
    const agent = await newAgent(keys);
    await freeze(keys, agent);
    await keys.ask(`POST ${AGENTS}/${agent.commitment}/unfreeze`, { key: keys.apiKey });
    return named(agent);
  },
};

const evidence: Trigger = {
  summary: 'enrolls an agent, and anchors its commit',
  async run(keys) {
    const agent = await newAgent(keys);
    const { event_commitment_hash } = await anchor(keys, agent, ...commit(0));
    return { ...named(agent), event_commitment_hash: String(event_commitment_hash) };
  },
};

const milestone: Trigger = {
  summary: `enrolls an agent, and anchors ${MILESTONE} of its commits`,
  async run(keys) {
    const agent = await newAgent(keys);
    for (let n = 0; n < MILESTONE; n++) await anchor(keys, agent, ...commit(n));
    return named(agent);
  },
};

const degraded: Trigger = {
  summary: `enrolls an agent, and anchors ${FAILURES} of its failures`,
  async run(keys) {
    const agent = await newAgent(keys);
    await degrade(keys, agent);
    return named(agent);
  },
};

const restored: Trigger = {
  summary: `enrolls an agent, and anchors ${FAILURES} failures, then ${SUCCESSES} successes`,
  async run(keys) {
    const agent = await newAgent(keys);
    await degrade(keys, agent);
    for (let n = 0; n < SUCCESSES; n++) await anchor(keys, agent, ...trace(n, 'OK'));
    return named(agent);
  },
};

/** How each event of webhooks is made to happen. */
export const triggers: Triggers = {
  events: {
    'enrollment.completed': enrollment,
    'agent.frozen': frozen,
    'agent.unfrozen': unfrozen,
    'evidence.anchored': evidence,
    'reputation.degraded': degraded,
    'reputation.restored': restored,
    'reputation.milestone': milestone,
  },
  async isSubscribed({ ask, apiKey }, event) {
    const { webhooks } = await ask('GET /api/v1/webhooks?limit=100', { key: apiKey });
    return [webhooks].flat().some((webhook) => [Object(webhook).events].flat().includes(event));
  },
};

/** Enrolls an agent with a new key. Its sponsor is the operator of the API key. */
async function newAgent({ ask, apiKey }: TriggerKeys): Promise<DemoAgent> {
  const key = randomBytes(32).toString('hex');
  const agent = demoAgent(`trigger ${key.slice(0, 8)}`, key);
  await enroll(ask, agent, apiKey);
  return agent;
}

async function freeze({ ask, apiKey }: TriggerKeys, { commitment }: DemoAgent): Promise<void> {
  await ask(`POST ${AGENTS}/${commitment}/freeze`, { key: apiKey, body: { reason: 'a trigger' } });
}

const named = ({ commitment }: DemoAgent) => ({ subject_commitment: commitment });

async function degrade(keys: TriggerKeys, agent: DemoAgent): Promise<void> {
  for (let n = 0; n < FAILURES; n++) await anchor(keys, agent, ...trace(n, 'ERROR'));
}

function anchor({ ask, apiKey, serviceToken }: TriggerKeys, agent: DemoAgent, ...item: Item) {
  return anchorBy(ask, { key: apiKey, serviceToken: serviceToken ?? '' }, agent, ...item);
}

type Item = readonly [SourceType, JsonObject];

const commit = (n: number): Item => [
  'github_commit_payload',
  { sha: sha256Hex(`commit ${n}`).slice(0, 40), commit: { message: `Commit ${n} of a trigger` } },
];

const trace = (n: number, code: 'OK' | 'ERROR'): Item => [
  'otel_genai_trace',
  { name: `trace ${code} ${n}`, attributes: { 'gen_ai.operation.name': 'chat' }, status: { code } },
];
