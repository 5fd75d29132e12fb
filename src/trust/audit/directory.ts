import { fsckDirectory } from '../../platform/audit/directory.ts';
import { auditedOf } from '../../platform/module.ts';
import { startWorker } from '../../platform/workers/workers.ts';
import { trustDatabase } from '../database.ts';
import { trustModules } from '../modules.ts';

/**
 * Audits a data directory of the trust service by what its modules have audited, and writes what differs.
 * @param all tell every difference, not the first alone
 * @throws Failure where there is no database of the service
 */
export async function fsckTrust(directory: string, all: boolean): Promise<void> {
  const tables = await auditedOf(trustModules);
  const startAuditor = () => startWorker('auditor');
  await fsckDirectory({ database: trustDatabase, tables, startWorker: startAuditor }, directory, all);
}
