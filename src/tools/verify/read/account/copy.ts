import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../../../platform/failure.ts';
import { isUrl } from '../../../../platform/network/fetch.ts';
import type { LogSource } from '../../../../platform/tlog/source.ts';
import { type Checkpoint, parseCheckpoint } from '../../../../proof/log/checkpoint.ts';
import { parseNote } from '../../../../proof/log/note.ts';
import { messageOf } from '../../../../proof/log/problem.ts';

const CHECKPOINT = 'accounts/checkpoint';
/** The newest cosigned checkpoint in a directory. The newest of a growing log is usually not cosigned yet. */
const COSIGNED = 'accounts/cosigned-checkpoint';

/**
 * Returns the path of the newest cosigned checkpoint of a log of accounts.
 * @param location a URL or a directory
 */
export function cosignedPath(location: string): string {
  if (isUrl(location)) return `${CHECKPOINT}?cosigned=yes`;
  return existsSync(join(location, COSIGNED)) ? COSIGNED : CHECKPOINT;
}

/**
 * Returns the number of entries in a directory. It proves nothing: it says how long the last bundle is.
 * @throws Failure
 */
export async function sizeIn(source: LogSource): Promise<number> {
  return checkpointIn(await source.read(CHECKPOINT), `${source.location}/${CHECKPOINT}`).size;
}

/** Returns what a checkpoint says, whoever signed it. @param where it is, for messages @throws Failure */
export function checkpointIn(note: Uint8Array, where: string): Checkpoint {
  try {
    return parseCheckpoint(parseNote(note).text);
  } catch (error) {
    throw new Failure(`${where} is not a checkpoint: ${messageOf(error)}`, 'use another copy of the log');
  }
}
