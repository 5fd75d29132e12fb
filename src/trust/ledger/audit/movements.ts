import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import { detailHash, entryHash, entryId, OF_LOCKED } from '../../../proof/ledger/journal-entry.ts';
import type { Problem } from '../../../proof/log/problem.ts';
import { accountName, mayBeNegative } from '../accounts.ts';
import { openingEntries } from '../journal-entries.ts';
import { lastBeforeJournals, openingsOf } from '../store.ts';
import { accountStates, type MovementRow, movementRows, type NamedTable, nameOf } from './store.ts';
import { accountKey, holderKey, ownersTable, structureProblem } from './structure.ts';

/** The last time of ECMAScript, in milliseconds since 1970. */
const LAST_TIME = 8.64e15;

type Report = (what: string, values?: Partial<Problem>) => void;

/** An account of a movement. */
interface Side {
  /** The start of its columns' names. The payer is the agent whose locked credits went to others. */
  name: 'debit' | 'credit' | 'payer';
  kind: string;
  owner: number;
  /** The balance after the movement. */
  after: number | null;
  hash: string | null;
  prev: number | null;
}

/** The end of a journal. */
interface JournalEnd {
  /** null before the first entry. */
  head: string | null;
  /** Of a pool, the number of entries. */
  entries: number;
}

/**
 * Checks movements one after the other. It keeps the balance of each account and the end of each agent's
 * journal. When an account first appears, it reads them from the rows before the range. After a problem it
 * continues with the stored values, so that one wrong row is one problem.
 */
export class MovementChecker {
  private readonly balances = new Map<number, number>();
  /** The newest movement of each account. */
  private readonly lasts = new Map<number, number | null>();
  /** The newest movement of each account before the range; null before its first. */
  private readonly starts = new Map<number, number | null>();
  private readonly journals = new Map<number, JournalEnd>();
  private readonly names: Readonly<Record<NamedTable, Map<number, string | null>>> = {
    agent: new Map(),
    operator: new Map(),
    receipt: new Map(),
  };
  private previous: Pick<MovementRow, 'transactionId' | 'ordinal' | 'createdAt'> | null = null;

  private constructor(
    private readonly snapshot: Snapshot,
    private readonly after: number,
    /** The newest movement from before journals were complete. */
    private readonly complete: number,
  ) {}

  /** Returns a checker for the movements with numbers above `after`. */
  static async startingAfter(snapshot: Snapshot, after: number): Promise<MovementChecker> {
    const complete = (await lastBeforeJournals(snapshot)) ?? 0;
    const checker = new MovementChecker(snapshot, after, complete);
    checker.previous = (await movementRows(snapshot, { after: after - 1, reach: after })).at(0) ?? null;
    return checker;
  }

  /** The accounts that appeared in the range so far. */
  get accounts(): number {
    return this.balances.size;
  }

  /** Returns the problems of movements, which follow those of the last call. */
  async problemsOf(rows: readonly MovementRow[]): Promise<Problem[]> {
    const problems: Problem[] = [];
    for (const row of rows) {
      const missing = this.load(row);
      // Nearly all rows need nothing, and an await for each would cost as much as the checks.
      if (missing !== null) await missing;
      this.check(row, (what, values = {}) => {
        problems.push({
          table: 'movement',
          row: { movement_seq: row.movementSeq },
          id: row.transactionId,
          what,
          ...values,
        });
      });
      this.previous = row;
    }
    return problems;
  }

  private check(row: MovementRow, report: Report): void {
    this.checkTransaction(row, report);
    const structure = structureProblem(row);
    if (structure !== null) report(structure);
    const { debitKind, debitOwner, debitAfter, debitHash, debitPrev } = row;
    const { creditKind, creditOwner, creditAfter, creditHash, creditPrev } = row;
    const debit: Side = {
      name: 'debit',
      kind: debitKind,
      owner: debitOwner,
      after: debitAfter,
      hash: debitHash,
      prev: debitPrev,
    };
    const credit: Side = {
      name: 'credit',
      kind: creditKind,
      owner: creditOwner,
      after: creditAfter,
      hash: creditHash,
      prev: creditPrev,
    };
    const payer = payerOf(row);
    const hasPayer = row.movementSeq > this.complete && isSpentLock(row);
    if (hasPayer !== (payer !== null))
      report(hasPayer ? 'payer_hash is missing' : 'no agent has an entry for payer_hash');
    const sides = payer === null ? [debit, credit] : [debit, credit, payer];
    for (const side of sides) this.checkPrevious(row, side, report);
    this.checkBalance(row, debit, -row.amount, report);
    this.checkBalance(row, credit, row.amount, report);
    if (payer !== null) this.checkBalance(row, payer, 0, report);
    this.checkEntries(row, debit, credit, payer, report);
  }

  /** Checks that a transaction's movements are numbered from 0, and have one time and a well-formed id. */
  private checkTransaction(row: MovementRow, report: Report): void {
    const { previous } = this;
    const continues = previous !== null && previous.transactionId === row.transactionId;
    const expected = continues ? previous.ordinal + 1 : 0;
    if (row.ordinal !== expected) {
      report('ordinal is not the number of the movement in its transaction', {
        expected: String(expected),
        found: String(row.ordinal),
      });
    }
    if (continues && previous.createdAt !== row.createdAt)
      report('created_at differs from the other movements of its transaction');
    if (!row.transactionId.endsWith('0')) report('the last four bits of transaction_id are not 0');
  }

  private checkPrevious({ movementSeq }: MovementRow, { name, kind, owner, prev }: Side, report: Report) {
    const key = holderKey(kind, owner);
    if (key === null) return;
    const expected = this.lasts.get(key) ?? null;
    if (expected !== prev) {
      report(`${name}_prev is not the last movement of the account before it`, {
        expected: String(expected),
        found: String(prev),
      });
    }
    this.lasts.set(key, movementSeq);
  }

  private checkBalance(row: MovementRow, { name, kind, owner, after }: Side, change: number, report: Report) {
    const key = accountKey(kind, owner, row.asset);
    if (key === null) return;
    const expected = (this.balances.get(key) ?? 0) + change;
    if (expected !== after) {
      report(`${name}_after does not follow from the last balance of the account and the amount`, {
        expected: String(expected),
        found: String(after),
      });
    }
    if (after !== null && after < 0 && !mayBeNegative(kind))
      report(`${name}_after is below zero`, { found: String(after) });
    this.balances.set(key, after ?? expected);
  }

  private checkEntries(
    row: MovementRow,
    debit: Side,
    credit: Side,
    payer: Side | null,
    report: Report,
  ): void {
    const [debtor, creditor] = [this.ownerOf(debit, report), this.ownerOf(credit, report)];
    const receiptId = row.receiptSeq === null ? null : (this.names.receipt.get(row.receiptSeq) ?? null);
    if (receiptId === null && row.receiptSeq !== null)
      report(`there is no receipt (receipt_seq ${row.receiptSeq})`);
    if (receiptId !== null && row.kind === 'METER' && row.reference !== receiptId) {
      report('reference is not the receipt that it paid', {
        expected: receiptId,
        found: row.reference ?? 'null',
      });
    }
    const isTime = row.createdAt <= LAST_TIME;
    if (!isTime) report('created_at is not a time', { found: String(row.createdAt) });
    const isNamed = debtor !== null && creditor !== null && isTime;
    let common: Common | null = null;
    let pools = 0;
    for (const side of payer === null ? [debit, credit] : [debit, credit, payer]) {
      const { name, kind, owner } = side;
      if (kind !== 'agent' && side.hash !== null)
        report(`${name}_hash belongs to an account without a journal`);
      const isPool = kind === 'pool' && row.movementSeq > this.complete;
      if (isPool) pools += 1;
      const key = isPool || kind === 'agent' ? holderKey(kind, owner) : null;
      if (key === null) continue;
      const hash = isPool ? row.poolHash : side.hash;
      const journal = this.journals.get(key) ?? { head: null, entries: 0 };
      if (isNamed) {
        common ??= commonOf(row, debtor, creditor, receiptId);
        const ownerName = (isPool ? this.names.operator : this.names.agent).get(owner) ?? '';
        this.checkEntry(row, side, ownerName, common, { expected: journal.head, hash }, report);
      }
      if (isPool && row.poolEntry !== journal.entries + 1)
        report("pool_entry is not the number of the pool's entry", {
          expected: String(journal.entries + 1),
          found: String(row.poolEntry),
        });
      this.journals.set(key, { head: hash, entries: isPool ? (row.poolEntry ?? 0) : 0 });
    }
    if (pools === 0 && row.poolHash !== null) report('no pool has an entry for pool_hash');
  }

  /** Returns the name of the account's owner as it is in journals; null if the owner does not exist. */
  private ownerOf({ name: direction, kind, owner }: Side, report: Report): string | null {
    const table = ownersTable(kind);
    if (table === null) {
      if (owner !== 0)
        report(`${direction}_owner of an account of the service is not 0`, { found: String(owner) });
      return kind;
    }
    const name = this.names[table].get(owner) ?? null;
    if (name === null) report(`there is no ${table} (${table}_seq ${owner}) for its ${direction} account`);
    return name === null ? null : accountName(kind, name);
  }

  private checkEntry(
    row: MovementRow,
    { name, kind, after }: Side,
    ownerName: string,
    { detail, createdAt }: Common,
    { expected: head, hash }: { expected: string | null; hash: string | null },
    report: Report,
  ): void {
    const direction = name === 'credit' ? 'credit' : 'debit';
    const owner = kind === 'pool' ? { operator_id: ownerName } : { subject_commitment: ownerName };
    const expected = entryHash(nativePrimitives, owner, {
      entry_id: entryId(row.transactionId, row.ordinal, direction),
      kind: row.kind,
      asset: row.asset,
      amount: row.amount,
      direction,
      of: name === 'payer' ? OF_LOCKED : undefined,
      balance_after: after ?? 0,
      created_at: createdAt,
      detail_hash: detail,
      prev_entry_hash: head,
    });
    if (hash === expected) return;
    const column = kind === 'pool' ? 'pool' : name;
    report(`${column}_hash is not the hash of the ${kind}'s entry`, { expected, found: hash ?? 'null' });
  }

  /** Reads what the check of a row needs and earlier rows did not read; null if nothing is missing. */
  private load(row: MovementRow): Promise<unknown> | null {
    const { asset, debitKind, debitOwner, debitPrev, creditKind, creditOwner, creditPrev, receiptSeq } = row;
    const loads = [
      this.loadAccount(debitKind, debitOwner, asset, debitPrev),
      this.loadAccount(creditKind, creditOwner, asset, creditPrev),
      receiptSeq === null ? null : this.loadName('receipt', receiptSeq),
      row.payerHash === null ? null : this.loadAccount('agent', debitOwner, asset, row.payerPrev),
    ];
    return loads.every((one) => one === null) ? null : Promise.all(loads);
  }

  private loadAccount(
    kind: string,
    owner: number,
    asset: string,
    prev: number | null,
  ): Promise<unknown> | null {
    const key = accountKey(kind, owner, asset);
    if (key === null || this.balances.has(key)) return null;
    const table = ownersTable(kind);
    return Promise.all([
      this.loadState(kind, owner, asset, key, prev),
      table === null ? null : this.loadName(table, owner),
    ]);
  }

  private loadName(table: NamedTable, seq: number): Promise<void> | null {
    const names = this.names[table];
    if (names.has(seq)) return null;
    return nameOf(this.snapshot, table, seq).then((name) => void names.set(seq, name));
  }

  /** Reads the last balance of an account before the range, and the end of an agent's journal. */
  private async loadState(
    kind: string,
    owner: number,
    asset: string,
    key: number,
    prev: number | null,
  ): Promise<void> {
    const holder = holderKey(kind, owner);
    // If another asset of the account has appeared in the range, its list begins at the start of the range.
    const isFirst = holder !== null && !this.lasts.has(holder) && !this.starts.has(holder);
    if (isFirst) this.starts.set(holder, prev !== null && prev <= this.after ? prev : null);
    const start = holder === null ? null : (this.starts.get(holder) ?? null);
    if (isFirst) this.lasts.set(holder, start);
    if (isFirst && kind === 'pool') await this.openPool(holder, owner);
    // Usually the last movement of the account has the asset. Otherwise more and more rows are read at once,
    // back to the last range with this account and asset. So all ranges together read each row once.
    let newest = start;
    for (let limit = 1; newest !== null; limit *= 16) {
      const states = await accountStates(this.snapshot, { kind, owner, newest, limit });
      const [first] = states;
      if (isFirst && newest === start && holder !== null && first !== undefined && first.hash !== null)
        this.journals.set(holder, { head: first.hash, entries: first.entry ?? 0 });
      const last = states.find((state) => state.asset === asset);
      if (last !== undefined) {
        this.balances.set(key, last.balance);
        return;
      }
      newest = states.at(-1)?.prev ?? null;
    }
    this.balances.set(key, 0);
  }

  /** Reads the first entries of a pool that had credits before it had a journal. */
  private async openPool(holder: number, owner: number): Promise<void> {
    const rows = await openingsOf(this.snapshot, { kind: 'pool', ownerSeq: owner });
    if (rows.length === 0) return;
    await this.loadName('operator', owner);
    const entries = openingEntries(this.names.operator.get(owner) ?? '', rows);
    this.journals.set(holder, { head: entries.at(-1)?.entryHash ?? null, entries: entries.length });
  }
}

/** What all entries of a movement have in common. */
interface Common {
  detail: string;
  /** RFC 3339. */
  createdAt: string;
}

function commonOf(row: MovementRow, debtor: string, creditor: string, receiptId: string | null): Common {
  const { memo, reference, salt } = row;
  return {
    detail: detailHash(nativePrimitives, { creditor, debtor, memo, receipt_id: receiptId, reference, salt }),
    createdAt: timestampOf(row.createdAt),
  };
}

/** Returns whether locked credits of an agent went to another account. */
function isSpentLock({ debitKind, debitOwner, creditKind, creditOwner }: MovementRow): boolean {
  return debitKind === 'locked' && !(creditKind === 'agent' && creditOwner === debitOwner);
}

/** Returns the agent whose locked credits another account received; null if it has no entry. */
function payerOf({ debitOwner, payerAfter, payerHash, payerPrev }: MovementRow): Side | null {
  if (payerHash === null) return null;
  return {
    name: 'payer',
    kind: 'agent',
    owner: debitOwner,
    after: payerAfter,
    hash: payerHash,
    prev: payerPrev,
  };
}
