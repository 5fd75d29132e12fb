import { type LogPolicy, LogPolicyError, parseLogPolicy } from '../../proof/log/log-policy.ts';
import { nativePrimitives } from '../crypto/crypto.ts';
import { Failure } from '../failure.ts';
import { readFile, unreadable, unreadableReason } from '../files/read.ts';

/** A policy that can refer to the lines of its file in errors. */
export interface PolicyFile extends LogPolicy {
  /** Returns an error that names the first line that begins with these words. */
  invalid(words: readonly string[], message: string): Failure;
}

/**
 * Reads a policy file (C2SP tlog-policy).
 *
 * @param setting the option or the key of the setting with the path
 * @throws Failure (exit code 2) that names file and line
 */
export function readPolicyFile(path: string, setting: string): PolicyFile {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFile(path));
  } catch (error) {
    const reason = error instanceof TypeError ? 'it is not UTF-8' : unreadableReason(error);
    const { hint } = unreadable(path, error);
    const isPolicy = `${setting} takes the path of a policy file (C2SP tlog-policy)`;
    throw new Failure(
      `the policy ${path} cannot be read: ${reason}`,
      hint === null ? isPolicy : `${hint}; ${isPolicy}`,
      2,
    );
  }
  if (text.trim() === '') throw new Failure(`the policy ${path} is empty`, HINT, 2);
  const refused = (message: string): Failure => new Failure(`${path}, ${message}`, HINT, 2);
  try {
    return {
      ...parseLogPolicy(nativePrimitives, text),
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
