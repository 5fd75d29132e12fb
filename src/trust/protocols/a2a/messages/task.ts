import type { TaskState } from '../../../../../db/trust/a2a-enums.ts';
import type { JsonObject, JsonValue } from '../../../../proof/encoding/json.ts';

/** A part of a message or of an artifact: text, or structured data. The service handles no files. */
export type Part = ({ text: string } | { data: JsonValue }) & { metadata?: JsonObject };

/** A message, as it is stored: without the ids of its task and context, which the task has. */
export interface Message {
  messageId: string;
  role: 'user' | 'agent';
  parts: Part[];
  metadata?: JsonObject;
  extensions?: string[];
  referenceTaskIds?: string[];
}

/** A result of a task, as it is stored. */
export interface Artifact {
  artifactId: string;
  name: string;
  parts: Part[];
}

/** A task in the form that all generations of the protocol are written from. */
export interface Task {
  /** The id that the client uses. */
  id: string;
  /** The service's id of the task, and of its escrow. */
  taskId: string;
  contextId: string;
  state: TaskState;
  /** The time of the state, in milliseconds since 1970. */
  updatedAt: number;
  /** What the service said last; null if it said nothing yet. */
  message: Message | null;
  /** The newest messages, oldest first. */
  history: Message[];
  /** null if they were not asked for. */
  artifacts: Artifact[] | null;
  /** The skill, the service's id and the facts of the escrow. */
  metadata: JsonObject;
}

/** A change of a task, which streams and push notifications tell: its status, or a new artifact. */
export type TaskEvent =
  | {
      kind: 'status';
      task: Task;
      /** True if nothing follows (0.1 to 0.3). */
      final: boolean;
    }
  | {
      kind: 'artifact';
      task: Task;
      artifact: Artifact;
      /** Its position in the task. */
      index: number;
    };

const ENDED: ReadonlySet<TaskState> = new Set(['completed', 'canceled', 'failed', 'rejected']);

/** Returns whether a task in this state has ended. */
export function hasEnded(state: TaskState): boolean {
  return ENDED.has(state);
}
