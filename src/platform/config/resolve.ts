import { closest } from 'fastest-levenshtein';
import { Failure } from '../failure.ts';
import { readText, unreadableReason } from '../files/read.ts';
import { isOpenToOthers, readConfigFile } from './file.ts';
import { type Config, InvalidValue, type Setting, type SettingDocs } from './setting.ts';

/** The sources of settings: command line, environment, and the path of the configuration file. */
export interface SettingSources {
  /** The values of the flags, by the settings' keys. */
  flags: Readonly<Record<string, string | undefined>>;
  env: Readonly<Record<string, string | undefined>>;
  /** Path of the TOML file, or null. */
  file: string | null;
  /** All settings, including those of other services. Default: the table. */
  known?: readonly SettingDocs[];
}

interface Source {
  /** The name in messages: `--port`, `COUNTERSIGN_PORT`, the file's path. */
  name: string;
  text: string;
}

/** A setting with all its sources. The first one takes effect. */
export interface EffectiveSetting {
  setting: Setting;
  /** Empty when the setting has its default. */
  sources: readonly Source[];
}

export interface ResolvedSettings {
  config: Config;
  effective: readonly EffectiveSetting[];
  /**
   * One warning for each variable that looks like a setting but is not one. It has no effect, so it is
   * probably a mistake.
   */
  warnings: readonly string[];
}

/**
 * Resolves every setting of `table`: a flag overrides the environment, the environment the file, and the file
 * the default. Empty values count as absent.
 *
 * @throws Failure (exit code 2) that names the source, for an invalid value, an unknown key in the file, or
 * an unreadable file
 */
export function resolveSettings(
  table: readonly Setting[],
  { flags, env, file, known = table }: SettingSources,
): ResolvedSettings {
  const written = file === null ? new Map<string, string>() : readConfigFile(file);
  if (file !== null) checkKeys(table, written, file);
  const effective = table.map((setting) => ({
    setting,
    sources: sourcesOf(setting, flags, env, written, file).filter(({ text }) => text !== ''),
  }));
  const config = new Map<string, string>();
  for (const { setting, sources } of effective) {
    const [winner] = sources;
    if (winner === undefined) continue;
    check(setting, winner);
    config.set(setting.key, winner.text);
  }
  return { config, effective, warnings: unknownSettings(known, env) };
}

function sourcesOf(
  setting: Setting,
  flags: SettingSources['flags'],
  env: SettingSources['env'],
  written: ReadonlyMap<string, string>,
  file: string | null,
): Source[] {
  const sources: Source[] = [];
  const add = (name: string, text: string | undefined): void => {
    if (text !== undefined) sources.push({ name, text });
  };
  add(`--${setting.flag}`, flags[setting.key]);
  add(setting.env, env[setting.env]);
  if (setting.secret) add(`${setting.env}_FILE`, secretText(env[`${setting.env}_FILE`], setting));
  add(file ?? '', written.get(setting.key));
  if (setting.secret)
    add(`${setting.key}_file in ${file}`, secretText(written.get(`${setting.key}_file`), setting));
  const both = sources.filter(({ name }) => name.startsWith(setting.env)).length > 1;
  if (both && setting.secret) {
    throw new Failure(`${setting.env} and ${setting.env}_FILE are both set`, 'unset one of them', 2);
  }
  return sources;
}

/** Returns the first line of a file that contains a secret. */
function secretText(path: string | undefined, setting: Setting): string | undefined {
  if (path === undefined || path === '') return undefined;
  let text: string | undefined;
  try {
    text = readText(path).split(/\r?\n/, 1)[0];
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    // The variable may contain the secret instead of a path. The error must not show it.
    const isPath = /^\.{0,2}\//.test(path);
    const reason = isPath ? unreadableReason(error) : code || 'the value is not the path of a file';
    throw new Failure(
      `the file ${isPath ? `${path} ` : ''}of ${setting.key} cannot be read: ${reason}`,
      `${setting.env}_FILE names a file whose first line is the secret`,
      2,
    );
  }
  if (text !== undefined && text !== '') return text;
  throw new Failure(
    `the first line of the file ${path} of ${setting.key} is empty`,
    'write the secret into its first line',
    2,
  );
}

function check(setting: Setting, { name, text }: Source): void {
  try {
    setting.parse(text);
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error;
    // An invalid value may be a secret with a typing error.
    const shown = setting.secret ? '' : ` "${text}"`;
    throw new Failure(
      `${setting.key}${shown} ${error.message} (from ${name})`,
      `correct it; docs/configuration.md describes ${setting.key}`,
      2,
    );
  }
}

function checkKeys(table: readonly Setting[], written: ReadonlyMap<string, string>, file: string): void {
  const secrets = table.filter(({ secret }) => secret);
  const known = [...table.map(({ key }) => key), ...secrets.map(({ key }) => `${key}_file`)];
  for (const key of written.keys()) {
    if (known.includes(key)) continue;
    throw new Failure(`${file}: ${key} is not a setting`, `did you mean ${closest(key, known)}?`, 2);
  }
  const exposed = secrets.find(({ key }) => written.has(key));
  if (exposed === undefined || !isOpenToOthers(file)) return;
  throw new Failure(
    `${file} contains ${exposed.key} and is accessible to other users`,
    `chmod o-rwx ${file}`,
    2,
  );
}

/** The variable with the login context of commands, which is no setting of a service. */
export const CONTEXT_VARIABLE = 'COUNTERSIGN_CONTEXT';

function unknownSettings(table: readonly SettingDocs[], env: SettingSources['env']): string[] {
  const known = table.flatMap((setting) =>
    setting.secret ? [setting.env, `${setting.env}_FILE`] : [setting.env],
  );
  return Object.keys(env)
    .filter((name) => name.startsWith('COUNTERSIGN_') && name !== CONTEXT_VARIABLE && !known.includes(name))
    .map((name) => `${name} is not a setting; did you mean ${closest(name, known)}?`);
}
