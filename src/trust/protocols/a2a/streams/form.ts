import type { JsonObject } from '../../../../proof/encoding/json.ts';
import {
  writeEvent as writeEvent03,
  writeEventOfBoth,
  writeTask as writeTask03,
  writeTaskOfBoth,
} from '../codecs/v03.ts';
import { writeEvent as writeEvent10, writeTask as writeTask10 } from '../codecs/v10.ts';
import { hasEnded, type Task, type TaskEvent } from '../messages/task.ts';

/** How a generation writes a stream. */
export interface StreamForm {
  /** Distinguishes the forms, so that each event is written once for all streams of a form. */
  name: 'tasks' | '0.3' | '1.0';
  /** Writes the task with which the stream begins; null in 0.1, where it begins with a status. */
  begin: ((task: Task) => JsonObject) | null;
  writeEvent(event: TaskEvent): JsonObject;
  /** Whether the last event says that it is the last. */
  hasFinal: boolean;
}

/** `tasks/sendSubscribe` of 0.1. */
export const FORM_01: StreamForm = {
  name: 'tasks',
  begin: null,
  writeEvent: writeEventOfBoth,
  hasFinal: true,
};
/** `tasks/resubscribe`, which 0.1 to 0.3 have by the same name. */
export const FORM_OF_BOTH: StreamForm = { ...FORM_01, begin: writeTaskOfBoth };
export const FORM_03: StreamForm = {
  name: '0.3',
  begin: writeTask03,
  writeEvent: writeEvent03,
  hasFinal: true,
};
export const FORM_10: StreamForm = {
  name: '1.0',
  begin: (task) => ({ task: writeTask10(task) }),
  writeEvent: writeEvent10,
  hasFinal: false,
};

/**
 * Returns whether a stream ends with a state. One that a message began also ends when the task asks for
 * input: the next message has a stream of its own.
 */
export function endsStream({ state }: Task, endsAtInput: boolean): boolean {
  return hasEnded(state) || (endsAtInput && state === 'input-required');
}

/** Returns what a stream begins with, and all of it if the task has already ended. */
export function beginningOf(form: StreamForm, task: Task, endsAtInput: boolean): JsonObject[] {
  const final = endsStream(task, endsAtInput);
  const status = (): JsonObject => form.writeEvent({ kind: 'status', task, final });
  if (form.begin !== null) return [form.begin(task), ...(final && form.hasFinal ? [status()] : [])];
  const artifacts = (task.artifacts ?? []).map((artifact, index) =>
    form.writeEvent({ kind: 'artifact', task, artifact, index }),
  );
  return [...artifacts, status()];
}
