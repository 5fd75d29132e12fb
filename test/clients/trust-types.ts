import createClient from 'openapi-fetch';
import type { components, paths } from '../../dist/clients/trust/types.ts';

/** A program by the types that openapi-typescript makes of the trust service's document. */

type Schemas = components['schemas'];
export type Named = [
  Schemas['Receipt'],
  Schemas['Agent'],
  Schemas['Passport'],
  Schemas['Evidence'],
  Schemas['Checkpoint'],
  Schemas['Webhook'],
];

const OUTPUT = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const WORK: Schemas['IssueReceiptRequest'] = {
  agent_id: 'agent-7',
  receipt_type: 'custody',
  input_digest: OUTPUT,
  authority_scope: 'payments:read',
  expiry: '2036-01-31T12:00:00Z',
  domain: 'CODE_GENERATION',
};

/** Compiled, and never called: what a client must not be able to write. */
export function mistakes(): Schemas['FinalizeRequest'][] {
  return [
    // @ts-expect-error a success has an output_hash
    { status: 'success' },
    // @ts-expect-error a success has no reason
    { status: 'success', output_hash: OUTPUT, refusal_reason: 'no' },
    // @ts-expect-error a refusal has a reason
    { status: 'refusal' },
    // @ts-expect-error a timeout is a terminal state
    { status: 'timeout', refusal_reason: 'late' },
    // @ts-expect-error there is no such status
    { status: 'done', output_hash: OUTPUT },
  ];
}

/** Issues a receipt, finalizes it twice, and lists receipts. Returns what it saw. */
export async function run(baseUrl: string, key: string): Promise<string[]> {
  const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } });
  const issued = await client.POST('/api/v1/receipts', { body: WORK });
  if (issued.data === undefined) return [issued.error.reason_code];
  const path = { id: issued.data.receipt_id };
  const body: Schemas['FinalizeRequest'] = { status: 'success', output_hash: OUTPUT };
  const finalized = await client.POST('/api/v1/receipts/{id}/finalize', { params: { path }, body });
  const again = await client.POST('/api/v1/receipts/{id}/finalize', { params: { path }, body });
  const listed = await client.GET('/api/v1/receipts', {
    params: { query: { limit: 1, domain: 'CODE_GENERATION' } },
  });
  const newest: Schemas['Receipt'] | undefined = listed.data?.receipts[0];
  const seen = [issued.data.status, finalized.data?.status, newest?.output_hash].map(String);
  if (again.error?.reason_code === 'receipt_already_finalized')
    seen.push(again.error.receipt?.status ?? 'none');
  // @ts-expect-error finalize has no such code
  if (again.error?.reason_code === 'challenge_expired') seen.push('never');
  return seen;
}
