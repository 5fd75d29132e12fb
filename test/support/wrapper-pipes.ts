import { FromClient, type OnFailure } from '../../src/tools/capture/mcp/from-client.ts';
import { FromServer } from '../../src/tools/capture/mcp/from-server.ts';
import { InOrder } from '../../src/tools/capture/mcp/in-order.ts';
import { Names } from '../../src/tools/capture/mcp/names.ts';
import { OpenCalls } from '../../src/tools/capture/mcp/open-calls.ts';
import type { Sink } from '../../src/tools/capture/mcp/sink.ts';
import type { Recorded } from '../../src/tools/capture/session/capture.ts';
import { RecordingCapture } from './recording-capture.ts';

/** Keeps what is written to it. */
class Kept implements Sink {
  readonly chunks: Uint8Array[] = [];
  constructor(private readonly onWrite: (text: string) => void = () => undefined) {}
  write(bytes: Uint8Array): void {
    this.onWrite(Buffer.from(bytes).toString('latin1'));
    this.chunks.push(bytes.slice());
  }
  flush(): undefined {
    return undefined;
  }
  close(): void {
    this.chunks.push(Buffer.from('<end>'));
  }
  get text(): string {
    return Buffer.concat(this.chunks).toString('latin1');
  }
}

/** Returns both ways of a wrapper, and what goes through them. */
export function pipes({
  state = 'issued',
  isManual = false,
  onFailure = 'pass',
}: {
  state?: Recorded;
  isManual?: boolean;
  onFailure?: OnFailure;
} = {}) {
  const capture = new RecordingCapture(state, isManual);
  const calls = new OpenCalls(capture, new Names('server'));
  /** How many calls had begun when each byte went to the server. */
  const begun: { text: string; calls: number }[] = [];
  const server = new Kept((text) => begun.push({ text, calls: capture.calls.length }));
  const client = new Kept();
  const notices: string[] = [];
  const notice = (text: string) => notices.push(text);
  const fromServer = new FromServer(client, calls, notice);
  const refuse = (line: string) => fromServer.add(line);
  const fromClient = new FromClient(new InOrder(server), calls, onFailure, { refuse, notice });
  const settled = async () => {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  };
  return { capture, calls, server, client, fromClient, fromServer, begun, settled, notices };
}

/** Divides bytes at the given places. */
export function divided(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const cuts = [0, ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return cuts.slice(1).map((cut, index) => bytes.subarray(cuts[index], cut));
}

/** Returns bytes that have the codes of the characters. */
export const latin1 = (text: string) => Buffer.from(text, 'latin1');
/** Returns the text of a call. */
export const callOf = (id: unknown, more = '') =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"tools/call"${more}}`;
