import packages from '../../../../db/trust/migrations/0022_packages.sql' with { type: 'text' };
import packageReads from '../../../../db/trust/migrations/0073_package_reads.sql' with { type: 'text' };
import type { ModuleEntry } from '../../../platform/module.ts';
import { packagesSettings } from './settings.ts';

/** A module that builds packages. */
export interface PackagingModule extends ModuleEntry {
  packageBuilders(): Promise<object>;
}

/**
 * Packages: signed documents whose statements cite log entries, built in a Worker by the builders that
 * modules register.
 */
export const packagesModule = {
  name: 'packages',
  settings: Object.values(packagesSettings),
  migrations: [
    { name: '0022_packages', sql: packages },
    { name: '0073_package_reads', sql: packageReads },
  ],
  audit: () => import('./audit.ts'),
} satisfies ModuleEntry;
