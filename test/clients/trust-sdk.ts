import { client } from '../../dist/clients/trust/sdk/client.gen.ts';
import {
  type Agent,
  type AnchorEvidenceRequest,
  anchorEvidence,
  type Checkpoint,
  createWebhook,
  type Evidence,
  finalizeReceipt,
  getLatestCheckpoint,
  getLeaderboard,
  getPassport,
  issueReceipt,
  listEvidence,
  type Passport,
  type Receipt,
  type Webhook,
} from '../../dist/clients/trust/sdk/index.ts';

/** A program by the client that @hey-api/openapi-ts makes of the trust service's document. */

const OUTPUT = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

/** Compiled, and never called: what a client must not be able to write. */
export async function mistakes(path: { id: string }): Promise<void> {
  // @ts-expect-error a success has an output_hash
  await finalizeReceipt({ path, body: { status: 'success' } });
  const commit = { source_type: 'task_deliverable', payload: { sha: OUTPUT }, signature: '' } as const;
  // @ts-expect-error a commit is no task
  await anchorEvidence({ path, body: commit });
}

/** Works with receipts, an agent, its evidence, a checkpoint and a webhook. Returns what it saw. */
export async function run(
  baseUrl: string,
  key: string,
  id: string,
  evidence: AnchorEvidenceRequest,
): Promise<string[]> {
  client.setConfig({ baseUrl, auth: key });
  const issued = await issueReceipt({
    body: {
      agent_id: 'agent-7',
      receipt_type: 'custody',
      input_digest: OUTPUT,
      authority_scope: 'payments:read',
      expiry: '2036-01-31T12:00:00Z',
      domain: 'CODE_GENERATION',
    },
  });
  if (issued.error !== undefined) return [issued.error.reason_code];
  const receipt: Receipt = issued.data;
  const path = { id: receipt.receipt_id };
  const body = { status: 'timeout', terminal_reason: 'too late' } as const;
  const finalized = await finalizeReceipt({ path, body });
  const again = await finalizeReceipt({ path, body });
  const conflict = again.error !== undefined && 'receipt' in again.error ? again.error.receipt : undefined;
  const anchored = await anchorEvidence({ path: { id }, body: evidence });
  const passport: Passport | undefined = (await getPassport({ path: { id } })).data;
  const items: Evidence[] = (await listEvidence({ path: { id } })).data?.evidence ?? [];
  const agents: Agent[] = (await getLeaderboard()).data?.agents ?? [];
  const checkpoint: Checkpoint | undefined = (await getLatestCheckpoint()).data;
  const made = await createWebhook({ body: { url: 'https://1.1.1.1/', events: ['evidence.anchored'] } });
  const webhook: Webhook | undefined = made.data;
  return [
    finalized.data?.status,
    conflict?.error_tranche,
    anchored.data?.outcome,
    passport?.state,
    items[0]?.source_type,
    agents[0]?.evidence_count,
    checkpoint?.note.split('\n')[0],
    webhook?.events[0],
  ].map(String);
}
