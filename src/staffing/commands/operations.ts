import type { Command } from 'commander';
import type { CommandSurroundings } from '../../platform/command-groups.ts';
import { apiGroupOf, operationGroupOf, serviceGroupOf } from '../../platform/operation-group.ts';
import type { StaffingModule } from '../service/module.ts';
import { staffingSettings, staffingSettingsOf } from '../service/settings.ts';

const { data, allowSharedData, config } = staffingSettings;
const STAFFING = {
  service: 'staffing',
  database: 'staffing.db',
  data,
  allowSharedData,
  config,
  settingsOf: staffingSettingsOf,
  load: async () => (await import('../service/open-local-app.ts')).localStaffingOpening,
} as const;

/** Returns a group of commands that perform operations of a data directory, even while a server runs. */
export const operationGroup = (command: Command, surroundings: CommandSurroundings<StaffingModule>) =>
  operationGroupOf(command, surroundings, STAFFING);

/** Returns a group of commands that perform operations of the API, on a service or on a data directory. */
export const apiGroup = (command: Command, surroundings: CommandSurroundings<StaffingModule>) =>
  apiGroupOf(command, surroundings, STAFFING);

/** Returns a group of commands of a partner, which need its key: its tier and its limits decide. */
export const partnerGroup = (command: Command, surroundings: CommandSurroundings<StaffingModule>) =>
  serviceGroupOf(command, surroundings, STAFFING);
