import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { nativePrimitives } from '../../../../../src/platform/crypto/crypto.ts';
import { JournalVerifier } from '../../../../../src/proof/ledger/journal.ts';
import { creditsOf, lockedOf } from '../../../../../src/trust/ledger/accounts.ts';
import type { JournalEntryView } from '../../../../../src/trust/ledger/journals/schema.ts';
import { payIn, postIn } from '../../../../../src/trust/ledger/post.ts';
import { enrolledAgent } from '../../../../support/agent.ts';
import { type CreditedAgent, creditedAgent, holderOf } from '../../../../support/credits.ts';
import { scenarios } from '../../../../support/scenario.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';

const AGENTS = '/api/v1/passport/agents';
const NIL = '0'.repeat(64);

let app: TrustApp;
let payer: CreditedAgent;
let payee: CreditedAgent;

beforeAll(async () => {
  app = await openTrustApp();
  payer = await creditedAgent(app, { credits: { promotional: 5, paid: 10 } });
  payee = await creditedAgent(app, { sponsor: app.otherId });
  await app.own.post('/api/v1/passport/credits/transfers', {
    from_commitment: payer.commitment,
    to_commitment: payee.commitment,
    amount: 8,
    memo: 'for the parts',
  });
  await app.service.trust.store.writeAsService((tx) =>
    payIn(tx, app.service.trust, {
      kind: 'LOCK',
      from: creditsOf(payer.agent),
      to: lockedOf(payer.agent),
      amount: 3,
      reference: 'task-of-the-journal-test',
    }),
  );
});
afterAll(() => app.close());

type Caller = Pick<TrustApp['own'], 'get'>;
interface Page {
  length: number;
  head: string | null;
  entries: JournalEntryView[];
  next_cursor: string | null;
}

const pageOf = async (caller: Caller, { commitment }: { commitment: string }, query = '') => {
  const { status, body } = await caller.get(`${AGENTS}/${commitment}/credit-journal${query}`);
  expect(status).toBe(200);
  return Object(body) as Page;
};

/** All pages of a journal, a few entries at a time. */
async function wholeJournal(caller: Caller, agent: { commitment: string }, limit: number): Promise<Page> {
  let page = await pageOf(caller, agent, `?limit=${limit}`);
  const { length, head } = page;
  const entries = [...page.entries];
  while (page.next_cursor !== null) {
    page = await pageOf(caller, agent, `?limit=${limit}&cursor=${page.next_cursor}`);
    entries.push(...page.entries);
  }
  return { length, head, entries, next_cursor: null };
}

/** The problems that a reader of a journal finds. With the private details these are verified too. */
function problemsOf({ commitment }: { commitment: string }, { head, entries, length }: Page): string[] {
  const verifier = new JournalVerifier(nativePrimitives, { subject_commitment: commitment }, head);
  const found = entries.map(({ counterparty, reference, memo, receipt_id, salt, ...published }) =>
    verifier.check(
      published,
      salt === null ? undefined : { counterparty, reference, memo, receipt_id, salt },
    ),
  );
  const count = entries.length === length ? null : `${entries.length} entries of ${length}`;
  return [...found, verifier.end(), count].filter((problem) => problem !== null);
}

describe('a credit journal', () => {
  test('shows strangers the chain, masks the parties and hides the rest', async () => {
    const { entries, length } = await pageOf(app.anyone, payer);
    expect([
      length,
      entries.map(({ kind, asset, amount, direction }) => [kind, asset, amount, direction]),
    ]).toEqual([
      5,
      [
        ['LOCK', 'paid', 3, 'debit'],
        ['TASK_PAYMENT', 'paid', 3, 'debit'],
        ['TASK_PAYMENT', 'promotional', 5, 'debit'],
        ['OPERATOR_GRANT', 'paid', 10, 'credit'],
        ['OPERATOR_GRANT', 'promotional', 5, 'credit'],
      ],
    ]);
    const masked = `${payee.commitment.slice(0, 4)}…${payee.commitment.slice(-4)}`;
    const operator = expect.stringMatching(/^op_cus_\w{4}…\w{4}$/);
    expect(entries.map(({ counterparty, reference }) => [counterparty, reference])).toEqual([
      ['locked', 'task…test'],
      [masked, null],
      [masked, null],
      [operator, null],
      [operator, null],
    ]);
    for (const { memo, salt, receipt_id } of entries)
      expect([memo, salt, receipt_id]).toEqual([null, null, null]);
  });

  test('is of available credits: what is locked is in the balances', async () => {
    for (const [what, of] of [
      ['credits', (body: Record<string, unknown>) => body],
      ['passport-live', (body: Record<string, unknown>) => Object(body.balances)],
    ] as const) {
      const { body } = await app.anyone.get(`${AGENTS}/${payer.commitment}/${what}`);
      expect(of(body)).toMatchObject({ granted: 15, earned: 0, spent: 8, locked: 3, available: 4 });
    }
  });

  test('shows everything to the sponsor, the holder key and admins, and to nobody else', async () => {
    const holder = await holderOf(app, payer);
    const foreign = await holderOf(app, await enrolledAgent(app));
    const [, payment] = (await pageOf(app.own, payer)).entries;
    expect(payment).toMatchObject({
      counterparty: payee.commitment,
      memo: 'for the parts',
      salt: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect((await pageOf(holder, payer)).entries[1]).toEqual(payment);
    // The other party sees its own side, but not this one.
    for (const caller of [app.other, foreign])
      expect((await pageOf(caller, payer)).entries).toEqual((await pageOf(app.anyone, payer)).entries);
    const [received] = (await pageOf(app.other, payee)).entries;
    expect(received).toMatchObject({
      counterparty: payer.commitment,
      memo: 'for the parts',
      direction: 'credit',
    });
    // The first operator's key is an admin key.
    expect((await pageOf(app.own, payee)).entries[0]).toEqual(received);
  });

  test('verifies for strangers and for the parties, whatever was booked and whatever the pages', async () => {
    const { trust } = app.service;
    const agents = [await creditedAgent(app), await creditedAgent(app), await creditedAgent(app)];
    const step = fc.record({
      what: fc.constantFrom('grant', 'transfer', 'lock', 'unlock'),
      by: fc.nat({ max: 2 }),
      amount: fc.integer({ min: 1, max: 30 }),
      asset: fc.constantFrom('promotional' as const, 'paid' as const, 'sandbox' as const),
      memo: fc.option(fc.constantFrom('a note', 'ein “Vermerk” — 𝄞', '{"a":1}'), { nil: null }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 7 }),
        async (steps, limit) => {
          for (const { what, by, amount, asset, memo } of steps) {
            const [from = payer, to = payer] = [agents[by], agents[(by + 1) % 3]];
            // Paid credits are unlocked with the transaction that locked them.
            const moved = what.endsWith('lock') && asset === 'paid' ? 'sandbox' : asset;
            const own = { available: creditsOf(from.agent), locked: lockedOf(from.agent) };
            const moves = {
              grant: {
                kind: 'SETTLEMENT',
                from: { kind: 'issuance', ownerSeq: 0, name: 'issuance' },
                to: own.available,
              },
              transfer: { kind: 'PEER_GIFT', from: own.available, to: creditsOf(to.agent) },
              lock: { kind: 'LOCK', from: own.available, to: own.locked },
              unlock: { kind: 'UNLOCK', from: own.locked, to: own.available },
            } as const;
            const move = moves[what];
            await trust.store
              .writeAsService((tx) => postIn(tx, trust, { ...move, portions: { [moved]: amount }, memo }))
              .catch((error: unknown) => expect(Object(error).code).toBe('insufficient_credits'));
          }
          for (const agent of agents) {
            for (const caller of [app.anyone, app.own])
              expect(problemsOf(agent, await wholeJournal(caller, agent, limit))).toEqual([]);
          }
        },
      ),
      { numRuns: 15 },
    );
  });

  test('does not verify when an entry is left out or changed on the way', async () => {
    const journal = await wholeJournal(app.anyone, payer, 100);
    const { entries } = journal;
    expect(problemsOf(payer, { ...journal, entries: entries.slice(1) })).not.toEqual([]);
    const changed = entries.map((entry) => ({ ...entry, amount: entry.amount + 1 }));
    expect(problemsOf(payer, { ...journal, entries: changed })).not.toEqual([]);
    expect(problemsOf(payee, journal)).not.toEqual([]);
  });

  test('has stable pages while entries are added', async () => {
    const agent = await creditedAgent(app, { credits: { paid: 1, promotional: 1, sandbox: 1 } });
    const first = await pageOf(app.anyone, agent, '?limit=2');
    await app.own.post('/api/v1/passport/credits/grants', {
      subject_commitment: agent.commitment,
      amount: 1,
    });
    const second = await pageOf(app.anyone, agent, `?limit=2&cursor=${first.next_cursor}`);
    expect([second.entries.length, second.next_cursor]).toEqual([1, null]);
    expect(first.entries[1]?.prev_entry_hash).toBe(second.entries[0]?.entry_hash ?? '');
  });

  const path = () => `${AGENTS}/${payer.commitment}/credit-journal`;
  scenarios(
    () => app,
    [
      ['of an unknown agent is not found', () => `GET ${AGENTS}/${NIL}/credit-journal`, '404 not_found'],
      [
        'with a cursor of somebody else is refused',
        () => `GET ${path()}?cursor=abc`,
        '400 validation_error: cursor',
      ],
      [
        'with a key that does not exist is refused, and not shown as to strangers',
        () => `GET ${path()}`,
        '401 unauthorized',
        { headers: { authorization: `Bearer pp_${'0'.repeat(64)}` } },
      ],
    ],
    { by: 'anyone' },
  );
});
