import { sha256Hex } from '../../../src/platform/crypto/crypto.ts';
import type { ApiCall } from '../../../src/platform/demo/api-client.ts';
import type { JsonObject } from '../../../src/proof/encoding/json.ts';
import { anchor, type DemoAgent, demoAgent, enroll, signed } from '../../../src/trust/demo/agents.ts';
import { agentAuth } from '../agent.ts';
import { ACP, ENGAGEMENTS } from '../engagements.ts';
import { settlementSignature } from '../settlements.ts';
import type { Known } from './known.ts';
import type { Json } from './session.ts';

/** The secrets of the payment rails in the recorded directory. */
export const RAIL_SECRETS = {
  x402: 'x402-secret-of-a-recorded-directory',
  stripe_agent: 'stripe-secret-of-a-recorded-directory',
  visa_intelligent_commerce: 'visa-secret-of-a-recorded-directory',
  mastercard_agent_pay: 'mastercard-secret-of-a-recorded-directory',
} as const;

/** Texts that a stricter rule for names would refuse. */
export const ODD_TEXTS = [
  'ends with a space ',
  ' begins with a space',
  ' ',
  'no-break\u00a0space\u00a0',
  'zero\u200bwidth',
  '\u200b',
  'soft\u00adhyphen',
  'byte order mark\ufeff',
  'right to left \u202eedirrevo',
  'cafe\u0301 is not NFC',
  '\u212bngstrom is not NFC',
  'line\u2028separator',
  'paragraph\u2029separator',
  'private use \ue000',
  'a/b?c#d%20e&f=g+h',
  '😀',
  'x'.repeat(128),
] as const;

/** An enrolled agent, and an API key of the side that acts for it. */
export interface Party {
  agent: DemoAgent;
  key: string;
}

/** Enrolls agents and has them hire each other, and writes down the keys that read them. */
export class Market {
  constructor(
    readonly ask: ApiCall,
    readonly known: Known,
  ) {}

  /** Enrolls the agent with a name. @param key an API key of its sponsor */
  async enrolled(name: string, key: string): Promise<Party> {
    const agent = demoAgent(name);
    await enroll(this.ask, agent, key);
    this.known.agents[agent.commitment] = key;
    return { agent, key };
  }

  async grant(key: string, { agent }: Pick<Party, 'agent'>, amount: number, memo?: string): Promise<void> {
    const body = { subject_commitment: agent.commitment, amount, ...(memo === undefined ? {} : { memo }) };
    await this.ask('POST /api/v1/passport/credits/grants', { key, body });
  }

  /** Hires as an engagement, by the key of the hirer's side. */
  async hire(hirer: Party, worker: Party, task_id: string, more: Json = {}): Promise<string> {
    const body = { task_id, ...parties(hirer, worker), amount: 10, ...more };
    await this.ask(`POST ${ENGAGEMENTS}`, { key: hirer.key, body });
    return task_id;
  }

  /** Hires as a task of ACP. @returns the task_id, which the service chooses if `more` has none */
  async hireByAcp(hirer: Party, worker: Party, more: Json = {}): Promise<string> {
    const body = { ...parties(hirer, worker), amount: 10, ...more };
    return String((await this.ask(`POST ${ACP}`, { key: hirer.key, body })).task_id);
  }

  /** Anchors the evidence of a delivery. */
  async deliver({ agent, key }: Party, task_id: string, more: JsonObject = {}): Promise<void> {
    const payload = { task_id, deliverable_digest: sha256Hex(task_id), ...more };
    await anchor(this.ask, key, agent, 'task_deliverable', payload);
  }

  /** Ends an engagement: accept, cancel or refund. */
  async end(act: 'accept' | 'cancel' | 'refund', { key }: Party, task_id: string): Promise<void> {
    await this.ask(`POST ${ENGAGEMENTS}/${encodeURIComponent(task_id)}/${act}`, { key });
  }

  async statusOf(task_id: string): Promise<unknown> {
    return (await this.ask(`GET ${ACP}/${encodeURIComponent(task_id)}`)).status;
  }

  /** Books a settlement of a payment rail. */
  async settle(rail: keyof typeof RAIL_SECRETS, { agent, key }: Party, reference: string, credits: number) {
    const body = { rail, reference, subject_commitment: agent.commitment, credits };
    const seconds = Math.floor(Date.now() / 1000);
    const signature = settlementSignature(JSON.stringify(body), RAIL_SECRETS[rail], seconds);
    await this.ask('POST /api/v1/agent-pay/settlement', {
      key,
      headers: { 'x-settlement-signature': signature },
      body,
    });
  }

  /** Withdraws paid credits. @returns the id of the withdrawal */
  async withdraw({ agent, key }: Party, amount: number, reference: string): Promise<string> {
    const body = { subject_commitment: agent.commitment, amount, reference };
    return String((await this.ask('POST /api/v1/agent-pay/withdraw', { key, body })).withdrawal_id);
  }

  /** Sends a call that the agent itself authorizes, without a key. */
  async authorized({ agent }: Pick<Party, 'agent'>, line: string, body: JsonObject): Promise<Json> {
    const [method = '', path = ''] = line.split(' ');
    const { audience } = await this.ask('GET /api/v1/public-key');
    const signer = {
      commitment: agent.commitment,
      sign: (object: JsonObject) => signed(agent, object),
    };
    const agent_auth = agentAuth(signer, { method, path, body, audience: String(audience) });
    return this.ask(line, { body: { ...body, agent_auth } });
  }
}

function parties(hirer: Party, worker: Party) {
  return { hirer_commitment: hirer.agent.commitment, worker_commitment: worker.agent.commitment };
}
