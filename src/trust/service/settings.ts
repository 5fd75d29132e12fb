import {
  apiSettings,
  limitSettings,
  platformSettings,
  tableOf,
} from '../../platform/config/platform-settings.ts';
import { type Setting, toggle } from '../../platform/config/setting.ts';
import { type ModuleEntry, settingsOf } from '../../platform/module.ts';

/** The settings of the trust service that belong to no module. */
export const trustSettings = {
  ...platformSettings({ port: 3000, data: 'data/trust', allowsMemory: true }),
  ...limitSettings(),
  ...apiSettings(),
  readOnly: toggle('read_only', {
    description: 'only serve reads: write nothing, sign nothing, publish no checkpoint',
  }),
};

/**
 * Returns all settings of the trust service with some modules.
 * @throws Failure when two modules define the same key
 */
export function trustSettingsOf(modules: readonly ModuleEntry[]): readonly Setting[] {
  return settingsOf(tableOf(trustSettings), modules);
}
