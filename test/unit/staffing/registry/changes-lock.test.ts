import { expect, test } from 'bun:test';
import { RegistryLock } from '../../../../src/staffing/registry/changes-lock.ts';

test('changes of the registry run one after the other, even after one that failed', async () => {
  const lock = new RegistryLock();
  const steps: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = lock.run(async () => {
    steps.push('first begins');
    await promise;
    steps.push('first ends');
    throw new Error('failed');
  });
  const second = lock.run(() => {
    steps.push('second');
    return 2;
  });
  await Bun.sleep(1);
  expect(steps).toEqual(['first begins']);
  resolve();
  expect(first).rejects.toThrow('failed');
  expect(await second).toBe(2);
  expect(steps).toEqual(['first begins', 'first ends', 'second']);
});
