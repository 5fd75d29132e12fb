import {
  AgentKey,
  ApiError,
  enroll,
  type FinalizeRequest,
  type Passport,
  proveWork,
  provision,
  type Receipt,
  SigningAgent,
  TrustClient,
  type TrustEvent,
} from '../../../../dist/sdk/typescript/trust.js';
import { verify } from '../../../../dist/sdk/typescript/verify.js';

const OUTPUT = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const WORK = {
  agent_id: 'agent-7',
  receipt_type: 'custody',
  input_digest: OUTPUT,
  authority_scope: 'payments:read',
  expiry: '2036-01-31T12:00:00Z',
  domain: 'CODE_GENERATION',
} as const;

/** Compiled, and never called: what a program must not be able to write. */
export async function mistakes(client: TrustClient, id: string, receipt: Receipt): Promise<unknown[]> {
  const bodies: FinalizeRequest[] = [
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
  const commit = { source_type: 'task_deliverable', payload: { sha: OUTPUT }, signature: '' } as const;
  // @ts-expect-error a commit is no task
  await client.evidence.send(id, commit);
  // @ts-expect-error a read has no Idempotency-Key
  await client.receipts.get(id, { idempotencyKey: 'one' });
  // @ts-expect-error no agent can authorize the issue of a receipt
  await client.receipts.issue(WORK, { agent: new SigningAgent(AgentKey.generate()) });
  // @ts-expect-error a query that has to be there
  client.engagements.list();
  // @ts-expect-error a receipt has an output_hash only if it is a success
  const hash: string = receipt.output_hash;
  return [...bodies, hash];
}

/** Returns the output of a receipt: each status has its own members. */
function outcomeOf(receipt: Receipt): string {
  switch (receipt.status) {
    case 'pending':
      return 'nothing yet';
    case 'success':
      return receipt.output_hash;
    case 'refusal':
    case 'null':
      return receipt.refusal_reason;
    default:
      return `${receipt.terminal_reason} (${receipt.error_tranche})`;
  }
}

/** Returns what an event is about. */
export function subjectOf(event: TrustEvent): string {
  switch (event.event) {
    case 'evidence.anchored':
      return event.data.event_commitment_hash;
    case 'enrollment.completed':
    case 'agent.frozen':
    case 'agent.revoked':
    case 'agent.unfrozen':
      return event.data.subject_commitment;
    case 'receipt.finalized':
      return event.data.receipt_id;
    case 'agora.proposal':
      return event.data.proposal_id;
    case 'payout.queued':
    case 'payout.confirmed':
    case 'payout.failed':
      return event.data.withdrawal_id;
    case 'payment.booked':
    case 'payment.refunded':
    case 'payment.disputed':
      return event.data.reference;
    case 'reputation.degraded':
    case 'reputation.restored':
    case 'reputation.milestone':
      return event.data.agent_commitment;
    default:
      return event.data.task_id;
  }
}

/** Works with receipts, agents, evidence, logs and webhooks. Returns what it saw. */
export async function run(url: string, apiKey: string): Promise<unknown> {
  const client = new TrustClient({ url, apiKey });
  const issued = await client.receipts.issue(WORK);
  const receipt = await client.receipts.finalize(issued.receipt_id, {
    status: 'timeout',
    terminal_reason: 'too late',
  });
  const conflict = await client.receipts
    .finalize(issued.receipt_id, { status: 'success', output_hash: OUTPUT })
    .catch((error: unknown) => error);
  const keys = await client.keys.list();
  const judged = await verify(receipt, { keys });
  const agent = new SigningAgent(AgentKey.generate());
  const passport: Passport = await enroll(client, agent, { name: 'Ada' });
  const renamed = await client.agents.setName(agent.commitment, { name: 'Grace' }, { agent });
  const anchored = await client.evidence.send(
    agent.commitment,
    agent.evidence('github_commit_payload', { sha: OUTPUT.slice(0, 40), commit: { message: 'Fix it' } }),
  );
  const items = await client.evidence.list(agent.commitment).toArray(10);
  const photo = await client.agents.setPresentation(
    agent.commitment,
    agent.presentation({
      photo_url: 'https://firm.example/ada.png',
      photo_content_sha256: OUTPUT,
      photo_mime_type: 'image/png',
    }),
  );
  const anyone = new TrustClient({ url });
  const alone = new SigningAgent(AgentKey.generate(), 'tests');
  const provisioned = await provision(anyone, alone, { name: 'Alone' });
  const holder = await anyone.agents.createHolderKey(alone.commitment, {}, { agent: alone });
  const unsponsored = new SigningAgent(AgentKey.generate());
  await enroll(anyone, unsponsored);
  const first = await anyone.agents.createHolderKey(
    unsponsored.commitment,
    await proveWork(anyone, unsponsored),
    { agent: unsponsored },
  );
  const webhook = await client.webhooks.create({ url: 'https://1.1.1.1/', events: ['evidence.anchored'] });
  let pages = 0;
  for await (const page of client.receipts.list({ domain: 'CODE_GENERATION', limit: 1 }).pages())
    pages += page.receipts.length;
  const limited = await client.receipts
    .list({ limit: 0 })
    .page()
    .catch((error: unknown) => error);
  return {
    outcome: outcomeOf(receipt),
    conflict: ApiError.is(conflict, 'receipt_already_finalized') ? conflict.status : conflict,
    verdict: judged.verdict,
    passport: passport.state,
    renamed: renamed.name,
    anchored: [anchored.outcome, anchored.reading],
    items: items.map(({ source_type }) => source_type),
    photo: photo.presentation?.photo_url,
    provisioned: provisioned.subject_commitment === alone.commitment,
    holder: [holder.role, first.role],
    webhook: webhook.events,
    pages: pages > 0,
    limited: ApiError.is(limited) ? limited.details : limited,
    card: (await client.attestations.agentSvg(agent.commitment)).slice(0, 4),
    badge: (await client.attestations.agent(agent.commitment)).type,
    package: (await client.compliance.packageHtml(agent.commitment)).slice(0, 15),
    log: (await client.log.checkpoint('receipts')).split('\n')[0]?.split('/').at(-1),
  };
}
