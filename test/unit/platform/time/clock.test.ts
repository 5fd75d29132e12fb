import { expect, test } from 'bun:test';
import { systemTimers } from '../../../../src/platform/time/clock.ts';

test("the system's timers act once, are taken back, and wait for longer than the runtime can", async () => {
  const acted: string[] = [];
  const late = systemTimers.after(2 ** 40, () => acted.push('late'));
  const back = systemTimers.after(1, () => acted.push('back'));
  back();
  await new Promise<void>((resolve) => {
    systemTimers.after(5, () => {
      acted.push('one');
      resolve();
    });
  });
  late();
  expect(acted).toEqual(['one']);
});
