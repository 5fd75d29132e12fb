/** The table of the kinds of operations that files of their own describe. A new kind needs a line here. */
import type { Kind } from './ledger-kind.ts';
import { AUTHORITY_KINDS, type AuthorityOperation } from './ledger-kinds-authority.ts';
import { DISPUTE_KINDS, type DisputeOperation } from './ledger-kinds-disputes.ts';
import { HIRE_KINDS, type HireOperation } from './ledger-kinds-hires.ts';
import { MONEY_KINDS, type MoneyOperation } from './ledger-kinds-money.ts';
import type { Operation } from './ledger-operations.ts';

export type NewOperation = AuthorityOperation | MoneyOperation | DisputeOperation | HireOperation;

export const KINDS: readonly Kind[] = [...AUTHORITY_KINDS, ...MONEY_KINDS, ...DISPUTE_KINDS, ...HIRE_KINDS];

const BY_TYPE = new Map(KINDS.map((kind) => [kind.type, kind]));

/** Returns the kind of a type; null for one that the simulation itself describes. */
export function findKind(type: Operation['type']): Kind | null {
  return BY_TYPE.get(type) ?? null;
}

export function kindNamed(type: Operation['type']): Kind {
  const kind = BY_TYPE.get(type);
  if (kind === undefined) throw new Error(`no kind of operation is named ${type}`);
  return kind;
}

export const kindOf = ({ type }: Operation): Kind => kindNamed(type);
