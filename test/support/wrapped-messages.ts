import type { JsonValue } from '../../src/proof/encoding/json.ts';
import { FromServer } from '../../src/tools/capture/mcp/from-server.ts';
import { messagesIn, messagesOf } from '../../src/tools/capture/mcp/message.ts';
import { Names } from '../../src/tools/capture/mcp/names.ts';
import { OpenCalls } from '../../src/tools/capture/mcp/open-calls.ts';
import { RecordingCapture } from './recording-capture.ts';

/** A message from one side, as text or as a value: `>` is of the client, `<` of the server. */
export type Step = readonly ['>' | '<', JsonValue];

/** A client that reads nothing. */
const NOBODY = { write: () => undefined, flush: () => undefined, close: () => undefined };

/** Returns what a wrapper has recorded after the messages of a session. */
export function after(steps: readonly Step[], command = '/usr/bin/server.py') {
  const capture = new RecordingCapture();
  const names = new Names(command);
  const calls = new OpenCalls(capture, names);
  const server = new FromServer(NOBODY, calls, () => undefined);
  for (const [side, value] of steps) {
    if (side === '<') {
      void server.take(Buffer.from(`${typeof value === 'string' ? value : JSON.stringify(value)}\n`));
      continue;
    }
    const { messages, isBatch } =
      typeof value === 'string' ? messagesOf(Buffer.from(value)) : messagesIn(value, () => 'f'.repeat(64));
    if (isBatch) calls.acceptBatches = true;
    for (const message of messages) calls.fromClient(message);
  }
  return { capture, calls, names, ends: capture.ends, scopes: capture.scopes };
}

export const call = (id: JsonValue, params: JsonValue = { name: 'add', arguments: { a: 1 } }): Step => [
  '>',
  { jsonrpc: '2.0', id, method: 'tools/call', params },
];
export const result = (id: JsonValue, value: JsonValue = { content: [] }): Step => [
  '<',
  { jsonrpc: '2.0', id, result: value },
];
export const request = (id: JsonValue, method: string, params: JsonValue): Step => [
  '>',
  { jsonrpc: '2.0', id, method, params },
];
export const error = (id: JsonValue, code: JsonValue): Step => [
  '<',
  { jsonrpc: '2.0', id, error: { code, message: 'secret' } },
];

export const task = (status: string, more: object = {}) => ({
  resultType: 'task',
  taskId: 't1',
  status,
  ...more,
});
export const got = (status: string, more: object = {}) => ({
  resultType: 'complete',
  taskId: 't1',
  status,
  ...more,
});
