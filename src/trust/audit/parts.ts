import { type AuditOptions, fsckDirectory } from '../../platform/audit/directory.ts';
import { Failure } from '../../platform/failure.ts';
import { auditedOf } from '../../platform/module.ts';
import { startWorker } from '../../platform/workers/workers.ts';
import { trustDatabaseOf } from '../service/database.ts';
import type { TrustModule } from '../service/module.ts';

/** The parts of an audit that are several capabilities. Every other part is the capability of its name. */
const SEVERAL: Readonly<Record<string, readonly string[]>> = {
  // Their tables are the ledger, or say what a movement in it was for.
  ledger: ['ledger', 'escrow', 'slashing', 'engagements', 'payments', 'payouts', 'billing'],
};

/** How some parts are audited. */
export interface PartsOptions extends Pick<AuditOptions, 'all' | 'output'> {
  /** True if the result names the parts, and says that the others were not checked. */
  namesParts: boolean;
}

/**
 * Audits some parts of a data directory, and prints the problems.
 * @param names of parts, such as `ledger` and `agora`
 * @throws Failure for a name that is no part, and if the directory has no database of the service
 */
export async function fsckParts(
  modules: readonly TrustModule[],
  directory: string,
  names: readonly string[],
  { all, output, namesParts }: PartsOptions,
): Promise<void> {
  const tables = await auditedOf(modulesOf(modules, names));
  const counted = tables.find(({ rows }) => rows !== undefined && rows.cost > 0)?.rows?.counted;
  await fsckDirectory(
    { database: trustDatabaseOf(modules), tables, startWorker: () => startWorker('auditor', true) },
    directory,
    {
      all,
      output,
      file: false,
      progress: counted ?? 'signatures',
      ...(namesParts && { only: [...new Set(names)] }),
    },
  );
}

/** Returns the modules of some parts, in their order. @throws Failure for a name that is no part */
function modulesOf(modules: readonly TrustModule[], names: readonly string[]): TrustModule[] {
  const audited = modules.filter(({ audit }) => audit !== undefined);
  const known = audited.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new Failure(
      `${JSON.stringify(unknown)} is not a part that fsck audits`,
      `the parts are ${known.toSorted().join(', ')}`,
      2,
    );
  const chosen = names.flatMap((name) => SEVERAL[name] ?? name);
  return audited.filter(({ name }) => chosen.includes(name));
}
