import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  type ChosenService,
  type ChosenTarget,
  chooseService,
  chooseTarget,
  type Own,
  type TargetOptions,
} from './client/choose-target.ts';
import { Contexts } from './client/contexts.ts';
import type { CommandSurroundings, LoadModules } from './command-groups.ts';
import { GROUPS } from './command-help.ts';
import { CONTEXT_VARIABLE } from './config/resolve.ts';
import type { SettingDocs } from './config/setting.ts';
import type { OperationApp } from './control/operation-app.ts';
import type { CallOperation, Group, WithOperations } from './control/operation-command.ts';
import { type Opening, sessionRunner, type Target } from './control/run-action.ts';
import { Failure } from './failure.ts';
import { descriptionsOf, type ModuleEntry } from './module.ts';
import { serviceUrl } from './network/service-url.ts';

/** Where the commands of a service find its operations. */
interface Service<Module> extends Own, Pick<Target<Module, OperationApp, never>, 'settingsOf'> {
  /** Loads how a data directory is opened that no server holds. */
  load(): Promise<Opening<Module, OperationApp>>;
}

/** A group whose commands work on a service or on a data directory. */
interface ApiGroup extends Group {
  /** Returns whether a command works on a service. @throws Failure as `chooseTarget` */
  isForService(command: Command): boolean;
}

/**
 * Returns a group of commands that perform operations of a data directory: in the running server, or in this
 * process.
 */
export async function operationGroupOf<Module extends ModuleEntry>(
  command: Command,
  { modules, forHelp }: CommandSurroundings<Module>,
  service: Service<Module>,
): Promise<Group> {
  const onDirectory = directoryOperations(service, modules);
  return {
    command: command.helpGroup(GROUPS.administration).helpCommand(false),
    settings: settingsOf(service),
    unlisted: [service.allowSharedData],
    targetOptions: [],
    texts: forHelp ? await descriptionsOf(await modules()) : null,
    operations(called, body, before) {
      refuseContext(called);
      return onDirectory(called, body, before);
    },
  };
}

/**
 * Returns a group of commands that perform operations of the API: on the service that a command or the login
 * context names, or on a data directory.
 */
export async function apiGroupOf<Module extends ModuleEntry>(
  command: Command,
  { modules, forHelp }: CommandSurroundings<Module>,
  service: Service<Module>,
): Promise<ApiGroup> {
  const onDirectory = directoryOperations(service, modules);
  const chosenFor = new WeakMap<Command, ChosenTarget>();
  // Chosen once: another login meanwhile must not change where the next page of a list is from.
  const choose = (called: Command): ChosenTarget => {
    const chosen = chosenFor.get(called) ?? chooseTarget(called.opts<TargetOptions>(), service);
    chosenFor.set(called, chosen);
    return chosen;
  };
  return {
    command: command.helpGroup(GROUPS.api).helpCommand(false),
    settings: settingsOf(service),
    unlisted: [service.allowSharedData],
    targetOptions: targetOptions(),
    texts: forHelp ? await descriptionsOf(await modules()) : null,
    async operations(called, body, before) {
      const chosen = choose(called);
      if (chosen.kind === 'data') return onDirectory(called, body, before);
      const target = { isService: true, label: chosen.label };
      await before?.(target);
      return body(callOf(chosen), target);
    },
    isForService: (called) => choose(called).kind === 'service',
  };
}

/**
 * Returns a group of commands that work with the key of a service only: they are about the holder of the key,
 * and the administrator of a data directory has none.
 */
export async function serviceGroupOf<Module extends ModuleEntry>(
  command: Command,
  { modules, forHelp }: CommandSurroundings<Module>,
  service: Own,
): Promise<Group> {
  const chosenFor = new WeakMap<Command, ChosenService>();
  return {
    command: command.helpGroup(GROUPS.api).helpCommand(false),
    settings: [],
    unlisted: [],
    targetOptions: [...targetOptions(), noDirectory()],
    texts: forHelp ? await descriptionsOf(await modules()) : null,
    async operations(called, body, before) {
      const chosen = chosenFor.get(called) ?? chooseService(called.opts<TargetOptions>(), service);
      chosenFor.set(called, chosen);
      const target = { isService: true, label: chosen.label };
      await before?.(target);
      return body(callOf(chosen), target);
    },
  };
}

/** Returns the function that calls operations of a service. */
function callOf({ service }: ChosenService): CallOperation {
  return async (operation, values = {}, operator = null, idempotencyKey) => {
    if (operator !== null)
      throw new Failure('the operator is that of the key', 'leave --operator out, or use --data', 2);
    if (idempotencyKey === undefined) return service.call(operation, values);
    if (await service.isIdempotent(operation)) return service.call(operation, values, { idempotencyKey });
    throw new Failure(`the service has no Idempotency-Keys for ${operation}`, 'leave --idempotency out', 2);
  };
}

const settingsOf = ({ data, config }: Own): readonly SettingDocs[] => [data, config];

/** Returns the option that says why a command has no data directory. */
const noDirectory = (): Option =>
  new Option('--data <directory>', 'not for this command, which needs a key').hideHelp().argParser(() => {
    throw new InvalidArgumentError('This command needs the key of a service: use --context or --url.');
  });

/** Returns the options that name a service. */
function targetOptions(): Option[] {
  return [
    new Option(
      '--context <name>',
      'the login context, unless COUNTERSIGN_CONTEXT names one (default: the current one)',
    ),
    new Option('--url <url>', 'the service at this URL, instead of a context').argParser((text) =>
      serviceUrl(text, 'responses'),
    ),
    new Option('--api-key-file <file>', 'a file with the key for --url; without it, no key'),
  ];
}

/**
 * Refuses a command of a data directory that no option names while a login context is the current one: the
 * user may mean the service.
 * @throws Failure (exit code 2)
 */
function refuseContext(command: Command): void {
  const { data, config } = command.opts<TargetOptions>();
  if (data !== undefined || config !== undefined) return;
  const current = process.env[CONTEXT_VARIABLE] || new Contexts().current();
  if (!current) return;
  throw new Failure(
    `this command works on a data directory, and ${current} is the current login context`,
    'name the directory with --data',
    2,
  );
}

/** Returns the function that calls operations on the data directory of a command. */
function directoryOperations<Module>(
  { load, data, allowSharedData, settingsOf: allSettings }: Service<Module>,
  modules: LoadModules<Module>,
): WithOperations {
  const run = sessionRunner(modules, {
    data,
    allowSharedData,
    settingsOf: allSettings,
    load: async () => {
      const [{ operationAction }, opening] = await Promise.all([import('./control/operation.ts'), load()]);
      return { actions: { operationAction }, opening };
    },
  });
  return (command, body, before) => {
    let label = '';
    return run(
      command,
      ({ act }) =>
        body(
          (operation, values = {}, operator = null) =>
            act(({ operationAction: action }) => action, { operation, operator, arguments: { ...values } }),
          { isService: false, label },
        ),
      async (path) => {
        label = path;
        await before?.({ isService: false, label });
      },
    );
  };
}
