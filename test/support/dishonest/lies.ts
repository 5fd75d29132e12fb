import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { FakeLog } from '../fake-log.ts';
import { scratch } from '../process.ts';
import { hasPython } from '../python.ts';
import { Audience, type Evidence, type Opinion } from './audience.ts';
import { DishonestOperator } from './operator.ts';

/**
 * Who can notice a lie: `countersign verify`, verify.py, a monitor that has watched since before the lie, one
 * that begins after it, `fsck` of the logs, and a comparison of what the first monitor had before with the logs.
 */
const PARTIES = ['verify', 'python', 'monitor', 'newMonitor', 'fsck', 'compare'] as const;
export type Party = (typeof PARTIES)[number];

/** What the operator shows after the lie. */
export interface Shown {
  evidence?: Evidence;
  logs?: FakeLog;
  /** The service that lists the checkpoints of the logs; by default nobody does. */
  api?: URL;
}

/** How a party notices a lie: by what it says when it refuses, or by a remark about what it accepts. */
type Notice = string | { remark: string };

export interface Lie {
  /** A sentence. */
  lie: string;
  /** @param seen lets the monitor read the logs as they are now */
  tell(operator: DishonestOperator, seen: () => Promise<void>): Shown | Promise<Shown>;
  noticed: Partial<Record<Party, Notice>>;
  /** For a lie that nobody can notice: who was asked, and accepts it, and why. */
  nobody?: { asked: readonly Party[]; reason: string };
}

/** What an honest operator would show, which all of these accept: so the lies are refused for what is false. */
interface Truth {
  truth: string;
  tell: Lie['tell'];
  accepted: readonly Party[];
}

/** Tests that each lie is noticed by those who must notice it. */
export function testLies(name: string, truths: readonly Truth[], lies: readonly Lie[]): void {
  const place = scratch();
  afterAll(() => place.dispose());
  /** Tells a lie, and returns what each of some parties says then. */
  async function opinions(tell: Lie['tell'], parties: readonly Party[]): Promise<[Party, Opinion][]> {
    const audience = new Audience(join(place.path, crypto.randomUUID()));
    const operator = new DishonestOperator();
    const shown = await tell(operator, async () => {
      expect(await audience.monitor(operator.log)).toEqual({ isAccepted: true, text: '' });
    });
    const said: [Party, Opinion][] = [];
    for (const party of parties)
      if (party !== 'python' || hasPython) said.push([party, await opinionOf(party, audience, shown)]);
    return said;
  }
  describe(name, () => {
    test.each(truths.map(({ truth, ...row }) => [truth, row] as const))(
      'the truth: %s',
      async (_, { tell, accepted }) => {
        for (const [party, { isAccepted, text }] of await opinions(tell, accepted))
          expect([party, isAccepted, text]).toEqual([party, true, text]);
      },
    );
    test.each(lies.map(({ lie, ...row }) => [lie, row] as const))(
      '%s',
      async (_, { tell, noticed, nobody }) => {
        const parties = PARTIES.filter((party) => noticed[party] ?? nobody?.asked.includes(party));
        expect(parties).not.toEqual([]);
        for (const [party, { isAccepted, text }] of await opinions(tell, parties)) {
          const notice = noticed[party] ?? { remark: '' };
          const said = typeof notice === 'string' ? notice : notice.remark;
          expect([party, text]).toEqual([party, expect.stringContaining(said)]);
          expect([party, isAccepted, text]).toEqual([party, typeof notice !== 'string', text]);
        }
      },
    );
  });
}

function opinionOf(party: Party, audience: Audience, { evidence, logs, api }: Shown): Promise<Opinion> {
  if (party === 'verify' || party === 'python') {
    if (evidence === undefined) throw new Error('the operator shows no document');
    return audience[party](evidence);
  }
  if (logs === undefined) throw new Error('the operator shows no logs');
  return party === 'fsck' ? audience.fsck(logs, api) : audience[party](logs);
}

/** Both verifiers say the same. */
export const byVerifiers = (notice: Notice): Partial<Record<Party, Notice>> => ({
  verify: notice,
  python: notice,
});

/** Both the monitor that has watched and `fsck` say the same. */
export const byReaders = (notice: Notice): Partial<Record<Party, Notice>> => ({
  monitor: notice,
  fsck: notice,
});
