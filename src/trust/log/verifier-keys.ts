import { nativePrimitives } from '../../platform/crypto.ts';
import { Failure } from '../../platform/failure.ts';
import { bytesOf, gathered } from '../../platform/input.ts';
import { NoteError, parseVerifierKey, SIGNATURE_TYPES, type VerifierKey } from '../../proof/note.ts';

const MAX_BYTES = 16 * 2 ** 20;

/**
 * What --log-key names: verifier keys of logs (C2SP signed-note), each given as it is or as a file with one a line; blank lines
 * and those that begin with # count for nothing. @throws Failure
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

function readLogKey(text: string): VerifierKey {
  try {
    const key = parseVerifierKey(nativePrimitives, text);
    if (key.type !== SIGNATURE_TYPES.cosignature) return key;
    throw new NoteError(`${key.name} is the key of a witness, not of a log`);
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    throw new Failure(
      `${text.slice(0, 80)}: ${error.message}`,
      '--log-key takes a C2SP verifier key, <origin>+<key id>+<base64>, or a file with one a line',
      2,
    );
  }
}

async function textOf(path: string): Promise<string> {
  return new TextDecoder().decode(await gathered(path, bytesOf(path), MAX_BYTES));
}
