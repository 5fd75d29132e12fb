import { resolve } from 'node:path';
import type { Static, TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { Command } from 'commander';
import { commandSettings } from '../../platform/config/command-line.ts';
import { type OperationCall, operationAction } from '../../platform/control/operation.ts';
import { perform } from '../../platform/control/perform.ts';
import { Failure } from '../../platform/failure.ts';
import { createLog } from '../../platform/monitoring/log.ts';
import type { TrustModule } from '../service/module.ts';
import { trustSettings, trustSettingsOf } from '../service/settings.ts';

/** Calls an operation of the API as the local administrator, on the data directory that a command names. @throws Failure */
export type CallOperation = (command: Command, call: OperationCall) => Promise<unknown>;

/** Returns the function that calls operations: in the running server, or in this process if none runs. */
export function operationCaller(modules: readonly TrustModule[]): CallOperation {
  return async (command, call) => {
    const { config } = commandSettings(command, trustSettingsOf(modules));
    const { log } = await createLog('warn');
    const { localServiceOpening } = await import('../service/open-context.ts');
    const path = resolve(trustSettings.data.in(config));
    return perform(path, localServiceOpening(config, log, modules), operationAction, call);
  };
}

/** Returns a result with the type of its schema. @throws Failure if the running server has another version */
export function checkedResult<Schema extends TSchema>(schema: Schema, result: unknown): Static<Schema> {
  if (Value.Check(schema, result)) return result;
  throw new Failure(
    'the running server and this command disagree about a result',
    'use the executable of the running server, or restart the server with this one',
  );
}
