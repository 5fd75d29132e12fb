import { DAY_MS } from '../../src/platform/time/units.ts';
import { advanceDays } from '../../src/trust/evidence/reputation/advance-days.ts';
import { countDeliveriesOfDay } from '../../src/trust/evidence/reputation/count-deliveries.ts';
import { scoreAgents } from '../../src/trust/evidence/reputation/score-agents.ts';
import { wrongCounts } from './audit.ts';
import type { TrustApp } from './trust-app.ts';
import type { VirtualTime } from './virtual-time.ts';

/** Returns what the profile of an agent says after so many days, when all is counted and audited. */
export async function profileAfter(
  app: Pick<TrustApp, 'service' | 'anyone'>,
  time: VirtualTime,
  { commitment }: { commitment: string },
  days: number,
) {
  time.advance(days * DAY_MS);
  const { trust } = app.service;
  for (const counting of [advanceDays, countDeliveriesOfDay, scoreAgents]) await counting(trust);
  const problems = await trust.store.read(wrongCounts);
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  return (await app.anyone.get(`/api/v1/profiles/${commitment}`)).body;
}

/** Returns how many outcomes of an agent others attest, after so many days. */
export async function corroboratedAfter(...of: Parameters<typeof profileAfter>): Promise<number> {
  return Object((await profileAfter(...of)).score_basis).corroborated;
}
