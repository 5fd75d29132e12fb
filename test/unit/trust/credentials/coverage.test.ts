import { expect, test } from 'bun:test';
import { LeavesUncovered, whenCovered } from '../../../../src/trust/credentials/coverage.ts';
import type { RequestedContent } from '../../../../src/trust/credentials/requested-content.ts';
import { Publications } from '../../../../src/trust/log/checkpoints/publications.ts';

/** A log of evidence whose checkpoints have a size, which a test changes. */
function publishing() {
  const publications = new Publications();
  const sizes = { evidence: 0, receipts: 0 };
  return {
    context: {
      log: {
        publisher: {
          publications,
          latest: (name: 'evidence' | 'receipts') => ({ response: { tree_size: sizes[name] } }),
        },
      },
    },
    publish(evidence: number): void {
      sizes.evidence = evidence;
      publications.record();
    },
  };
}

/** What an attempt has read. Only its identity counts here. */
const read = (subjectCommitment: string): RequestedContent => Object({ agent: { subjectCommitment } });

test('an attempt whose leaves are covered runs once, and has read nothing before', async () => {
  const given: unknown[] = [];
  const result = await whenCovered(publishing().context, async (earlier) => given.push(earlier));
  expect([result, given]).toEqual([1, [null]]);
});

test('an attempt is repeated with what it had read, once a checkpoint contains it', async () => {
  const { context, publish } = publishing();
  const given: unknown[] = [];
  const content = read('a');
  const result = whenCovered(context, async (earlier) => {
    given.push(earlier);
    if (earlier !== null) return 'issued';
    throw new LeavesUncovered(content, { evidence: 5, receipts: 0 });
  });
  for (const size of [1, 4]) {
    await Promise.resolve();
    publish(size);
  }
  expect(given).toEqual([null]);
  publish(5);
  expect(await result).toBe('issued');
  expect(given).toEqual([null, content]);
});

test('a checkpoint that is published during the attempt counts', async () => {
  const { context, publish } = publishing();
  const result = whenCovered(context, async (earlier) => {
    if (earlier !== null) return 'issued';
    publish(5);
    throw new LeavesUncovered(read('a'), { evidence: 5, receipts: 0 });
  });
  expect(await result).toBe('issued');
});

test('an attempt that reads again waits again', async () => {
  const { context, publish } = publishing();
  let leaves = 0;
  const result = whenCovered(context, async () => {
    leaves++;
    if (leaves === 3) return leaves;
    queueMicrotask(() => publish(leaves));
    throw new LeavesUncovered(read('a'), { evidence: leaves, receipts: 0 });
  });
  expect(await result).toBe(3);
});

test('leaves that stay uncovered are reported as an overload', async () => {
  const result = whenCovered(
    publishing().context,
    () => Promise.reject(new LeavesUncovered(read('a'), { evidence: 0, receipts: 1 })),
    5,
  );
  await expect(result).rejects.toMatchObject({ code: 'overloaded' });
});

test('another error of an attempt is not repeated', async () => {
  let attempts = 0;
  const result = whenCovered(publishing().context, () => {
    attempts++;
    return Promise.reject(new Error('no disk'));
  });
  await expect(result).rejects.toThrow('no disk');
  expect(attempts).toBe(1);
});
