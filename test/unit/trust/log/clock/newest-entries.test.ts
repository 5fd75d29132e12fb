import { expect, test } from 'bun:test';
import { LOG_NAMES } from '../../../../../src/proof/log/log-names.ts';
import { newestEntryDate } from '../../../../../src/trust/log/clock/newest-entries.ts';
import type { LogContent } from '../../../../../src/trust/log/contents.ts';
import { LogDamage } from '../../../../../src/trust/log/damage.ts';
import { openTrustApp } from '../../../../support/trust-app.ts';

test('entries that are lost have no date, and any other error is one', async () => {
  const app = await openTrustApp({});
  try {
    const { store, log } = app.service.trust;
    const failing = (error: Error): LogContent[] =>
      LOG_NAMES.map((name) => ({
        log: name,
        leavesOf: () => Promise.reject(error),
        recoverIn: () => Promise.resolve(null),
      }));
    const newest = (contents: LogContent[]): Promise<number> =>
      store.read((snapshot) => newestEntryDate(snapshot, contents, log.open, () => 0));
    expect(await newest(failing(new LogDamage('keys', 'it is lost')))).toBe(0);
    await expect(newest(failing(new Error('broken')))).rejects.toThrow('broken');
  } finally {
    await app.close();
  }
});
