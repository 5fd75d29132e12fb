import { Failure } from '../failure.ts';

/**
 * Returns the configured passphrase, or reads it from the terminal without echo; twice when it is `fresh`.
 * @throws Failure when there is neither, the two inputs differ, or the user cancels
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
  const first = await prompted('Passphrase:');
  // Without this check, a backspace on a terminal that cannot edit lines (TERM=dumb) becomes an invisible
  // part of the passphrase.
  if (/\p{Cc}/u.test(first)) {
    throw new Failure(
      'the passphrase contains a control character, such as a backspace',
      `type it without corrections, or set ${variable}_FILE to a file that holds it`,
    );
  }
  if (fresh && (await prompted('Once more:')) !== first)
    throw new Failure('the two passphrases differ', 'run the command again');
  return first;
}

/**
 * Asks for a secret on the terminal, without echo.
 * @throws Failure (exit code 2) if there is no terminal, and when the user cancels
 */
export async function askSecret(message: string, hint: string): Promise<string> {
  if (process.stdin.isTTY) return prompted(message);
  throw new Failure('nobody can be asked here: there is no terminal', hint, 2);
}

/** Prompts on stderr, because stdout is for results. @throws Failure after Ctrl-C and Ctrl-D */
async function prompted(message: string): Promise<string> {
  // Loaded on demand, so that commands start faster.
  const { default: password } = await import('@inquirer/password');
  const { stdin: input, stderr: output } = process;
  const cancelling = new AbortController();
  // The prompt handles only Ctrl-C. Ctrl-D would close its input and leave it waiting forever.
  const cancelOnEnd = (_text: unknown, key?: { name?: string; ctrl?: boolean }): void => {
    if (key?.ctrl === true && key.name === 'd') cancelling.abort();
  };
  input.on('keypress', cancelOnEnd);
  try {
    return await password({ message, toggleMask: false }, { input, output, signal: cancelling.signal });
  } catch (error) {
    if (error instanceof Error && ['ExitPromptError', 'AbortPromptError'].includes(error.name)) {
      // Ctrl-C ends a command as SIGINT does; Ctrl-D is only no input.
      const exitCode = error.name === 'ExitPromptError' ? 130 : 1;
      const hint = 'run the command again to continue';
      throw new Failure('cancelled at the prompt; nothing was changed', hint, exitCode);
    }
    throw error;
  } finally {
    input.off('keypress', cancelOnEnd);
  }
}
