/** The state of the service beside the balances, as the database and the model of the ledger have it. */
import { createHash } from 'node:crypto';
import type { LedgerModel } from './ledger-model.ts';
import type { Participants } from './ledger-requests.ts';
import type { TrustApp } from './trust-app.ts';

/** The numbers of agents and operators in the database. */
export interface Seqs {
  agents: readonly number[];
  operators: readonly number[];
}

/** What is compared after each step. */
export interface Observed {
  /** Credits by place, maturity and payment. */
  lots: Record<string, number>;
  /** Of each agent: its operator, and whether it is revoked or frozen. */
  agents: unknown[];
  operators: string[];
  tasks: Record<string, string>;
  withdrawals: Record<string, unknown>;
  /** All that were booked, and all that ever exceeded a cap. */
  settlements: string[];
  overCap: string[];
  unbookedPayments: number;
  /** Of each payment, what the payer has back; and which are still to be held or released. */
  gone: number[];
  pendingHolds: number[];
  /** What each limited key spent in all. */
  budgets: number[];
}

/** Returns the state of the service. */
export function observedState(
  { service: { trust } }: Pick<TrustApp, 'service'>,
  { limitedKeys }: Pick<Participants, 'limitedKeys'>,
  seqs: Seqs,
): Promise<Observed> {
  return trust.store.read(({ connection: { sqlite } }) => {
    const rows = <Row>(sql: string): Row[] => sqlite.query<Row, []>(sql).all();
    const agentOf = (seq: number) => seqs.agents.indexOf(seq);
    const operatorOf = (seq: number | null) => (seq === null ? null : seqs.operators.indexOf(seq));
    const agents = rows<AgentRow>('SELECT agent_seq, sponsor_seq, state, frozen_since FROM agent');
    const spent = new Map(rows<SpentRow>(SPENT).map(({ hash, credits }) => [hash, credits]));
    return {
      lots: sorted(
        rows<LotRow>(LOTS).map(({ kind, owner, asset, reference, matures_at, payment_seq, amount }) => {
          const place =
            kind === 'pool'
              ? `pool ${operatorOf(owner)}`
              : kind === 'agent'
                ? `agent ${agentOf(owner)}`
                : kind === 'locked'
                  ? `lock ${reference}`
                  : kind;
          return [`${place} ${asset} ${matures_at} ${payment_seq}`, amount];
        }),
      ),
      agents: seqs.agents.map((seq) => {
        const row = agents.find(({ agent_seq }) => agent_seq === seq);
        return [operatorOf(row?.sponsor_seq ?? null), row?.state === 'REVOKED', row?.frozen_since !== null];
      }),
      operators: seqs.operators.map(
        (seq) =>
          rows<{ status: string }>(
            `SELECT account_status AS status FROM operator WHERE operator_seq = ${seq}`,
          )[0]?.status ?? '',
      ),
      tasks: Object.fromEntries(
        rows<{ id: string; status: string }>('SELECT task_id AS id, status FROM escrow').map(
          ({ id, status }) => [id, returned(status)],
        ),
      ),
      withdrawals: Object.fromEntries(
        rows<PayoutRow>(PAYOUTS).map(({ reference, agent_seq, amount, cut, status }) => [
          reference,
          [agentOf(agent_seq), amount, cut, status],
        ]),
      ),
      settlements: rows<{ name: string }>("SELECT rail || ' ' || reference AS name FROM settlement")
        .map(({ name }) => name)
        .sort(),
      overCap: rows<{ name: string }>("SELECT rail || ' ' || reference AS name FROM unbooked_settlement")
        .map(({ name }) => name)
        .sort(),
      unbookedPayments: rows('SELECT 1 FROM unbooked_payment').length,
      gone: rows<{ gone: number }>(
        'SELECT refunded_cents AS gone FROM booked_payment ORDER BY payment_seq',
      ).map(({ gone }) => gone),
      pendingHolds: rows<{ seq: number }>('SELECT payment_seq AS seq FROM pending_hold ORDER BY 1').map(
        ({ seq }) => seq,
      ),
      budgets: limitedKeys.map((key) =>
        key === null ? 0 : (spent.get(createHash('sha256').update(key).digest('hex')) ?? 0),
      ),
    };
  });
}

/** Returns the same of a model. */
export function expectedState(model: LedgerModel): Observed {
  const settlements = [...model.settlements];
  return {
    lots: model.lots.all(),
    agents: model.agents.map(({ sponsor, isRevoked, isFrozen }) => [sponsor, isRevoked, isFrozen]),
    operators: model.operators.map(({ isActive, isClosed }) =>
      isClosed ? 'CLOSED' : isActive ? 'ACTIVE' : 'SUSPENDED',
    ),
    tasks: Object.fromEntries([...model.tasks].map(([id, { status }]) => [id, returned(status)])),
    withdrawals: Object.fromEntries(
      [...model.withdrawals].map(([id, { agent, amount, cut, status }]) => [
        id,
        [agent, amount, cut, status],
      ]),
    ),
    settlements: settlements
      .filter(([, { isBooked }]) => isBooked)
      .map(([name]) => name)
      .sort(),
    overCap: settlements
      .filter(([, { wasOverCap }]) => wasOverCap)
      .map(([name]) => name)
      .sort(),
    unbookedPayments: model.unbookedPayments,
    gone: model.purchases.map(({ gone }) => gone),
    pendingHolds: [...model.pendingHolds].sort((one, other) => one - other),
    budgets: [...model.agents.keys()].map((index) => model.budgets.inAll(index)),
  };
}

/** Both end a task and return its credits; the reason shows at the end. */
function returned(status: string): string {
  return status === 'EXPIRED' || status === 'CANCELLED' ? 'RETURNED' : status;
}

function sorted(named: [string, number][]): Record<string, number> {
  return Object.fromEntries(named.sort(([one], [other]) => (one < other ? -1 : 1)));
}

interface LotRow {
  kind: string;
  owner: number;
  asset: string;
  /** Of locked credits: the task_id, or the reference of the withdrawal. */
  reference: string | null;
  matures_at: number;
  payment_seq: number;
  amount: number;
}
interface AgentRow {
  agent_seq: number;
  sponsor_seq: number | null;
  state: string;
  frozen_since: number | null;
}
interface PayoutRow {
  reference: string;
  agent_seq: number;
  amount: number;
  cut: number;
  status: string;
}
interface SpentRow {
  hash: string;
  credits: number;
}

const LOTS = `SELECT kind, owner_seq AS owner, asset, coalesce(task_id, reference) AS reference, matures_at, payment_seq,
    credit_lot.amount AS amount
  FROM credit_lot LEFT JOIN escrow ON escrow.lock_transaction_id = lock
  LEFT JOIN payout ON payout.lock_transaction_id = lock`;
const PAYOUTS = `SELECT reference, agent_seq, amount, status, (SELECT coalesce(sum(amount), 0)
    FROM payout_cut WHERE payout_cut.payout_seq = payout.payout_seq) AS cut FROM payout`;
const SPENT = `SELECT lower(hex(key_hash)) AS hash, credits FROM key_spending JOIN api_key_number USING (api_key_seq)`;
