import { type AuditOptions, fsckDirectory } from '../../platform/audit/directory.ts';
import { auditedOf } from '../../platform/module.ts';
import { startWorker } from '../../platform/workers/workers.ts';
import { trustDatabaseOf } from '../service/database.ts';
import type { TrustModule } from '../service/module.ts';

/** The capabilities whose tables are the ledger, or say what a movement in it was for. */
const CHECKED = ['ledger', 'escrow', 'slashing', 'engagements', 'payments', 'payouts', 'billing'];

/**
 * Audits the ledger of a data directory, and prints the problems.
 * @throws Failure if the directory has no database of the service
 */
export async function checkLedger(
  modules: readonly TrustModule[],
  directory: string,
  { all, output }: Pick<AuditOptions, 'all' | 'output'>,
): Promise<void> {
  const tables = await auditedOf(modules.filter(({ name }) => CHECKED.includes(name)));
  await fsckDirectory(
    { database: trustDatabaseOf(modules), tables, startWorker: () => startWorker('auditor', true) },
    directory,
    { all, output, file: false, progress: 'movements' },
  );
}
