import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import {
  ListTasksRequest,
  SendMessageRequest,
  type Task,
  TaskState,
  verifyAgentCardSignature,
} from '@a2a-js/sdk';
import { TaskNotCancelableError, TaskNotFoundError, UnsupportedOperationError } from '@a2a-js/sdk/errors';
import {
  TaskNotCancelableError as OldNotCancelable,
  TaskNotFoundError as OldNotFound,
} from 'a2a-sdk-0.3/client';
import { createRemoteJWKSet, flattenedVerify } from 'jose';
import { clientOfV1, clientOfV03 } from '../../../../support/a2a-clients.ts';
import { type Running, run, scratch, serve } from '../../../../support/process.ts';

let directory: ReturnType<typeof scratch>;
let server: Running;
let agent: string;
beforeAll(async () => {
  directory = scratch();
  server = await serve(join(directory.path, 'data'));
  const key = join(directory.path, 'agent.pem');
  await run(['keygen', '--out', key]);
  const { stdout } = await run(['enroll', server.url, '--key', key, '--name', 'agent']);
  agent = String(JSON.parse(stdout).subject_commitment);
});
afterAll(async () => {
  await server.stop();
  directory.dispose();
});

const request = (text: string, more: { taskId?: string; contextId?: string } = {}): SendMessageRequest =>
  SendMessageRequest.fromJSON({
    message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text }], ...more },
  });

describe('the newest SDK of A2A', () => {
  const sent = async (text: string, more: { taskId?: string } = {}): Promise<Task> => {
    const client = await clientOfV1(server.url, server.apiKey);
    const answer = await client.sendMessage(request(text, more));
    if (!('status' in answer)) throw new Error('the answer is no task');
    return answer;
  };

  test('reads the card and verifies its signature, and jose verifies it too', async () => {
    const response = await fetch(`${server.url}/.well-known/agent-card.json`);
    const card = JSON.parse(await response.text());
    const keys = async (kid: string, jku?: string) => {
      const set = JSON.parse(await (await fetch(String(jku))).text());
      return set.keys.find((one: { kid: string }) => one.kid === kid);
    };
    await verifyAgentCardSignature(keys)(card);
    await expect(verifyAgentCardSignature(keys)({ ...card, name: 'Another agent' })).rejects.toThrow(
      'No valid signatures',
    );
    const { signatures, ...whole } = card;
    const sorted = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(sorted)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .toSorted(([a], [b]) => (a < b ? -1 : 1))
                .map(([name, one]) => [name, sorted(one)]),
            )
          : value;
    const payload = Buffer.from(JSON.stringify(sorted(whole))).toString('base64url');
    const jwks = createRemoteJWKSet(new URL(`${server.url}/.well-known/jwks.json`));
    const { protectedHeader } = await flattenedVerify({ ...signatures[1], payload }, jwks);
    expect(protectedHeader?.alg).toBe('EdDSA');
  });

  test('sends messages, gets, lists and cancels tasks', async () => {
    const client = await clientOfV1(server.url, server.apiKey);
    const asked = await sent('Look up a reputation.');
    expect(asked.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    const done = await sent(agent, { taskId: asked.id });
    expect([done.id, done.status?.state]).toEqual([asked.id, TaskState.TASK_STATE_COMPLETED]);
    expect(done.artifacts[0]?.parts.map(({ content }) => content?.$case)).toEqual(['text', 'data']);
    const got = await client.getTask({ tenant: '', id: asked.id, historyLength: 2 });
    expect([got.history.length, got.contextId]).toEqual([2, asked.contextId]);
    const open = await sent('hello');
    const { tasks, totalSize } = await client.listTasks(
      ListTasksRequest.fromJSON({ status: 'TASK_STATE_INPUT_REQUIRED' }),
    );
    expect([tasks.map(({ id }) => id), totalSize]).toEqual([[open.id], 1]);
    const cancelled = await client.cancelTask({ tenant: '', id: open.id, metadata: undefined });
    expect(cancelled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
  });

  test('throws its typed errors', async () => {
    const client = await clientOfV1(server.url, server.apiKey);
    const { id } = await sent('hello');
    await client.cancelTask({ tenant: '', id, metadata: undefined });
    await expect(client.cancelTask({ tenant: '', id, metadata: undefined })).rejects.toBeInstanceOf(
      TaskNotCancelableError,
    );
    await expect(client.getTask({ tenant: '', id: 'nothing' })).rejects.toBeInstanceOf(TaskNotFoundError);
    await expect(client.sendMessage(request('hello', { taskId: id }))).rejects.toBeInstanceOf(
      UnsupportedOperationError,
    );
    const anyone = await clientOfV1(server.url, null);
    await expect(anyone.listTasks(ListTasksRequest.fromJSON({}))).rejects.toThrow('401');
    // A stranger sees the state of a task by the service's id.
    expect((await anyone.getTask({ tenant: '', id })).history).toEqual([]);
  });

  test('gets its tasks after the server was killed', async () => {
    const { id } = await sent(`What is the reputation of ${agent}?`);
    await server.stop('SIGKILL');
    server = await serve(join(directory.path, 'data'), { COUNTERSIGN_BOOTSTRAP_API_KEY: server.apiKey });
    const client = await clientOfV1(server.url, server.apiKey);
    expect((await client.getTask({ tenant: '', id })).artifacts).toHaveLength(1);
  });
});

describe.each([
  ['its own path', undefined],
  ['the older path', '/.well-known/agent.json'],
])('the SDK of A2A 0.3 with the card of %s', (_, path) => {
  test('sends messages, gets and cancels tasks, and throws its typed errors', async () => {
    const client = await clientOfV03(server.url, server.apiKey, path);
    expect((await client.getAgentCard()).preferredTransport).toBe('JSONRPC');
    const send = async (text: string, taskId?: string) => {
      const message = {
        kind: 'message' as const,
        messageId: crypto.randomUUID(),
        role: 'user' as const,
        parts: [{ kind: 'text' as const, text }],
        ...(taskId === undefined ? {} : { taskId }),
      };
      const answer = await client.sendMessage({ message });
      if (answer.kind !== 'task') throw new Error('the answer is no task');
      return answer;
    };
    const asked = await send('Look up a reputation.');
    expect(asked.status.state).toBe('input-required');
    const done = await send(agent, asked.id);
    expect([done.id, done.status.state, done.artifacts?.[0]?.parts.map(({ kind }) => kind)]).toEqual([
      asked.id,
      'completed',
      ['text', 'data'],
    ]);
    expect((await client.getTask({ id: asked.id, historyLength: 1 })).history).toHaveLength(1);
    const open = await send('hello');
    expect((await client.cancelTask({ id: open.id })).status.state).toBe('canceled');
    const refused = (promise: Promise<unknown>): Promise<unknown> =>
      promise.then(
        () => null,
        (error: unknown) => error,
      );
    expect(await refused(client.cancelTask({ id: open.id }))).toBeInstanceOf(OldNotCancelable);
    expect(await refused(client.getTask({ id: 'nothing' }))).toBeInstanceOf(OldNotFound);
  });
});
