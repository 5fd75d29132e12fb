import { limitSettings, platformSettings, tableOf } from '../platform/config/platform-settings.ts';
import type { Setting } from '../platform/config/setting.ts';
import { type ModuleEntry, settingsOf } from '../platform/module.ts';

/** The settings of the staffing service that belong to no capability. */
export const staffingSettings = {
  ...platformSettings({ port: 3001, data: 'data/staffing' }),
  publicPosts: limitSettings().publicPosts,
};

/** All settings of the staffing service with some modules. @throws Failure for two of one key */
export function staffingSettingsOf(modules: readonly ModuleEntry[]): readonly Setting[] {
  return settingsOf(tableOf(staffingSettings), modules);
}
