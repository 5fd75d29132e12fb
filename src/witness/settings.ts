import { platformSettings, tableOf } from '../platform/config/platform-settings.ts';
import type { Setting } from '../platform/config/setting.ts';
import { type ModuleEntry, settingsOf } from '../platform/module.ts';

/** It has no keys for callers, and is no service that others are chosen from. */
const {
  service: _service,
  keysPassphrase: _keysPassphrase,
  ...platform
} = platformSettings({
  port: 3002,
  data: 'data/witness',
});

/** The settings of a witness that belong to no capability. */
export const witnessSettings = platform;

/** All settings of a witness with some modules. @throws Failure for two of one key */
export function witnessSettingsOf(modules: readonly ModuleEntry[]): readonly Setting[] {
  return settingsOf(tableOf(witnessSettings), modules);
}
