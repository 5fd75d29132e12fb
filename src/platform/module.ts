import type { TObject } from '@sinclair/typebox';
import type { Command } from 'commander';
import type { AnyElysia } from 'elysia';
import type { AuditedTable } from './audit/table.ts';
import type { Setting } from './config/setting.ts';
import type { Handler } from './control/action.ts';
import { Failure } from './failure.ts';
import type { ErrorTable } from './http/errors/errors.ts';
import type { OperationExamples } from './http/openapi/openapi.ts';
import type { Metric } from './monitoring/metrics.ts';
import { type ScheduledTask, unlessAhead } from './scheduler.ts';
import type { Migration, Schema, SchemaIdentity } from './store/migrations/schema.ts';
import type { ClockWatch } from './time/clock-watch.ts';

/** Events by name: what each says. */
export type EventTable = Readonly<Record<string, TObject>>;

/** How operations are grouped in the documentation of the API. */
export interface Tag {
  name: string;
  description: string;
}

/** A scheduled task of a capability. */
export interface ModuleTask extends ScheduledTask {
  /** Rests while the wall clock cannot be trusted, since it deletes what is old. */
  deletesByDate?: true;
}

/** What a capability does in a running service. Loaded when a service is opened, and by no command that opens none. */
export interface ServerPart<Running, Serving extends Running, Desk, Route = AnyElysia> {
  /** Its routes, in the order of the documentation. */
  routes?(serving: Serving): readonly Route[];
  /** Its scheduled tasks. None runs in a service that only reads. */
  tasks?(running: Running): readonly ModuleTask[];
  metrics?(running: Running): readonly Metric[];
  /** What commands ask of the service while it runs. */
  actions?: readonly Handler<Desk>[];
}

/**
 * A capability, as its service registers it: a name, what it adds to the vocabulary of all, and where the rest is loaded from. No other
 * place names what a capability brings. What is loaded has the types of the service, by which `Module` checks it.
 */
export interface ModuleEntry {
  /** The name of its folder. */
  name: string;
  /** Those that its routes bear, in the order of the documentation; several modules may share one, which the first describes. */
  tags?: readonly Tag[];
  errors?: ErrorTable;
  /** In the order of the documentation. */
  settings?: readonly Setting[];
  /** Of its tables, by `NNNN_name`: the database applies those of all modules in the order of their numbers. */
  migrations?: readonly Migration[];
  /** What webhooks are told, by name: the members of `data`. */
  events?: EventTable;
  /** Its verbs. What they do is loaded when one is called. */
  commands?(): Promise<object>;
  server?(): Promise<object>;
  /** Whether its routes are there as soon as the service is open, before those of all others are loaded. */
  isEarly?: true;
  /** Examples of what its operations respond. Loaded when somebody asks for the documentation of the API. */
  examples?(): Promise<{ examples: OperationExamples }>;
  /** What fsck audits of its tables. Loaded by fsck and its Workers, and by nobody else. */
  audit?(): Promise<{ audited: readonly AuditedTable[] }>;
}

/** The verbs that no module owns and under which modules have verbs of their own. */
export const SHARED_COMMANDS = ['keys'] as const;

/** A verb of a capability: of the program, or of another verb, such as `rotate` under `keys`. */
export interface ModuleCommand {
  command: Command;
  under?: (typeof SHARED_COMMANDS)[number];
}

/** The verbs of a capability. They get the modules of their service, by which it reads settings and opens data directories. */
export type LoadedCommands<M> = Promise<{ commands(modules: readonly M[]): readonly ModuleCommand[] }>;

/** A verb, with the name of the module that has it. */
interface OwnedCommand extends ModuleCommand {
  module: string;
}

/** A capability of a certain service. */
export interface Module<Running, Serving extends Running, Desk, Route = AnyElysia> extends ModuleEntry {
  server?(): Promise<{ server: ServerPart<Running, Serving, Desk, Route> }>;
}

/** A module, with what it does in a running service. */
export interface LoadedModule<Running, Serving extends Running, Desk, Route = AnyElysia>
  extends Module<Running, Serving, Desk, Route> {
  part: ServerPart<Running, Serving, Desk, Route>;
}

/** Loads what modules do in a running service. */
export function loadModules<Running, Serving extends Running, Desk, Route>(
  modules: readonly Module<Running, Serving, Desk, Route>[],
): Promise<LoadedModule<Running, Serving, Desk, Route>[]> {
  return Promise.all(
    modules.map(async (module) => ({ ...module, part: (await module.server?.())?.server ?? {} })),
  );
}

/** The modules of a service, loaded once: those that are early at once, all of them when somebody asks. */
export async function moduleLoader<Running, Serving extends Running, Desk, Route>(
  modules: readonly Module<Running, Serving, Desk, Route>[],
) {
  let all: Promise<LoadedModule<Running, Serving, Desk, Route>[]> | null = null;
  return {
    modules,
    early: await loadModules(modules.filter(({ isEarly = false }) => isEarly)),
    loaded() {
      all ??= loadModules(modules);
      return all;
    },
  };
}

/** Loads the verbs of all modules of a service. */
export async function commandsOf<M extends { name: string; commands?(): LoadedCommands<M> }>(
  modules: readonly M[],
): Promise<OwnedCommand[]> {
  const loaded = await Promise.all(
    modules.map(async (module) => {
      const commands = (await module.commands?.())?.commands(modules) ?? [];
      return commands.map((command) => ({ ...command, module: module.name }));
    }),
  );
  return loaded.flat();
}

/**
 * `common`: the verbs that no module owns, with those that they have themselves.
 * @throws Failure for two verbs of one name, whatever services they are of
 */
export function refuseDuplicateCommands(common: readonly Command[], commands: readonly OwnedCommand[]): void {
  const names = common.flatMap((command) => [
    command.name(),
    ...command.commands.map((verb) => `${command.name()} ${verb.name()}`),
  ]);
  refuseDuplicates('command', [
    ...names.map((name) => ['common', name] as const),
    ...commands.map(
      ({ module, command, under }) => [module, [under, command.name()].join(' ').trim()] as const,
    ),
  ]);
}

/** What is audited of the tables of all modules. @throws Failure for two of one name */
export async function auditedOf(modules: readonly ModuleEntry[]): Promise<AuditedTable[]> {
  const brought = await Promise.all(
    modules.map(async ({ name, audit }) => ({ name, tables: (await audit?.())?.audited ?? [] })),
  );
  refuseDuplicates(
    'audited table',
    brought.flatMap((module) => module.tables.map(({ name }) => [module.name, name] as const)),
  );
  return brought.flatMap(({ tables }) => tables);
}

/** The examples of all modules, by operation and status. @throws Failure for two of one operation */
export async function examplesOf(modules: readonly ModuleEntry[]): Promise<OperationExamples> {
  const brought = await Promise.all(
    modules.map(async ({ name, examples }) => [name, (await examples?.())?.examples ?? {}] as const),
  );
  return merged('example', brought);
}

/** The routes of all modules, in their order. `endpoints`: what a route answers. @throws Failure for two with one method and path */
export function routesOf<Running, Serving extends Running, Desk, Route>(
  modules: readonly LoadedModule<Running, Serving, Desk, Route>[],
  serving: Serving,
  endpoints: (route: Route) => readonly { method: string; path: string }[],
): Route[] {
  const brought = modules.map(({ name, part }) => ({ name, routes: part.routes?.(serving) ?? [] }));
  refuseDuplicates(
    'route',
    brought.flatMap(({ name, routes }) =>
      routes
        .flatMap(endpoints)
        .map(({ method, path }) => [name, `${method} ${path.replace(/:[^/]+/g, ':')}`] as const),
    ),
  );
  return brought.flatMap(({ routes }) => routes);
}

/** The scheduled tasks of all modules. @throws Failure for two of one name */
export function tasksOf<Running, Serving extends Running, Desk, Route>(
  modules: readonly LoadedModule<Running, Serving, Desk, Route>[],
  running: Running,
  clockWatch: ClockWatch,
): ScheduledTask[] {
  return named('task', modules, ({ tasks }) => tasks?.(running) ?? []).flatMap((task) =>
    task.deletesByDate === true ? unlessAhead(clockWatch, [task]) : [task],
  );
}

/**
 * The metrics of all modules, then those of the service that belong to none.
 * @throws Failure for two of one name
 */
export function metricsOf<Running, Serving extends Running, Desk, Route>(
  modules: readonly LoadedModule<Running, Serving, Desk, Route>[],
  running: Running,
  own: readonly Metric[],
): Metric[] {
  const common = { name: 'common', part: { metrics: () => own } };
  return named('metric', [...modules, common], ({ metrics }) => metrics?.(running) ?? []);
}

/** What commands may ask of all modules. @throws Failure for two of one name */
export function actionsOf<Running, Serving extends Running, Desk, Route>(
  modules: readonly LoadedModule<Running, Serving, Desk, Route>[],
): Handler<Desk>[] {
  return named('action', modules, ({ actions }) => actions ?? []);
}

/** What all modules bring that has a name. @throws Failure for two of one name */
function named<Running, Serving extends Running, Desk, Route, Brought extends { readonly name: string }>(
  kind: string,
  modules: readonly LoadedModule<Running, Serving, Desk, Route>[],
  bring: (part: ServerPart<Running, Serving, Desk, Route>) => readonly Brought[],
): Brought[] {
  const brought = modules.map(({ name, part }) => ({ name, all: bring(part) }));
  refuseDuplicates(
    kind,
    brought.flatMap((module) => module.all.map(({ name }) => [module.name, name] as const)),
  );
  return brought.flatMap(({ all }) => all);
}

/**
 * All settings of a service: its own, which belong to no capability, and those of its modules.
 * @throws Failure for two of one key, or of one flag, which is that of one variable
 */
export function settingsOf(own: readonly Setting[], modules: readonly ModuleEntry[]): readonly Setting[] {
  const brought = [{ name: 'common', settings: own }, ...modules];
  refuseDuplicates(
    'setting',
    brought.flatMap(({ name, settings = [] }) => settings.map(({ key }) => [name, key] as const)),
  );
  // `a.b_c` and `a_b.c` are two keys, and one flag.
  refuseDuplicates(
    'flag',
    brought.flatMap(({ name, settings = [] }) => settings.map(({ flag }) => [name, `--${flag}`] as const)),
  );
  return brought.flatMap(({ settings = [] }) => settings);
}

/** The schema of a service's database: the migrations of its modules, in the order of their numbers. @throws Failure for two of one number */
export function schemaOf(identity: SchemaIdentity, modules: readonly ModuleEntry[]): Schema {
  const brought = modules.flatMap(({ name: module, migrations = [] }) =>
    migrations.map((migration) => [module, migration] as const),
  );
  refuseDuplicates(
    'migration',
    brought.map(([module, { name }]) => [module, name.replace(/_.*/, '')]),
  );
  const migrations = brought.map(([, migration]) => migration);
  return { ...identity, migrations: migrations.toSorted((one, other) => (one.name < other.name ? -1 : 1)) };
}

/** The events of some modules, as one table. @throws Failure for two of one name */
export function eventsOf(modules: readonly ModuleEntry[]): EventTable {
  return merged(
    'event',
    modules.map(({ name, events = {} }) => [name, events]),
  );
}

/** The errors of some modules, as one table. @throws Failure when two bring the same code */
export function errorTable(modules: readonly ModuleEntry[]): ErrorTable {
  return merged(
    'error',
    modules.map(({ name, errors = {} }) => [name, errors]),
  );
}

/** The tables of some modules as one. @throws Failure for two entries of one name */
function merged<Entry>(
  kind: string,
  tables: readonly (readonly [module: string, table: Readonly<Record<string, Entry>>])[],
): Record<string, Entry> {
  refuseDuplicates(
    kind,
    tables.flatMap(([module, table]) => Object.keys(table).map((name) => [module, name] as const)),
  );
  return Object.fromEntries(tables.flatMap(([, table]) => Object.entries(table)));
}

/** @throws Failure when two modules bring the same name of a kind, with the names of both */
function refuseDuplicates(kind: string, brought: readonly (readonly [module: string, name: string])[]): void {
  const owners = new Map<string, string>();
  for (const [module, name] of brought) {
    const owner = owners.get(name);
    if (owner !== undefined) {
      throw new Failure(
        owner === module
          ? `the module ${module} has the ${kind} ${name} twice`
          : `the modules ${owner} and ${module} both have the ${kind} ${name}`,
        kind === 'migration'
          ? 'number the new one behind all others: a landed migration keeps its name'
          : 'name one of them otherwise',
      );
    }
    owners.set(name, module);
  }
}

type ErrorsOf<M> = M extends { errors: infer Errors } ? Errors : never;
type Together<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** The errors of some modules, as the type of one table. */
export type ErrorsOfAll<Modules extends readonly unknown[]> = Together<ErrorsOf<Modules[number]>>;

type EventsOf<M> = M extends { events: infer Events } ? Events : never;

/** The events of some modules, as the type of one table. */
export type EventsOfAll<Modules extends readonly unknown[]> = Together<EventsOf<Modules[number]>>;
