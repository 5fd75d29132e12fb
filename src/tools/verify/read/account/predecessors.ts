import { nativePrimitives } from '../../../../platform/crypto/crypto.ts';
import { Failure } from '../../../../platform/failure.ts';
import { isUrl } from '../../../../platform/network/fetch.ts';
import { type LogSource, logSource } from '../../../../platform/tlog/source.ts';
import { type AccountsTrust, closedCheckpoint } from '../../../../proof/account/account-checkpoint.ts';
import { type KeptCheckpoint, KeptCheckpoints } from '../../../../proof/account/kept-checkpoints.ts';
import { hexToBytes } from '../../../../proof/encoding/hex.ts';
import type { ClosedLog } from '../../../../proof/log/closed-log.ts';
import { checkpointIn, cosignedPath, sizeIn } from './copy.ts';
import { checkpointsFrom } from './kept-checkpoints.ts';
import type { AccountsLog } from './log-cursor.ts';

/** A closed log, and the copy from which it is read. */
export interface ReadPredecessor {
  closed: ClosedLog;
  log: AccountsLog;
}

/**
 * Prepares the reading of copies of closed logs. Only what the list of keys says of a closed log decides how
 * many entries it had; the checkpoints that the quorum cosigned bound the times of its leaves, and must not
 * be larger.
 *
 * @param locations directories and URLs
 * @param closedLogs the closed logs that the newest log continues, oldest first
 * @returns those with a copy, in the same order
 * @throws Failure for a copy of another log, two copies of one, and a copy that lacks entries
 */
export async function readPredecessors(
  locations: readonly string[],
  { name, closedLogs }: { name: string; closedLogs: readonly ClosedLog[] },
  trust: AccountsTrust,
): Promise<ReadPredecessor[]> {
  const found = new Map<ClosedLog, AccountsLog>();
  for (const location of locations) {
    const source = logSource(location);
    const note = await source.read(cosignedPath(location));
    const { origin, size } = checkpointIn(note, `${source.location}/accounts`);
    const closed = closedLogs.find((one) => one.origin === origin);
    if (closed === undefined)
      throw new Failure(
        `${source.location} is a copy of ${origin}, and the list of keys names no closed log of accounts of this name that ${name} continues`,
        'check --predecessor, and get the list of keys again',
      );
    if (found.has(closed))
      throw new Failure(`two --predecessor are copies of ${origin}`, 'omit one of them', 2);
    const stored = isUrl(location) ? size : await sizeIn(source);
    found.set(closed, await closedLogIn(location, { source, closed, note, stored }, trust));
  }
  return closedLogs.flatMap((closed) => {
    const log = found.get(closed);
    return log === undefined ? [] : [{ closed, log }];
  });
}

async function closedLogIn(
  location: string,
  {
    source,
    closed,
    note,
    stored,
  }: { source: LogSource; closed: ClosedLog; note: Uint8Array; stored: number },
  trust: AccountsTrust,
): Promise<AccountsLog> {
  const judge = (one: Uint8Array): KeptCheckpoint | null => {
    const checkpoint = closedCheckpoint(nativePrimitives, one, closed, trust);
    if (checkpoint === null || !('problem' in checkpoint)) return checkpoint;
    throw new Failure(
      `${source.location}: ${checkpoint.problem}`,
      'keep the copy: it proves that the list is false',
    );
  };
  const own = judge(note);
  const kept = [...(own === null ? [] : [own]), ...(await checkpointsFrom(location, judge))];
  const end = { size: closed.tree_size, root: hexToBytes(closed.root_hash) };
  // Where nothing is certain, the quorum can have cosigned more than the list knows of.
  const largest = kept.reduce<typeof end>((most, one) => (one.size > most.size ? one : most), end);
  if (largest.size > stored)
    throw new Failure(
      `the copy of ${closed.origin} in ${source.location} has ${stored} of its ${largest.size} entries`,
      'use a copy that was made after the last one',
    );
  return { source, size: largest.size, root: largest.root, kept: new KeptCheckpoints(kept), stored };
}
