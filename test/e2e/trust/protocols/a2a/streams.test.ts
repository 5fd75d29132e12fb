import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { SendMessageRequest, type StreamResponse, TaskState } from '@a2a-js/sdk';
import { InMemoryRunner, RemoteA2AAgent } from '@google/adk';
import { A2AClient } from 'a2a-sdk-0.2/client';
import { clientOfV1, clientOfV03, keyedFetch } from '../../../../support/a2a-clients.ts';
import { type Running, run, scratch, serve } from '../../../../support/process.ts';

type Json = Record<string, unknown>;

let directory: ReturnType<typeof scratch>;
let server: Running;
let data: string;
let hirer: string;
let worker: string;

beforeAll(async () => {
  directory = scratch();
  data = join(directory.path, 'data');
  // More than a storm of clients opens within a minute.
  server = await serve(data, { COUNTERSIGN_A2A_STREAMS_PER_CALLER: '10000' });
  await Bun.write(join(directory.path, 'key'), server.apiKey, { mode: 0o600 });
  hirer = await enrolled('hirer');
  worker = await enrolled('worker');
  await run(['credits', 'grant', '--yes', hirer, '1000', '--data', data]);
});
afterAll(async () => {
  await server.stop();
  directory.dispose();
});

async function enrolled(name: string): Promise<string> {
  const key = join(directory.path, `${name}.pem`);
  await run(['keygen', '--out', key]);
  const sponsor = ['--api-key-file', join(directory.path, 'key')];
  const { stdout } = await run(['enroll', server.url, '--key', key, '--name', name, ...sponsor]);
  return String(JSON.parse(stdout).subject_commitment);
}

const terms = () => ({ skill: 'hire_agent', hirer_commitment: hirer, worker_commitment: worker, amount: 5 });

/** Anchors the worker's evidence of a task with the service token. */
async function deliver(taskId: string): Promise<void> {
  const payload = join(directory.path, 'deliverable.json');
  await Bun.write(payload, JSON.stringify({ task_id: taskId, deliverable_digest: 'ab'.repeat(32) }));
  const key = join(directory.path, 'worker.pem');
  const { stdout } = await run(['sign', payload, '--key', key, '--evidence', 'task_deliverable']);
  const { status } = await fetch(`${server.url}/api/v1/passport/agents/${worker}/evidence`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.ready.service_token}`, 'content-type': 'application/json' },
    body: stdout,
  });
  expect(status).toBe(201);
}

/** Calls a method with the key of the operator. */
async function call(method: string, params: Json): Promise<Json> {
  const response = await keyedFetch(server.apiKey)(`${server.url}/api/v1/a2a/tasks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return Object(Object(await response.json()).result);
}
const hired = async (): Promise<string> => {
  const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ data: terms() }] };
  return String(Object((await call('SendMessage', { message })).task).id);
};

describe('the newest SDK', () => {
  const stateOf = ({ payload }: StreamResponse): TaskState | null => {
    if (payload?.$case === 'task' || payload?.$case === 'statusUpdate')
      return payload.value.status?.state ?? null;
    return null;
  };

  test('follows a hire by the streams of its messages', async () => {
    const client = await clientOfV1(server.url, server.apiKey);
    const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ data: terms() }] };
    const states: (TaskState | null)[] = [];
    let taskId = '';
    for await (const event of client.sendMessageStream(SendMessageRequest.fromJSON({ message }))) {
      states.push(stateOf(event));
      if (event.payload?.$case !== 'task') continue;
      taskId = event.payload.value.id;
      await deliver(taskId);
    }
    expect(states).toEqual([TaskState.TASK_STATE_WORKING, TaskState.TASK_STATE_INPUT_REQUIRED]);
    const accept = { messageId: crypto.randomUUID(), taskId, role: 'ROLE_USER', parts: [{ text: 'accept' }] };
    const paid: (TaskState | null)[] = [];
    for await (const event of client.sendMessageStream(SendMessageRequest.fromJSON({ message: accept })))
      paid.push(stateOf(event));
    expect(paid).toEqual([TaskState.TASK_STATE_COMPLETED]);
  });

  test('follows a task that exists, and is told that one has ended', async () => {
    const client = await clientOfV1(server.url, server.apiKey);
    const id = await hired();
    const states: (TaskState | null)[] = [];
    for await (const event of client.resubscribeTask({ tenant: '', id })) {
      states.push(stateOf(event));
      if (states.length === 1) await call('CancelTask', { id });
    }
    expect(states).toEqual([TaskState.TASK_STATE_WORKING, TaskState.TASK_STATE_CANCELED]);
    const again = client.resubscribeTask({ tenant: '', id }).next();
    await expect(again).rejects.toThrow('canceled');
  });

  test('sets, lists and deletes push notifications', async () => {
    const client = await clientOfV1(server.url, server.apiKey);
    const taskId = await hired();
    const config = { tenant: '', id: 'mine', taskId, url: 'https://example.com/push', token: 't' };
    const made = await client.createTaskPushNotificationConfig({ ...config, authentication: undefined });
    expect([made.id, made.url, made.token]).toEqual(['mine', 'https://example.com/push', 't']);
    const listed = await client.listTaskPushNotificationConfig({
      tenant: '',
      taskId,
      pageSize: 0,
      pageToken: '',
    });
    expect(listed.configs.map(({ id }) => id)).toEqual(['mine']);
    await client.deleteTaskPushNotificationConfig({ tenant: '', taskId, id: 'mine' });
    await call('CancelTask', { id: taskId });
  });
});

/** Collects what a stream of 0.2 or 0.3 says, and delivers the task with which it begins. */
async function followed(
  events: AsyncIterable<{ kind: string }>,
): Promise<{ taskId: string; said: string[] }> {
  const said: string[] = [];
  let taskId = '';
  for await (const event of events) {
    const { kind, status, final, id } = Object(event);
    said.push([kind, status?.state, final === true ? 'final' : ''].filter(Boolean).join(' '));
    if (kind !== 'task') continue;
    taskId = id;
    if (status.state === 'working') await deliver(taskId);
  }
  return { taskId, said };
}
const messageOf = (
  part: string | Json,
  more: { taskId?: string; contextId?: string; referenceTaskIds?: string[] } = {},
) => ({
  message: {
    kind: 'message' as const,
    messageId: crypto.randomUUID(),
    role: 'user' as const,
    parts: [
      typeof part === 'string'
        ? { kind: 'text' as const, text: part }
        : { kind: 'data' as const, data: part },
    ],
    ...more,
  },
});
const DELIVERED = ['task working', 'status-update input-required final'];
const PAID = ['task completed', 'status-update completed final'];

test('the SDK of A2A 0.3 follows a hire by stream', async () => {
  const client = await clientOfV03(server.url, server.apiKey);
  const { taskId, said } = await followed(client.sendMessageStream(messageOf(terms())));
  expect(said).toEqual(DELIVERED);
  expect((await followed(client.sendMessageStream(messageOf('accept', { taskId })))).said).toEqual(PAID);
  expect((await followed(client.resubscribeTask({ id: taskId }))).said).toEqual(PAID);
});

/** Adds the key to all requests meanwhile, for clients that have no other place for it. */
async function withKey<Value>(act: () => Promise<Value>): Promise<Value> {
  const before = globalThis.fetch;
  globalThis.fetch = keyedFetch(server.apiKey, before);
  try {
    return await act();
  } finally {
    globalThis.fetch = before;
  }
}

test('the SDK of A2A 0.2.5 follows a hire by stream', () =>
  withKey(async () => {
    const client = new A2AClient(server.url);
    const { taskId, said } = await followed(client.sendMessageStream(messageOf(terms())));
    expect(said).toEqual(DELIVERED);
    expect((await followed(client.sendMessageStream(messageOf('accept', { taskId })))).said).toEqual(PAID);
  }));

test('a client that sends only referenceTaskIds hires and accepts', async () => {
  const client = await clientOfV03(server.url, server.apiKey);
  const task = await client.sendMessage(messageOf(terms()));
  if (task.kind !== 'task') throw new Error('the response is no task');
  await deliver(task.id);
  const paid = await client.sendMessage(messageOf('accept', { referenceTaskIds: [task.id] }));
  expect(paid.kind === 'task' && [paid.id, paid.status.state]).toEqual([task.id, 'completed']);
});

test("Google's ADK hires, follows the delivery and accepts in one chat, with only a contextId", async () => {
  const sent: Json[] = [];
  const agent = new RemoteA2AAgent({
    name: 'countersign',
    agentCard: server.url,
    beforeRequestCallbacks: [(_, { message }) => void sent.push({ ...message })],
    afterRequestCallbacks: [
      async (_, event) => {
        if (event.kind === 'task' && event.status.state === 'working') await deliver(event.id);
      },
    ],
  });
  const runner = new InMemoryRunner({ agent, appName: 'chat' });
  const { id: sessionId } = await runner.sessionService.createSession({ appName: 'chat', userId: 'me' });
  const say = async (text: string): Promise<string> => {
    const said: string[] = [];
    const newMessage = { role: 'user', parts: [{ text }] };
    for await (const event of runner.runAsync({ userId: 'me', sessionId, newMessage }))
      said.push(JSON.stringify(event.content ?? event.errorMessage ?? ''));
    return said.join('\n');
  };
  await withKey(async () => {
    expect(await say(JSON.stringify(terms()))).toContain('The worker delivered');
    expect(await say('accept')).toContain('5 credits were paid to the worker');
  });
  expect(sent.map(({ taskId, contextId }) => [taskId, typeof contextId])).toEqual([
    [undefined, 'undefined'],
    [undefined, 'string'],
  ]);
});

/** A stream on a socket, and what it has received. */
interface Following {
  socket: Socket;
  text: string;
}

/** Opens a stream on a socket. Resolves with its first bytes. */
function opened(id: string): Promise<Following> {
  const { hostname, port } = new URL(server.url);
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SubscribeToTask', params: { id } });
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      const head = `POST /api/v1/a2a/tasks HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${server.apiKey}\r\nLast-Event-ID: 1\r\n`;
      socket.write(`${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    });
    const following: Following = { socket, text: '' };
    socket.on('data', (bytes) => {
      following.text += bytes.toString();
      resolve(following);
    });
    socket.once('error', reject);
  });
}

/** Opens a stream on a socket, which then reads nothing. */
async function unread(id: string): Promise<Socket> {
  const { socket } = await opened(id);
  return socket.pause();
}

/** Resolves when a stream has told that its task asks for input. */
function toldOfDelivery(following: Following): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      if (following.text.includes('TASK_STATE_INPUT_REQUIRED')) resolve();
    };
    following.socket.on('data', look).on('close', () => reject(new Error('the stream ended')));
    look();
  });
}

/** The memory of the service in MiB (proc_pid_status(5)). */
async function residentMiB(): Promise<number> {
  const status = await Bun.file(`/proc/${server.pid}/status`).text();
  return Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

test('500 clients that leave and come back at once, 10 times, miss no change and leave nothing behind', async () => {
  const id = await hired();
  const connect500 = () => Promise.all(Array.from({ length: 500 }, () => opened(id)));
  let clients = await connect500();
  const before = await residentMiB();
  for (let storm = 0; storm < 10; storm++) {
    for (const { socket } of clients) socket.destroy();
    // Changes meanwhile are in what they are told first.
    if (storm === 5) await deliver(id);
    clients = await connect500();
  }
  await Promise.all(clients.map(toldOfDelivery));
  expect((await residentMiB()) - before).toBeLessThan(100);
  for (const { socket } of clients) socket.destroy();
  await call('CancelTask', { id });
});

test('900 clients that never read hold up nobody who does', async () => {
  const id = await hired();
  const sockets: Socket[] = [];
  for (let opened = 0; opened < 900; opened++) sockets.push(await unread(id));
  const client = await clientOfV03(server.url, server.apiKey);
  const said: string[] = [];
  for await (const event of client.resubscribeTask({ id })) {
    said.push(event.kind);
    if (said.length === 1) await call('CancelTask', { id });
  }
  expect(said).toEqual(['task', 'status-update']);
  for (const socket of sockets) socket.destroy();
});

test('streams end when the service stops', async () => {
  const client = await clientOfV1(server.url, server.apiKey);
  const id = await hired();
  const events: unknown[] = [];
  for await (const event of client.resubscribeTask({ tenant: '', id })) {
    events.push(event);
    server.signal('SIGTERM');
  }
  expect(events).toHaveLength(1);
  expect((await server.ended()).code).toBe(0);
  server = await serve(data, { COUNTERSIGN_BOOTSTRAP_API_KEY: server.apiKey });
  expect(Object((await call('GetTask', { id })).status).state).toBe('TASK_STATE_WORKING');
});
