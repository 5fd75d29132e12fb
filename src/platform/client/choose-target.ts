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
  /** The settings file of a service. */
  config: Setting<string | null>;
  /** The file name of its database. */
  database: string;
}

/** What a command works on: a service, or a data directory of this machine. */
export type ChosenTarget = { kind: 'service'; service: ServiceTarget; label: string } | { kind: 'data' };

/** What names a target, as the user wrote it. */
type Named = readonly [what: string, target: () => ChosenTarget];

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
  if (first !== undefined && second !== undefined)
    throw new Failure(`${first[0]} and ${second[0]} name two targets`, 'name one', 2);
  if (apiKeyFile !== undefined && url === undefined)
    throw new Failure('--api-key-file needs --url', 'a context has its own key', 2);
  const configured = env[own.data.env] ? own.data.env : env[own.config.env] ? own.config.env : null;
  if (first?.[0] === CONTEXT_VARIABLE && configured !== null)
    throw new Failure(
      `${CONTEXT_VARIABLE} and ${configured} name two targets`,
      'add --data, --config or --context',
      2,
    );
  if (first !== undefined) return first[1]();
  const current = contexts.current();
  const local = localData(own, env);
  if (current !== null && local !== null)
    throw new Failure(
      `it is not clear whether ${local} or the context ${current} is meant`,
      `add --data ${local}, or --context ${current}`,
      2,
    );
  return current === null ? { kind: 'data' } : contextTarget(current, own, contexts);
}

/** The service that a command works on. */
export interface ChosenService {
  service: ServiceTarget;
  /** The login context that names it; null for a URL. */
  context: string | null;
  /** The URL, without secrets. */
  url: string;
}

/**
 * Chooses the service of a command that works on no data directory: what an option or COUNTERSIGN_CONTEXT
 * names, else the current context.
 * @param known the operations that the command calls, so that a service at a URL need not be asked for them
 * @throws Failure (exit code 2) if two are named, or none
 */
export function chooseService(
  { context, url, apiKeyFile }: Pick<TargetOptions, 'context' | 'url' | 'apiKeyFile'>,
  service: ServiceName,
  known: ServiceOperations = {},
  env: NodeJS.ProcessEnv = process.env,
  contexts: Contexts = new Contexts(),
): ChosenService {
  const variable = env[CONTEXT_VARIABLE] || undefined;
  const named = [
    ...(context === undefined ? [] : ['--context']),
    ...(variable === undefined || variable === context ? [] : [CONTEXT_VARIABLE]),
    ...(url === undefined ? [] : ['--url']),
  ];
  if (named.length > 1) throw new Failure(`${named.join(' and ')} name two targets`, 'name one', 2);
  if (apiKeyFile !== undefined && url === undefined)
    throw new Failure('--api-key-file needs --url', 'a context has its own key', 2);
  if (url !== undefined) {
    const client = new ServiceClient(url, apiKeyFile === undefined ? null : keyInFile(apiKeyFile));
    return { service: new ServiceTarget(client, known), context: null, url: client.place };
  }
  const name = context ?? variable ?? contexts.current();
  if (name === null)
    throw new Failure('no service is named', 'log in with countersign login, or add --context or --url', 2);
  const target = serviceOfContext(name, service, contexts);
  return { service: target, context: name, url: target.client.place };
}

function targetsNamed(
  { data, config, context, url, apiKeyFile }: TargetOptions,
  own: Own,
  env: NodeJS.ProcessEnv,
  contexts: Contexts,
): Named[] {
  const variable = env[CONTEXT_VARIABLE] || undefined;
  const named: Named[] = [];
  if (data !== undefined) named.push(['--data', () => ({ kind: 'data' })]);
  else if (config !== undefined) named.push(['--config', () => ({ kind: 'data' })]);
  if (context !== undefined) named.push(['--context', () => contextTarget(context, own, contexts)]);
  if (variable !== undefined && variable !== context)
    named.push([CONTEXT_VARIABLE, () => contextTarget(variable, own, contexts)]);
  if (url !== undefined) {
    named.push([
      '--url',
      () => {
        const key = apiKeyFile === undefined ? null : keyInFile(apiKeyFile);
        const client = new ServiceClient(url, key);
        return { kind: 'service', service: new ServiceTarget(client), label: client.place };
      },
    ]);
  }
  return named;
}

function contextTarget(name: string, { service }: Own, contexts: Contexts): ChosenTarget {
  const target = serviceOfContext(name, service, contexts);
  return { kind: 'service', service: target, label: `${target.client.place} (context ${name})` };
}

function serviceOfContext(name: string, service: ServiceName, contexts: Contexts): ServiceTarget {
  const context = contexts.read(name);
  if (context.service !== service)
    throw new Failure(
      `the context ${name} is of the ${context.service} service, and this is a command of the ${service} service`,
      'name another context with --context',
      2,
    );
  const client = new ServiceClient(context.url, keyInFile(context.keyFile));
  return new ServiceTarget(client, context.operations, (operations) =>
    contexts.write({ ...context, operations }),
  );
}

/** Returns the local data directory, if there is one or the environment names one; else null. */
function localData({ data, config, database }: Own, env: NodeJS.ProcessEnv): string | null {
  const configured = env[data.env];
  if (configured) return configured;
  if (env[config.env]) return `the data directory of ${config.env}`;
  const directory = data.in(new Map());
  return existsSync(join(resolve(directory), database)) ? directory : null;
}
