import { sha256Hex } from '../../platform/crypto/crypto.ts';
import type { ApiCall } from '../../platform/demo/api-client.ts';
import type { KnownIds } from '../../platform/demo/known-ids.ts';
import type { JsonObject } from '../../proof/encoding/json.ts';
import { DEMO_A2A_TASKS, DEMO_API_KEY, DEMO_OPERATOR_ID, DEMO_RECEIPT_ID } from '../http/example-ids.ts';
import { anchor } from './agents.ts';
import type { Parties } from './credits.ts';

/** Sends A2A messages to the service, as other software would: one task in every state of an example. */
export async function talk(
  ask: ApiCall,
  ids: KnownIds,
  { hirer, worker }: Omit<Parties, 'arbiter'>,
): Promise<void> {
  const send = sender(ask);
  const begin = (taskId: string, part: JsonObject | string) => {
    ids.reserve(taskId);
    return send(part);
  };
  await begin(DEMO_A2A_TASKS.completed, `Verify the receipt ${DEMO_RECEIPT_ID}`);
  await begin(DEMO_A2A_TASKS.asked, 'I want to hire an agent');
  await send({ skill: 'check_gate', operator_id: DEMO_OPERATOR_ID, domain: 'CODE_GENERATION' });
  await send({ skill: 'lookup_reputation', subject_commitment: worker.commitment });
  for (const task of ['held', 'cancelable', 'delivered', 'paid'] as const) {
    const taskId = DEMO_A2A_TASKS[task];
    await begin(taskId, {
      skill: 'hire_agent',
      hirer_commitment: hirer.commitment,
      worker_commitment: worker.commitment,
      amount: 60,
      description: 'Check the invoices of a week',
    });
    if (task === 'held' || task === 'cancelable') continue;
    const payload = { task_id: taskId, deliverable_digest: sha256Hex(taskId) };
    await anchor(ask, DEMO_API_KEY, worker, 'task_deliverable', payload);
    if (task === 'paid') await send('accept', taskId);
  }
}

/** Returns a function that sends a message, to a task if one is named. */
function sender(ask: ApiCall) {
  let sent = 0;
  return async (part: JsonObject | string, taskId?: string): Promise<void> => {
    sent++;
    const message = {
      kind: 'message',
      role: 'user',
      messageId: `demo-message-${sent}`,
      ...(taskId === undefined ? {} : { taskId }),
      parts: [typeof part === 'string' ? { kind: 'text', text: part } : { kind: 'data', data: part }],
    };
    const body = { jsonrpc: '2.0', id: sent, method: 'message/send', params: { message } };
    const { error } = await ask('POST /api/v1/a2a/tasks', { key: DEMO_API_KEY, body });
    if (error !== undefined)
      throw new Error(`the demonstration's message was refused: ${JSON.stringify(error)}`);
  };
}
