import { fsckDirectory } from '../../platform/audit/directory.ts';
import { auditedOf } from '../../platform/module.ts';
import { startWorker } from '../../platform/workers/workers.ts';
import { trustDatabase } from '../service/database.ts';
import { trustModules } from '../service/modules.ts';

/**
 * Audits the tables of all modules in a data directory of the trust service, and prints the problems.
 * @param all whether to report every problem, not only the first
 * @throws Failure if the directory has no database of the service
 */
export async function fsckTrust(directory: string, all: boolean): Promise<void> {
  const tables = await auditedOf(trustModules);
  const startAuditor = () => startWorker('auditor');
  await fsckDirectory({ database: trustDatabase, tables, startWorker: startAuditor }, directory, {
    all,
    file: true,
    progress: 'signatures',
    output: 'json',
  });
}
