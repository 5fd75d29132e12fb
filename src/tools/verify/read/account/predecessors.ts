import { nativePrimitives } from '../../../../platform/crypto/crypto.ts';
import { Failure } from '../../../../platform/failure.ts';
import { isUrl } from '../../../../platform/network/fetch.ts';
import { type LogSource, logSource } from '../../../../platform/tlog/source.ts';
import { type AccountsTrust, closedCheckpoint } from '../../../../proof/account/account-checkpoint.ts';
import { type KeptCheckpoint, KeptCheckpoints } from '../../../../proof/account/kept-checkpoints.ts';
import { hexToBytes } from '../../../../proof/encoding/hex.ts';
import type { ClosedLog } from '../../../../proof/log/closed-log.ts';
import { checkpointIn, closedLogOf, requireEntries } from '../closed-copy.ts';
import { cosignedPath, sizeIn } from './copy.ts';
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
    const stated = checkpointIn(note, `${source.location}/accounts`);
    const closed = closedLogOf(stated, `${source.location}/accounts`, { log: name, closedLogs });
    if (found.has(closed))
      throw new Failure(`two --predecessor are copies of ${closed.origin}`, 'omit one of them', 2);
    const stored = isUrl(location) ? stated.size : await sizeIn(source);
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
  requireEntries(source.location, closed, { stored, size: largest.size });
  return { source, size: largest.size, root: largest.root, kept: new KeptCheckpoints(kept), stored };
}
