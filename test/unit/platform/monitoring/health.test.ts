import { expect, test } from 'bun:test';
import { type Health, HealthMonitor } from '../../../../src/platform/monitoring/health.ts';
import { eventually } from '../../../support/virtual-time.ts';

const WELL: Health = { isHealthy: true, problems: [] };
const nothing = () => undefined;

test('health is the result of the last check, and is degraded before the first', async () => {
  const found: Health[] = [WELL, { isHealthy: false, problems: ['The disk is full.'] }];
  const monitor = new HealthMonitor(async () => found.shift() ?? WELL, nothing);
  expect(monitor.current).toEqual({
    isHealthy: false,
    problems: ['The server has not finished its first health check yet.'],
  });
  await monitor.refresh();
  expect(monitor.current).toEqual(WELL);
  await monitor.refresh();
  expect(monitor.current).toEqual({ isHealthy: false, problems: ['The disk is full.'] });
});

test('a check that throws is degraded, and its error is only logged', async () => {
  const failures: unknown[] = [];
  const monitor = new HealthMonitor(
    () => Promise.reject(new Error('no such table: secret')),
    (error) => void failures.push(error),
  );
  await monitor.refresh();
  expect(monitor.current).toEqual({
    isHealthy: false,
    problems: ['The server could not check itself; see the log.'],
  });
  expect(failures).toMatchObject([{ message: 'no such table: secret' }]);
});

test('a check that hangs blocks no one, runs once, and degrades health within three seconds', async () => {
  let examinations = 0;
  const hanging = Promise.withResolvers<Health>();
  const monitor = new HealthMonitor(
    () => (++examinations === 1 ? Promise.resolve(WELL) : hanging.promise),
    nothing,
  );
  await monitor.refresh();
  const since = performance.now();
  await monitor.refresh();
  expect(performance.now() - since).toBeLessThan(1500);
  expect(monitor.current).toEqual(WELL);
  void monitor.refresh();
  await eventually(() => !monitor.current.isHealthy);
  expect(performance.now() - since).toBeLessThan(3500);
  expect(monitor.current.problems).toEqual([
    'The server last checked itself 3 seconds ago: the database or the process hangs.',
  ]);
  expect(examinations).toBe(2);
  hanging.resolve(WELL);
  await monitor.refresh();
  expect(monitor.current).toEqual(WELL);
});
