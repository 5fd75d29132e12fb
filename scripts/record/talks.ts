import type { JsonObject } from '../../src/proof/encoding/json.ts';
import { A2A } from '../../test/support/a2a.ts';
import { NEGOTIATE } from '../../test/support/agora.ts';
import type { Market, Party } from '../../test/support/recorded/market.ts';
import { type Json, until } from '../../test/support/recorded/session.ts';

/** Sends messages by every version of A2A, until there are tasks in every state. */
export async function talk(market: Market, hirer: Party, worker: Party, receiptId: string): Promise<void> {
  const { ask } = market;
  const { key } = hirer;
  const call = async (method: string, params: Json): Promise<Json> => {
    const body = { jsonrpc: '2.0', id: 1, method, params };
    const { result, error } = await ask(`POST ${A2A}`, { key, body });
    if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return Object(result);
  };
  const send = async (part: Json, more: Json = {}) => {
    const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [part], ...more };
    return Object((await call('SendMessage', { message })).task);
  };
  const hire = (more: Json = {}) =>
    send({
      data: {
        skill: 'hire_agent',
        hirer_commitment: hirer.agent.commitment,
        worker_commitment: worker.agent.commitment,
        amount: 5,
        ...more,
      },
    });
  await send({ text: `Verify the receipt ${receiptId}` });
  await send({ text: 'I want to hire an agent' });
  await hire({ amount: Number.MAX_SAFE_INTEGER });
  await hire();
  await market.deliver(worker, String((await hire()).metadata.taskId));
  const paid = await hire();
  await market.deliver(worker, String(paid.metadata.taskId));
  await send({ text: 'accept' }, { taskId: paid.id });
  await call('CancelTask', { id: (await hire()).id });
  const expiring = await hire({ deadline: new Date(Date.now() + 5000).toISOString() });
  await until('its deadline passes', async () =>
    String(await market.statusOf(expiring.metadata.taskId)).startsWith('expired'),
  );
  const text = `Verify the receipt ${receiptId}`;
  await call('message/send', {
    message: {
      kind: 'message',
      role: 'user',
      messageId: crypto.randomUUID(),
      parts: [{ kind: 'text', text }],
    },
  });
  await call('tasks/send', {
    id: `chosen by the client ${crypto.randomUUID()}`,
    message: { role: 'user', parts: [{ type: 'text', text }] },
  });
}

/** Has two agents negotiate up to every status. */
export async function negotiate(market: Market, buyer: Party, seller: Party): Promise<void> {
  const proposal = async (...acts: string[]): Promise<void> => {
    let members: JsonObject = {};
    for (const [index, action] of ['propose', ...acts].entries()) {
      const offers = action === 'propose' || action === 'counter';
      const [from, to] = index % 2 === (action === 'withdraw' ? 1 : 0) ? [buyer, seller] : [seller, buyer];
      const { proposal_id, ledger_anchor } = await market.authorized(from, `POST ${NEGOTIATE}`, {
        ...members,
        from_commitment: from.agent.commitment,
        to_commitment: to.agent.commitment,
        action,
        ...(offers ? { terms: { task: 'Audit the invoices of June', credits: 100 + index } } : {}),
      });
      members = { proposal_id: String(proposal_id), prev_hash: String(Object(ledger_anchor).entry_hash) };
    }
    market.known.proposals.push(String(members.proposal_id));
  };
  await proposal();
  await proposal('counter');
  await proposal('counter', 'accept');
  await proposal('reject');
  await proposal('withdraw');
}
