import { type AuditedService, fsckDirectory } from '../../platform/audit/directory.ts';
import { repairDirectory } from '../../platform/audit/repair.ts';
import type { Sharing } from '../../platform/data-directory.ts';
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
  await fsckDirectory(await auditedTrust(), directory, { ...EVERYTHING, all });
}

/**
 * Makes the derived tables of a stopped trust service again that are wrong, after a backup.
 * @throws Failure if they follow from what is wrong itself; DataDirectoryError while a server runs
 */
export async function repairTrust(directory: string, sharing: Sharing): Promise<void> {
  await repairDirectory(await auditedTrust(), directory, { ...EVERYTHING, sharing });
}

const EVERYTHING = { file: true, progress: 'signatures', output: 'json' } as const;

async function auditedTrust(): Promise<AuditedService> {
  const tables = await auditedOf(trustModules);
  return { database: trustDatabase, tables, startWorker: () => startWorker('auditor') };
}
