import { accessSync, constants } from 'node:fs';
import { basename, join } from 'node:path';
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { Logger } from 'pino';
import {
  type DataDirectory,
  DirectoryInUse,
  type Sharing,
  takeWritableDirectory,
} from '../data-directory.ts';
import { EXIT_CODES, Failure } from '../failure.ts';
import type { Action, Handler } from './action.ts';
import { type Control, controlSocket, openControl } from './server.ts';

/** An open service, with the context that its actions need. */
export interface OpenedContext<Context> {
  context: Context;
  close(): Promise<void>;
}

/** Opens a service whose data directory no process holds. */
export interface ContextOpener<Context> {
  /** The file name of the service's database. */
  database: string;
  open(directory: DataDirectory): Promise<OpenedContext<Context>>;
  /**
   * Checks that the service may be opened in a directory, before anything is written there. By default, the
   * directory must have the database. @throws Failure, DataDirectoryError
   */
  check?(path: string): void;
  /** What other processes may do while this one has the service open; by default nothing. */
  served?: Served<Context>;
}

/** The actions that a command performs for other processes while it has a service open. */
export interface Served<Context> {
  actions: readonly Handler<Context>[];
  /** The response to any other action. */
  busy: Failure;
  log: Logger;
}

/** A process has locked the directory, and performs no actions: it starts or ends, or never does. */
export class NotResponding extends Failure {}

/** A service of a data directory, for one action or several. */
export interface ServiceConnection<Context> {
  /** True if another process, the server, performs the actions. */
  readonly isRemote: boolean;
  /** Performs an action. @throws Failure when it fails */
  perform<Input extends TSchema, Output extends TSchema>(
    action: Action<Context, Input, Output>,
    input: Static<Input>,
  ): Promise<Static<Output>>;
  close(): Promise<void>;
}

/**
 * Performs an action on the service of a data directory: in this process, or in the server that runs there.
 * @throws Failure when the directory does not have this service, or the action fails
 */
export async function perform<Context, Input extends TSchema, Output extends TSchema>(
  path: string,
  opener: ContextOpener<Context>,
  action: Action<Context, Input, Output>,
  input: Static<Input>,
): Promise<Static<Output>> {
  const connection = await connect(path, opener);
  try {
    return await connection.perform(action, input);
  } finally {
    await connection.close();
  }
}

/**
 * Connects to the service of a data directory: opens it in this process, or uses the server that runs there.
 * @throws Failure when the directory does not have this service
 */
export async function connect<Context>(
  path: string,
  opener: ContextOpener<Context>,
  sharing: Sharing = {},
): Promise<ServiceConnection<Context>> {
  if (opener.check === undefined) requireService(path, opener.database);
  else opener.check(path);
  let directory: DataDirectory;
  try {
    // Before the socket is used, too: where every user may write, it may be that of another user.
    directory = takeWritableDirectory(path, sharing);
  } catch (error) {
    if (!(error instanceof DirectoryInUse)) throw error;
    return {
      isRemote: true,
      perform: async (action, input) => action.checkOutput(await call(path, action.name, input)),
      close: async () => undefined,
    };
  }
  try {
    const { context, close } = await opener.open(directory);
    const control = serve(path, context, opener.served);
    return {
      isRemote: false,
      perform: (action, input) => action.handle(context, input),
      async close() {
        try {
          await control?.stop();
          await close();
        } finally {
          directory.release();
        }
      },
    };
  } catch (error) {
    directory.release();
    throw error;
  }
}

function serve<Context>(path: string, context: Context, served?: Served<Context>): Control | null {
  return served === undefined ? null : openControl(path, context, served.actions, served.log, served.busy);
}

/**
 * Checks that a directory contains a database that this user may read. It is named as its service. @throws
 * Failure
 */
export function requireService(path: string, database: string): void {
  const file = join(path, database);
  try {
    accessSync(file, constants.R_OK);
    return;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'EACCES' || code === 'EPERM')
      throw new Failure(`${file} cannot be read (${code})`, 'run this command as the owner of the file');
  }
  throw new Failure(
    `there is no ${database} in ${path}`,
    `specify the data directory with --data, or create one with countersign serve --service ${basename(database, '.db')}`,
  );
}

const ControlResponse = Type.Object({
  result: Type.Optional(Type.Unknown()),
  error: Type.Optional(Type.String()),
  hint: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  exitCode: Type.Optional(Type.Union(EXIT_CODES.map((code) => Type.Literal(code)))),
});

async function call(path: string, name: string, input: unknown): Promise<unknown> {
  let text: string;
  try {
    const response = await fetch(`http://control/${name}`, {
      unix: controlSocket(path),
      method: 'POST',
      body: JSON.stringify(input),
      signal: AbortSignal.timeout(30_000),
    });
    text = await response.text();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new NotResponding(
      `${path} is in use by a countersign process that does not respond: ${reason}`,
      'wait until that process has started or ended, then try again',
    );
  }
  const message = parseJson(text);
  if (!Value.Check(ControlResponse, message))
    throw new Failure(
      `the countersign process that serves ${path} sent an invalid response; it may be another version`,
      'run this command with the executable of the running server, or read its log',
    );
  if (message.error !== undefined)
    throw new Failure(message.error, message.hint ?? null, message.exitCode ?? 1);
  return message.result;
}

/** Parses JSON; returns undefined for any other text, since null is JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
