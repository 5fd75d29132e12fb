import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../platform/time/clock.ts';
import type { RegistryStatus } from './actions.ts';
import { storedReportDate } from './deactivations.ts';
import { registryFiles } from './files.ts';
import { readJournal } from './journal.ts';
import { lastReport } from './report.ts';

/**
 * Returns the state of the registry as the files of a data directory show it: of a directory without a
 * service, and of one that another process has locked without performing actions.
 * @param data the data directory @param database the name of the service's database
 * @param isLocked whether another process has locked the directory, so that an import in the journal runs
 */
export async function statusOfFiles(
  data: string,
  database: string,
  isLocked: boolean,
  clock: Clock,
): Promise<RegistryStatus> {
  const directory = join(data, 'registry');
  const path = join(data, database);
  const files = registryFiles(directory);
  const journal = isLocked ? readJournal(directory) : null;
  return {
    current: files.find(({ state }) => state === 'current') ?? null,
    former: files.find(({ state }) => state === 'former') ?? null,
    deactivations_as_of: existsSync(path) ? await storedReportDate(path) : null,
    running:
      journal === null
        ? null
        : {
            id: '',
            running: true,
            step: 'its process does not say how far it is',
            rows: 0,
            share: 0,
            seconds: Math.max(0, (clock.now() - Date.parse(journal.started_at)) / 1000),
            report: null,
          },
    last_import: lastReport(directory),
  };
}
