import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { CommandGroup } from '../platform/command-groups.ts';
import { addFlags, commandSettings, flagValue } from '../platform/config/command-line.ts';
import { readConfigFile } from '../platform/config/file.ts';
import { type ResolvedSettings, resolveSettings } from '../platform/config/resolve.ts';
import type { Config, Setting, SettingDocs } from '../platform/config/setting.ts';
import type { Sharing } from '../platform/data-directory.ts';
import { Failure } from '../platform/failure.ts';
import type { TestableService } from '../platform/test-service/definition.ts';
import { staffingServiceDefinition } from '../staffing/definition.ts';
import type { StaffingModule } from '../staffing/service/module.ts';
import { trustServiceDefinition } from '../trust/definition.ts';
import type { TrustModule } from '../trust/service/module.ts';
import type { WitnessModule } from '../witness/module.ts';
import { witnessSettingsOf } from '../witness/settings.ts';

/** The modules of the services and of the witness. */
interface ServiceModules {
  trust: readonly TrustModule[];
  staffing: readonly StaffingModule[];
  witness: readonly WitnessModule[];
}

/** The modules of a program, and its commands. */
export interface Capabilities {
  load(): Promise<ServiceModules>;
  /** The commands of the services, in the order of the help. */
  commands: readonly CommandGroup[];
}

/** The service that a command uses, with its settings. */
export interface Chosen extends ResolvedSettings {
  definition: TestableService;
}

/** The services of the program, and the choice of one for a command. */
export class Services {
  private readonly first: TestableService;
  private readonly definitions: readonly TestableService[];
  /** All settings of a witness. */
  readonly witnessTable: readonly Setting[];

  /**
   * @param args the arguments after the command; null when the command is only described
   * @throws Failure when two modules have the same setting or migration
   */
  constructor(
    readonly capabilities: ServiceModules,
    readonly args: readonly string[] | null = null,
  ) {
    this.first = trustServiceDefinition(capabilities.trust);
    this.definitions = [this.first, staffingServiceDefinition(capabilities.staffing)];
    this.witnessTable = witnessSettingsOf(capabilities.witness);
  }

  /**
   * Chooses the service by option, environment or file, and resolves its settings.
   * @throws Failure for an unknown service, and for a flag that only another service has
   */
  chosen(command: Command): Chosen {
    const { service, config } = this.first.settings;
    const file = flagValue(command, config) || process.env[config.env];
    const written = file === undefined || file === '' ? undefined : readConfigFile(file).get(service.key);
    const name = flagValue(command, service) || process.env[service.env] || written || this.first.name;
    const definition = this.named(name);
    this.refuseOthersFlags(command, definition);
    return { definition, ...commandSettings(command, definition.table, this.everySetting()) };
  }

  /** @throws Failure for a flag that only another service has: nothing would read it */
  private refuseOthersFlags(command: Command, { name, table }: TestableService): void {
    const own = new Set(table.map(({ key }) => key));
    for (const other of this.definitions) {
      const foreign = other.table.find(
        (setting) => !own.has(setting.key) && flagValue(command, setting) !== undefined,
      );
      if (foreign !== undefined)
        throw new Failure(
          `--${foreign.flag} is a setting of the ${other.name} service, and this is the ${name} service`,
          `use --service ${other.name}, or leave --${foreign.flag} out`,
          2,
        );
    }
  }

  /** Returns the settings of a service that the environment contains. */
  environmentOf({ table, settings }: TestableService): Config {
    const { env } = process;
    const file = env[settings.config.env] || null;
    return resolveSettings(table, { flags: {}, env, file, known: this.everySetting() }).config;
  }

  /** Returns the service with a name. @throws Failure for an unknown one */
  named(name: string): TestableService {
    const definition = this.definitions.find((known) => known.name === name);
    if (definition !== undefined) return definition;
    const names = this.definitions.map((known) => known.name).join(' or ');
    throw new Failure(`${name} is not a service`, `use --service ${names}`, 2);
  }

  /** Returns the services, as the help lists them. */
  get all(): readonly TestableService[] {
    return this.definitions;
  }

  /** Returns all settings that the environment may contain, for any process of the program. */
  everySetting(): readonly SettingDocs[] {
    return [...this.definitions.flatMap(({ table }) => table), ...this.witnessTable];
  }

  /** Returns the settings that only a witness has. */
  witnessOwnSettings(): readonly SettingDocs[] {
    const settingKeys = new Set(this.allSettings().map(({ key }) => key));
    return this.witnessTable.filter(({ key }) => !settingKeys.has(key));
  }

  /**
   * Returns every setting of every service once; different defaults are listed with the services' names. A
   * setting of only one service has that service as `helpGroup`.
   */
  allSettings(): readonly SettingDocs[] {
    const all = new Map<string, SettingDocs>();
    for (const { name, table } of this.definitions) {
      const helpGroup = `${name.charAt(0).toUpperCase()}${name.slice(1)} service:`;
      for (const setting of table) {
        const known = all.get(setting.key);
        all.set(setting.key, {
          ...documented(known ?? setting),
          ...(known === undefined ? { helpGroup } : { fallbackText: bothDefaults(known, setting, name) }),
        });
      }
    }
    return [...all.values()];
  }

  /** Adds the options of settings, given by their keys, to a command. */
  flags(command: Command, keys: readonly string[]): Command {
    return addFlags(
      command,
      this.allSettings().filter(({ key }) => keys.includes(key)),
    );
  }

  /** Adds the options for the service and the data directory to a command. */
  dataFlags(command: Command): Command {
    return this.flags(command, ['service', 'data', 'config']);
  }

  /** Adds the options of `dataFlags` to a command that writes in the directory. */
  writingFlags(command: Command): Command {
    return this.flags(command, ['service', 'data', 'allow_shared_data', 'config']);
  }

  /**
   * Returns the chosen service and its data directory.
   * @throws Failure, even for a temporary data directory
   */
  dataOf(command: Command): Chosen & { data: string; sharing: Sharing } {
    const choice = this.chosen(command);
    const data = choice.definition.settings.data.in(choice.config);
    if (data === ':memory:')
      throw new Failure(
        ':memory: belongs to the server that created it',
        'specify a directory with --data',
        2,
      );
    const allowShared = choice.definition.settings.allowSharedData.in(choice.config) === 'on';
    return { ...choice, data: resolve(data), sharing: { allowShared } };
  }
}

function documented({
  key,
  flag,
  env,
  argument,
  description,
  whenServing,
  fallbackText,
  secret,
}: SettingDocs): SettingDocs {
  return { key, flag, env, argument, description, whenServing, fallbackText, secret };
}

/** Returns the default of a setting that a second service, `name`, has too. */
function bothDefaults(first: SettingDocs, second: SettingDocs, name: string): string {
  const isSame = first.fallbackText === second.fallbackText;
  return isSame ? first.fallbackText : `${first.fallbackText}; ${name}: ${second.fallbackText}`;
}
