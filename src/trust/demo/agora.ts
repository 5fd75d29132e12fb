import { timestampOf } from '../../platform/time/timestamp.ts';
import type { JsonObject } from '../../proof/encoding/json.ts';
import { DEMO_PROPOSALS } from '../http/example-ids.ts';
import { authorized, type DemoAgent } from './agents.ts';
import type { DemoClient } from './receipts.ts';

/** The time that an authorization is valid. */
const VALIDITY_MS = 300_000;
const NEGOTIATE = '/api/v1/agora/negotiate';

/** Has two agents negotiate: one proposal is accepted after a counter-offer, another has an open one. */
export async function negotiate(client: DemoClient, buyer: DemoAgent, seller: DemoAgent): Promise<void> {
  const { ask, clock, ids } = client;
  const { audience } = await ask('GET /api/v1/public-key');
  let step = 0;
  const take = async (from: DemoAgent, members: JsonObject): Promise<JsonObject> => {
    const to = from === buyer ? seller : buyer;
    const body = { from_commitment: from.commitment, to_commitment: to.commitment, ...members };
    const { proposal_id, ledger_anchor } = await ask(`POST ${NEGOTIATE}`, {
      body: authorized(from, {
        line: `POST ${NEGOTIATE}`,
        body,
        audience: String(audience),
        nonce: `demonstration-agora-${++step}`,
        expires_at: timestampOf(clock.now() + VALIDITY_MS),
      }),
    });
    return { proposal_id: String(proposal_id), prev_hash: String(Object(ledger_anchor).entry_hash) };
  };
  for (const [status, id] of Object.entries(DEMO_PROPOSALS)) {
    ids.reserve(id);
    const terms = { task: `Audit the invoices of ${status === 'accepted' ? 'May' : 'June'}`, days: 5 };
    const proposed = await take(buyer, { action: 'propose', terms: { ...terms, credits: 100 } });
    const countered = await take(seller, {
      ...proposed,
      action: 'counter',
      terms: { ...terms, credits: 120 },
    });
    if (status === 'accepted') await take(buyer, { ...countered, action: 'accept' });
  }
}
