import { type DemoAgent, demoAgent, provision, setPhoto } from '../../src/trust/demo/agents.ts';
import { DEMO_API_KEY } from '../../src/trust/http/example-ids.ts';
import type { Market, Party } from '../../test/support/recorded/market.ts';
import { type Json, type Session, until } from '../../test/support/recorded/session.ts';

/** An operator and an issuer key of it. */
export interface Account {
  id: string;
  key: string;
}

const KEYS = '/api/v1/operator/api-keys';

/** Creates an operator as its administrator does, with credits in its pool. */
export async function createAccount({ command }: Session, { known }: Market, name: string): Promise<Account> {
  const { operator_id, api_key } = JSON.parse(await command('operators', 'create', '--yes', '--name', name));
  await command('credits', 'adjust', '--yes', operator_id, '50000');
  known.operators[operator_id] = api_key;
  return { id: operator_id, key: api_key };
}

/** Enrolls an agent by proof of work, which makes an operator on plan FREE. */
export async function provisionAccount(
  { command }: Session,
  { ask, known }: Market,
  name: string,
): Promise<Account> {
  const agent = demoAgent(name);
  const id = String((await provision(ask, agent)).operator_id);
  const { api_key } = JSON.parse(await command('operators', 'key', '--yes', id, '--name', 'for its owner'));
  known.operators[id] = api_key;
  known.agents[agent.commitment] = api_key;
  return { id, key: api_key };
}

/** Creates keys of every kind for an operator, and deletes one. */
export async function createKeys(
  { command }: Session,
  market: Market,
  { id, key }: Account,
  agent: Party,
): Promise<void> {
  const { ask, known } = market;
  const create = async (name: string, body: Json = {}, headers: Record<string, string> = {}) => {
    const made = await ask(`POST ${KEYS}`, { key, body: { name, ...body }, headers });
    known.keys[name] = String(made.api_key);
    return made;
  };
  const { commitment } = agent.agent;
  await create('limited', { scope: { max_credits: 25, products: ['portable_credential_issuance'] } });
  const end = new Date(Date.now() + 3000);
  await create('its scope ended', { scope: { expires_at: end.toISOString() } });
  await create('its scope ends late', { scope: { expires_at: '2999-12-31T23:59:59Z' } });
  await create('with an idempotency key', {}, { 'idempotency-key': `key-of-${id}` });
  const holder = { role: 'holder', subject_commitment: commitment };
  await create('of a holder, limited', { ...holder, scope: { max_credits: 7 } });
  const { keyHash } = await create('deleted');
  await ask(`DELETE ${KEYS}/${keyHash}`, { key });
  delete known.keys.deleted;
  const own = await market.authorized(agent, `POST /api/v1/passport/agents/${commitment}/keys`, {});
  known.keys['of a holder, made by the agent'] = String(own.api_key);
  await command('operators', 'key', '--yes', id, '--name', 'of the administrator');
  await ask('POST /api/v1/operator/session', { key });
  await until('the scope ends', async () => Date.now() > end.getTime());
}

/** Gives agents a photo, another name, another sponsor and another tier. */
export async function changeAgents(market: Market, agent: Party, moving: Party, to: Account): Promise<void> {
  const { ask, known } = market;
  await setPhoto(ask, agent.agent, 'recorded');
  await ask(`PUT /api/v1/passport/agents/${agent.agent.commitment}/name`, {
    key: agent.key,
    body: { name: 'Another name' },
  });
  await ask(`PUT /api/v1/passport/agents/${moving.agent.commitment}/sponsor`, {
    key: DEMO_API_KEY,
    body: { operator_id: to.id },
  });
  known.agents[moving.agent.commitment] = to.key;
  const override = (tier: string | null, { agent: { commitment } }: { agent: DemoAgent }) =>
    ask('POST /api/v1/passport/access/override', {
      key: DEMO_API_KEY,
      body: { subject_commitment: commitment, tier, reason: 'It is tried out.' },
    });
  await override('FULL', moving);
  await override('LIMITED', agent);
  await override(null, agent);
}

/**
 * Subscribes, tops up, refunds and cancels with the sandbox. @returns the operator, on plan FREE at the end
 */
export async function subscribe(market: Market): Promise<Account> {
  const { ask, known } = market;
  const press = async (url: unknown, fields: Record<string, string>): Promise<void> => {
    const { status } = await fetch(String(url), {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
      redirect: 'manual',
    });
    if (status !== 303) throw new Error(`${JSON.stringify(fields)} is ${status}`);
  };
  const { url, session_id, claim_token } = await ask('POST /api/billing/checkout', { body: {} });
  await press(url, { action: 'pay' });
  let account: Account | null = null;
  await until('the subscription is paid', async () => {
    try {
      const { operator_id, api_key } = await ask('POST /api/billing/claim', {
        body: { session_id, claim_token },
      });
      account = { id: String(operator_id), key: String(api_key) };
    } catch (error) {
      if (!String(error).includes('invalid_state')) throw error;
    }
    return account !== null;
  });
  const { id, key } = account ?? { id: '', key: '' };
  known.operators[id] = key;
  const status = () => ask('GET /api/v1/operator/status', { key });
  const topUp = async (target: 'credits' | 'stake', usd_cents: number) =>
    (await ask('POST /api/v1/account/topup', { key, body: { usd_cents, target } })).url;
  await press(await topUp('stake', 4000), { action: 'pay' });
  const credits = await topUp('credits', 2500);
  await press(credits, { action: 'pay' });
  await until('the top-ups are paid', async () => {
    const { sandboxCredits, sandboxStakeCents } = await status();
    return sandboxCredits === 12_500 && sandboxStakeCents === 4000;
  });
  const charge = /name="charge" value="([^"]+)"/.exec(await (await fetch(String(credits))).text())?.[1] ?? '';
  await press(credits, { action: 'refund', charge, amount: '10.00' });
  await press(url, { action: 'renew' });
  await until('the month is paid', async () => (await status()).sandboxCredits === 21_500);
  await press(url, { action: 'cancel' });
  await until('the subscription ends', async () => (await status()).plan === 'FREE');
  return { id, key };
}
