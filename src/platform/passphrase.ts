import { Failure } from './failure.ts';

/**
 * A passphrase that was configured, or else asked for on the terminal without showing it; twice when it is `fresh`.
 * @throws Failure when there is neither, or the two differ
 */
export async function passphraseOf(
  configured: string | null,
  variable: string,
  fresh: boolean,
): Promise<string> {
  if (configured !== null) return configured;
  if (!process.stdin.isTTY) {
    throw new Failure(
      'a passphrase is needed',
      `set ${variable}, or ${variable}_FILE to a file that holds it`,
    );
  }
  const { stdin } = process;
  // Before the question: what is typed the moment it is seen must not be shown either.
  stdin.setRawMode(true).setEncoding('utf8').resume();
  try {
    const first = await ask('Passphrase: ');
    if (fresh && (await ask('Once more: ')) !== first) throw new Failure('the two passphrases differ');
    return first;
  } finally {
    stdin.setRawMode(false).pause();
  }
}

const BACKSPACE = '\u007f';
/** Enter ends the line; Ctrl-C and Ctrl-D end it all. */
const ENDS = ['\r', '\n', '\u0003', '\u0004'];

/** One line from a terminal that is in raw mode, and so shows nothing of it. */
function ask(question: string): Promise<string> {
  const { stdin, stderr } = process;
  return new Promise((resolve, reject) => {
    let typed = '';
    const heard = (text: string): void => {
      for (const character of text) {
        if (ENDS.includes(character)) {
          stdin.off('data', heard);
          stderr.write('\n');
          if (character === '\r' || character === '\n') resolve(typed);
          else reject(new Failure('nothing was done'));
          return;
        }
        typed = character === BACKSPACE ? typed.slice(0, -1) : typed + character;
      }
    };
    stdin.on('data', heard);
    stderr.write(question);
  });
}
