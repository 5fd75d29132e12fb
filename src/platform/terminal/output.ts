import { constants, existsSync, lstatSync, rmSync } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { constants as osConstants } from 'node:os';
import { dirname } from 'node:path';
import { Failure } from '../failure.ts';
import { syncPath } from '../files/write.ts';

/** What ends a command, a lost terminal too. */
const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * What a terminal would obey or would show as something else: control characters but newline, marks of direction, lines and
 * paragraphs of Unicode's, and what has no width.
 */
const OBEYED = /(?!\n)[\p{Cc}\p{Bidi_C}\u200b-\u200d\u2028\u2029\u2060\ufeff]/gu;

/** Text that may quote somebody else's words, with whatever a terminal would obey written out (`\u001b`). */
export function printable(text: string): string {
  return text.replace(OBEYED, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The secrets of both services by their prefixes, and the password of a URL. */
const SECRETS = /\b(pp|svc|adm|ses|whk|mpk_test|mpk_live|whsec)_[\w+/=]{16,}|(:\/\/[^\s:/@]*):[^\s/@]+@/g;

/** Returns text that may quote what somebody typed or configured by mistake, without the secrets in it: `pp_…`. */
export function withoutSecrets(text: string): string {
  return text.replace(SECRETS, (_, prefix?: string, user?: string) =>
    prefix === undefined ? `${user}:…@` : `${prefix}_…`,
  );
}

/** Where something is shown. */
interface Screen {
  isTTY?: boolean | undefined;
}

/** Returns whether a terminal shows `screen` and moves its cursor when told so; a `dumb` one does not. */
export function isTerminal(screen: Screen, env: NodeJS.ProcessEnv = process.env): boolean {
  return screen.isTTY === true && env.TERM !== 'dumb';
}

/**
 * Returns whether text for `screen` may have colors: on a terminal, unless NO_COLOR (https://no-color.org) is set. FORCE_COLOR
 * rules over both, `0` and `false` as no, as it does for Node.
 */
export function isColored(screen: Screen, env: NodeJS.ProcessEnv = process.env): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: refused = '' } = env;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return refused === '' && isTerminal(screen, env);
}

/** A value as a line of JSON, which says the same to programs and nothing to a terminal. */
export function jsonLine(value: unknown): string {
  return `${printable(JSON.stringify(value))}\n`;
}

/** Writes text, and resolves when the next may follow: who awaits it holds no more than one text in memory. */
export type Write = (text: string) => Promise<void>;

/** Writes to standard output as fast as its reader takes it. @throws Failure for a closed pipe or a full disk */
export const writeOut: Write = (text) =>
  new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (error === undefined || error === null) resolve();
      // The process's own listener for the stream's errors ends it and says why; this is for where there is none.
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
 * Writes a file that only its owner may read, all of it or none, whatever its size: `path`.new, made by this call, is
 * written by `body`, synced, and renamed. A failure or a signal to end leaves nothing behind.
 *
 * @throws Failure when `path` or `path`.new is there already, or cannot be written; and whatever `body` throws
 */
export async function writeNewFile<T>(path: string, body: (write: Write) => Promise<T>): Promise<T> {
  const fresh = `${path}.new`;
  requireAbsent(path);
  const file = await openNew(path, fresh);
  return withCleanup(
    () => rmSync(fresh, { force: true }),
    async () => {
      const result = await writeAndClose(path, file, body);
      // What has come to be there meanwhile is not ours to replace.
      requireAbsent(path);
      await rename(fresh, path);
      syncPath(dirname(path));
      return result;
    },
  );
}

/** Runs `act`, and `discard` when it has ended, whichever way, and when a signal ends the process before. */
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

/** @throws Failure when anything stands at `path` */
export function requireAbsent(path: string): void {
  // A link that leads nowhere is there, too: it is somebody's, and a rename would replace it.
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return;
  throw new Failure(`${path} already exists`, 'name another file, or move the existing one away');
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
        'create it first, or name another file',
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
    'check that the disk has free space, or name another file',
  );
}
