import { sha256Hex } from '../../platform/crypto/crypto.ts';
import type { Trigger, TriggerKeys, Triggers } from '../../platform/triggers/trigger.ts';
import type { JsonObject } from '../../proof/encoding/json.ts';
import type { SourceType } from '../../proof/evidence/source-types.ts';
import { anchorBy, type DemoAgent } from '../demo/agents.ts';
import { agentTriggers, named, newAgent } from './agents.ts';
import { hireTriggers } from './hires.ts';
import { paymentTriggers } from './payments.ts';

/** The first milestone, in items of evidence. */
const MILESTONE = 100;
/** So many failures, and nothing else, degrade a reputation; so many successes after them restore it. */
const FAILURES = 10;
const SUCCESSES = 91;

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

/**
 * How the events of webhooks are made to happen that requests with the keys of a ready file can cause. Others
 * follow from payouts: what the sandbox paid cannot be withdrawn, and an administrator confirms them on the
 * data directory.
 */
export const triggers: Triggers = {
  events: {
    ...agentTriggers,
    ...hireTriggers,
    ...paymentTriggers,
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
