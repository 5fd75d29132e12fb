import { ACCOUNT_KINDS, ASSETS, CREDIT_CLASSES, MOVEMENT_KINDS } from '../../../../db/trust/ledger-enums.ts';
import type { AccountKind, Asset, MovementKind } from '../accounts.ts';
import type { MovementRow } from './store.ts';

/** The owners of the two accounts of a movement: the same agent's, or two different ones. */
type Owners = 'same' | 'different';

/** The accounts that a kind of movement debits and credits. */
interface Path {
  from: AccountKind;
  to: AccountKind;
  /** Without it, the owners are not compared: the accounts belong to owners of different sorts. */
  owners?: Owners;
}

/** The accounts that each kind of movement may debit and credit. */
const PATHS: Readonly<Record<MovementKind, readonly Path[]>> = {
  OPERATOR_GRANT: [{ from: 'pool', to: 'agent' }],
  TASK_PAYMENT: [{ from: 'agent', to: 'agent', owners: 'different' }],
  PEER_GIFT: [{ from: 'agent', to: 'agent', owners: 'different' }],
  LOCK: [{ from: 'agent', to: 'locked', owners: 'same' }],
  UNLOCK: [{ from: 'locked', to: 'agent', owners: 'same' }],
  ESCROW_RELEASE: [{ from: 'locked', to: 'agent', owners: 'different' }],
  METER: [
    { from: 'agent', to: 'revenue' },
    { from: 'pool', to: 'revenue' },
  ],
  SPEND: [
    { from: 'agent', to: 'revenue' },
    { from: 'pool', to: 'revenue' },
  ],
  SETTLEMENT: [
    { from: 'issuance', to: 'agent' },
    { from: 'issuance', to: 'pool' },
    { from: 'issuance', to: 'stake' },
  ],
  WITHDRAWAL: [{ from: 'locked', to: 'issuance' }],
  SLASH: [{ from: 'stake', to: 'slashed' }],
  ADJUSTMENT: [
    { from: 'issuance', to: 'pool' },
    { from: 'pool', to: 'issuance' },
    { from: 'issuance', to: 'stake' },
    { from: 'stake', to: 'issuance' },
    { from: 'receivable', to: 'issuance' },
    { from: 'pool', to: 'receivable', owners: 'same' },
    { from: 'stake', to: 'receivable', owners: 'same' },
    { from: 'agent', to: 'pool' },
    { from: 'agent', to: 'unclaimed' },
    { from: 'unclaimed', to: 'agent' },
  ],
};

/** The accounts that have only some assets. All other accounts can have every asset. */
const ASSETS_OF: Readonly<Partial<Record<AccountKind, readonly Asset[]>>> = {
  stake: ['cents', 'sandbox_cents'],
  slashed: ['cents'],
  pool: CREDIT_CLASSES,
  agent: CREDIT_CLASSES,
  locked: CREDIT_CLASSES,
  unclaimed: CREDIT_CLASSES,
};

/** The accounts whose owner is the service itself. */
const OF_SERVICE: ReadonlySet<string> = new Set<AccountKind>(['issuance', 'revenue', 'slashed', 'unclaimed']);

/** Returns the table with the name of an account's owner; null for accounts of the service. */
export function ownersTable(kind: string): 'agent' | 'operator' | null {
  if (OF_SERVICE.has(kind)) return null;
  return kind === 'agent' || kind === 'locked' ? 'agent' : 'operator';
}

const kinds: ReadonlySet<string> = new Set(MOVEMENT_KINDS);
const accountKinds = new Map<string, number>(ACCOUNT_KINDS.map((kind, at) => [kind, at]));
const assets = new Map<string, number>(ASSETS.map((asset, at) => [asset, at]));

function isMovementKind(kind: string): kind is MovementKind {
  return kinds.has(kind);
}

function isAccountKind(kind: string): kind is AccountKind {
  return accountKinds.has(kind);
}

/** More than there are assets and kinds of accounts. Both are powers of 2. */
const [ASSET_KEYS, KIND_KEYS] = [8, 16];

/** Returns a number that is different for each account and asset; null for an unknown kind or asset. */
export function accountKey(kind: string, owner: number, asset: string): number | null {
  const [kindAt, assetAt] = [accountKinds.get(kind), assets.get(asset)];
  return kindAt === undefined || assetAt === undefined
    ? null
    : (owner * KIND_KEYS + kindAt) * ASSET_KEYS + assetAt;
}

/** No kind of account has this number: the key is of the entries in an agent's journal. */
const JOURNAL_KEY = KIND_KEYS - 1;

/** Returns the key of what the entries of an agent's journal add up to; null for an unknown asset. */
export function journalKey(agent: number, asset: string): number | null {
  const assetAt = assets.get(asset);
  return assetAt === undefined ? null : (agent * KIND_KEYS + JOURNAL_KEY) * ASSET_KEYS + assetAt;
}

/** Returns whether a key is of a journal. */
export function isJournalKey(key: number): boolean {
  return Math.floor(key / ASSET_KEYS) % KIND_KEYS === JOURNAL_KEY;
}

/** Returns a number that is different for each account; null for an unknown kind. */
export function holderKey(kind: string, owner: number): number | null {
  const kindAt = accountKinds.get(kind);
  return kindAt === undefined ? null : owner * KIND_KEYS + kindAt;
}

/** Returns the account and asset of a key. */
export function accountOf(key: number): { kind: AccountKind; owner: number; asset: Asset } {
  const account = Math.floor(key / ASSET_KEYS);
  const [asset, kind] = [ASSETS[key % ASSET_KEYS], ACCOUNT_KINDS[account % KIND_KEYS]];
  if (asset === undefined || kind === undefined) throw new RangeError(`${key} is not the key of an account`);
  return { kind, asset, owner: Math.floor(account / KIND_KEYS) };
}

/** Returns what is wrong with the kind, asset and accounts of a movement; null if they fit together. */
export function structureProblem(row: MovementRow): string | null {
  const { kind, asset, debitKind, debitOwner, creditKind, creditOwner } = row;
  if (!isMovementKind(kind)) return `there is no kind of movement ${kind}`;
  if (!assets.has(asset)) return `there is no asset ${asset}`;
  for (const account of [debitKind, creditKind]) {
    if (!isAccountKind(account)) return `there is no kind of account ${account}`;
    if (ASSETS_OF[account]?.some((only) => only === asset) === false)
      return `an account of kind ${account} never has ${asset}`;
  }
  const owners: Owners = debitOwner === creditOwner ? 'same' : 'different';
  const fits = PATHS[kind].some(
    (path) =>
      path.from === debitKind &&
      path.to === creditKind &&
      (path.owners === undefined || path.owners === owners),
  );
  if (fits) return null;
  const ownersText =
    debitKind === creditKind || kind.includes('LOCK')
      ? ` of ${owners === 'same' ? 'one owner' : 'two owners'}`
      : '';
  return `${kind} never moves anything from ${debitKind} to ${creditKind}${ownersText}`;
}
