import { constants } from 'node:os';

/** How a command ended. */
export interface Ended {
  exitCode: number | null;
  /** The signal that ended it, such as SIGKILL. */
  signal: string | null;
  /** SHA-256 of what it wrote, in lower-case hexadecimal; only where its output is captured. */
  streams: Record<string, string>;
}

/** A command could not be started. */
export class NotStarted extends Error {
  override readonly name = 'NotStarted';
  constructor(
    message: string,
    /** As shells have it: 127 for a command that does not exist, else 126. */
    readonly exitCode: 126 | 127,
  ) {
    super(message);
  }
}

/** The signals that are passed to the command. A terminal sends all but SIGTERM to the command, too. */
const PASSED = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const;
const OF_TERMINAL: readonly string[] = ['SIGINT', 'SIGHUP', 'SIGQUIT'];

/**
 * Runs a command to its end, with the standard input of this process. Signals to this process go to the
 * command.
 * @param capturesOutput true to copy its output, and to hash it; else it has the output of this process
 * @throws NotStarted
 */
export async function runCommandProcess(argv: readonly string[], capturesOutput: boolean): Promise<Ended> {
  const passing = passedSignals();
  try {
    const child = started(argv, capturesOutput ? 'pipe' : 'inherit');
    passing.to((signal) => child.kill(signal));
    const { stdout, stderr } = child;
    const copied = [
      stdout instanceof ReadableStream ? copy(stdout, 1) : null,
      stderr instanceof ReadableStream ? copy(stderr, 2) : null,
    ] as const;
    await child.exited;
    const [out, err] = await Promise.all(copied);
    const streams = out === null || err === null ? {} : { stdout: out, stderr: err };
    return {
      exitCode: child.exitCode,
      signal: child.signalCode === null ? null : String(child.signalCode),
      streams,
    };
  } finally {
    passing.end();
  }
}

/** Passes signals to this process on, also those that arrive before the command has started. */
function passedSignals() {
  const hasTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
  const early: NodeJS.Signals[] = [];
  let send = (signal: NodeJS.Signals): void => void early.push(signal);
  const listeners = PASSED.map((signal) => {
    const pass = (): void => {
      if (!hasTerminal || !OF_TERMINAL.includes(signal)) send(signal);
    };
    process.on(signal, pass);
    return { signal, pass };
  });
  return {
    to(kill: (signal: NodeJS.Signals) => void): void {
      send = kill;
      for (const signal of early) kill(signal);
    },
    end(): void {
      for (const { signal, pass } of listeners) process.off(signal, pass);
    },
  };
}

/**
 * Returns the exit code of this process for the end of its command: 128 and the number of a signal, as
 * shells.
 */
export function exitCodeOf({ exitCode, signal }: Ended): number {
  if (signal === null) return exitCode ?? 1;
  const number = Object.entries(constants.signals).find(([name]) => name === signal)?.[1] ?? 0;
  return 128 + number;
}

function started(argv: readonly string[], output: 'pipe' | 'inherit') {
  try {
    return Bun.spawn([...argv], { stdin: 'inherit', stdout: output, stderr: output });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const reason = error instanceof Error ? error.message : String(error);
    throw new NotStarted(reason, code === 'ENOENT' ? 127 : 126);
  }
}

/** Copies what a command writes to a descriptor of this process. @returns its SHA-256 */
async function copy(from: ReadableStream<Uint8Array>, to: 1 | 2): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256');
  const sink = Bun.file(to).writer();
  for await (const chunk of from) {
    hash.update(chunk);
    try {
      sink.write(chunk);
      await sink.flush();
    } catch {
      // Nobody reads it any more. The end of the loop closes the pipe, so that the command learns it.
      break;
    }
  }
  return hash.digest('hex');
}
