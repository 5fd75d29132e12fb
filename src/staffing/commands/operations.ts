import type { Command } from 'commander';
import type { CommandSurroundings } from '../../platform/command-groups.ts';
import { operationGroupOf } from '../../platform/operation-group.ts';
import type { StaffingModule } from '../service/module.ts';
import { staffingSettings, staffingSettingsOf } from '../service/settings.ts';

/** Returns a group of commands that perform operations, with or without a running server. */
export function operationGroup(command: Command, surroundings: CommandSurroundings<StaffingModule>) {
  const { data, config } = staffingSettings;
  return operationGroupOf(command, [data, config], surroundings, {
    data,
    settingsOf: staffingSettingsOf,
    load: async () => (await import('../service/open-local-app.ts')).localStaffingOpening,
  });
}
