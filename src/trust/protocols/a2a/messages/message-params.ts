import { isJsonObject, type JsonObject, type JsonValue } from '../../../../proof/encoding/json.ts';
import type { ParamsReader } from './params.ts';
import { RpcError } from './rpc-error.ts';
import type { Message, Part } from './task.ts';

const MAX_PARTS = 64;
const MAX_NAMES = 32;
const MAX_REFERENCE = 128;

/** The service's ids of tasks. */
export const TASK_ID = /^a2a_[0-9a-f]{32}$/;

const ROLES: ReadonlySet<JsonValue> = new Set(['user', 'ROLE_USER', 1]);

/**
 * A message as a client sent it, with the ids that it names. `message.messageId` is empty in generation 0.1.
 */
export interface SentMessage {
  message: Message;
  taskId: string | null;
  contextId: string | null;
}

/**
 * Reads a message of any generation. `kind` (0.2, 0.3), `type` (0.1) or the member (1.0) distinguishes parts.
 * @throws RpcError content for a file
 */
export function readMessage(params: ParamsReader, { hasId }: { hasId: boolean }): SentMessage {
  const messageReader = params.inside('message');
  if (messageReader === null) {
    params.wrong('message', 'is required');
    params.finish();
  }
  const reader = messageReader ?? params;
  if (!ROLES.has(reader.value('role'))) {
    reader.wrong('role', 'must be user: the service writes the messages of the agent');
  }
  const message: Message = {
    messageId: hasId ? reader.requiredId('messageId') : '',
    role: 'user',
    parts: readParts(reader),
  };
  const metadata = reader.object('metadata');
  const extensions = reader.texts('extensions', 2048);
  const references = reader.texts('referenceTaskIds', MAX_REFERENCE);
  for (const [name, list] of [
    ['extensions', extensions] as const,
    ['referenceTaskIds', references] as const,
  ]) {
    if (list !== null && list.length > MAX_NAMES)
      reader.wrong(name, `must have at most ${MAX_NAMES} members`);
  }
  if (metadata !== null) message.metadata = metadata;
  if (extensions !== null && extensions.length > 0) message.extensions = extensions;
  if (references !== null && references.length > 0) message.referenceTaskIds = references;
  return {
    message,
    taskId: reader.id('taskId'),
    contextId: reader.id('contextId'),
  };
}

function readParts(reader: ParamsReader): Part[] {
  const parts = reader.list('parts');
  if (parts === null || parts.length < 1 || parts.length > MAX_PARTS) {
    reader.wrong('parts', `must be an array of 1 to ${MAX_PARTS} parts`);
    return [];
  }
  return parts.flatMap((part, index) => {
    const read = isJsonObject(part) ? readPart(part) : null;
    if (read !== null) return [read];
    reader.wrong(`parts.${index}`, 'must be a part with text, or with data');
    return [];
  });
}

/** Returns a part; null if it is none. @throws RpcError content for a file */
function readPart(part: JsonObject): Part | null {
  const statedKind = part.kind ?? part.type ?? null;
  const kind =
    statedKind ?? ['text', 'data', 'raw', 'url', 'file'].find((name) => Object.hasOwn(part, name)) ?? null;
  if (kind === 'file' || kind === 'raw' || kind === 'url') {
    throw new RpcError('content', 'the service reads text and structured data, and no files.');
  }
  const { metadata = null } = part;
  if (metadata !== null && !isJsonObject(metadata)) return null;
  const more = metadata === null ? {} : { metadata };
  if (kind === 'text' && typeof part.text === 'string') return { text: part.text, ...more };
  if (kind === 'data' && part.data !== undefined) return { data: part.data, ...more };
  return null;
}
