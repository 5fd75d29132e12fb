import { platformSettings, tableOf } from '../platform/config/platform-settings.ts';
import type { Setting } from '../platform/config/setting.ts';
import { type ModuleEntry, settingsOf } from '../platform/module.ts';

/**
 * `keys backup` does not support a witness: its keys must not be restored without its database. The setting
 * `service` never selects a witness, whose start makes no secrets for people.
 */
const {
  service: _service,
  keysPassphrase: _keysPassphrase,
  printSecrets: _printSecrets,
  ...platform
} = platformSettings({
  port: 3002,
  data: 'data/witness',
  allowsMemory: false,
});

/** The settings of a witness that belong to no module. */
export const witnessSettings = platform;

/**
 * Returns all settings of a witness with the given modules. @throws Failure when two settings have the same
 * key
 */
export function witnessSettingsOf(modules: readonly ModuleEntry[]): readonly Setting[] {
  return settingsOf(tableOf(witnessSettings), modules);
}
