import type { LogName } from '../../proof/log/log-names.ts';
import type { TrustLog } from './lifecycle/open.ts';

/** Returns the newest checkpoint of a log as JSON text, with its entity tag. */
export function latestCheckpoint(
  { log }: { log: TrustLog },
  name: LogName = 'receipts',
): { etag: string; json: string } {
  return log.publisher.latest(name);
}

/**
 * Returns the note of the newest checkpoint of a log. With `cosigned=yes` it is the newest one that the
 * witness policy accepts. Without a policy, or before there is one, it is the newest of all.
 */
export function checkpointNote(
  { log: { publisher } }: { log: TrustLog },
  name: LogName,
  query: { cosigned?: 'yes' | 'no' },
): { note: string; isCosigned: boolean } {
  const { cosigned, newest } = publisher.proofCheckpoints(name, query.cosigned === 'yes');
  const checkpoint = cosigned ?? newest;
  return { note: checkpoint.response.note, isCosigned: publisher.cosigned.isCosigned(checkpoint) };
}
