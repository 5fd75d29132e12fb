import { Failure } from '../../../platform/failure.ts';
import { isUrl } from '../../../platform/network/fetch.ts';
import { entriesFrom, logSource } from '../../../platform/tlog/source.ts';
import { CheckpointError, parseCheckpoint } from '../../../proof/log/checkpoint.ts';
import { readKeyLogEntries } from '../../../proof/log/key-log-entries.ts';
import { closedLogsIn } from '../../../proof/log/log-chain.ts';
import { NoteError, parseNote } from '../../../proof/log/note.ts';
import type { KeyLogCopy } from '../../../proof/log-documents/key-document-verdict.ts';
import type { ClosedKeyLog } from '../../../proof/log-documents/lost-events.ts';
import { refuseManyKeys } from '../../monitor/keys/key-log-state.ts';
import { checkpointIn, closedLogOf, requireEntries } from './closed-copy.ts';

/**
 * Reads a copy of a key log from a directory or a service. It is not verified.
 * @param isCosigned reads the newest checkpoint that witnesses cosigned, where the service has a newer one
 * @throws Failure
 */
export async function readKeyLog(location: string, isCosigned: boolean): Promise<KeyLogCopy> {
  const source = logSource(location);
  const checkpoint = await source.read(
    isCosigned && isUrl(location) ? 'keys/checkpoint?cosigned=yes' : 'keys/checkpoint',
  );
  const size = sizeIn(checkpoint, source.location);
  const entries: Uint8Array[] = [];
  for await (const bundle of entriesFrom(source, 'keys', 0, size)) entries.push(...bundle);
  return { checkpoint, entries };
}

/**
 * Reads copies of the closed logs of keys that a key log continues.
 * @throws Failure for a copy of another log, two copies of one, and a copy that lacks entries
 */
export async function readClosedKeyLogs(
  locations: readonly string[],
  { checkpoint, entries }: KeyLogCopy,
): Promise<ClosedKeyLog[]> {
  const closedLogs = closedLogsIn(readKeyLogEntries(entries).changes).filter(({ log }) => log === 'keys');
  const { origin: log } = checkpointIn(checkpoint, 'keys/checkpoint');
  const read: ClosedKeyLog[] = [];
  for (const location of locations) {
    const copy = await readKeyLog(location, false);
    const where = `${location}/keys/checkpoint`;
    const stated = checkpointIn(copy.checkpoint, where);
    const closed = closedLogOf(stated, where, { log, closedLogs });
    if (read.some(({ origin }) => origin === closed.origin))
      throw new Failure(`two --predecessor are copies of ${closed.origin}`, 'omit one of them', 2);
    requireEntries(location, closed, { stored: stated.size, size: closed.tree_size });
    read.push({ origin: closed.origin, entries: copy.entries });
  }
  return read;
}

function sizeIn(bytes: Uint8Array, location: string): number {
  try {
    const checkpoint = parseCheckpoint(parseNote(bytes).text);
    refuseManyKeys(checkpoint);
    return checkpoint.size;
  } catch (error) {
    if (!(error instanceof NoteError || error instanceof CheckpointError)) throw error;
    throw new Failure(
      `${location}/keys/checkpoint is not a checkpoint: ${error.message}`,
      'specify the directory or the address of the logs with --log',
    );
  }
}
