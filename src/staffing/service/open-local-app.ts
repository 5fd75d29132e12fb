import type { Logger } from 'pino';
import type { Config } from '../../platform/config/setting.ts';
import type { OperationApp } from '../../platform/control/operation-app.ts';
import type { ContextOpener } from '../../platform/control/perform.ts';
import { localStaffingApp } from './local-app.ts';
import type { StaffingModule } from './module.ts';
import { staffingOpening } from './service.ts';

/** Returns how a command opens the service for operations when no server uses the data directory. */
export function localStaffingOpening(
  config: Config,
  log: Logger,
  modules: readonly StaffingModule[],
): ContextOpener<OperationApp> {
  const { database, open } = staffingOpening(config, log, modules);
  return {
    database,
    async open(directory) {
      const { context, close } = await open(directory);
      // The command itself reports why an operation failed.
      const silent = log.child({}, { level: 'silent' });
      return { context: localStaffingApp(context, silent), close };
    },
  };
}
