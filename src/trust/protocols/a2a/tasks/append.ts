import { nativePrimitives } from '../../../../platform/crypto/crypto.ts';
import type { Ids } from '../../../../platform/ids.ts';
import type { Transaction } from '../../../../platform/store/transaction.ts';
import type { Clock } from '../../../../platform/time/clock.ts';
import { textDigest } from '../../../../proof/encoding/digest.ts';
import type { Message, Part } from '../messages/task.ts';
import { insertMessage } from '../store.ts';

/** Returns a message as it is stored. */
export function contentOf(message: Message): string {
  return JSON.stringify(message);
}

/**
 * Appends a message to a task.
 * @param repetition identifies a repetition of a client's message; null for a message of the service
 * @param createdAt milliseconds since 1970
 */
export async function appendMessageIn(
  tx: Transaction,
  taskSeq: number,
  message: Message,
  repetition: string | null,
  createdAt: number,
): Promise<void> {
  const content = contentOf(message);
  const row = { taskSeq, content, digest: textDigest(nativePrimitives, content), repetition, createdAt };
  await insertMessage(tx, row);
}

/** Appends a message of the service to a task. */
export function appendAgentMessageIn(
  tx: Transaction,
  { ids, clock }: { ids: Ids; clock: Clock },
  taskSeq: number,
  parts: Part[],
): Promise<void> {
  const message: Message = { messageId: ids.newId('msg_'), role: 'agent', parts };
  return appendMessageIn(tx, taskSeq, message, null, clock.now());
}
