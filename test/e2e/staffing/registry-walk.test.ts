import { expect, test } from 'bun:test';
import { walkRegistry } from '../../../scripts/torture/registry-walk.ts';

/** Only ends a run that hangs: beside other programs the imports take many times as long as alone. */
const LIMIT_MS = 600_000;

test(
  'a walk over all pages is a plain scan of the file, loses nobody while the registry is updated and replaced, and the changes replayed on a copy give the last registry',
  async () => {
    const { clinicians, walked, changes } = await walkRegistry(6000);
    expect(clinicians).toBeGreaterThan(5000);
    expect(walked).toBeGreaterThan(50);
    expect(changes).toBeGreaterThan(50);
  },
  LIMIT_MS,
);
