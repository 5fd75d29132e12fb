import { describe, expect, test } from 'bun:test';
import {
  lengthOf,
  type TaskContent,
  taskSteps,
} from '../../../../../../src/trust/protocols/a2a/tasks/view.ts';

const written = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    content: JSON.stringify({
      messageId: `m${at}`,
      role: at % 2 === 0 ? 'user' : 'agent',
      parts: [{ data: [at] }],
    }),
    createdAt: at,
  }));

function contentOf(count: number): TaskContent {
  const history = written(count);
  return {
    row: {
      ...{ taskSeq: 1, taskId: 'a2a_1', operatorSeq: 1, clientId: null, commitment: null, contextId: 'c' },
      ...{ skill: null, input: null, state: 'input-required', escrowSeq: null, createdAt: 0, updatedAt: 0 },
      ...{ messages: count, artifacts: 0 },
    },
    escrow: null,
    newest: history.at(-1),
    history,
    artifacts: [],
  };
}

describe('a task', () => {
  test('is parsed one message after the other, so that others are served between', () => {
    const steps = taskSteps(contentOf(100));
    let pauses = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) pauses++;
    expect(pauses).toBe(100);
    expect(step.value.history.map(({ messageId }) => messageId)).toEqual(
      Array.from({ length: 100 }, (_, at) => `m${at}`),
    );
    expect(step.value.message).toMatchObject({ messageId: 'm99', role: 'agent' });
  });

  test('is as long as the messages and results that are parsed for it', () => {
    const content = contentOf(3);
    const messages = content.history.reduce((sum, { content: text }) => sum + text.length, 0);
    expect(lengthOf(content)).toBe(messages);
    expect(lengthOf({ ...content, artifacts: ['four', 'five5'] })).toBe(messages + 9);
    expect(lengthOf({ ...content, history: [], artifacts: null })).toBe(0);
  });
});
