import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import { timestamp } from '../../platform/time/clock.ts';
import { digest } from '../../proof/encoding/digest.ts';
import type { JsonObject } from '../../proof/encoding/json.ts';
import type { DemoAgent } from './agents.ts';
import { DEMO_PROPOSALS } from './known-ids.ts';
import type { DemoClient } from './receipts.ts';

/** The time that an authorization is valid. */
const VALIDITY_MS = 300_000;
const NEGOTIATE = '/api/v1/agora/negotiate';

/** Has two agents negotiate: one proposal is accepted after a counter-offer, another has an open counter-offer. */
export async function negotiate(client: DemoClient, buyer: DemoAgent, seller: DemoAgent): Promise<void> {
  const { ask, clock, ids } = client;
  const { audience } = await ask('GET /api/v1/public-key');
  let step = 0;
  const take = async (from: DemoAgent, members: JsonObject): Promise<JsonObject> => {
    const to = from === buyer ? seller : buyer;
    const body = { from_commitment: from.commitment, to_commitment: to.commitment, ...members };
    const auth = {
      commitment: from.commitment,
      nonce: `demonstration-agora-${++step}`,
      expires_at: timestamp({ now: () => clock.now() + VALIDITY_MS }),
    };
    const signed = {
      type: 'agent-auth',
      method: 'POST',
      path: NEGOTIATE,
      body,
      audience: String(audience),
      ...auth,
    };
    const signature = from.signText(digest(nativePrimitives, signed));
    const { proposal_id, ledger_anchor } = await ask(`POST ${NEGOTIATE}`, {
      body: { ...body, agent_auth: { ...auth, signature } },
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
