import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CONTEXT_VARIABLE } from '../config/resolve.ts';
import type { Setting } from '../config/setting.ts';
import { Failure } from '../failure.ts';
import { Contexts, type ServiceName } from './contexts.ts';
import type { ServiceOperations } from './operations.ts';
import { keyInFile } from './secret-file.ts';
import { ServiceClient } from './service-client.ts';
import { ServiceTarget } from './service-target.ts';

/** The options of a command that name what it works on. */
export interface TargetOptions {
  data?: string;
  config?: string;
  context?: string;
  url?: string;
  apiKeyFile?: string;
}

/** The service of a command, and where its data is by default. */
export interface Own {
  service: ServiceName;
  data: Setting<string>;
  allowSharedData: Setting<'on' | 'off'>;
  /** The settings file of a service. */
  config: Setting<string | null>;
  /** The file name of its database. */
  database: string;
}

/** What a command works on: a service, or a data directory of this machine. */
export type ChosenTarget = ChosenService | { kind: 'data' };

/** A service that a command works on. */
export interface ChosenService {
  kind: 'service';
  service: ServiceTarget;
  label: string;
  /** The login context that names it; null for a URL. */
  context: string | null;
  /** The account of the key at the login; null for a URL, and where the key may not read it. */
  account: string | null;
  /** The URL, without secrets. */
  url: string;
}

/** The service of a command. */
interface Wanted {
  service: ServiceName;
  /** The operations that the command calls, so that a service at a URL need not be asked for them. */
  known?: ServiceOperations;
}

/** What names a target, as the user wrote it. */
type Named<Chosen = ChosenTarget> = readonly [what: string, target: () => Chosen];

/**
 * Chooses what a command works on: what an option or COUNTERSIGN_CONTEXT names, else the current context,
 * else the local data directory.
 * @throws Failure (exit code 2) if two are named, or if nothing says which of two is meant
 */
export function chooseTarget(
  options: TargetOptions,
  own: Own,
  env: NodeJS.ProcessEnv = process.env,
  contexts: Contexts = new Contexts(),
): ChosenTarget {
  const { url, apiKeyFile } = options;
  const named = targetsNamed(options, own, env, contexts);
  const [first, second] = named;
  if (first !== undefined && second !== undefined) throw twoTargets(first[0], second[0]);
  if (apiKeyFile !== undefined && url === undefined) throw keyWithoutUrl();
  const configured = env[own.data.env] ? own.data.env : env[own.config.env] ? own.config.env : null;
  if (first?.[0] === CONTEXT_VARIABLE && configured !== null)
    throw twoTargets(CONTEXT_VARIABLE, configured, 'add --data, --config or --context');
  if (first !== undefined) return first[1]();
  const current = contexts.current();
  const local = localData(own, env);
  if (current === null && local === null)
    throw new Failure(
      `there is no login context, and no ${own.database} in ${own.data.in(new Map())}`,
      'log in with countersign login URL, or name a service with --url, or a data directory with --data',
      2,
    );
  if (current !== null && local !== null)
    throw new Failure(
      `it is not clear whether ${local} or the context ${current} is meant`,
      `add --data ${local}, or --context ${current}`,
      2,
    );
  return current === null ? { kind: 'data' } : contextTarget(current, own, contexts);
}

/**
 * Chooses the service that a command works on, for a command that a data directory cannot perform.
 * @throws Failure (exit code 2) if two services are named, or none
 */
export function chooseService(
  options: Pick<TargetOptions, 'context' | 'url' | 'apiKeyFile'>,
  wanted: Wanted,
  env: NodeJS.ProcessEnv = process.env,
  contexts: Contexts = new Contexts(),
): ChosenService {
  const { url, apiKeyFile } = options;
  const [first, second] = servicesNamed(options, wanted, env, contexts);
  if (first !== undefined && second !== undefined) throw twoTargets(first[0], second[0]);
  if (apiKeyFile !== undefined && url === undefined) throw keyWithoutUrl();
  if (first !== undefined) return first[1]();
  const current = contexts.current();
  if (current !== null) return contextTarget(current, wanted, contexts);
  throw new Failure(
    'this command needs a service, and there is no login context',
    'log in with countersign login URL, or use --url with --api-key-file',
    2,
  );
}

const twoTargets = (first: string, second: string, hint = 'name one'): Failure =>
  new Failure(`${first} and ${second} name two targets`, hint, 2);

const keyWithoutUrl = (): Failure =>
  new Failure('--api-key-file needs --url', 'a context has its own key', 2);

function targetsNamed(
  { data, config, ...services }: TargetOptions,
  own: Own,
  env: NodeJS.ProcessEnv,
  contexts: Contexts,
): Named[] {
  const directory = data !== undefined ? '--data' : config !== undefined ? '--config' : null;
  const named = servicesNamed(services, own, env, contexts);
  return directory === null ? named : [[directory, () => ({ kind: 'data' })], ...named];
}

function servicesNamed(
  { context, url, apiKeyFile }: Pick<TargetOptions, 'context' | 'url' | 'apiKeyFile'>,
  wanted: Wanted,
  env: NodeJS.ProcessEnv,
  contexts: Contexts,
): Named<ChosenService>[] {
  const variable = env[CONTEXT_VARIABLE] || undefined;
  const named: Named<ChosenService>[] = [];
  if (context !== undefined) named.push(['--context', () => contextTarget(context, wanted, contexts)]);
  if (variable !== undefined && variable !== context)
    named.push([CONTEXT_VARIABLE, () => contextTarget(variable, wanted, contexts)]);
  if (url !== undefined) {
    named.push([
      '--url',
      () => {
        const key = apiKeyFile === undefined ? null : keyInFile(apiKeyFile);
        const client = new ServiceClient(url, key);
        const service = new ServiceTarget(client, wanted.known);
        return {
          kind: 'service',
          service,
          label: client.place,
          context: null,
          account: null,
          url: client.place,
        };
      },
    ]);
  }
  return named;
}

function contextTarget(name: string, { service }: Wanted, contexts: Contexts): ChosenService {
  const context = contexts.read(name);
  if (context.service !== service)
    throw new Failure(
      `the context ${name} is of the ${context.service} service, and this is a command of the ${service} service`,
      'name another context with --context',
      2,
    );
  const client = new ServiceClient(context.url, keyInFile(context.keyFile));
  const target = new ServiceTarget(client, context.operations, (operations) =>
    contexts.write({ ...context, operations }),
  );
  const { place } = client;
  return {
    ...{ kind: 'service', service: target, label: `${place} (context ${name})` },
    ...{ context: name, account: context.account, url: place },
  };
}

/** Returns the local data directory, if there is one or the environment names one; else null. */
function localData({ data, config, database }: Own, env: NodeJS.ProcessEnv): string | null {
  const configured = env[data.env];
  if (configured) return configured;
  if (env[config.env]) return `the data directory of ${config.env}`;
  const directory = data.in(new Map());
  return existsSync(join(resolve(directory), database)) ? directory : null;
}
