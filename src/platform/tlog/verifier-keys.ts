import { existsSync } from 'node:fs';
import { NoteError, parseVerifierKey, SIGNATURE_TYPES, type VerifierKey } from '../../proof/log/note.ts';
import { nativePrimitives } from '../crypto/crypto.ts';
import { Failure } from '../failure.ts';
import { bytesOf, gathered } from '../files/read.ts';

const MAX_BYTES = 16 * 2 ** 20;

/** Where anybody gets one. */
const HINT =
  'a log key is a C2SP verifier key, <origin>+<key id>+<base64>, as GET /log/receipts/vkeys of the service returns it ' +
  'in lines; pass one key, or a file with one key per line';

/**
 * What --log-key names: verifier keys of logs (C2SP signed-note), each given as it is or as a file with one a line, which may be
 * the saved answer of /log/<name>/vkeys (C2SP tlog-policy, `log <vkey>`); blank lines and those that begin with # count for
 * nothing. @throws Failure
 */
export async function logVerifierKeys(sources: readonly string[]): Promise<VerifierKey[]> {
  const keys: VerifierKey[] = [];
  for (const source of sources) {
    // No path that anybody has looks like one.
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
    // Whoever mistook what to give meant no file at all.
    if (error instanceof Failure && !existsSync(path))
      throw new Failure(`${path.slice(0, 80)} is not a log key, and not a file that can be read`, HINT, 2);
    throw error;
  }
}
