import { Command, type Help, InvalidArgumentError, Option } from 'commander';
import { parseTimestamp } from '../../proof/encoding/timestamp.ts';
import { type ResolvedSettings, resolveSettings } from './resolve.ts';
import type { Setting, SettingDocs } from './setting.ts';

/**
 * Returns the settings whose flags a command line has. Returns all settings if it has any other flag, so that
 * help and errors list every flag. Registering only the needed flags saves time: a hundred take longer than a
 * small command.
 * @param otherFlags the flags of the command that belong to no setting, such as `--demo`
 */
export function settingsIn<S extends SettingDocs>(
  args: readonly string[],
  settings: readonly S[],
  otherFlags: readonly string[] = [],
): readonly S[] {
  const givenFlags = new Set(args.filter((arg) => arg.startsWith('-')).map((arg) => arg.split('=', 1)[0]));
  const usedSettings = settings.filter(({ flag, secret }) => !secret && givenFlags.has(`--${flag}`));
  const known = usedSettings.length + otherFlags.filter((flag) => givenFlags.has(flag)).length;
  return known === givenFlags.size ? usedSettings : settings;
}

/**
 * Adds the flags of settings to a command. Secrets get no flag, because other users can read command lines.
 * @param serving whether the command runs a service, so that its help shows `whenServing` of the settings
 * @param heading of the flags in the help, instead of that of each setting
 * @param listed whether the help lists them
 */
export function addFlags(
  command: Command,
  settings: readonly SettingDocs[],
  { serving = false, heading, listed = true }: { serving?: boolean; heading?: string; listed?: boolean } = {},
): Command {
  for (const setting of settings) {
    const { flag, argument, description, fallbackText, secret, helpGroup } = setting;
    if (secret) continue;
    const text = serving ? fullDescription(setting) : description;
    const option = new Option(`--${flag} ${argument}`, `${text} (default: ${fallbackText})`).hideHelp(
      !listed,
    );
    const group = heading ?? helpGroup;
    command.addOption(group === undefined ? option : option.helpGroup(group));
  }
  return command;
}

/** Returns what a setting is, with what holds only for a command that runs a service. */
export function fullDescription({ description, whenServing }: SettingDocs): string {
  return whenServing === undefined ? description : `${description}; ${whenServing}`;
}

/**
 * Returns the settings of `table` for a command that has some of their flags. Writes warnings about probable
 * mistakes to stderr.
 * @param known all settings, including those of other services, whose variables cause no warning
 */
export function commandSettings(
  command: Command,
  table: readonly Setting[],
  known: readonly SettingDocs[] = table,
): ResolvedSettings {
  const flags = Object.fromEntries(table.map((setting) => [setting.key, flagValue(command, setting)]));
  const { env } = process;
  const configSetting = table.find(({ key }) => key === 'config');
  const file = (configSetting && (flags[configSetting.key] || env[configSetting.env])) || null;
  const resolved = resolveSettings(table, { flags, env, file, known });
  for (const warning of resolved.warnings) process.stderr.write(`countersign: warning: ${warning}\n`);
  return resolved;
}

/** Returns the value of a setting's flag in a command line; undefined when the flag is absent. */
export function flagValue(command: Command, { flag }: SettingDocs): string | undefined {
  const option = command.options.find(({ long }) => long === `--${flag}`);
  const value: unknown = option && command.getOptionValue(option.attributeName());
  // The value of a flag is optional for a toggle.
  if (value === true) return 'on';
  return typeof value === 'string' ? value : undefined;
}

/**
 * Reads an RFC 3339 time of the command line. @returns milliseconds since 1970 @throws InvalidArgumentError
 */
export function milliseconds(text: string): number {
  const parsed = parseTimestamp(text);
  if (parsed === null)
    throw new InvalidArgumentError('The time must be RFC 3339, such as 2030-01-31T12:00:00Z.');
  return parsed;
}

/**
 * Formats the help of a command with many flags like a manual page: the description is on the lines below the
 * flag.
 */
export function manualHelp(command: Command): Command {
  command.createHelp = () =>
    Object.assign(Command.prototype.createHelp.call(command), {
      formatItem(term: string, _width: number, description: string, helper: Help): string {
        const lines = helper.boxWrap(description, WIDTH - 6).split('\n');
        return [`  ${term}`, ...lines.map((line) => `      ${line}`)].join('\n');
      },
    });
  return command;
}

const WIDTH = 80;

/** Explains in the help how the names of a setting follow from its key. */
export const SETTING_NAMES_HELP = `A setting has one name everywhere: --tls-cert is COUNTERSIGN_TLS_CERT in the
environment and tls_cert in the configuration file. A flag overrides the
environment, the environment overrides the file, and the file overrides the
default. countersign config shows the values in effect.`;
