import type { Snapshot, Transaction } from '../../../platform/store/transaction.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import type { Principals } from '../../operators/auth/authenticate.ts';
import { type ActLine, type Acts, type PayoutEnd, readActs } from '../../operators/restored/acts-file.ts';
import {
  acceptedLines,
  acceptRestoreIn,
  type RestoreRow,
  requirePendingRestore,
} from '../../operators/restored/pending.ts';
import { deleteKeys, isKey } from '../../operators/status.ts';
import { cutPayoutIn } from './cut.ts';
import { confirmPayoutIn, failPayoutIn, payoutById, restOf } from './queue.ts';
import type { RailContext } from './rail.ts';
import { setSubmitted } from './store.ts';

/** The lines that one transaction compares with the database. */
const BATCH = 200;
/** The most that the result names of each kind. */
const NAMED = 1000;
const FAILED = 'The withdrawal failed before the database was restored from a backup.';

/** The parts of the service that accepting a restore uses. */
export type RestoreContext = RailContext & { directory: string; principals: Principals };

/** What the database lacks of what was done after the backup. */
type Step =
  | { kind: 'known' }
  | { kind: 'delete key'; keyHash: string }
  | { kind: 'end payout'; end: PayoutEnd }
  | { kind: 'unknown payout'; end: PayoutEnd }
  | { kind: 'other end'; end: PayoutEnd };

/** Returns what a restored database lacks, without a change. @throws ApiError invalid_state if none waits */
export async function showRestore(trust: RestoreContext) {
  const pending = await trust.store.read(requirePendingRestore);
  const acts = await readActs(trust.directory);
  const report = newReport(pending, acts);
  const accepted = await trust.store.read((snapshot) => acceptedLines(snapshot, pending, acts?.lines ?? []));
  for (const batch of batchesOf(acts)) {
    await trust.store.read(async (snapshot) => {
      for (const { line, index } of batch) report.add(await stepFor(snapshot, line, index < accepted));
    });
  }
  return report.result;
}

/**
 * Does again what was done after the backup of a restored database: deletes keys, and ends payouts. Then
 * withdrawals, settlements and payouts go on. After a crash it can be repeated.
 * @throws ApiError invalid_state if no restore waits
 */
export async function acceptRestore(trust: RestoreContext) {
  const pending = await trust.store.read(requirePendingRestore);
  const acts = await readActs(trust.directory);
  const report = newReport(pending, acts);
  const accepted = await trust.store.read((snapshot) => acceptedLines(snapshot, pending, acts?.lines ?? []));
  for (const batch of batchesOf(acts)) {
    const steps = await trust.store.writeAsService(async (tx) => {
      const done: Step[] = [];
      for (const { line, index } of batch) {
        const step = await stepFor(tx, line, index < accepted);
        await applyIn(tx, trust, step);
        done.push(step);
      }
      return done;
    });
    for (const step of steps) report.add(step);
  }
  await trust.store.writeAsService((tx) => acceptRestoreIn(tx, trust.clock.now()));
  await trust.acts.written();
  return report.result;
}

/** @param isAccepted whether the line was there when an earlier restore was accepted */
async function stepFor(snapshot: Snapshot, line: ActLine, isAccepted: boolean): Promise<Step> {
  if (line.act === 'key_deleted') {
    const { key_hash: keyHash } = line;
    return (await isKey(snapshot, keyHash)) ? { kind: 'delete key', keyHash } : { kind: 'known' };
  }
  if (line.act !== 'payout_ended') return { kind: 'known' };
  const state = await payoutById(snapshot, line.withdrawal_id);
  // A failed payout has changed nothing that a database without the withdrawal has not.
  if (state === null)
    return line.status === 'failed' || isAccepted ? { kind: 'known' } : { kind: 'unknown payout', end: line };
  const { status } = state.payout;
  if (status === line.status) return { kind: 'known' };
  if (status !== 'confirmed' && status !== 'failed') return { kind: 'end payout', end: line };
  return isAccepted ? { kind: 'known' } : { kind: 'other end', end: line };
}

async function applyIn(tx: Transaction, trust: RestoreContext, step: Step): Promise<void> {
  if (step.kind === 'delete key') {
    await deleteKeys(tx, [step.keyHash]);
    trust.principals.changedIn(tx);
  }
  if (step.kind !== 'end payout') return;
  const { withdrawal_id, status, external_reference } = step.end;
  const state = await payoutById(tx, withdrawal_id);
  if (state === null) return;
  if (status === 'failed' || external_reference === null) return failPayoutIn(tx, trust, state, FAILED);
  // A dispute after the backup held a part.
  const cut = restOf(state).amount - step.end.amount;
  if (cut > 0 && state.payout.status === 'queued') await cutPayoutIn(tx, trust, state, cut, null);
  if (state.payout.status === 'queued') {
    const { payoutSeq } = state.payout;
    await setSubmitted(tx, { payoutSeq, rail: 'manual', updatedAt: trust.clock.now() });
  }
  const submitted = await payoutById(tx, withdrawal_id);
  if (submitted !== null) await confirmPayoutIn(tx, trust, submitted, external_reference);
}

function* batchesOf(acts: Acts | null): Generator<{ line: ActLine; index: number }[]> {
  const lines = (acts?.lines ?? []).map((line, index) => ({ line, index }));
  for (let start = 0; start < lines.length; start += BATCH) yield lines.slice(start, start + BATCH);
}

function newReport({ restoredAt, dataUntil }: RestoreRow, acts: Acts | null) {
  const text = (time: number): string => timestampOf(time);
  const endOf = ({
    withdrawal_id,
    status,
    subject_commitment,
    amount,
    address,
    external_reference,
  }: PayoutEnd) => ({
    withdrawal_id,
    status,
    subject_commitment,
    amount,
    address,
    external_reference,
  });
  const result = {
    restored_at: text(restoredAt),
    data_until: dataUntil === null ? null : text(dataUntil),
    unknown: unknownOf(dataUntil, acts, text),
    unreadable_lines: acts?.unreadable ?? 0,
    deleted_keys: { count: 0, key_hashes: [] as string[] },
    ended_payouts: { count: 0, payouts: [] as ReturnType<typeof endOf>[] },
    unknown_payouts: { count: 0, payouts: [] as ReturnType<typeof endOf>[] },
    other_ends: { count: 0, payouts: [] as ReturnType<typeof endOf>[] },
  };
  return {
    result,
    add(step: Step): void {
      if (step.kind === 'known') return;
      if (step.kind === 'delete key') {
        const { deleted_keys: deleted } = result;
        deleted.count += 1;
        if (deleted.key_hashes.length < NAMED) deleted.key_hashes.push(step.keyHash);
        return;
      }
      const list = {
        'end payout': result.ended_payouts,
        'unknown payout': result.unknown_payouts,
        'other end': result.other_ends,
      }[step.kind];
      list.count += 1;
      if (list.payouts.length < NAMED) list.payouts.push(endOf(step.end));
    },
  };
}

/** Returns between which times deletions of keys and ends of payouts are not known; null for none. */
function unknownOf(dataUntil: number | null, acts: Acts | null, text: (time: number) => string) {
  const begin = acts?.lines.find(({ act }) => act === 'begin');
  const since = dataUntil === null ? null : text(dataUntil);
  if (begin === undefined) return { since, until: null };
  if (dataUntil !== null && Date.parse(begin.at) <= dataUntil) return null;
  return { since, until: begin.at };
}
