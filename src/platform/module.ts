import type { TObject } from '@sinclair/typebox';
import type { AnyElysia } from 'elysia';
import type { AuditedTable } from './audit/table.ts';
import type { Setting } from './config/setting.ts';
import type { Handler } from './control/action.ts';
import { Failure } from './failure.ts';
import type { ErrorTable } from './http/errors/errors.ts';
import type { OperationTexts } from './http/openapi/descriptions.ts';
import type { OperationExamples } from './http/openapi/openapi.ts';
import type { WebhookTable } from './http/openapi/webhooks.ts';
import type { Metric } from './monitoring/metrics.ts';
import { type ScheduledTask, unlessInDoubt } from './scheduler.ts';
import type { Migration, RestoreStep, Schema, SchemaIdentity } from './store/migrations/schema.ts';
import type { ClockWatch } from './time/clock-watch.ts';

/** The schemas of events' data, by event name. */
export type EventTable = Readonly<Record<string, TObject>>;

/** A group of operations in the documentation of the API. */
export interface Tag {
  name: string;
  description: string;
}

/** A scheduled task of a capability. */
export interface ModuleTask extends ScheduledTask {
  /**
   * True for a task that deletes, thins, expires, refunds, pays or matures something. It is skipped while the
   * clock is known to be wrong, and while that of the start is in doubt.
   */
  waitsForClock: boolean;
}

/**
 * The part of a capability that runs in a service. Loaded when a service is opened; commands that open none
 * do not load it.
 */
export interface ServerPart<Running, Serving extends Running, CommandContext, Route = AnyElysia> {
  /** The routes, in the order of the documentation. */
  routes?: (serving: Serving) => readonly Route[];
  /** The routes of local operations, which only the application of the local administrator has. */
  localRoutes?: (serving: Serving) => readonly Route[];
  /** The scheduled tasks. A read-only service runs none. */
  tasks?: (running: Running) => readonly ModuleTask[];
  metrics?: (running: Running) => readonly Metric[];
  /** The actions that commands perform in the running service. */
  actions?: readonly Handler<CommandContext>[];
}

/**
 * A capability, as its service registers it: its name, its tables, and functions that load the rest. No other
 * file lists the parts of a capability. `Module` checks the loaded parts with the types of the service.
 */
export interface ModuleEntry {
  /** The name of its folder. */
  name: string;
  /**
   * The tags of its routes, in the order of the documentation. Modules may share a tag; the first one
   * describes it.
   */
  tags?: readonly Tag[];
  errors?: ErrorTable;
  /** The settings, in the order of the documentation. */
  settings?: readonly Setting[];
  /**
   * The migrations of its tables, named `NNNN_name`. The database applies the migrations of all modules in
   * the order of their numbers.
   */
  migrations?: readonly Migration[];
  /**
   * What to change in a restored backup, which may know less than the program has done since: see
   * `Schema.afterRestore`.
   */
  afterRestore?: RestoreStep;
  /** The events for webhooks, by name: the schemas of their `data`. */
  events?: EventTable;
  server?(): Promise<object>;
  /** True if its routes are ready when the service opens, before the other modules are loaded. */
  isEarly?: true;
  /** The texts of its operations: its `api.md`. Loaded with the first request for the API documentation. */
  descriptions?(): Promise<{ default: string }>;
  /**
   * Example responses of its operations: its `examples.json`, which `scripts/record-examples.ts` writes.
   * Loaded with the first request for the API documentation.
   */
  examples?(): Promise<{ default: OperationExamples }>;
  /**
   * The documentation of its webhooks, by event name. Loaded with the first request for the API
   * documentation.
   */
  webhooks?(): Promise<{ webhooks: WebhookTable }>;
  /** The tables that fsck audits. Only fsck and its Workers load them. */
  audit?(): Promise<{ audited: readonly AuditedTable[] }>;
}

/** A capability, typed for one service. */
export interface Module<Running, Serving extends Running, CommandContext, Route = AnyElysia>
  extends ModuleEntry {
  server?(): Promise<{ server: ServerPart<Running, Serving, CommandContext, Route> }>;
}

/** A module with its loaded part of a running service. */
export interface LoadedModule<Running, Serving extends Running, CommandContext, Route = AnyElysia>
  extends Module<Running, Serving, CommandContext, Route> {
  part: ServerPart<Running, Serving, CommandContext, Route>;
}

/** Loads the parts of modules that run in a service. */
export function loadModules<Running, Serving extends Running, CommandContext, Route>(
  modules: readonly Module<Running, Serving, CommandContext, Route>[],
): Promise<LoadedModule<Running, Serving, CommandContext, Route>[]> {
  return Promise.all(
    modules.map(async (module) => ({ ...module, part: (await module.server?.())?.server ?? {} })),
  );
}

/** Returns the modules of a service with the early ones loaded; `loaded` loads all of them once. */
export async function moduleLoader<Running, Serving extends Running, CommandContext, Route>(
  modules: readonly Module<Running, Serving, CommandContext, Route>[],
) {
  let all: Promise<LoadedModule<Running, Serving, CommandContext, Route>[]> | null = null;
  const loaded = () => {
    all ??= loadModules(modules);
    return all;
  };
  return {
    modules,
    early: await loadModules(modules.filter(({ isEarly = false }) => isEarly)),
    loaded,
    /** Loads the modules that describe an operation; all if none does. */
    async describing(operationId: string) {
      const described = await Promise.all(modules.map((module) => describes(module, operationId)));
      const some = modules.filter((_module, index) => described[index] === true);
      return some.length === 0 ? loaded() : loadModules(some);
    },
  };
}

/** Returns whether the `api.md` of a module has a section of an operation. */
async function describes({ descriptions }: ModuleEntry, operationId: string): Promise<boolean> {
  const text = (await descriptions?.())?.default ?? '';
  return text
    .split(/\r?\n/)
    .some((line) => line === `## ${operationId}` || line === `## ${operationId} (local)`);
}

/** Returns the audited tables of all modules. @throws Failure for two with one name */
export async function auditedOf(modules: readonly ModuleEntry[]): Promise<AuditedTable[]> {
  const definitions = await Promise.all(
    modules.map(async ({ name, audit }) => ({ name, tables: (await audit?.())?.audited ?? [] })),
  );
  refuseDuplicates(
    'audited table',
    definitions.flatMap((module) => module.tables.map(({ name }) => [module.name, name] as const)),
  );
  return definitions.flatMap(({ tables }) => tables);
}

/**
 * Returns the texts of all modules' operations, by operation.
 * @throws Failure for an invalid `api.md`, and for two texts of one operation
 */
export async function descriptionsOf(modules: readonly ModuleEntry[]): Promise<OperationTexts> {
  const { parseDescriptions } = await import('./http/openapi/descriptions.ts');
  const definitions = await Promise.all(
    modules.map(async ({ name, descriptions }) => {
      const markdown = (await descriptions?.())?.default ?? '';
      return [name, parseDescriptions(markdown, `the api.md of the module ${name}`)] as const;
    }),
  );
  return merged('description', definitions);
}

/** Returns the examples of all modules, by operation and status. @throws Failure for two of one operation */
export async function examplesOf(modules: readonly ModuleEntry[]): Promise<OperationExamples> {
  const definitions = await Promise.all(
    modules.map(async ({ name, examples }) => [name, (await examples?.())?.default ?? {}] as const),
  );
  return merged('example', definitions);
}

/**
 * Returns the documentation of all modules' webhooks, by event name. @throws Failure for two with one name
 */
export async function webhooksOf(modules: readonly ModuleEntry[]): Promise<WebhookTable> {
  const definitions = await Promise.all(
    modules.map(async ({ name, webhooks }) => [name, (await webhooks?.())?.webhooks ?? {}] as const),
  );
  return merged('webhook', definitions);
}

/**
 * Returns the routes of all modules, in order. @param endpoints returns the methods and paths of a route
 * @param isLocal true with those of local operations
 * @throws Failure for two with one method and path
 */
export function routesOf<Running, Serving extends Running, CommandContext, Route>(
  modules: readonly LoadedModule<Running, Serving, CommandContext, Route>[],
  serving: Serving,
  endpoints: (route: Route) => readonly { method: string; path: string }[],
  isLocal = false,
): Route[] {
  const definitions = modules.map(({ name, part }) => ({
    name,
    routes: [...(part.routes?.(serving) ?? []), ...(isLocal ? (part.localRoutes?.(serving) ?? []) : [])],
  }));
  refuseDuplicates(
    'route',
    definitions.flatMap(({ name, routes }) =>
      routes
        .flatMap(endpoints)
        .map(({ method, path }) => [name, `${method} ${path.replace(/:[^/]+/g, ':')}`] as const),
    ),
  );
  return definitions.flatMap(({ routes }) => routes);
}

/** Returns the scheduled tasks of all modules. @throws Failure for two with one name */
export function tasksOf<Running, Serving extends Running, CommandContext, Route>(
  modules: readonly LoadedModule<Running, Serving, CommandContext, Route>[],
  running: Running,
  clockWatch: ClockWatch,
): ScheduledTask[] {
  return named('task', modules, ({ tasks }) => tasks?.(running) ?? []).flatMap((task) =>
    task.waitsForClock ? unlessInDoubt(clockWatch, [task]) : [task],
  );
}

/**
 * Returns the metrics of all modules, then those of the service that belong to no module.
 * @throws Failure for two with one name
 */
export function metricsOf<Running, Serving extends Running, CommandContext, Route>(
  modules: readonly LoadedModule<Running, Serving, CommandContext, Route>[],
  running: Running,
  own: readonly Metric[],
): Metric[] {
  const common = { name: 'common', part: { metrics: () => own } };
  return named('metric', [...modules, common], ({ metrics }) => metrics?.(running) ?? []);
}

/** Returns the actions of all modules. @throws Failure for two with one name */
export function actionsOf<Running, Serving extends Running, CommandContext, Route>(
  modules: readonly LoadedModule<Running, Serving, CommandContext, Route>[],
): Handler<CommandContext>[] {
  return named('action', modules, ({ actions }) => actions ?? []);
}

/** Returns the named items of all modules. @throws Failure for two with one name */
function named<
  Running,
  Serving extends Running,
  CommandContext,
  Route,
  Item extends { readonly name: string },
>(
  kind: string,
  modules: readonly LoadedModule<Running, Serving, CommandContext, Route>[],
  itemsOf: (part: ServerPart<Running, Serving, CommandContext, Route>) => readonly Item[],
): Item[] {
  const definitions = modules.map(({ name, part }) => ({ name, all: itemsOf(part) }));
  refuseDuplicates(
    kind,
    definitions.flatMap((module) => module.all.map(({ name }) => [module.name, name] as const)),
  );
  return definitions.flatMap(({ all }) => all);
}

/**
 * Returns all settings of a service: the common ones, which belong to no capability, and those of its
 * modules.
 * @throws Failure for two with one key, or one flag and thereby one variable
 */
export function settingsOf(
  commonSettings: readonly Setting[],
  modules: readonly ModuleEntry[],
): readonly Setting[] {
  const definitions = [{ name: 'common', settings: commonSettings }, ...modules];
  refuseDuplicates(
    'setting',
    definitions.flatMap(({ name, settings = [] }) => settings.map(({ key }) => [name, key] as const)),
  );
  // `a.b_c` and `a_b.c` are two keys with the same flag.
  refuseDuplicates(
    'flag',
    definitions.flatMap(({ name, settings = [] }) =>
      settings.map(({ flag }) => [name, `--${flag}`] as const),
    ),
  );
  return definitions.flatMap(({ settings = [] }) => settings);
}

/**
 * Returns the schema of a service's database: the migrations of its modules, ordered by number.
 * @throws Failure for two with one number
 */
export function schemaOf(identity: SchemaIdentity, modules: readonly ModuleEntry[]): Schema {
  const definitions = modules.flatMap(({ name: module, migrations = [] }) =>
    migrations.map((migration) => [module, migration] as const),
  );
  refuseDuplicates(
    'migration',
    definitions.map(([module, { name }]) => [module, name.replace(/_.*/, '')]),
  );
  const migrations = definitions.map(([, migration]) => migration);
  return {
    ...identity,
    migrations: migrations.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    afterRestore: modules.flatMap(({ afterRestore = [] }) => afterRestore),
  };
}

/** Returns the events of some modules as one table. @throws Failure for two with one name */
export function eventsOf(modules: readonly ModuleEntry[]): EventTable {
  return merged(
    'event',
    modules.map(({ name, events = {} }) => [name, events]),
  );
}

/** Returns the errors of some modules as one table. @throws Failure for two with one code */
export function errorTable(modules: readonly ModuleEntry[]): ErrorTable {
  return merged(
    'error',
    modules.map(({ name, errors = {} }) => [name, errors]),
  );
}

/** Returns the tables of some modules as one. @throws Failure for two entries with one name */
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

/** Checks that all names are different. @throws Failure that names both modules */
export function refuseDuplicates(
  kind: string,
  names: readonly (readonly [module: string, name: string])[],
): void {
  const owners = new Map<string, string>();
  for (const [module, name] of names) {
    const owner = owners.get(name);
    if (owner !== undefined) {
      throw new Failure(
        owner === module
          ? `the module ${module} has the ${kind} ${name} twice`
          : `the modules ${owner} and ${module} both have the ${kind} ${name}`,
        kind === 'migration'
          ? 'give the new one the highest number: a released migration keeps its name'
          : 'give one of them another name',
      );
    }
    owners.set(name, module);
  }
}
