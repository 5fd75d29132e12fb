import { randomBytes, randomUUID } from 'node:crypto';
import { sha256Hex } from '../../platform/crypto/crypto.ts';
import { timestampOf } from '../../platform/time/timestamp.ts';
import type { Trigger, TriggerKeys } from '../../platform/triggers/trigger.ts';
import { authorized, type DemoAgent, demoAgent, enroll } from '../demo/agents.ts';

const AGENTS = '/api/v1/passport/agents';
const NEGOTIATE = '/api/v1/agora/negotiate';

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

const revoked: Trigger = {
  summary: 'enrolls an agent, and revokes it',
  async run(keys) {
    const agent = await newAgent(keys);
    const body = { reason: 'a trigger' };
    await keys.ask(`POST ${AGENTS}/${agent.commitment}/revoke`, { key: keys.apiKey, body });
    return named(agent);
  },
};

const proposal: Trigger = {
  summary: 'enrolls two agents, of which one proposes terms to the other',
  async run(keys) {
    const [from, to] = [await newAgent(keys), await newAgent(keys)];
    const { ask } = keys;
    const { audience } = await ask('GET /api/v1/public-key');
    const expires_at = timestampOf((await serviceTime(keys)) + CHALLENGE_MS);
    const body = {
      from_commitment: from.commitment,
      to_commitment: to.commitment,
      action: 'propose',
      terms: { task: 'A trigger' },
    };
    const { proposal_id } = await ask(`POST ${NEGOTIATE}`, {
      body: authorized(from, {
        line: `POST ${NEGOTIATE}`,
        body,
        audience: String(audience),
        nonce: randomUUID(),
        expires_at,
      }),
    });
    return { proposal_id: String(proposal_id), ...named(from) };
  },
};

const finalized: Trigger = {
  summary: 'issues a receipt, and finalizes it',
  async run({ ask, apiKey: key }) {
    const digest = sha256Hex('a trigger');
    const { receipt_id } = await ask('POST /api/v1/receipts', {
      key,
      body: {
        agent_id: 'trigger',
        receipt_type: 'custody',
        input_digest: digest,
        authority_scope: 'trigger',
        expiry: '9999-12-31T00:00:00Z',
        domain: 'CODE_GENERATION',
      },
    });
    const body = { status: 'success', output_hash: digest };
    await ask(`POST /api/v1/receipts/${receipt_id}/finalize`, { key, body });
    return { receipt_id: String(receipt_id) };
  },
};

/** How events about agents, their proposals and their receipts are made to happen. */
export const agentTriggers = {
  'enrollment.completed': enrollment,
  'agent.frozen': frozen,
  'agent.unfrozen': unfrozen,
  'agent.revoked': revoked,
  'agora.proposal': proposal,
  'receipt.finalized': finalized,
};

/** How long a challenge is valid. */
const CHALLENGE_MS = 300_000;

/**
 * Returns the time of the service in milliseconds since 1970, which may be another than that of this machine:
 * a challenge says until when it is valid.
 */
export async function serviceTime({ ask, apiKey }: TriggerKeys): Promise<number> {
  const { expires_at } = await ask(`POST ${AGENTS}/enroll/start`, {
    key: apiKey,
    body: { public_key: demoAgent('a challenge', randomKey()).publicKey },
  });
  return Date.parse(String(expires_at)) - CHALLENGE_MS;
}

const randomKey = () => randomBytes(32).toString('hex');

/** Enrolls an agent with a new key. Its sponsor is the operator of the API key. */
export async function newAgent({ ask, apiKey }: TriggerKeys): Promise<DemoAgent> {
  const key = randomKey();
  const agent = demoAgent(`trigger ${key.slice(0, 8)}`, key);
  await enroll(ask, agent, apiKey);
  return agent;
}

async function freeze({ ask, apiKey }: TriggerKeys, { commitment }: DemoAgent): Promise<void> {
  await ask(`POST ${AGENTS}/${commitment}/freeze`, { key: apiKey, body: { reason: 'a trigger' } });
}

/** Returns the name of an agent, as triggers print it. */
export const named = ({ commitment }: DemoAgent) => ({ subject_commitment: commitment });
