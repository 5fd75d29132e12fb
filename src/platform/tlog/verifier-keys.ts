import { existsSync } from 'node:fs';
import { NoteError, parseVerifierKey, SIGNATURE_TYPES, type VerifierKey } from '../../proof/log/note.ts';
import { nativePrimitives } from '../crypto/crypto.ts';
import { Failure } from '../failure.ts';
import { bytesOf, gathered } from '../files/read.ts';

const MAX_BYTES = 16 * 2 ** 20;

/** Says where to get a log key. */
const HINT =
  'a log key is a C2SP verifier key, <origin>+<key id>+<base64>, as GET /log/receipts/vkeys of the service returns it ' +
  'in lines; pass one key, or a file with one key per line';

/**
 * Returns the verifier keys that --log-key names (C2SP signed-note). Each source is a key, or a file with one
 * key per line, which may be a saved response of /log/<name>/vkeys (C2SP tlog-policy, `log <vkey>`). Ignores
 * blank lines and lines that begin with #. @throws Failure
 */
export async function logVerifierKeys(sources: readonly string[]): Promise<VerifierKey[]> {
  const keys: VerifierKey[] = [];
  for (const source of sources) {
    // No real path looks like a key.
    const isKey = source.split('+').length >= 3;
    const lines = isKey ? [source] : (await textOf(source)).split('\n').map((line) => line.trim());
    keys.push(...lines.filter((line) => line !== '' && !line.startsWith('#')).map(readLogKey));
  }
  return keys;
}

function readLogKey(line: string): VerifierKey {
  try {
    const key = parseVerifierKey(nativePrimitives, line.replace(/^log /, ''));
    if (key.type !== SIGNATURE_TYPES.cosignature) return key;
    throw new NoteError(`${key.name} is the key of a witness, not of a log`);
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    throw new Failure(`${line.slice(0, 80)}: ${error.message}`, HINT, 2);
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return new TextDecoder().decode(await gathered(path, bytesOf(path), MAX_BYTES));
  } catch (error) {
    // If there is no file of this name, the user probably meant a key.
    if (error instanceof Failure && !existsSync(path))
      throw new Failure(`${path.slice(0, 80)} is not a log key, and not a file that can be read`, HINT, 2);
    throw error;
  }
}
