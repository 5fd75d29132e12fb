import { nativePrimitives } from '../../platform/crypto.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import {
  type KeyEntry,
  keyEntryText,
  type ReceiptEntry,
  type RevocationEntry,
  receiptEntryText,
  revocationEntryText,
} from '../../proof/log/log-entry.ts';
import { leafHash } from '../../proof/log/merkle.ts';
import { FIRST_LEAF, type Logs } from './logs.ts';
import { type KeyEvent, type LogRow, logSql } from './store.ts';
import { completeTilesIn } from './tree.ts';

/** A signed version of a receipt, by its row. */
export interface VersionPlace {
  receiptSeq: number;
  version: number;
}

const utf8 = new TextEncoder();

/** The hash of a leaf whose entry is this text (RFC 6962 section 2.1). */
export function leafHashOf(entry: string): Uint8Array {
  return leafHash(nativePrimitives, utf8.encode(entry));
}

/** Logs a finalization, in the transaction that makes it. @returns the leaf's index */
export function logReceiptIn(
  tx: Transaction,
  { receipts }: Logs,
  place: VersionPlace,
  entry: ReceiptEntry,
): number {
  return appendVersionIn(tx, receipts, 'receipts', place, receiptEntryText(entry));
}

/** Logs a revocation, in the transaction that makes it. @returns the leaf's index */
export function logRevocationIn(
  tx: Transaction,
  { revocations }: Logs,
  place: VersionPlace,
  entry: RevocationEntry,
): number {
  return appendVersionIn(tx, revocations, 'revocations', place, revocationEntryText(entry));
}

/** Logs what became of a signing key, in the transaction that makes it so. @returns the leaf's index */
export function logKeyIn(
  tx: Transaction,
  { keys }: Logs,
  keySeq: number,
  event: KeyEvent,
  entry: KeyEntry,
): number {
  const text = keyEntryText(entry);
  const { leafSeq } = logSql(tx).insertKeyLeaf.get({
    keySeq,
    event,
    leafHash: leafHashOf(text),
    entry: text,
  });
  return placedIn(tx, keys, leafSeq);
}

/** Whether a write failed because the log holds a leaf for this receipt already. */
export function isAlreadyLogged(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^UNIQUE constraint failed: (?:receipt|revocation)_leaf\.receipt_seq$/.test(error.message)
  );
}

function appendVersionIn(
  tx: Transaction,
  log: LogRow,
  name: 'receipts' | 'revocations',
  { receiptSeq, version }: VersionPlace,
  text: string,
): number {
  const leaf = { receiptSeq, version, leafHash: leafHashOf(text), entry: null };
  return placedIn(tx, log, logSql(tx).receiptLeaves[name].insert.get(leaf).leafSeq);
}

function placedIn(tx: Transaction, log: LogRow, leafSeq: number): number {
  const index = leafSeq - FIRST_LEAF;
  completeTilesIn(tx, log, index);
  return index;
}
