import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { enrolledAgent } from '../../../../support/agent.ts';
import { Negotiation } from '../../../../support/agora.ts';
import { anchored, SHA } from '../../../../support/evidence.ts';
import { openPage, wordsOf } from '../../../../support/explorer.ts';
import { finalized } from '../../../../support/log.ts';
import { ingested, telemetryOf } from '../../../../support/telemetry.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';

let app: TrustApp;
const known: Record<string, string> = {};
beforeAll(async () => {
  app = await openTrustApp();
  const agent = await enrolledAgent(app);
  const other = await enrolledAgent(app);
  const receipt = await finalized(app.own);
  const pending = (await app.own.issue()).body;
  const revoked = (await app.own.issue()).body;
  const revocation = (await app.own.revoke(revoked.receipt_id)).body;
  const negotiation = new Negotiation(app, agent, other);
  await negotiation.propose();
  // A stranger chooses the name of a cluster: here the commitment of an agent.
  await ingested(app.own, telemetryOf(0, { cluster_id: other.commitment }));
  await ingested(app.own, telemetryOf(1));
  await app.own.post('/api/v1/passport/credits/grants', { subject_commitment: agent.commitment, amount: 1 });
  await app.own.post('/api/v1/passport/engagements', {
    ...{
      task_id: "a/b?'c",
      hirer_commitment: agent.commitment,
      worker_commitment: other.commitment,
      amount: 1,
    },
  });
  const event = await anchored(app, agent);
  await app.service.trust.log.publisher.publish();
  Object.assign(known, {
    agent: agent.commitment,
    other: other.commitment,
    event,
    receipt: String(receipt.receipt_id),
    content: String(receipt.content_hash),
    pending: String(pending.receipt_id),
    pendingContent: String(pending.content_hash),
    revoked: String(revoked.receipt_id),
    revocation: String(revocation.content_hash),
    agreement: negotiation.proposalId,
    operator: app.otherId,
  });
});
afterAll(() => app.close());

const search = (text: string) => openPage(app, `/search?q=${encodeURIComponent(text)}`);

describe('a search for the whole value', () => {
  test.each<[string, () => string, () => string]>([
    ['a receipt, by its id', () => known.receipt ?? '', () => `/receipts/${known.receipt}`],
    ['a pending receipt, by its id', () => known.pending ?? '', () => `/receipts/${known.pending}`],
    [
      'a receipt, by the content hash in the log',
      () => known.content ?? '',
      () => `/receipts/${known.receipt}`,
    ],
    [
      'a revoked receipt, by that of its revocation',
      () => known.revocation ?? '',
      () => `/receipts/${known.revoked}`,
    ],
    ['an agent, by its commitment', () => known.agent ?? '', () => `/agents/${known.agent}`],
    [
      'an agent, in capitals and with spaces',
      () => `  ${known.agent?.toUpperCase()} `,
      () => `/agents/${known.agent}`,
    ],
    ['evidence, by its event hash', () => known.event ?? '', () => '/logs/evidence?index=0'],
    ['evidence, by a commit and its agent', () => `${SHA} ${known.agent}`, () => '/logs/evidence?index=0'],
    ['evidence, by its agent and a commit', () => `${known.agent} ${SHA}`, () => '/logs/evidence?index=0'],
    [
      'evidence, by its hash and its agent',
      () => `${known.event} ${known.agent}`,
      () => '/logs/evidence?index=0',
    ],
    ['an operator, by its id', () => known.operator ?? '', () => `/operators/${known.operator}`],
    ['a cluster, by its id', () => 'hall-1', () => '/clusters/hall-1'],
    ['an engagement, by its task_id', () => "a/b?'c", () => `/engagements/${encodeURIComponent("a/b?'c")}`],
    ['an agreement, by its id', () => known.agreement ?? '', () => `/agreements/${known.agreement}`],
  ])('finds %s', async (_name, text, path) => {
    const { status, headers } = await search(text());
    expect([status, headers.get('location')]).toEqual([303, path()]);
  });

  test('that two things have shows both, since a stranger can choose the name of a cluster', async () => {
    const page = await search(known.other ?? '');
    expect(page.status).toBe(200);
    for (const path of [`/agents/${known.other}`, `/clusters/${known.other}`])
      expect(page.links).toContain(path);
  });
});

describe('a search finds nothing', () => {
  test.each<[string, () => string]>([
    ['for a commit without its agent', () => SHA],
    ['for a commit of another agent', () => `${SHA} ${known.other}`],
    ['for the content hash of a pending receipt, which is in no log', () => known.pendingContent ?? ''],
    ['for the beginning of a value', () => (known.receipt ?? '').slice(0, -1)],
    ['for a hash that nothing has', () => 'ab'.repeat(32)],
    ['for three values', () => `${SHA} ${known.agent} ${known.receipt}`],
    ['for a name of the prototype', () => '__proto__'],
    ['for a wildcard', () => '%'],
    ['for markup', () => '"><script>alert(1)</script>'],
    ['for half a character', () => 'rcpt_\ud800'.toWellFormed()],
  ])('%s', async (_name, text) => {
    const page = await search(text());
    expect(page.status).toBe(200);
    expect(wordsOf(page)).toContain('Nothing public has the value');
    expect(page.text).not.toContain('<script>alert');
  });

  test('of evidence that no checkpoint covers yet', async () => {
    const agent = await enrolledAgent(app);
    const event = await anchored(app, agent);
    expect(wordsOf(await search(event))).toContain('Nothing public has the value');
    expect(wordsOf(await search(`${SHA} ${agent.commitment}`))).toContain('Nothing public has the value');
    await app.service.trust.log.publisher.publish();
    expect((await search(event)).headers.get('location')).toBe('/logs/evidence?index=1');
  });
});

test('a search for nothing says what can be found, and a long text is refused', async () => {
  for (const path of ['/search', '/search?q=', '/search?q=%20']) {
    const words = wordsOf(await openPage(app, path));
    expect([words.includes('What can be found'), words.includes('Nothing public')]).toEqual([true, false]);
  }
  const refused = await search('a'.repeat(301));
  expect(refused.status).toBe(400);
  expect(wordsOf(refused)).toContain('q must have at most 300 characters');
});
