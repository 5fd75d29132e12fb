import { ASSETS } from '../../db/trust/ledger-enums.ts';
import type { LedgerModel } from './ledger-model.ts';
import { CLASSES, type CreditClass } from './ledger-portions.ts';
import type { TrustApp } from './trust-app.ts';

/**
 * An account in one asset: balance, and of an agent's available credits what it was granted, earned and
 * spent.
 */
type Figures = readonly [balance: number, granted: number, earned: number, spent: number];

export interface AccountRow {
  kind: string;
  ownerSeq: number;
  asset: string;
  balance: number;
  granted: number;
  earned: number;
  spent: number;
}

/** Returns all accounts of the ledger. */
export function accountsOf({ service: { trust } }: Pick<TrustApp, 'service'>): Promise<AccountRow[]> {
  return trust.store.read(({ connection: { sqlite } }) =>
    sqlite
      .query<AccountRow, []>(
        'SELECT kind, owner_seq AS ownerSeq, asset, balance, granted, earned, spent FROM ledger_account',
      )
      .all(),
  );
}

/** Returns the sum of the balances of each asset. */
export function sumsOf(rows: readonly AccountRow[]): Record<string, number> {
  const sums = Object.fromEntries(ASSETS.map((asset): [string, number] => [asset, 0]));
  for (const { asset, balance } of rows) sums[asset] = (sums[asset] ?? 0) + balance;
  return sums;
}

/** Returns the accounts by their names, without those in which nothing ever was. */
export function byName(rows: readonly AccountRow[]): Record<string, Figures> {
  return sorted(
    rows.map(({ kind, ownerSeq, asset, balance, granted, earned, spent }) => [
      `${kind} ${ownerSeq} ${asset}`,
      [balance, granted, earned, spent],
    ]),
  );
}

/**
 * Returns the accounts of a model in the same form.
 * @param seqs the numbers of its agents and operators in the database
 */
export function expectedAccounts(
  model: LedgerModel,
  seqs: { agents: readonly number[]; operators: readonly number[] },
): Record<string, Figures> {
  const accounts: [string, Figures][] = [];
  for (const asset of CLASSES) {
    const { revenue, unclaimed } = model;
    let total = revenue[asset] + unclaimed[asset];
    accounts.push([`revenue 0 ${asset}`, [revenue[asset], 0, 0, 0]]);
    accounts.push([`unclaimed 0 ${asset}`, [unclaimed[asset], 0, 0, 0]]);
    for (const [index, { pool, owed }] of model.operators.entries()) {
      total += pool[asset];
      if (asset === 'paid') {
        total -= owed;
        accounts.push([`receivable ${seqs.operators[index]} paid`, [-owed, 0, 0, 0]]);
      }
      accounts.push([`pool ${seqs.operators[index]} ${asset}`, [pool[asset], 0, 0, 0]]);
    }
    for (const [index, agent] of model.agents.entries()) {
      const { available, locked, granted, earned, spent } = agent;
      total += available[asset] + locked[asset];
      const figures = [available[asset], granted[asset], earned[asset], spent[asset]] as const;
      accounts.push([`agent ${seqs.agents[index]} ${asset}`, figures]);
      accounts.push([`locked ${seqs.agents[index]} ${asset}`, [locked[asset], 0, 0, 0]]);
    }
    accounts.push([`issuance 0 ${asset}`, [-total, 0, 0, 0]]);
  }
  let cents = model.slashedCents;
  for (const [index, { stakeCents }] of model.operators.entries()) {
    cents += stakeCents;
    accounts.push([`stake ${seqs.operators[index]} cents`, [stakeCents, 0, 0, 0]]);
  }
  accounts.push(['slashed 0 cents', [model.slashedCents, 0, 0, 0]], ['issuance 0 cents', [-cents, 0, 0, 0]]);
  return sorted(accounts);
}

/**
 * Returns entries by name. A new account and one that is empty again are equal, except in what they spent.
 */
function sorted(accounts: readonly (readonly [string, Figures])[]): Record<string, Figures> {
  const used = accounts.filter(([, figures]) => figures.some((amount) => amount !== 0));
  return Object.fromEntries(used.sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** Returns an agent's tier in a model, and why it has it. */
export function expectedTier(model: LedgerModel, index: number): readonly [tier: string, reason: string] {
  const { available, override } = model.agent(index);
  if (!model.mayAct(index)) return ['SUSPENDED', 'credit_inactive'];
  if (override !== null) return [override, 'admin_override'];
  const credits = available.promotional + available.paid;
  if (credits >= 50) return ['FULL', 'sufficient_balance'];
  if (credits >= 10) return ['LIMITED', 'low_balance_limited'];
  return credits >= 1 ? ['SANDBOXED', 'low_balance_sandbox'] : ['SHELTERED', 'safety_net_floor'];
}

/**
 * Returns an agent's public figures in a model: paid and promotional credits together, sandbox credits apart.
 */
export function expectedFigures(model: LedgerModel, index: number): Record<string, unknown> {
  const agent = model.agent(index);
  const of = (...classes: CreditClass[]) =>
    Object.fromEntries(
      (['granted', 'earned', 'spent', 'locked', 'available'] as const).map((name) => [
        name,
        classes.reduce((sum, asset) => sum + agent[name][asset], 0),
      ]),
    );
  const hadSandbox = agent.granted.sandbox + agent.earned.sandbox > 0;
  return { ...of('promotional', 'paid'), ...(hadSandbox ? { sandbox: of('sandbox') } : {}) };
}
