import { platformSettings, tableOf } from '../platform/config/platform-settings.ts';
import type { Setting } from '../platform/config/setting.ts';
import { type ModuleEntry, settingsOf } from '../platform/module.ts';

/** A witness has no API keys to protect with a passphrase, and the setting `service` never selects it. */
const {
  service: _service,
  keysPassphrase: _keysPassphrase,
  ...platform
} = platformSettings({
  port: 3002,
  data: 'data/witness',
  allowsMemory: false,
});

/** The settings of a witness that belong to no module. */
export const witnessSettings = platform;

/** Returns all settings of a witness with the given modules. @throws Failure when two settings have the same key */
export function witnessSettingsOf(modules: readonly ModuleEntry[]): readonly Setting[] {
  return settingsOf(tableOf(witnessSettings), modules);
}
