import { Failure } from '../../../platform/failure.ts';
import { isUrl } from '../../../platform/network/fetch.ts';
import { entriesFrom, logSource } from '../../../platform/tlog/source.ts';
import { CheckpointError, parseCheckpoint } from '../../../proof/log/checkpoint.ts';
import { NoteError, parseNote } from '../../../proof/log/note.ts';
import type { KeyLogCopy } from '../../../proof/log-documents/key-document-verdict.ts';
import { refuseManyKeys } from '../../monitor/keys/key-log-state.ts';

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
