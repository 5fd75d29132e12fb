import { Failure } from '../failure.ts';

/**
 * Returns a passphrase that was configured, or else asks for it on the terminal without showing it; twice when it is `fresh`.
 * @throws Failure when there is neither, the two differ, or the user cancels
 */
export async function readPassphrase(
  configured: string | null,
  variable: string,
  fresh: boolean,
): Promise<string> {
  if (configured !== null) return configured;
  if (!process.stdin.isTTY) {
    throw new Failure(
      'no passphrase was given',
      `set ${variable}, or ${variable}_FILE to a file that holds it`,
    );
  }
  const first = await ask('Passphrase:');
  // Without this, a backspace on a terminal that cannot edit lines (TERM=dumb) becomes a part of a passphrase that nobody can see.
  if (/\p{Cc}/u.test(first)) {
    throw new Failure(
      'the passphrase contains a control character, such as a backspace',
      `type it without corrections, or set ${variable}_FILE to a file that holds it`,
    );
  }
  if (fresh && (await ask('Once more:')) !== first)
    throw new Failure('the two passphrases differ', 'run the command again');
  return first;
}

/** Asks on stderr, since stdout is for results. @throws Failure after Ctrl-C and Ctrl-D */
async function ask(message: string): Promise<string> {
  // Loaded now: commands start without it.
  const { default: password } = await import('@inquirer/password');
  const { stdin: input, stderr: output } = process;
  const cancelling = new AbortController();
  // The prompt ends with Ctrl-C only. Ctrl-D would close its input and leave it waiting for ever.
  const cancelOnEnd = (_text: unknown, key?: { name?: string; ctrl?: boolean }): void => {
    if (key?.ctrl === true && key.name === 'd') cancelling.abort();
  };
  input.on('keypress', cancelOnEnd);
  try {
    return await password({ message, toggleMask: false }, { input, output, signal: cancelling.signal });
  } catch (error) {
    if (error instanceof Error && ['ExitPromptError', 'AbortPromptError'].includes(error.name)) {
      throw new Failure('cancelled at the prompt; nothing was changed', 'run the command again to continue');
    }
    throw error;
  } finally {
    input.off('keypress', cancelOnEnd);
  }
}
