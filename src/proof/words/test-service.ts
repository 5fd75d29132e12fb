import { isTestOrigin } from '../log/test-origin.ts';

/** What every verifier says before all else of what a test service signed. */
export const TEST_WORDS = 'TEST: a test service signed this, which proves nothing.';

/** What a verifier says of a document, and whether a test service signed it. */
type Marked<Said> = Said & { test?: true };

/**
 * Returns what a verifier says of a document, and that a test service signed it, if one of the logs is that
 * of a test service.
 * @param logs the log of keys that the list of keys names, and the logs whose checkpoints were verified; null
 * for none
 */
export function markTest<Said extends { sentence: string }>(
  said: Said,
  logs: readonly (string | null)[],
): Marked<Said> {
  if (!logs.some((log) => log !== null && isTestOrigin(log))) return said;
  return { ...said, test: true, sentence: `${TEST_WORDS} ${said.sentence}` };
}
