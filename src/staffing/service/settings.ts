import {
  apiSettings,
  limitSettings,
  platformSettings,
  tableOf,
} from '../../platform/config/platform-settings.ts';
import type { Setting } from '../../platform/config/setting.ts';
import { type ModuleEntry, settingsOf } from '../../platform/module.ts';

/** The settings of the staffing service that belong to no module. */
export const staffingSettings = {
  ...platformSettings({ port: 3001, data: 'data/staffing', allowsMemory: true }),
  ...limitSettings(),
  ...apiSettings(),
};

/**
 * Returns all settings of the staffing service with the given modules. @throws Failure when two settings have
 * the same key
 */
export function staffingSettingsOf(modules: readonly ModuleEntry[]): readonly Setting[] {
  return settingsOf(tableOf(staffingSettings), modules);
}
