import { nativePrimitives } from '../../src/platform/crypto/crypto.ts';
import { DEFAULT_CONTEXT, subjectCommitment } from '../../src/proof/agent/commitment.ts';
import type { JsonObject } from '../../src/proof/encoding/json.ts';
import { agentAuth, newAgentKey } from '../../test/support/agent.ts';
import { type ApiResponse, client, concurrently } from '../../test/support/client.ts';
import { evidencePath, sha256, signedEvidence } from '../../test/support/evidence.ts';
import { type Running, run, scratch, serve } from '../../test/support/process.ts';
import { killUnder } from './kill.ts';
import { type BookedTransaction, ledgerState } from './ledger-state.ts';

const API_KEY = `pp_${'5c'.repeat(32)}`;
const SERVICE_TOKEN = `svc_${'5d'.repeat(32)}`;
const ENV = {
  COUNTERSIGN_BOOTSTRAP_API_KEY: API_KEY,
  COUNTERSIGN_SERVICE_TOKEN: SERVICE_TOKEN,
  COUNTERSIGN_RATE_LIMITS: 'off',
};
const WORKERS = 48;
const AGENTS = 16;
/** So few that payers run out of credits under load. */
const GRANT = 40;
/** The credits of the first operator: no operation here makes or burns any. */
const ALL_CREDITS = 1_000_000;

type Client = ReturnType<typeof client>;
type Agent = ReturnType<typeof newAgentKey> & { commitment: string };

/** A request that can be sent again: with the same Idempotency-Key, or signed with the same nonce. */
interface Sent {
  path: string;
  body: JsonObject;
  /** Identifies the request: its Idempotency-Key or nonce, and the memo of what it books. */
  id: string;
  isSigned: boolean;
}

const STATUSES = ['HELD', 'DELIVERED', 'PAID', 'CANCELLED'] as const;
type Status = (typeof STATUSES)[number];

/** What the service promised, over all rounds. */
interface Promised {
  /** The ids of transactions with a 2xx response. */
  transactions: Map<string, { amount: number; kind: string }>;
  /** The newest status of each task that has a response, and what it holds. */
  tasks: Map<string, { status: Status; amount: number; receiptId: string | null }>;
  /** Requests that were sent and have no response. */
  open: Map<string, Sent>;
  /** The commitments of agents that were enrolled and revoked under load, unless the kill came before. */
  leavers: Set<string>;
  responses: number;
}

/**
 * Kills the service with SIGKILL repeatedly, on one data directory, while clients spend the credits of a few
 * agents: grants, transfers by key and by the agents' signatures, hires, deliveries, acceptances and
 * cancellations, and revocations of agents with credits. After each restart, every transaction with a 2xx
 * response must exist, complete; every account must be what its movements say, and the sum of each asset
 * zero. A request whose response was cut off is sent again: it must have been booked once. At the end each
 * task is paid or released once, each paid task has its receipt in the log, the credits of each revoked agent
 * are in the pool, and fsck reports no problem.
 *
 * @returns the number of operations with a 2xx response
 */
export async function killNineLedger(rounds: number): Promise<number> {
  const { path, dispose } = scratch();
  const data = `${path}/data`;
  const agents = Array.from({ length: AGENTS }, newAgent);
  const promised: Promised = {
    transactions: new Map(),
    tasks: new Map(),
    open: new Map(),
    leavers: new Set(),
    responses: 0,
  };
  try {
    let server = await serve(data, ENV);
    for (const agent of agents) await enroll(client(fetch, server.url, API_KEY), agent);
    for (let round = 0; round < rounds; round++) {
      await loadAndKill(server, agents, promised);
      server = await serve(data, ENV);
      mustBeBooked(ledgerState(data), promised);
      await sendAgain(server, promised);
      mustBeBooked(ledgerState(data), promised);
    }
    await mustBeEnded(server, promised);
    const api = client(fetch, server.url, API_KEY);
    await mustBeReturned(api, promised);
    await mustAddUp(api, [...agents.map(({ commitment }) => commitment), ...promised.leavers]);
    const { code } = await server.stop();
    if (code !== 0) throw new Error(`the restarted service ended with ${code}`);
    mustBeBooked(ledgerState(data), promised);
    for (const command of [
      ['fsck', data],
      ['ledger', 'check', '--data', data],
    ]) {
      const checked = await run(command);
      if (checked.code !== 0) throw new Error(`${command[0]}: ${checked.stdout}${checked.stderr}`);
    }
    return promised.responses;
  } finally {
    dispose();
  }
}

function newAgent(): Agent {
  const key = newAgentKey();
  return { ...key, commitment: subjectCommitment(nativePrimitives, key.publicKey, DEFAULT_CONTEXT) };
}

async function enroll(api: Client, { publicKey, signText, commitment }: Agent): Promise<void> {
  const { body } = await api.post('/api/v1/passport/agents/enroll/start', { public_key: publicKey });
  const enrolled = await api.post('/api/v1/passport/agents/enroll/complete', {
    subject_commitment: body.subject_commitment,
    signature: signText(String(body.challenge_nonce)),
  });
  if (enrolled.status !== 201) throw new Error(`enroll/complete returned ${enrolled.status}`);
  const grant = { subject_commitment: commitment, amount: GRANT };
  const { status } = await api.post('/api/v1/passport/credits/grants', grant);
  if (status !== 201) throw new Error(`the first grant returned ${status}`);
}

async function loadAndKill(server: Running, agents: readonly Agent[], promised: Promised): Promise<void> {
  const clients = clientsOf(server);
  const service = client(fetch, server.url, SERVICE_TOKEN);
  const audience = String((await clients.anyone.get('/api/v1/public-key')).body.audience);
  // A random number, so that each round is killed at a different point within a commit group.
  const target = promised.responses + 150 + Math.floor(Math.random() * 400);
  const reached = Promise.withResolvers<void>();
  const count = (): void => {
    promised.responses += 1;
    if (promised.responses === target) reached.resolve();
  };
  const send = async (sent: Sent): Promise<ApiResponse> => {
    promised.open.set(sent.id, sent);
    const response = await post(clients, sent);
    promised.open.delete(sent.id);
    if (response.status < 300) count();
    return response;
  };
  const transfer = async (): Promise<void> => {
    const [from, to] = twoOf(agents);
    const id = crypto.randomUUID();
    const path = '/api/v1/passport/credits/transfers';
    const amount = 1 + Math.floor(Math.random() * 8);
    const body = { from_commitment: from.commitment, to_commitment: to.commitment, amount, memo: id };
    const isSigned = Math.random() < 0.3;
    const auth = isSigned
      ? { agent_auth: agentAuth(from, { method: 'POST', path, body, audience, nonce: id }) }
      : {};
    const { status, body: booked } = await send({ path, body: { ...body, ...auth }, id, isSigned });
    if (status === 201)
      promised.transactions.set(String(booked.transaction_id), { amount, kind: 'TASK_PAYMENT' });
    else if (status !== 402) throw new Error(`a transfer returned ${status}`);
  };
  const hire = async (): Promise<void> => {
    const [hirer, worker] = twoOf(agents);
    const task_id = `task-${crypto.randomUUID()}`;
    const amount = 1 + Math.floor(Math.random() * 12);
    const parties = { hirer_commitment: hirer.commitment, worker_commitment: worker.commitment };
    const path = '/api/v1/passport/engagements';
    const held = await send({
      path,
      body: { task_id, ...parties, amount },
      id: `hire-${task_id}`,
      isSigned: false,
    });
    if (held.status === 402) return;
    if (held.status !== 201) throw new Error(`a hire returned ${held.status}`);
    promised.tasks.set(task_id, { status: 'HELD', amount, receiptId: null });
    if (Math.random() < 0.2) {
      await step(task_id, 'cancel', amount);
      return;
    }
    const payload = { task_id, deliverable_digest: sha256(task_id), outcome: 'success' };
    const evidence = signedEvidence(worker, 'task_deliverable', payload);
    const delivered = await service.post(evidencePath(worker.commitment), evidence);
    if (delivered.status !== 201) throw new Error(`evidence returned ${delivered.status}`);
    count();
    promised.tasks.set(task_id, { status: 'DELIVERED', amount, receiptId: null });
    // Two accept at once: one pays.
    await Promise.all([step(task_id, 'accept', amount), step(task_id, 'accept', amount)]);
  };
  const step = async (task: string, verb: 'accept' | 'cancel', amount: number): Promise<void> => {
    const path = `/api/v1/passport/engagements/${task}/${verb}`;
    const { status, body } = await send({
      path,
      body: {},
      id: `${verb}-${crypto.randomUUID()}`,
      isSigned: false,
    });
    if (status === 409) return;
    if (status !== 200) throw new Error(`${verb} returned ${status}`);
    const receiptId = verb === 'accept' ? String(body.receipt_id) : null;
    promised.tasks.set(task, { status: verb === 'accept' ? 'PAID' : 'CANCELLED', amount, receiptId });
  };
  const leave = async (): Promise<void> => {
    const agent = newAgent();
    const { commitment } = agent;
    promised.leavers.add(commitment);
    await enroll(clients.keyed, agent);
    const { status } = await clients.keyed.post(`/api/v1/passport/agents/${commitment}/revoke`);
    if (status !== 200) throw new Error(`a revocation returned ${status}`);
    count();
  };
  const work = async (): Promise<never> => {
    for (;;) {
      const kind = Math.random();
      await (kind < 0.03 ? leave() : kind < 0.5 ? transfer() : hire());
    }
  };
  await killUnder(server, reached, Array.from({ length: WORKERS }, work));
}

function post(clients: Clients, { path, body, id, isSigned }: Sent): Promise<ApiResponse> {
  return isSigned
    ? clients.anyone.post(path, body)
    : clients.keyed.post(path, body, { 'idempotency-key': id });
}

interface Clients {
  keyed: Client;
  anyone: Client;
}

function clientsOf({ url }: Running): Clients {
  return { keyed: client(fetch, url, API_KEY), anyone: client(fetch, url, null) };
}

/**
 * Sends every request again whose response was cut off. A keyed one gives its first response, if it was
 * booked.
 */
async function sendAgain(server: Running, promised: Promised): Promise<void> {
  const clients = clientsOf(server);
  await concurrently([...promised.open.values()], WORKERS, async (sent) => {
    const { status, body } = await post(clients, sent);
    const allowed = sent.isSigned ? [201, 402, 409] : [200, 201, 402, 409];
    if (!allowed.includes(status))
      throw new Error(`${sent.path} sent again returned ${status} ${JSON.stringify(body)}`);
    promised.open.delete(sent.id);
    noteAgain(promised, sent, status, body);
  });
}

function noteAgain(
  promised: Promised,
  { path, body: sent }: Sent,
  status: number,
  body: ApiResponse['body'],
): void {
  if (status >= 300) return;
  promised.responses += 1;
  if (typeof body.transaction_id === 'string') {
    promised.transactions.set(body.transaction_id, { amount: Number(sent.amount), kind: 'TASK_PAYMENT' });
    return;
  }
  const { task_id: task, status: state, amount } = Object(body.engagement);
  const isStatus = STATUSES.some((name) => name === state);
  if (!isStatus) throw new Error(`${path} returned ${JSON.stringify(body)}`);
  const receiptId = typeof body.receipt_id === 'string' ? body.receipt_id : null;
  promised.tasks.set(task, { status: state, amount, receiptId });
}

/** Checks that all that was promised is booked, and that nothing is booked twice. */
function mustBeBooked(booked: readonly BookedTransaction[], { transactions, tasks }: Promised): void {
  const byId = new Map(booked.map((transaction) => [transaction.id, transaction]));
  for (const [id, { amount, kind }] of transactions) {
    const movement = byId.get(id);
    if (movement === undefined) throw new Error(`${id} was promised and is gone`);
    if (movement.amount !== amount || movement.kind !== kind)
      throw new Error(`${id} is ${JSON.stringify(movement)}`);
  }
  const ofTasks = new Map<string, Map<string, number>>();
  const memos = new Set<string>();
  for (const { kind, memo, reference, amount } of booked) {
    if (kind === 'TASK_PAYMENT' && memo !== null) {
      // Each transfer has a memo of its own.
      if (memos.has(memo)) throw new Error(`booked twice: the transfer ${memo}`);
      memos.add(memo);
    }
    // All that return have one reference. That each does so once follows from the balances.
    if (reference === null || kind === 'ADJUSTMENT') continue;
    const kinds = ofTasks.get(reference) ?? new Map<string, number>();
    if (kinds.has(kind)) throw new Error(`booked twice: ${kind} of ${reference}`);
    ofTasks.set(reference, kinds.set(kind, amount));
  }
  for (const [task, { status, amount }] of tasks) {
    const kinds = ofTasks.get(task) ?? new Map<string, number>();
    for (const kind of BOOKINGS[status]) {
      if (kinds.get(kind) !== amount)
        throw new Error(`${task} is ${status} without its ${kind} of ${amount}`);
    }
    if (kinds.has('ESCROW_RELEASE') && kinds.has('UNLOCK')) throw new Error(`${task} was paid and released`);
  }
}

/** What is booked for a task at least, once a response had its status. */
const BOOKINGS: Record<Status, readonly string[]> = {
  HELD: ['LOCK'],
  DELIVERED: ['LOCK'],
  PAID: ['LOCK', 'ESCROW_RELEASE'],
  CANCELLED: ['LOCK', 'UNLOCK'],
};

/**
 * Checks that every task with a response has at least its status, and every paid one its receipt, which is in
 * the log.
 */
async function mustBeEnded(server: Running, { tasks }: Promised): Promise<void> {
  const api = client(fetch, server.url, API_KEY);
  await concurrently([...tasks], WORKERS, async ([task, { status: promised, receiptId }]) => {
    const { body } = await api.get(`/api/v1/passport/engagements/${task}`);
    const { status, receipt_id: receipt } = Object(body.engagement);
    const isLost = STATUSES.indexOf(status) < STATUSES.indexOf(promised);
    if (isLost) throw new Error(`${task} was reported as ${promised} and is ${status}`);
    if (receiptId !== null && receipt !== receiptId)
      throw new Error(`${task} had ${receiptId}, and has ${receipt}`);
    if (status === 'PAID') await mustBeLogged(api, task, String(receipt));
  });
}

async function mustBeLogged(api: Client, task: string, receipt: string): Promise<void> {
  for (const end = performance.now() + 10_000; ; await Bun.sleep(20)) {
    const { status, body } = await api.get(`/api/v1/receipts/${receipt}/public-manifest`);
    if (status !== 200) throw new Error(`${task} was paid with ${receipt}, which returned ${status}`);
    const { leaf_entry: leaf } = Object(body.inclusion_path);
    if (leaf !== undefined && JSON.parse(leaf).receipt_id === receipt) return;
    // The next checkpoint covers it.
    if (performance.now() > end) throw new Error(`${receipt} of ${task} is not in the log`);
  }
}

/**
 * Revokes what the kills left over, and checks that the scheduler returns the credits of every revoked agent.
 */
async function mustBeReturned(api: Client, { leavers }: Promised): Promise<void> {
  const revoke = (commitment: string) => api.post(`/api/v1/passport/agents/${commitment}/revoke`);
  await concurrently([...leavers], WORKERS, revoke);
  for (const end = performance.now() + 30_000; ; await Bun.sleep(200)) {
    const left = await concurrently([...leavers], WORKERS, async (commitment) => {
      const { status, body } = await api.get(`/api/v1/passport/agents/${commitment}/credits`);
      return status === 404 ? 0 : body.available;
    });
    if (left.every((available) => available === 0)) return;
    if (performance.now() > end) throw new Error('the credits of revoked agents are not returned');
  }
}

/**
 * Checks the public metrics: all credits are in the pool or with agents, and the metrics of each agent add
 * up.
 */
async function mustAddUp(api: Client, commitments: readonly string[]): Promise<void> {
  let total = Number((await api.get('/api/v1/operator/status')).body.credits);
  for (const commitment of commitments) {
    const { status, body } = await api.get(`/api/v1/passport/agents/${commitment}/credits`);
    // The kill came before the end of its enrollment.
    if (status === 404) continue;
    const { granted, earned, spent, locked, available } = Object(body.balances ?? body);
    if (available !== granted + earned - spent - locked)
      throw new Error(`${commitment}: ${JSON.stringify(body)}`);
    total += available + locked;
  }
  if (total !== ALL_CREDITS) throw new Error(`${ALL_CREDITS} credits became ${total}`);
}

function twoOf(agents: readonly Agent[]): [Agent, Agent] {
  const first = Math.floor(Math.random() * agents.length);
  const second = (first + 1 + Math.floor(Math.random() * (agents.length - 1))) % agents.length;
  const [one, other] = [agents[first], agents[second]];
  if (one === undefined || other === undefined) throw new Error('there are too few agents');
  return [one, other];
}
