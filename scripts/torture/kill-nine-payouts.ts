import { operationAction } from '../../src/platform/control/operation.ts';
import { controlSocket } from '../../src/platform/control/server.ts';
import { concurrently } from '../../test/support/client.ts';
import { creditedAgent } from '../../test/support/credits.ts';
import { queuePayouts } from '../../test/support/payouts.ts';
import { type Running, run, scratch, serve } from '../../test/support/process.ts';
import { openTrustApp } from '../../test/support/trust-app.ts';
import { killUnder } from './kill.ts';
import { ledgerState } from './ledger-state.ts';

const WORKERS = 32;
const ENV = { COUNTERSIGN_RATE_LIMITS: 'off' };
/** The payouts of a round, more than are ended before it is killed. */
const PAYOUTS = 600;
const CREDITS = 3;

/** What an administrator asked for. */
interface Sent {
  withdrawal: string;
  operation: 'confirmPayout' | 'failPayout';
  values: Record<string, unknown>;
}

/** What the service promised, over all rounds. */
interface Promised {
  /** How each payout with a response ended. */
  ended: Map<string, 'confirmed' | 'failed'>;
  /** Commands that were sent and have no response. */
  open: Set<Sent>;
}

/**
 * Kills the service with SIGKILL repeatedly, on one data directory, while administrators confirm and fail
 * payouts, two at once for some of them. After each restart, every payout with a response must have ended as
 * the response says. A command whose response was cut off is sent again. At the end each payout has ended
 * once: its credits were burned or returned, never both, and fsck reports no problem.
 *
 * @returns the number of payouts that ended
 */
export async function killNinePayouts(rounds: number): Promise<number> {
  const { path, dispose } = scratch();
  const data = `${path}/data`;
  const promised: Promised = { ended: new Map(), open: new Set() };
  try {
    const queued = await queueAll(data, rounds * PAYOUTS);
    let server = await serve(data, ENV);
    for (let round = 0; round < rounds; round++) {
      const some = queued.slice(round * PAYOUTS, (round + 1) * PAYOUTS);
      await loadAndKill(server, data, some, promised);
      server = await serve(data, ENV);
      mustHaveEnded(data, promised);
      await sendAgain(data, promised);
      mustHaveEnded(data, promised);
    }
    const { code } = await server.stop();
    if (code !== 0) throw new Error(`the restarted service ended with ${code}`);
    mustHaveEnded(data, promised);
    await mustAgree(data, promised);
    for (const command of [
      ['fsck', data],
      ['ledger', 'check', '--data', data],
    ]) {
      const checked = await run(command);
      if (checked.code !== 0) throw new Error(`${command[0]}: ${checked.stdout}${checked.stderr}`);
    }
    return promised.ended.size;
  } finally {
    dispose();
  }
}

/** Queues payouts in a new data directory, as withdrawals do. @returns their withdrawal_ids */
async function queueAll(data: string, count: number): Promise<string[]> {
  const app = await openTrustApp({}, null, data);
  try {
    const agent = await creditedAgent(app, { credits: { paid: count * CREDITS } });
    const requests = Array.from({ length: count }, (_, n) => ({ amount: CREDITS, reference: `payout ${n}` }));
    const states = await queuePayouts(app, agent, requests);
    return states.map(({ payout }) => payout.withdrawalId);
  } finally {
    await app.close();
  }
}

async function loadAndKill(
  server: Running,
  data: string,
  withdrawals: readonly string[],
  promised: Promised,
): Promise<void> {
  const reached = Promise.withResolvers<void>();
  // A random number, so that each round is killed at a different point within a commit group.
  const target = promised.ended.size + 50 + Math.floor(Math.random() * 300);
  const rest = [...withdrawals];
  const work = async (): Promise<never> => {
    for (let withdrawal = rest.pop(); withdrawal !== undefined; withdrawal = rest.pop()) {
      const both = Math.random() < 0.3;
      const confirms = Math.random() < 0.5;
      await Promise.all([
        end(data, commandFor(withdrawal, confirms), promised),
        ...(both ? [end(data, commandFor(withdrawal, !confirms), promised)] : []),
      ]);
      if (promised.ended.size >= target) reached.resolve();
    }
    throw new Error('the queue returned nothing more');
  };
  await killUnder(server, reached, Array.from({ length: WORKERS }, work));
}

function commandFor(withdrawal: string, confirms: boolean): Sent {
  return confirms
    ? { withdrawal, operation: 'confirmPayout', values: { reference: `paid ${withdrawal}` } }
    : { withdrawal, operation: 'failPayout', values: { reason: 'refused' } };
}

/**
 * Performs an operation in the server, and notes its result. @throws Error for any other result than success or
 * a wrong state
 */
async function end(data: string, sent: Sent, { ended, open }: Promised): Promise<void> {
  open.add(sent);
  const { withdrawal, operation, values } = sent;
  const call = { operation, operator: null, arguments: { withdrawalId: withdrawal, ...values } };
  const response = await fetch(`http://control/${operationAction.name}`, {
    unix: controlSocket(data),
    method: 'POST',
    body: JSON.stringify(call),
  });
  const { result, error } = Object(await response.json());
  open.delete(sent);
  if (typeof error === 'string') {
    if (!/ is (confirmed|failed), so| changed (from|meanwhile)/.test(error))
      throw new Error(`${operation} returned ${error}`);
    return;
  }
  const status = Object(result).payout.status;
  const expected = operation === 'confirmPayout' ? 'confirmed' : 'failed';
  if (status !== expected) throw new Error(`${operation} returned ${status}`);
  const before = ended.get(withdrawal);
  if (before !== undefined && before !== status)
    throw new Error(`${withdrawal} returned ${status} after ${before}`);
  ended.set(withdrawal, status);
}

/** Sends every command again whose response was cut off. */
async function sendAgain(data: string, promised: Promised): Promise<void> {
  await concurrently([...promised.open], WORKERS, async (sent) => {
    promised.open.delete(sent);
    await end(data, sent, promised);
  });
}

const MOVEMENT = { confirmed: 'WITHDRAWAL', failed: 'UNLOCK' } as const;

/** Checks that the credits of each payout were moved as its response says, and of none twice. */
function mustHaveEnded(data: string, { ended }: Promised): void {
  const ends = new Map<string, string>();
  for (const { kind, reference } of ledgerState(data)) {
    if (reference === null || (kind !== 'WITHDRAWAL' && kind !== 'UNLOCK')) continue;
    const other = ends.get(reference);
    if (other !== undefined) throw new Error(`${reference} ended twice: ${other} and ${kind}`);
    ends.set(reference, kind);
  }
  for (const [withdrawal, status] of ended) {
    if (ends.get(withdrawal) !== MOVEMENT[status])
      throw new Error(`${withdrawal} was reported as ${status}, and its movement is ${ends.get(withdrawal)}`);
  }
}

/** Checks that the payouts are listed with the states that the responses had. */
async function mustAgree(data: string, { ended }: Promised): Promise<void> {
  const { code, stdout } = await run(['payouts', 'list', '--all', '--output', 'ndjson', '--data', data]);
  const listed = stdout.trim().split('\n');
  if (code !== 0 || listed.length < ended.size)
    throw new Error(`payouts list printed ${listed.length} lines`);
  for (const line of listed) {
    const { withdrawal_id, status } = JSON.parse(line);
    const reported = ended.get(withdrawal_id);
    if (reported !== undefined && reported !== status)
      throw new Error(`${withdrawal_id} was reported as ${reported} and is ${status}`);
  }
}
