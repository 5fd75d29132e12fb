import { resolve } from 'node:path';
import type { Static, TSchema } from '@sinclair/typebox';
import type { Command } from 'commander';
import type { Logger } from 'pino';
import { commandSettings } from '../config/command-line.ts';
import type { Config, Setting } from '../config/setting.ts';
import { createLog } from '../monitoring/log.ts';
import type { Action } from './action.ts';
import { type ContextOpener, connect } from './perform.ts';

/** The data directory, settings and code with which the commands of a service's modules open or call it. */
export interface Target<Module, Context, Actions> {
  /** The setting that names the data directory. */
  data: Setting<string>;
  /** The setting that allows a data directory in which every user may write. */
  allowSharedData: Setting<'on' | 'off'>;
  /** Returns all settings of the service. */
  settingsOf(modules: readonly Module[]): readonly Setting[];
  /** Loads the code that only actions need, so that other commands start faster. */
  load(): Promise<{
    actions: Actions;
    opening: Opening<Module, Context>;
  }>;
}

/** Returns the opener of a service for a data directory that no server holds. */
export type Opening<Module, Context> = (
  config: Config,
  log: Logger,
  modules: readonly Module[],
) => ContextOpener<Context>;

/** Performs several actions on one service, which stays open in between. */
export interface ActionSession<Context, Actions> {
  /** True if another process, the server, performs the actions. */
  readonly isRemote: boolean;
  act<Input extends TSchema, Output extends TSchema>(
    pick: (actions: Actions) => Action<Context, Input, Output>,
    input: Static<Input>,
  ): Promise<Static<Output>>;
}

/**
 * Runs `body` with a session on the data directory of a command.
 * @param before is called with the path of the directory before it is opened
 * @throws Failure, and any error of `body` and `before`
 */
export type RunSession<Context, Actions> = <Result>(
  command: Command,
  body: (session: ActionSession<Context, Actions>) => Promise<Result>,
  before?: (path: string) => Promise<void>,
) => Promise<Result>;

/** Returns the function that performs several actions for the commands of a service with some modules. */
export function sessionRunner<Module, Context, Actions>(
  modules: () => Promise<readonly Module[]>,
  target: Target<Module, Context, Actions>,
): RunSession<Context, Actions> {
  return async (command, body, before) => {
    const { path, opener, actions, sharing } = await targetOf(command, await modules(), target);
    await before?.(path);
    const connection = await connect(path, opener, sharing);
    try {
      return await body({
        isRemote: connection.isRemote,
        act: (pick, input) => connection.perform(pick(actions), input),
      });
    } finally {
      await connection.close();
    }
  };
}

async function targetOf<Module, Context, Actions>(
  command: Command,
  modules: readonly Module[],
  { data, allowSharedData, settingsOf, load }: Target<Module, Context, Actions>,
) {
  const { actions, opening } = await load();
  const { config } = commandSettings(command, settingsOf(modules));
  const { log } = await createLog('warn');
  const sharing = { allowShared: allowSharedData.in(config) === 'on' };
  return { path: resolve(data.in(config)), opener: opening(config, log, modules), actions, sharing };
}

/** Writes the result of a command to stdout, as indented JSON. */
export function printJson(result: unknown): void {
  process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
}
