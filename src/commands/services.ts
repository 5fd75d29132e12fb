import { resolve } from 'node:path';
import type { Command } from 'commander';
import { addFlags, flagValue, settled } from '../platform/config/command-line.ts';
import { readConfigFile } from '../platform/config/file.ts';
import type { Resolved } from '../platform/config/resolve.ts';
import type { Documented } from '../platform/config/setting.ts';
import { Failure } from '../platform/failure.ts';
import type { ServiceKind } from '../platform/service.ts';
import { staffingKind } from '../staffing/kind.ts';
import { trustKind } from '../trust/kind.ts';
import { witnessSettingsTable } from '../witness/settings.ts';

const KINDS: readonly ServiceKind[] = [trustKind, staffingKind];
const [FIRST = trustKind] = KINDS;

/** The service that a command is about, with its settings. */
export interface Chosen extends Resolved {
  kind: ServiceKind;
}

/** Chooses the service by flag, environment or file, and settles its settings. @throws Failure for one that there is not */
export function chosen(command: Command): Chosen {
  const { service, config } = FIRST.settings;
  const file = flagValue(command, config) || process.env[config.env];
  const written = file === undefined || file === '' ? undefined : readConfigFile(file).get(service.key);
  const name = flagValue(command, service) || process.env[service.env] || written || FIRST.name;
  const kind = KINDS.find((known) => known.name === name);
  if (kind === undefined) {
    const names = KINDS.map((known) => known.name).join(' or ');
    throw new Failure(`${name}: no such service`, `use --service ${names}`, 2);
  }
  return {
    kind,
    ...settled(command, kind.table, everySetting()),
  };
}

/** What the environment may name without being a mistake, whatever process it is meant for. */
export function everySetting(): readonly Documented[] {
  return [...KINDS.flatMap(({ table }) => table), ...witnessSettingsTable];
}

/** The settings that a witness alone has. */
export function witnessOwnSettings(): readonly Documented[] {
  const others = new Set(allSettings().map(({ key }) => key));
  return witnessSettingsTable.filter(({ key }) => !others.has(key));
}

/** Every setting of every service once; where defaults differ, each by its service's name. */
export function allSettings(): readonly Documented[] {
  const all = new Map<string, Documented>();
  for (const { name, table } of KINDS) {
    for (const setting of table) {
      const known = all.get(setting.key);
      if (known === undefined) all.set(setting.key, setting);
      else if (known.fallbackText !== setting.fallbackText) {
        const fallbackText = `${known.fallbackText}, of ${name} ${setting.fallbackText}`;
        all.set(setting.key, { ...documented(known), fallbackText });
      }
    }
  }
  return [...all.values()];
}

/** Gives a command the flags that say which service and which data directory. */
export function placeFlags(command: Command): Command {
  const keys: string[] = [FIRST.settings.service, FIRST.settings.data, FIRST.settings.config].map(
    ({ key }) => key,
  );
  return addFlags(
    command,
    allSettings().filter(({ key }) => keys.includes(key)),
  );
}

/** The service and its data directory. @throws Failure also for a data directory that outlives no process */
export function placeOf(command: Command): Chosen & { data: string } {
  const choice = chosen(command);
  const data = choice.kind.settings.data.in(choice.config);
  if (data === ':memory:') throw new Failure(':memory: is private to the server that holds it', null, 2);
  return { ...choice, data: resolve(data) };
}

function documented({ key, flag, env, argument, description, fallbackText, secret }: Documented): Documented {
  return { key, flag, env, argument, description, fallbackText, secret };
}
