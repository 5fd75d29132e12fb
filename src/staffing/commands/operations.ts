import type { Command } from 'commander';
import { operationGroupOf } from '../../platform/operation-group.ts';
import type { StaffingModule } from '../service/module.ts';
import { staffingSettings, staffingSettingsOf } from '../service/settings.ts';

/** Returns a group of commands that perform operations, with or without a running server. */
export function operationGroup(command: Command, modules: readonly StaffingModule[]) {
  const { data, config } = staffingSettings;
  return operationGroupOf(command, [data, config], {
    data,
    settingsOf: staffingSettingsOf,
    modules,
    load: async () => (await import('../service/open-local-app.ts')).localStaffingOpening,
  });
}
