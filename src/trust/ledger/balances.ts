import type { Snapshot } from '../../platform/store/transaction.ts';
import { type Account, type Asset, type CreditClass, creditClassOf } from './accounts.ts';
import { byClass, type Portions } from './portions.ts';
import { type AccountFigures, agentAccounts, availableByCommitment } from './posting-store.ts';
import { balancesOf } from './store.ts';

/** An agent's figures. available = granted + earned − spent − locked. */
export interface Figures {
  granted: number;
  earned: number;
  spent: number;
  locked: number;
  available: number;
}

/** An agent's public figures: paid and promotional credits together, and sandbox credits if it had any. */
export interface PublicFigures extends Figures {
  sandbox?: Figures;
}

const NOTHING: Figures = { granted: 0, earned: 0, spent: 0, locked: 0, available: 0 };

/** Returns an agent's figures of each class of credits. */
export async function creditFigures(
  snapshot: Snapshot,
  agentSeq: number,
): Promise<Record<CreditClass, Figures>> {
  return figuresOf(await agentAccounts(snapshot, agentSeq));
}

/** Returns an agent's public figures. */
export async function publicFigures(snapshot: Snapshot, agentSeq: number): Promise<PublicFigures> {
  return publicFiguresOf(await creditFigures(snapshot, agentSeq));
}

/**
 * Returns an agent's public figures by its commitment; null for an unknown agent.
 * @param commitment 64 lower-case hexadecimal characters
 */
export async function publicFiguresByCommitment(
  snapshot: Snapshot,
  commitment: string,
): Promise<PublicFigures | null> {
  const rows = await availableByCommitment(snapshot, commitment);
  return rows === null ? null : publicFiguresOf(figuresOf(rows));
}

/** Computes `locked` from the other figures, which saves a read of its account. The audit compares both. */
function figuresOf(rows: readonly AccountFigures[]): Record<CreditClass, Figures> {
  const figures = byClass(() => NOTHING);
  for (const { asset, balance: available, granted, earned, spent } of rows) {
    const name = creditClassOf(asset);
    if (name === null) continue;
    figures[name] = { granted, earned, spent, locked: granted + earned - spent - available, available };
  }
  return figures;
}

function publicFiguresOf({ promotional, paid, sandbox }: Record<CreditClass, Figures>): PublicFigures {
  const sums = {
    granted: promotional.granted + paid.granted,
    earned: promotional.earned + paid.earned,
    spent: promotional.spent + paid.spent,
    locked: promotional.locked + paid.locked,
    available: promotional.available + paid.available,
  };
  const hasSandbox = sandbox.granted > 0 || sandbox.earned > 0;
  return hasSandbox ? { ...sums, sandbox } : sums;
}

/** Returns the credits of an account, of each class. */
export async function creditsIn(
  snapshot: Snapshot,
  { kind, ownerSeq }: Pick<Account, 'kind' | 'ownerSeq'>,
): Promise<Portions> {
  const rows = await balancesOf(snapshot, { kind, ownerSeq });
  return byClass((name) => rows.find(({ asset }) => asset === name)?.balance ?? 0);
}

/** Returns what an account has of each asset that it ever had. What is owed is below zero. */
export async function balancesIn(
  snapshot: Snapshot,
  { kind, ownerSeq }: Pick<Account, 'kind' | 'ownerSeq'>,
): Promise<ReadonlyMap<Asset, number>> {
  return new Map(
    (await balancesOf(snapshot, { kind, ownerSeq })).map(({ asset, balance }) => [asset, balance]),
  );
}

/** Returns an operator's stake, in US cents. What sandbox money paid is not part of it. */
export async function stakeCents(snapshot: Snapshot, operatorSeq: number): Promise<number> {
  return (await stakesOf(snapshot, operatorSeq)).cents;
}

/** Returns an operator's stake and what sandbox money paid for a stake, both in US cents. */
export async function stakesOf(
  snapshot: Snapshot,
  operatorSeq: number,
): Promise<{ cents: number; sandboxCents: number }> {
  const rows = await balancesOf(snapshot, { kind: 'stake', ownerSeq: operatorSeq });
  const of = (name: Asset) => rows.find(({ asset }) => asset === name)?.balance ?? 0;
  return { cents: of('cents'), sandboxCents: of('sandbox_cents') };
}
