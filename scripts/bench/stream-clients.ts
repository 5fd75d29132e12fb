/**
 * Clients that follow one A2A task by streams, on a thread of their own: what they cost is not measured with
 * the service. Each line that the service sends is looked at for a state of the task.
 */
import { connect, type Socket } from 'node:net';

declare const self: Worker;

/** What the clients do next; each is reported with `StreamReport`. */
export type StreamCommand =
  | { do: 'open'; port: number; apiKey: string; taskId: string; clients: number }
  /** All leave at once and come back at once, so many times. */
  | { do: 'storm'; rounds: number }
  /** Waits until each was told of a state. */
  | { do: 'wait'; state: string };

/** When the last client had what it waited for: milliseconds since 1970, with fractions. */
export interface StreamReport {
  at: number;
}

const FIRST = 'TASK_STATE_';

class Client {
  private socket: Socket | null = null;
  private text = '';
  private wanted = '';
  private arrived: (() => void) | null = null;

  constructor(
    private readonly port: number,
    private readonly request: string,
  ) {}

  /** Opens the stream. Resolves when it has the task. */
  open(): Promise<void> {
    this.text = '';
    return new Promise((resolve, reject) => {
      this.wanted = FIRST;
      this.arrived = resolve;
      const socket = connect(this.port, '127.0.0.1', () => socket.write(this.request));
      socket.on('data', (bytes) => this.take(bytes.toString()));
      socket.on('error', reject);
      this.socket = socket;
    });
  }

  /** Resolves when the stream has told of a state, even before. */
  told(state: string): Promise<void> {
    return new Promise((resolve) => {
      this.wanted = state;
      this.arrived = resolve;
      this.take('');
    });
  }

  leave(): void {
    this.socket?.removeAllListeners('error').on('error', () => undefined);
    this.socket?.destroy();
  }

  private take(text: string): void {
    this.text += text;
    if (this.arrived === null || !this.text.includes(this.wanted)) return;
    this.arrived();
    this.arrived = null;
  }
}

let clients: Client[] = [];
const all = (act: (client: Client) => Promise<void>): Promise<unknown> => Promise.all(clients.map(act));

async function obey(command: StreamCommand): Promise<void> {
  if (command.do === 'open') {
    const { port, apiKey, taskId } = command;
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SubscribeToTask', params: { id: taskId } });
    const request =
      `POST /api/v1/a2a/tasks HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${apiKey}\r\nLast-Event-ID: 1\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    clients = Array.from({ length: command.clients }, () => new Client(port, request));
    await all((client) => client.open());
  } else if (command.do === 'wait') {
    await all((client) => client.told(command.state));
  } else {
    for (let round = 0; round < command.rounds; round++) {
      for (const client of clients) client.leave();
      await all((client) => client.open());
    }
  }
}

self.onmessage = async ({ data }: MessageEvent<StreamCommand>) => {
  await obey(data);
  const report: StreamReport = { at: performance.timeOrigin + performance.now() };
  self.postMessage(report);
};
