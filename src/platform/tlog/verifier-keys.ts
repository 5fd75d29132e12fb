import { existsSync } from 'node:fs';
import { logKeyIn, logKeyLines } from '../../proof/log/log-key-lines.ts';
import { NoteError, type VerifierKey } from '../../proof/log/note.ts';
import { nativePrimitives } from '../crypto/crypto.ts';
import { Failure } from '../failure.ts';
import { bytesOf, gathered } from '../files/read.ts';

const MAX_BYTES = 16 * 2 ** 20;

/** How the sources of keys are read. */
export interface KeySourceOptions {
  /** The name of the log in the hint on where to get a key, such as `keys`. */
  log: string;
  /**
   * Accepts a file without keys. Never for --log-key: after a failed download, no key would be trusted, and a
   * monitor would trust the keys of the service.
   */
  mayBeEmpty?: boolean;
}

/**
 * Returns the verifier keys that --log-key names (C2SP signed-note). Each source is a key, or a file with one
 * key per line, which may be a saved response of /log/<name>/vkeys (C2SP tlog-policy, `log <vkey>`). Ignores
 * blank lines and lines that begin with #. @throws Failure also for a file without keys
 */
export async function logVerifierKeys(
  sources: readonly string[],
  { log, mayBeEmpty = false }: KeySourceOptions,
): Promise<VerifierKey[]> {
  const hint =
    `a log key is a C2SP verifier key, <origin>+<key id>+<base64>; GET /log/${log}/vkeys of the service returns ` +
    'lines with them; pass one key, or a file with one key per line';
  const refused = (message: string): Failure => new Failure(message, hint, 2);
  const keys: VerifierKey[] = [];
  for (const source of sources) {
    // No real path looks like a key.
    if (source.split('+').length >= 3) {
      keys.push(readLogKey(source, refused));
      continue;
    }
    const text = await textOf(source, refused);
    if (text.trimStart().startsWith('{')) throw refused(`${source} is JSON, and not a file with log keys`);
    const read = keysIn(text, (line, message) => refused(`${source}, line ${line}: ${message}`));
    if (read.length === 0 && !mayBeEmpty) throw refused(`${source} has no log key`);
    keys.push(...read);
  }
  return keys;
}

function keysIn(text: string, refused: (line: number, message: string) => Failure): VerifierKey[] {
  return logKeyLines(text).map(({ line, number }) => readLogKey(line, (message) => refused(number, message)));
}

function readLogKey(line: string, refused: (message: string) => Failure): VerifierKey {
  try {
    return logKeyIn(nativePrimitives, line);
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    throw refused(error.message);
  }
}

async function textOf(path: string, refused: (message: string) => Failure): Promise<string> {
  try {
    return new TextDecoder().decode(await gathered(path, bytesOf(path), MAX_BYTES));
  } catch (error) {
    // If there is no file of this name, the user probably meant a key.
    if (error instanceof Failure && !existsSync(path))
      throw refused(`${path.slice(0, 80)} is not a log key, and not a file that can be read`);
    throw error;
  }
}
