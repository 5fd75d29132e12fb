import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isUrl } from '../../../../platform/network/fetch.ts';
import type { LogSource } from '../../../../platform/tlog/source.ts';
import { checkpointIn } from '../closed-copy.ts';

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
