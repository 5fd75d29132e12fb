import { type LogPolicy, LogPolicyError, parseLogPolicy } from '../../proof/log/log-policy.ts';
import { nativePrimitives } from '../crypto/crypto.ts';
import { Failure } from '../failure.ts';
import { readFile, unreadableReason } from '../files/read.ts';

/** A policy with the lines of its file, for whoever has to say which one is wrong. */
export interface PolicyFile extends LogPolicy {
  /** A refusal that names the first line that begins with these words. */
  invalid(words: readonly string[], message: string): Failure;
}

/**
 * Reads a file in C2SP tlog-policy form.
 *
 * @param setting the key that named it
 * @param logsShareKeys see `parseLogPolicy`
 * @throws Failure (exit code 2) that names file and line
 */
export function readPolicyFile(path: string, setting: string, logsShareKeys = false): PolicyFile {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFile(path));
  } catch (error) {
    const reason = error instanceof TypeError ? 'it is not UTF-8' : unreadableReason(error);
    throw new Failure(`the policy ${path} cannot be read: ${reason}`, `see ${setting}`, 2);
  }
  const refused = (message: string): Failure => new Failure(`${path}, ${message}`, HINT, 2);
  try {
    return {
      ...parseLogPolicy(nativePrimitives, text, logsShareKeys),
      invalid(words, message) {
        const isMeant = (line: string): boolean =>
          words.every((word, index) => line.trim().split(/[ \t]+/)[index] === word);
        return refused(`line ${text.split('\n').findIndex(isMeant) + 1}: ${message}`);
      },
    };
  } catch (error) {
    if (error instanceof LogPolicyError) throw refused(error.message);
    throw error;
  }
}

const HINT =
  'see the example in docs/operations.md, under Witnesses; the last line is "quorum <name>" or "quorum none"';
