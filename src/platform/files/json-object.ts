import { isJsonObject, JsonError, type JsonObject, parseJsonBytes } from '../../proof/encoding/json.ts';
import { Failure } from '../failure.ts';
import { bytesOf, gathered } from './read.ts';

/** No request body is larger. */
const MAX_BYTES = 2 ** 20;

/**
 * Reads a file that contains a JSON object, or standard input for `-`.
 * @throws Failure (exit code 2) for anything else, and for more than 1 MiB
 */
export async function objectInFile(file: string): Promise<JsonObject> {
  const bytes = await gathered(file, bytesOf(file), MAX_BYTES);
  const [name, hint] =
    file === '-' ? ['standard input', 'send one JSON object to it'] : [file, 'write one JSON object into it'];
  try {
    const value = parseJsonBytes(bytes);
    if (isJsonObject(value)) return value;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new Failure(`${name} contains no JSON: ${error.message}`, hint, 2);
  }
  throw new Failure(`${name} contains no JSON object`, hint, 2);
}
