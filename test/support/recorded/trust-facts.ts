import { LOG_NAMES } from '../../../src/proof/log/log-names.ts';
import { A2A } from '../a2a.ts';
import { client, concurrently } from '../client.ts';
import { ENGAGEMENTS } from '../engagements.ts';
import type { Known } from './known.ts';
import { allPages, by, pick, type Read, type Row, reader, rowsOf } from './pages.ts';
import { command } from './session.ts';

/** How many requests are under way at once. */
const WIDTH = 8;

/**
 * Reads what a data directory of the trust service contains, by the API of a server that changes nothing
 * (`read_only`). Only what no later version may lose or alter is in it: ids, hashes, states and amounts, and
 * no wording.
 */
export async function trustFacts(url: string, known: Known) {
  const read = reader(url);
  const operators: Record<string, Row> = {};
  const receipts: Record<string, Row> = {};
  for (const [id, key] of Object.entries(known.operators)) {
    operators[id] = await operatorFacts(read, key);
    Object.assign(receipts, await receiptFacts(read, key));
  }
  const agents: Record<string, Row> = {};
  for (const [commitment, key] of Object.entries(known.agents))
    agents[commitment] = await agentFacts(read, commitment, key);
  return {
    keys: by(
      rowsOf((await read('/api/v1/transparency/keys')).keys),
      'kid',
      ...['algorithm', 'purpose', 'status', 'valid_from', 'valid_until', 'log_index'],
    ),
    logs: await logFacts(read),
    operators,
    receipts,
    agents,
    engagements: await engagementFacts(read, known),
    tasks: await taskFacts(url, known),
    proposals: await proposalFacts(read, known.proposals),
    telemetry: await telemetryFacts(read, known.clusters),
  };
}

export type TrustFacts = Awaited<ReturnType<typeof trustFacts>>;

/** Reads what only an administrator reads, on the machine of a service that is stopped. */
export async function administratorFacts(data: string) {
  const rows = async (...args: string[]): Promise<Row[]> =>
    (await command([...args, '--data', data]))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => Object(JSON.parse(line)));
  return {
    wallets: by(
      await rows('wallets', 'list', '--no-balances', '--json'),
      'address',
      'owner',
      'kind',
      'created_at',
    ),
    payouts: by(
      await rows('payouts', 'list', '--all', '--output', 'ndjson'),
      'withdrawal_id',
      'status',
      'held',
    ),
    unbooked: by(
      await rows('billing', 'unbooked', '--all', '--output', 'ndjson'),
      'payment',
      'reason',
      'amount',
      'currency',
    ),
  };
}

async function logFacts(read: Read): Promise<Record<string, Row>> {
  const logs: Record<string, Row> = {};
  for (const log of LOG_NAMES) {
    const latest = await read(`/api/v1/receipts/checkpoints/latest?log=${log}`);
    const all = await allPages(read, `/api/v1/receipts/checkpoints?log=${log}&limit=100`, 'checkpoints');
    logs[log] = { ...pick(latest, 'origin', 'tree_size', 'root_hash', 'issued_at'), checkpoints: all.length };
  }
  return logs;
}

async function operatorFacts(read: Read, key: string): Promise<Row> {
  const status = await read('/api/v1/operator/status', key);
  const keys = await allPages(read, '/api/v1/operator/api-keys?limit=100', 'api_keys', key);
  const hooks = await allPages(read, '/api/v1/webhooks?limit=100', 'webhooks', key);
  const slashes = await allPages(read, '/api/v1/operator/slashing-ledger?limit=100', 'entries', key);
  return {
    ...pick(status, 'name', 'accountStatus', 'plan', 'credits', 'sandboxCredits', 'stakeBalanceCents'),
    ...pick(status, 'sandboxStakeCents', 'owedCredits', 'owedStakeCents', 'receiptCount', 'linked_account'),
    stored_bytes: Object(Object(status.quota).stored_bytes).used,
    keys: by(keys, 'keyHash', 'name', 'role', 'admin', 'subject_commitment', 'scope', 'created_at'),
    webhooks: by(hooks, 'id', 'url', 'events', 'created_at'),
    slashes: by(slashes, 'id', 'receipt_id', 'tranche', 'amount_cents', 'stake_after_cents', 'created_at'),
  };
}

async function receiptFacts(read: Read, key: string): Promise<Record<string, Row>> {
  const receipts = await allPages(read, '/api/v1/receipts?limit=100', 'receipts', key);
  const facts = await concurrently(receipts, WIDTH, async (receipt): Promise<[string, Row]> => {
    const path = `/api/v1/receipts/${receipt.receipt_id}`;
    const versions = rowsOf((await read(`${path}/versions`, key)).versions);
    const manifest = await read(`${path}/public-manifest?cosigned=no`);
    return [
      String(receipt.receipt_id),
      {
        ...pick(receipt, 'content_hash', 'kid', 'status', 'revocation_status', 'agent_id'),
        versions: versions.map((version) => Object(version.receipt).content_hash),
        ...pick(manifest, 'leaf_content_hash'),
        lost: 'lost' in manifest,
        slashed: Object(manifest.enforcement).slashed,
        leaf: Object(manifest.inclusion_path).leaf_index ?? null,
        account_leaves: rowsOf(manifest.account_leaves ?? []).map(({ event }) => event),
      },
    ];
  });
  return Object.fromEntries(facts);
}

async function agentFacts(read: Read, commitment: string, key: string): Promise<Row> {
  const path = `/api/v1/passport/agents/${commitment}`;
  const { state, balances, tier } = await read(`${path}/passport-live`);
  const evidence = await allPages(read, `${path}/evidence?limit=100`, 'evidence', key);
  const journal = await read(`${path}/credit-journal?limit=1`, key);
  const entries = await allPages(read, `${path}/credit-journal?limit=100`, 'entries', key);
  const withdrawals = `/api/v1/agent-pay/withdrawals?subject_commitment=${commitment}&limit=100`;
  const { name, presentation } = await read(`/api/v1/profiles/${commitment}`);
  return {
    name,
    presentation,
    state,
    balances: pick(Object(balances), 'granted', 'earned', 'spent', 'locked', 'available', 'sandbox'),
    tier,
    evidence: by(
      evidence,
      'event_commitment_hash',
      'index',
      'source_type',
      'outcome',
      'signature',
      'payload',
    ),
    journal: pick(journal, 'length', 'head'),
    settlements: entries.filter(({ kind }) => kind === 'SETTLEMENT').map(({ reference }) => reference),
    withdrawals: by(
      await allPages(read, withdrawals, 'withdrawals', key),
      'withdrawal_id',
      ...['amount', 'usd_cents', 'address', 'reference', 'status', 'rail', 'receipt_id'],
      ...['external_reference', 'failure_reason'],
    ),
  };
}

/** The members of an engagement that never change once it has ended. */
const ENGAGEMENT = [
  ...['status', 'purpose', 'hirer_commitment', 'worker_commitment', 'amount', 'portions', 'description'],
  ...['input_digest', 'deadline', 'deliverable_digest', 'evidence_event_hash', 'last_failure_event_hash'],
  ...['accept_by', 'ended_by', 'lock_transaction_id', 'end_transaction_id', 'receipt_id', 'paid_at'],
];

/** Each engagement by its task_id, as its own URL shows it. */
async function engagementFacts(read: Read, { agents }: Known): Promise<Record<string, Row>> {
  const keys = new Map<string, string>();
  for (const [commitment, key] of Object.entries(agents)) {
    const list = `${ENGAGEMENTS}?subject_commitment=${commitment}&limit=100`;
    for (const { task_id } of await allPages(read, list, 'engagements', key)) keys.set(String(task_id), key);
  }
  const facts = await concurrently([...keys], WIDTH, async ([task_id, key]): Promise<[string, Row]> => {
    const { engagement } = await read(`${ENGAGEMENTS}/${encodeURIComponent(task_id)}`, key);
    return [task_id, pick(Object(engagement), ...ENGAGEMENT)];
  });
  return Object.fromEntries(facts);
}

async function taskFacts(url: string, { operators }: Known): Promise<Record<string, Row>> {
  const facts: Record<string, Row> = {};
  for (const key of Object.values(operators)) {
    for (let pageToken = ''; ; ) {
      const params = { pageSize: 100, historyLength: 100, ...(pageToken === '' ? {} : { pageToken }) };
      const request = { jsonrpc: '2.0', id: 1, method: 'ListTasks', params };
      const { tasks, nextPageToken } = Object((await client(fetch, url, key).post(A2A, request)).body.result);
      for (const { id, status, metadata, history } of rowsOf(tasks)) {
        const messages = rowsOf(history ?? []).map(({ messageId }) => messageId);
        facts[String(id)] = { state: Object(status).state, task_id: Object(metadata).taskId, messages };
      }
      if (nextPageToken === '' || nextPageToken === undefined) break;
      pageToken = String(nextPageToken);
    }
  }
  return facts;
}

async function proposalFacts(read: Read, ids: readonly string[]): Promise<Record<string, Row>> {
  const facts: Record<string, Row> = {};
  for (const id of ids) {
    const { status, timeline } = await read(`/api/v1/agora/proposals/${id}`);
    facts[id] = { status, entries: rowsOf(timeline).map(({ entry_hash }) => entry_hash) };
  }
  return facts;
}

async function telemetryFacts(read: Read, clusters: readonly string[]): Promise<Record<string, Row>> {
  const facts: Record<string, Row> = {};
  for (const cluster of clusters) {
    const list = `/api/v1/datacenter/receipts?cluster_id=${cluster}&limit=100`;
    const items = await allPages(read, list, 'receipts');
    const names = ['receipt_id', 'cluster_id', 'instance_id', 'class', 'counts_energy', 'payload_digest'];
    Object.assign(facts, by(items, 'evidence_id', ...names));
  }
  return facts;
}
