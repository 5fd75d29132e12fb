import { JsonError, parseJsonBytes } from '../../../proof/encoding/json.ts';
import { TrustedKeysError } from '../../../proof/keys/trusted-keys.ts';
import { logKeyIn, logKeyLines } from '../../../proof/log/log-key-lines.ts';
import { type LogPolicy, LogPolicyError, parseLogPolicy } from '../../../proof/log/log-policy.ts';
import { NoteError, type VerifierKey } from '../../../proof/log/note.ts';
import type { Primitives } from '../../../proof/primitives.ts';
import type { Trusting } from '../../../proof/verifier/document.ts';
import { NO_KEYS, TrustError, trustOf, verifierKeysIn } from '../../../proof/verifier/trust.ts';
import type { PageFile } from './recognise.ts';

/** What a visitor decides beside the files. */
export interface Choices {
  /** Accepts any log of the keys where nothing names the one that is meant. */
  anyLog?: boolean;
  /** Whether the status of a bundle must be valid now. */
  isFresh?: boolean;
}

/** Why nothing can be judged: a sentence about the keys or the policy. */
export class Untrusted extends Error {
  override readonly name = 'Untrusted';
}

/** The files that say what is trusted. */
export interface TrustFiles {
  keys: PageFile | null;
  policy: PageFile | null;
  logKeys: readonly PageFile[];
  /** Whether the page was made with the keys, so that a policy of the visitor must not name others. */
  areKeysFixed: boolean;
}

/**
 * Reads what is trusted.
 * @param now Unix time in milliseconds
 * @throws Untrusted
 */
export function trustingIn(
  primitives: Primitives,
  { keys: keysFile, policy: policyFile, logKeys, areKeysFixed }: TrustFiles,
  { anyLog = false, isFresh = false }: Choices,
  now: number,
): Trusting {
  try {
    const keys =
      keysFile === null ? NO_KEYS : verifierKeysIn(primitives, parseJsonBytes(keysFile.bytes), anyLog);
    const policy = policyFile === null ? undefined : policyIn(primitives, policyFile);
    const named = logKeys.length === 0 ? undefined : logKeys.flatMap((file) => keysIn(primitives, file));
    if (policy !== undefined && policy.logs.length > 0 && areKeysFixed)
      throw new Untrusted(
        `The policy ${policyFile?.name} has log lines, and this page was made with the keys of logs that count`,
      );
    if (policy !== undefined && policy.logs.length > 0 && named !== undefined)
      throw new Untrusted('The log keys and the log lines of the policy both say which log keys to trust');
    return {
      withPolicy: trustOf(keys, policy, named),
      withoutPolicy: trustOf(keys, undefined, named),
      hasKeys: keysFile !== null,
      now,
      isFresh,
    };
  } catch (error) {
    if (error instanceof TrustedKeysError || error instanceof JsonError)
      throw new Untrusted(`${keysFile?.name} is no list of trusted keys: ${error.message}`);
    if (error instanceof TrustError)
      throw new Untrusted(error.witness === null ? `The log key ${error.message}` : error.message);
    throw error;
  }
}

function policyIn(primitives: Primitives, { name, bytes }: PageFile): LogPolicy {
  try {
    return parseLogPolicy(
      primitives,
      new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
    );
  } catch (error) {
    if (error instanceof LogPolicyError) throw new Untrusted(`The policy ${name}, ${error.message}`);
    if (error instanceof TypeError) throw new Untrusted(`The policy ${name} is not UTF-8`);
    throw error;
  }
}

function keysIn(primitives: Primitives, { name, bytes }: PageFile): VerifierKey[] {
  return logKeyLines(new TextDecoder().decode(bytes)).map(({ line, number }) => {
    try {
      return logKeyIn(primitives, line);
    } catch (error) {
      if (error instanceof NoteError) throw new Untrusted(`${name}, line ${number}: ${error.message}`);
      throw error;
    }
  });
}
