import { chmodSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { keyInFile } from '../platform/client/secret-file.ts';
import { ServiceClient } from '../platform/client/service-client.ts';
import { ServiceTarget } from '../platform/client/service-target.ts';
import type { ServiceSocket } from '../platform/client/socket.ts';
import type { Config } from '../platform/config/setting.ts';
import { operationAction } from '../platform/control/operation.ts';
import { perform } from '../platform/control/perform.ts';
import {
  type DataDirectory,
  DataDirectoryError,
  DirectoryInUse,
  takeWritableDirectory,
} from '../platform/data-directory.ts';
import { refuseDemonstration } from '../platform/demo/directory.ts';
import { asFailure, Failure } from '../platform/failure.ts';
import { makeOwnDirectory } from '../platform/files/own-directory.ts';
import { writeSecretFile } from '../platform/files/write.ts';
import { Traffic } from '../platform/http/traffic.ts';
import { createLog } from '../platform/monitoring/log.ts';
import { noopRecorder } from '../platform/monitoring/recorder.ts';
import { schedule } from '../platform/scheduler.ts';
import type { ServiceDefinition } from '../platform/service-definition.ts';
import { systemTimers } from '../platform/time/clock.ts';
import { type LocalService, OPERATIONS } from '../tools/capture/services.ts';
import { version } from './version.ts';

/** The socket in a data directory at which the process that has its lock serves the others. */
const SOCKET = 'capture.sock';
/** The setting of the log's name. */
const LOG_NAME = 'log.origin';
/** The file with the key of those who send to it. */
const KEY = 'capture.key';
/** The file that says that --local made the directory: the data of a server is never taken from it. */
const MARK = 'capture.local';
const MARK_TEXT = `countersign --local made this directory. Any process of this user that captures may serve it.
Without this file, none takes it.
`;
/** The URL in requests, which no listener has. */
const URL_OF_SOCKET = 'http://localhost/';
/** How long a process waits for the one that has the lock to serve, in milliseconds. */
const START_MS = 5000;
const PAUSE_MS = 20;
/** The shortest time between two checkpoints of a log, in milliseconds. */
const CHECKPOINT_MS = 300;

/**
 * Opens the service of a data directory: serves it on a socket there, without a port, or connects to the
 * process that does.
 * @param configured the settings of the environment
 * @param waitMs how long another process that has the lock may take to serve
 * @throws Failure, DataDirectoryError
 */
export async function openLocalService(
  definition: ServiceDefinition,
  configured: Config,
  directory: string,
  waitMs: number = START_MS,
): Promise<LocalService> {
  const path = resolve(directory);
  refuseDemonstration(path, 'serve');
  requireOwn(path);
  let held: Held | null = null;
  const open = async (): Promise<void> => {
    held ??= await holdOrWait(
      { definition, config: localConfig(definition, configured, path), path },
      waitMs,
    );
  };
  await open();
  const socket: ServiceSocket = {
    path: join(path, SOCKET),
    async restore() {
      await open();
      return true;
    },
  };
  const client = new ServiceClient(URL_OF_SOCKET, keyInFile(join(path, KEY)), Bun.sleep, socket);
  return {
    target: new ServiceTarget(client, OPERATIONS),
    close: async () => held?.close(),
  };
}

/** The service of a directory that this process serves. */
interface Held {
  close(): Promise<void>;
}

interface Local {
  definition: ServiceDefinition;
  config: Config;
  path: string;
}

/** Serves the directory; or waits until another process does, and returns null. @throws Failure */
async function holdOrWait(local: Local, waitMs: number): Promise<Held | null> {
  const { path } = local;
  for (const until = performance.now() + waitMs; ; await Bun.sleep(PAUSE_MS)) {
    // Before the lock: a server that starts again would find it taken.
    refuseData(path);
    const directory = takeUnlessInUse(path);
    if (directory !== null) return hold(local, directory);
    if (await isServed(path)) return null;
    if (performance.now() < until) continue;
    throw new Failure(
      `${path} is in use by a countersign process that takes no captures`,
      'end that process; or use its service: countersign login URL, then without --local',
    );
  }
}

/** @throws DataDirectoryError unless only this user can write in the directory */
function requireOwn(path: string): void {
  try {
    makeOwnDirectory(path);
  } catch (error) {
    const { message, hint } = asFailure(error);
    throw error instanceof Failure
      ? new DataDirectoryError(message, hint ?? 'name another directory with --local')
      : new DataDirectoryError(`${path} cannot be made: ${message}`, 'name another directory with --local');
  }
}

/**
 * Refuses a directory with data that --local did not make. Its server could not start again while this
 * process has the lock, and a key for it would be made behind the back of its operator.
 * @throws DataDirectoryError
 */
function refuseData(path: string): void {
  if (existsSync(join(path, MARK))) return;
  const database = readdirSync(path).find((name) => name.endsWith('.db'));
  if (database === undefined) return;
  throw new DataDirectoryError(
    `${path} has the data of a service (${database}), which --local did not make`,
    'log in to that service with countersign login URL, and leave out --local; or name another directory',
  );
}

function takeUnlessInUse(path: string): DataDirectory | null {
  try {
    return takeWritableDirectory(path);
  } catch (error) {
    if (error instanceof DirectoryInUse) return null;
    throw error;
  }
}

async function isServed(path: string): Promise<boolean> {
  if (!existsSync(join(path, KEY))) return false;
  const response = await fetch(new URL('api/health', URL_OF_SOCKET), {
    unix: join(path, SOCKET),
    signal: AbortSignal.timeout(START_MS),
  }).catch(() => null);
  return response !== null;
}

/** Opens the service of a locked directory, and serves it. Releases the lock when it fails. */
async function hold({ definition, config, path }: Local, directory: DataDirectory): Promise<Held> {
  const closing = [async () => directory.release()];
  const close = async (): Promise<void> => {
    for (const step of closing.toReversed()) await step();
    closing.length = 0;
  };
  try {
    refuseData(path);
    if (!existsSync(join(path, MARK))) writeSecretFile(join(path, MARK), MARK_TEXT);
    const { log } = await createLog('error');
    const service = await definition.open({
      directory,
      config,
      log,
      version,
      recorder: noopRecorder,
      traffic: new Traffic(),
      url: URL_OF_SOCKET,
    });
    closing.push(() => service.close());
    const { tasks, control } = await service.background();
    const scheduler = schedule(tasks, { log, timers: systemTimers, recorder: noopRecorder });
    closing.push(() => scheduler.stop());
    const commands = control();
    closing.push(() => commands.stop());
    await ensureKey(definition, path, service.ready.operator_id);
    const socket = join(path, SOCKET);
    // A killed process leaves its socket. The process with the lock may remove it.
    rmSync(socket, { force: true });
    const app = service.app('/');
    const server = Bun.serve({ unix: socket, fetch: (request) => app.fetch(request) });
    chmodSync(socket, 0o600);
    closing.push(async () => {
      await server.stop();
      rmSync(socket, { force: true });
      // So that a checkpoint covers what was captured until now. A log has one after this time again.
      await Bun.sleep(CHECKPOINT_MS);
      for (const task of tasks.filter(({ name }) => name === 'publish checkpoints'))
        await scheduler.run(task);
    });
    return { close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A local service has no limits: only this user reaches it. A new one names its log at random. */
function localConfig({ settings, database }: ServiceDefinition, configured: Config, path: string): Config {
  const isNew = !existsSync(join(path, database.name));
  return new Map([
    ...configured,
    [settings.data.key, path],
    [settings.rateLimits.key, 'off'],
    ...(isNew ? [[LOG_NAME, `capture.invalid/${Bun.randomUUIDv7().slice(-12)}`] as const] : []),
  ]);
}

const NewKey = Type.Object({ api_key: Type.String() });

/** Makes an issuer key for captures, once for a directory. */
async function ensureKey(definition: ServiceDefinition, path: string, operator: unknown): Promise<void> {
  const file = join(path, KEY);
  if (existsSync(file)) return;
  if (typeof operator !== 'string') throw new Error('the service has no operator');
  const opener = { database: definition.database.name, open: () => Promise.reject(new Error('it is open')) };
  const call = { operation: 'createApiKey', operator, arguments: { name: 'capture' } };
  const made: unknown = await perform(path, opener, operationAction, call);
  if (!Value.Check(NewKey, made)) throw new Error('createApiKey returned no key');
  const { api_key: key }: Static<typeof NewKey> = made;
  writeSecretFile(file, `${key}\n`);
}
