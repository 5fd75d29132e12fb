import { constants, existsSync, lstatSync, rmSync } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { constants as osConstants } from 'node:os';
import { dirname } from 'node:path';
import { Failure } from '../failure.ts';
import { syncPath } from '../files/write.ts';
import { printable } from './printable.ts';

/** The signals that end a command. A closed terminal sends SIGHUP. */
const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Matches the secrets of both services by their prefixes, and the password of a URL. */
const SECRETS = /\b(pp|svc|adm|ses|whk|mpk_test|mpk_live|whsec)_[\w+/=]{16,}|(:\/\/[^\s:/@]*):[^\s/@]+@/g;

/**
 * Returns text with its secrets shortened to `pp_…`. For text that may quote what a user typed or configured
 * by mistake.
 */
export function withoutSecrets(text: string): string {
  return text.replace(SECRETS, (_, prefix?: string, user?: string) =>
    prefix === undefined ? `${user}:…@` : `${prefix}_…`,
  );
}

/** The destination of output. */
interface Screen {
  isTTY?: boolean | undefined;
}

/** Returns whether `screen` is a terminal that moves its cursor; false for a `dumb` one. */
export function isTerminal(screen: Screen, env: NodeJS.ProcessEnv = process.env): boolean {
  return screen.isTTY === true && env.TERM !== 'dumb';
}

/**
 * Returns whether text for `screen` may have colors: on a terminal, unless NO_COLOR (https://no-color.org) is
 * set. FORCE_COLOR overrides both, with `0` and `false` as no, as in Node.
 */
export function isColored(screen: Screen, env: NodeJS.ProcessEnv = process.env): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: refused = '' } = env;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return refused === '' && isTerminal(screen, env);
}

/** Returns a value as a line of JSON in which control characters are escaped. */
export function jsonLine(value: unknown): string {
  return `${printable(JSON.stringify(value))}\n`;
}

/**
 * Writes text, and resolves when the next text may follow. Callers that await it hold at most one text in
 * memory.
 */
export type Write = (text: string) => Promise<void>;

/** Writes to standard output at the pace of its reader. @throws Failure for a closed pipe or a full disk */
export const writeOut: Write = (text) =>
  new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (error === undefined || error === null) resolve();
      // A listener of the process usually ends it with a message. This is for processes without that
      // listener.
      else
        setImmediate(() =>
          reject(
            new Failure(
              `standard output cannot be written: ${error.message}`,
              'check where standard output goes, and that the disk has free space',
            ),
          ),
        );
    });
  });

/**
 * Writes a file of any size that only its owner may read, completely or not at all. `body` writes the new
 * file `path`.new, which is then synced and renamed. A failure or a signal leaves no file behind.
 *
 * @throws Failure when `path` or `path`.new already exists or cannot be written, and any error of `body`
 */
export async function writeNewFile<T>(path: string, body: (write: Write) => Promise<T>): Promise<T> {
  const fresh = `${path}.new`;
  requireAbsent(path);
  const file = await openNew(path, fresh);
  return withCleanup(
    () => rmSync(fresh, { force: true }),
    async () => {
      const result = await writeAndClose(path, file, body);
      // Another process may have created the file meanwhile; do not replace it.
      requireAbsent(path);
      await rename(fresh, path);
      syncPath(dirname(path));
      return result;
    },
  );
}

/** Runs `act`, and then `discard`: after success, after a failure, and when a signal ends the process. */
export async function withCleanup<T>(discard: () => void, act: () => Promise<T>): Promise<T> {
  const interrupted = (signal: NodeJS.Signals): void => {
    discard();
    process.exit(128 + osConstants.signals[signal]);
  };
  for (const signal of ENDING) process.on(signal, interrupted);
  try {
    return await act();
  } finally {
    for (const signal of ENDING) process.off(signal, interrupted);
    discard();
  }
}

/** Checks that no file exists at `path`. @throws Failure */
export function requireAbsent(path: string): void {
  // A dangling link counts as existing, too: a rename would replace it.
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return;
  throw new Failure(`${path} already exists`, 'specify another file, or move the existing one away');
}

async function openNew(path: string, fresh: string): Promise<FileHandle> {
  try {
    return await open(fresh, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  } catch (error) {
    if (existsSync(fresh)) {
      throw new Failure(`${fresh} already exists`, 'remove it, unless another process is writing it');
    }
    if (!existsSync(dirname(path))) {
      throw new Failure(
        `the directory does not exist: ${dirname(path)}`,
        'create it first, or specify another file',
      );
    }
    throw cannotBeWritten(path, error);
  }
}

async function writeAndClose<T>(
  path: string,
  file: FileHandle,
  body: (write: Write) => Promise<T>,
): Promise<T> {
  const write: Write = async (text) => {
    try {
      await file.writeFile(text);
    } catch (error) {
      throw cannotBeWritten(path, error);
    }
  };
  try {
    const result = await body(write);
    await file.sync();
    return result;
  } finally {
    await file.close();
  }
}

function cannotBeWritten(path: string, error: unknown): Failure {
  const cause = error instanceof Error ? error.message : String(error);
  return new Failure(
    `${path} cannot be written: ${cause}`,
    'check that the disk has free space, or specify another file',
  );
}
