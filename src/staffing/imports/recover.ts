import type { Logger } from 'pino';
import type { Store } from '../../platform/store/store.ts';
import { currentRegistry } from '../registry/current.ts';
import { settleLists } from './deactivations.ts';
import { recover } from './journal.ts';
import { emptyReport, storeReport } from './report.ts';

/**
 * Removes what an import left when its process was killed, and reports the interrupted import once, in the
 * log and as the last import. Every start calls it before the registry is opened.
 */
export async function recoverImports(
  { registryPath, store }: { registryPath: string; store: Store },
  log: Logger,
): Promise<void> {
  const { journal, removed } = recover(registryPath);
  await settleLists({ store }, currentRegistry(registryPath));
  if (journal === null) {
    if (removed.length > 0) log.warn({ removed }, 'temporary files of an import were removed');
    return;
  }
  const { kind, started_at, file } = journal;
  log.warn(
    { kind, started_at, file, removed },
    'the process ended while an import was running; the registry is what it was before or after the import',
  );
  storeReport(registryPath, {
    ...emptyReport(null, started_at),
    kind,
    outcome: 'interrupted',
    files: {
      npi: kind === 'deactivations' ? null : file,
      taxonomy: null,
      deactivated: kind === 'deactivations' ? file : null,
    },
    problem: 'the process ended while the import was running',
    hint: 'compare the date of the registry (countersign registry list), and import the file again if it is older',
  });
}
