import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { nameOf } from '../../../../../src/platform/page/words.ts';
import type { JsonObject } from '../../../../../src/proof/encoding/json.ts';
import { enrolledAgent } from '../../../../support/agent.ts';
import { type Agent, Negotiation, TERMS } from '../../../../support/agora.ts';
import { BROWSER, type OpenedPage, openPage, wordsOf } from '../../../../support/explorer.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';

let app: TrustApp;
let buyer: Agent;
let seller: Agent;
let deal: Negotiation;
beforeAll(async () => {
  app = await openTrustApp();
  buyer = await enrolledAgent(app, { name: 'Buyer' });
  seller = await enrolledAgent(app, { sponsor: app.otherId });
});
afterAll(() => app.close());
beforeEach(() => {
  deal = new Negotiation(app, buyer, seller);
});

const open = (): Promise<OpenedPage> => openPage(app, `/agreements/${deal.proposalId}`);
/** Returns the texts of a page, without the isolates around those of strangers. */
const plain = (page: { text: string }): string => wordsOf(page).replaceAll(/[\u2068\u2069]/g, '');
const JSON_PATH = (): string => `/api/v1/agora/proposals/${deal.proposalId}`;

/** Returns the texts of the steps of a page, and compares them with the steps of the JSON. */
async function steps(page: OpenedPage): Promise<string[]> {
  const { timeline } = Object(await deal.read());
  const shown = page.text.split('<ol class="timeline">')[1]?.split('<li class').slice(1) ?? [];
  expect(shown).toHaveLength(timeline.length);
  return shown.map((text, index) => {
    const { commitment, timestamp, entry_hash, agent_auth, index: entry } = timeline[index];
    const words = plain({ text: text.slice(text.indexOf('>') + 1) });
    for (const part of [
      `${commitment.slice(0, 8)}…`,
      `Entry ${entry} of the ledger`,
      `${entry_hash.slice(0, 12)}…`,
      `signature ${agent_auth.signature.slice(0, 12)}…`,
      timestamp.slice(0, 19).replace('T', ' '),
    ])
      expect(words).toContain(part);
    expect(text).toContain(`datetime="${timestamp}"`);
    return (
      words
        .split(' 20')[0]
        ?.replace(/\s?[0-9a-f]{8}….*/, '')
        .trim() ?? ''
    );
  });
}

describe('the page of a proposal', () => {
  test.each<[string, () => Promise<unknown>, string, string[]]>([
    ['an open offer', () => Promise.resolve(), 'Terms on offer', ['Proposed by Buyer']],
    [
      'a counter-offer',
      () => deal.step(seller, 'counter', { terms: { ...TERMS, credits: 150 } }),
      'Terms on offer',
      ['Proposed by Buyer', 'Countered by'],
    ],
    ['an agreement', () => deal.step(seller, 'accept'), 'Agreed terms', ['Proposed by Buyer', 'Accepted by']],
    [
      'a rejection',
      () => deal.step(seller, 'reject'),
      'Rejected terms',
      ['Proposed by Buyer', 'Rejected by'],
    ],
    [
      'a withdrawal',
      () => deal.step(buyer, 'withdraw'),
      'Withdrawn terms',
      ['Proposed by Buyer', 'Withdrew the offer by Buyer'],
    ],
  ])('shows %s: its terms, its parties and its signed steps', async (_, proceed, heading, expected) => {
    await deal.propose();
    await proceed();
    const page = await open();
    const { status, terms, parties } = Object(await deal.read());
    const words = plain(page);
    expect(page.status).toBe(200);
    expect(words).toContain(` ${nameOf(status)} `);
    expect(words).toContain(heading);
    for (const [name, value] of Object.entries(terms)) expect(words).toContain(`${name} ${value}`);
    for (const { commitment, public_key, context } of parties) {
      expect(page.links).toContain(`/agents/${commitment}`);
      expect(words).toContain(`Public key ${public_key} , context ${context}`);
    }
    expect(await steps(page)).toEqual(expected);
    expect(page.links).toContain(`/verify?document=${JSON_PATH()}`);
  });

  test('says what each offer changed', async () => {
    await deal.propose({ task: 'Audit', credits: 120, express: true, bonus: null });
    await deal.step(seller, 'counter', {
      terms: { task: 'Audit', credits: 150, bonus: null, days: ['Mon'] },
    });
    await deal.step(buyer, 'counter', { terms: { task: 'Audit', credits: 150, bonus: null, days: ['Mon'] } });
    const [, first = '', second = ''] = plain(await open()).split(/ Countered by /);
    for (const part of ['credits 150 (before: 120 )', 'days ["Mon"]', 'express removed (before: true )'])
      expect(first).toContain(part);
    expect(first).not.toContain('task');
    expect(second).toContain('The terms are the same.');
  });

  test('is where a browser gets that asks the API for the proposal; programs get the JSON', async () => {
    await deal.propose();
    const asked = (accept: string) =>
      app.fetch(new Request(`http://localhost${JSON_PATH()}`, { headers: { accept } }));
    const { status, headers } = await asked(BROWSER);
    expect([status, headers.get('location'), headers.get('vary')]).toEqual([
      303,
      `/agreements/${deal.proposalId}`,
      'Accept',
    ]);
    expect(Object(await (await asked('*/*')).json()).proposal_id).toBe(deal.proposalId);
  });

  test('is 404 for what does not exist and for what cannot', async () => {
    for (const id of [`agora_${'0'.repeat(32)}`, 'agora_', '%3Cscript%3E', 'x'.repeat(300)]) {
      const page = await openPage(app, `/agreements/${id}`);
      expect([id, page.status, page.elements.get('h1')]).toEqual([id, 404, 1]);
    }
  });
});

describe('terms and names of strangers', () => {
  const EVIL = '<img src=x onerror=alert(1)>\u202egnp.exe\u0000\u200b"\'&amp;';

  test.each<[string, JsonObject, string[]]>([
    [
      'markup and directions',
      { [EVIL]: EVIL },
      ['<img src=x onerr', '<img src=x onerror=alert(1)>gnp.exe"\'&amp;'],
    ],
    [
      'names of prototypes',
      JSON.parse('{"__proto__": {"a": 1}, "constructor": "x"}'),
      ['{"a":1}', 'constructor x'],
    ],
    ['nothing visible', { '\u200b': '\u202e \u2066', empty: '' }, ['unreadable name no visible text']],
    ['ten thousand characters', { long: 'word '.repeat(2000), ['y'.repeat(4000)]: 1 }, ['word word', 'yyyy']],
    ['deep values', { deep: [[[[[[{ a: [[]] }]]]]]] }, ['[[[[[[{"a":[[]]}]]]]]]']],
  ])('are shown as text, cut and isolated: %s', async (_, terms, expected) => {
    await deal.propose(terms);
    const page = await open();
    expect(page.status).toBe(200);
    for (const part of expected) expect(plain(page)).toContain(part);
    expect(page.text).not.toMatch(/[\u202a-\u202e\u200b]/);
    expect(page.text).not.toContain('<img');
  });

  test('do not make a page larger than 60 KB, however long a negotiation is', async () => {
    const family = '👨‍👩‍👧‍👦';
    const loud = await enrolledAgent(app, { name: family.repeat(9) });
    const other = await enrolledAgent(app, { name: '&'.repeat(60) });
    deal = new Negotiation(app, loud, other);
    const terms = (step: number): JsonObject =>
      Object.fromEntries(
        Array.from({ length: 40 }, (_, index) => [
          `${family.repeat(3)}${index}`,
          `${step}${(step % 2 === 0 ? family : '"').repeat(step % 2 === 0 ? 6 : 150)}`,
        ]),
      );
    await deal.propose(terms(0));
    for (let step = 1; step < 31; step++)
      expect((await deal.step(step % 2 === 0 ? loud : other, 'counter', { terms: terms(step) })).status).toBe(
        201,
      );
    expect((await deal.step(other, 'accept')).status).toBe(201);
    const page = await open();
    expect(Buffer.byteLength(page.text)).toBeLessThan(60_000);
    expect(await steps(page)).toHaveLength(32);
    expect(plain(page)).toMatch(/\d+ more members in the JSON document/);
    expect(plain(page)).toContain('The terms are too long to be compared here.');
  });
});
