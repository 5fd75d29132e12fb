import { limitSettings, platformSettings, tableOf } from '../platform/config/platform-settings.ts';
import type { Setting } from '../platform/config/setting.ts';
import { settingsOf } from '../platform/module.ts';
import { staffingModules } from './modules.ts';

/** The settings of the staffing service that belong to no capability. */
export const staffingSettings = {
  ...platformSettings({ port: 3001, data: 'data/staffing' }),
  publicPosts: limitSettings().publicPosts,
};

/** All settings of the staffing service. */
export const staffingSettingsTable: readonly Setting[] = settingsOf(
  tableOf(staffingSettings),
  staffingModules,
);
