import { printable } from '../../../platform/terminal/printable.ts';
import type { Capture } from '../session/capture.ts';
import { Notices } from '../session/notices.ts';
import { closeStandardFile } from './close-file.ts';
import { FromClient, type OnFailure } from './from-client.ts';
import { FromServer } from './from-server.ts';
import { InOrder } from './in-order.ts';
import type { Names } from './names.ts';
import { OpenCalls } from './open-calls.ts';
import { Pipe } from './sink.ts';

/** The signals that are passed on to the server. */
const PASSED: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'];
/** Those by which a client ends its session. The others can be of any meaning. */
const ENDING: ReadonlySet<NodeJS.Signals> = new Set(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']);
/** How long receipts are sent for at the end of a session, in milliseconds. */
const SEND_MS = 1000;
/** How long the output of a server that ended is waited for while none comes, in milliseconds. */
const OUTPUT_MS = 500;
/** How long a server may take to end after its client stopped reading, in milliseconds. */
const CLIENT_GONE_MS = 5000;

/** What the wrapper runs, and how it records calls. */
export interface Wrapped {
  command: readonly string[];
  names: Names;
  capture: Capture;
  onFailure: OnFailure;
}

/** How a server ended. */
export interface Ended {
  code: number;
  signal: NodeJS.Signals | null;
}

/**
 * Runs an MCP server between this process and its client: stdin and stdout are copied, stderr is inherited,
 * signals are passed on, and calls of tools are recorded.
 * @returns how the server ended, after the session was closed. The code is 127 or 126 if it cannot be started
 */
export async function wrap({ command, names, capture, onFailure }: Wrapped): Promise<Ended> {
  const server = start(command);
  if (typeof server === 'number') return { code: server, signal: null };
  const calls = new OpenCalls(capture, names);
  const input = Bun.stdin.stream().getReader();
  let isClientGone = false;

  // A client that stopped reading is gone. The server gets the end of its input, and a signal if it stays.
  const client = new Pipe(Bun.stdout.writer(), () => {
    isClientGone = true;
    void input.cancel();
    setTimeout(() => server.kill('SIGTERM'), CLIENT_GONE_MS).unref();
  });
  let isServerClosed = false;
  const toServer = new Pipe(server.stdin, () => {
    isServerClosed = true;
    // The client notices it as without a wrapper: it can write no more.
    void input.cancel().then(() => closeStandardFile(0));
  });
  const notices = new Notices();
  const notice = (text: string) => notices.say('message', text);
  const fromServer = new FromServer(client, calls, notice);
  const refuse = (line: string) => fromServer.add(line);
  const fromClient = new FromClient(new InOrder(toServer), calls, onFailure, { refuse, notice });
  const stopPassing = passSignals((signal) => {
    if (ENDING.has(signal)) isClientGone = true;
    server.kill(signal);
  });

  async function copyInput(): Promise<void> {
    for (let chunk = await next(input); chunk !== null; chunk = await next(input))
      await fromClient.take(chunk);
    if (!isServerClosed) isClientGone = true;
    await fromClient.end();
    toServer.close();
  }

  void copyInput();
  await copyOutput(server, fromServer);
  client.close();
  closeStandardFile(1);
  await server.exited;
  if (isClientGone) calls.sessionEnded();
  else calls.serverEnded();
  await capture.close(SEND_MS);
  stopPassing();
  const { exitCode, signalCode } = server;
  return { code: exitCode ?? 0, signal: typeof signalCode === 'string' ? signalCode : null };
}

/**
 * Starts a server. @returns the exit code of a shell for a command that cannot be started, after a message
 */
function start(command: readonly string[]) {
  try {
    return Bun.spawn([...command], { stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' });
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const problem = isMissing ? 'does not exist' : 'cannot be run';
    process.stderr.write(`countersign: error: the command ${printable(command[0] ?? '')} ${problem}\n`);
    return isMissing ? 127 : 126;
  }
}

/** What bytes are read from. */
interface Reader {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
}
type Server = Exclude<ReturnType<typeof start>, number>;

/**
 * Copies the output of a server until its end. A process that the server left behind may have the pipe open:
 * after the end of the server, the output ends when none comes.
 */
async function copyOutput(server: Server, fromServer: FromServer): Promise<void> {
  const output = server.stdout.getReader();
  let isQuiet = false;
  void server.exited.then(() => {
    const timer = setInterval(() => {
      if (isQuiet) void output.cancel().then(() => clearInterval(timer));
      isQuiet = true;
    }, OUTPUT_MS);
    timer.unref();
  });
  for (let chunk = await next(output); chunk !== null; chunk = await next(output)) {
    await fromServer.take(chunk);
    isQuiet = false;
  }
  fromServer.end();
}

/**
 * Returns the next bytes; null at the end, and if the other end was closed in another way, such as by a
 * reset.
 */
async function next(reader: Reader): Promise<Uint8Array | null> {
  try {
    const { done, value } = await reader.read();
    return done ? null : (value ?? null);
  } catch {
    return null;
  }
}

/** Passes signals to the server. @returns stops it, so that a signal ends this process */
function passSignals(pass: (signal: NodeJS.Signals) => void): () => void {
  const handlers = PASSED.map((signal) => [signal, () => pass(signal)] as const);
  for (const [signal, handler] of handlers) process.on(signal, handler);
  return () => {
    for (const [signal, handler] of handlers) process.off(signal, handler);
  };
}
