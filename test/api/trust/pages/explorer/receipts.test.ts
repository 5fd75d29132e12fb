import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { storeCosignaturesIn } from '../../../../../src/trust/log/checkpoints/cosignatures.ts';
import { leafHashOf } from '../../../../../src/trust/log/tree/append.ts';
import { DIGEST } from '../../../../support/client.ts';
import { BROWSER, type OpenedPage, openPage, wordsOf } from '../../../../support/explorer.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

const SUCCESS = { status: 'success', output_hash: DIGEST };
const HOSTILE = '<b>agent</b>\u202e\u200b-of-evil"&\u0301';

/** Receipts of each state, by a name. */
type Receipts = Map<string, Record<string, unknown>>;

/** Issues receipts of each state. @returns them as they were issued */
async function issueAll({ own, service }: TrustApp): Promise<Receipts> {
  const receipts: Receipts = new Map();
  const issue = async (name: string, outcome: object | null, changes: Record<string, unknown> = {}) => {
    const { body } = await own.issue(changes);
    receipts.set(name, body);
    if (outcome !== null) await own.finalize(body.receipt_id, outcome);
    return body;
  };
  await issue('done', SUCCESS, { agent_id: HOSTILE, authority_scope: 'scope-of-nobody-else' });
  await issue('refused', { status: 'refusal', refusal_reason: 'reason-of-nobody-else' });
  const terminal_reason = 'reason-of-nobody-else';
  for (const status of ['terminal', 'graceful_shutdown', 'timeout', 'failure_tombstone'])
    await issue(status, { status, terminal_reason }, { agent_id: 'an agent with a long name' });
  await issue('null', { status: 'null', refusal_reason: 'reason-of-nobody-else' });
  await issue('blind', SUCCESS, { blind: true });
  await issue('pending', null, { expiry: '2027-01-31T12:00:00.5+14:00' });
  await issue('with the last expiry', null, { expiry: '9999-12-31T23:59:59-12:00' });
  const revoked = await issue('revoked', SUCCESS);
  await own.revoke(revoked.receipt_id, { reason: 'reason-of-nobody-else' });
  const early = await issue('revoked while pending', null);
  await own.revoke(early.receipt_id);
  await service.trust.log.publisher.publish();
  return receipts;
}

describe('the page of a receipt', () => {
  let app: TrustApp;
  let time: VirtualTime;
  let receipts: Receipts;
  const idOf = (name: string): string => String(receipts.get(name)?.receipt_id);
  const open = (name: string): Promise<OpenedPage> => openPage(app, `/receipts/${idOf(name)}`);

  beforeAll(async () => {
    time = new VirtualTime(Date.parse('2026-11-21T12:00:00.000Z'));
    app = await openTrustApp({}, time);
    receipts = await issueAll(app);
  });
  afterAll(() => app.close());

  test.each([
    ['done', 'Success The operator says: the work was done.', 'Finalized and logged'],
    ['refused', 'Refusal The operator says: nothing was done.', 'Finalized and logged'],
    ['null', 'Null The operator says: nothing was done.', 'Finalized and logged'],
    ['terminal', 'Terminal The operator says: the work ended without an outcome.', 'Finalized and logged'],
    ['graceful_shutdown', 'Graceful shutdown The operator says: the work ended', 'Finalized and logged'],
    ['timeout', 'Timeout The operator says: the work took too long.', 'Compute timeout'],
    ['failure_tombstone', 'Failure tombstone The operator says: the work failed.', 'Finalized and logged'],
    ['blind', 'blind hidden behind', 'Finalized and logged'],
    ['pending', 'Pending The operator has not said yet', 'The receipt is pending. It enters the log'],
    ['revoked', 'revoked This receipt was revoked', 'of the log of revocations'],
    ['revoked while pending', 'revoked This receipt was', 'was revoked before it was finalized'],
  ])('that is %s says so, and nothing that its manifest does not say', async (name, state, part) => {
    const page = await open(name);
    const words = wordsOf(page).replaceAll(/[\u2068\u2069]/g, '');
    expect([page.status, words.includes(state), words.includes(part)]).toEqual([200, true, true]);
    const { body } = await app.anyone.get(`/api/v1/receipts/${idOf(name)}/public-manifest`);
    const { receipt_id, content_hash, kid, operator_id, domain_commitment, inclusion_path, verification } =
      body;
    for (const value of [receipt_id, content_hash, kid, operator_id, domain_commitment ?? ''])
      expect(words).toContain(String(value));
    expect(words).toContain(`This service finds it ${Object(verification).status}.`);
    const { leaf_index, leaf_hash, hashes = [] } = Object(inclusion_path);
    if (inclusion_path !== null) expect(words).toContain(leaf_hash);
    for (const hash of hashes) expect(words).toContain(Buffer.from(hash, 'base64').toString('hex'));
    expect(page.links.includes(`/logs/receipts?index=${leaf_index}`)).toBe(inclusion_path !== null);
    expect(page.text).not.toMatch(/NaN|undefined|Infinity|nobody-else/);
    const issued = receipts.get(name);
    for (const hidden of [issued?.agent_id, issued?.operator_id, issued?.blind_salt])
      expect(hidden === undefined || !page.text.includes(String(hidden))).toBe(true);
  });

  test('shows the masked name of a hostile agent as text', async () => {
    const { text } = await open('done');
    expect(text).toContain('<dt>Agent</dt><dd><bdi>\u2068&lt;b&gt;a');
    expect(text).not.toMatch(/<b>a|\u202e|\u200b/);
    expect(wordsOf(await open('revoked'))).toContain('Agent hidden, as all short names');
  });

  test('shows an expiry with an offset in UTC, and one in the year 10000 as it was sent', async () => {
    expect(wordsOf(await open('pending'))).toContain('Expires 2027-01-30 22:00:00 UTC');
    expect(wordsOf(await open('with the last expiry'))).toContain('Expires 9999-12-31T23:59:59-12:00');
  });

  test('offers to verify what is public and exists', async () => {
    const verify = (name: string, kind: string) => `/verify?document=/api/v1/receipts/${idOf(name)}/${kind}`;
    const offered = async (name: string) =>
      (await open(name)).links.filter((link) => link.startsWith('/verify?'));
    expect(await offered('done')).toEqual([verify('done', 'proof'), verify('done', 'status')]);
    expect(await offered('pending')).toEqual([verify('pending', 'status')]);
    for (const kind of ['proof', 'status']) {
      const response = await app.fetch(
        new Request(`http://localhost/api/v1/receipts/${idOf('done')}/${kind}`, {
          headers: { accept: 'application/json, */*' },
        }),
      );
      expect([kind, response.status]).toEqual([kind, 200]);
    }
  });

  test.each([
    `rcpt_${'0'.repeat(32)}`,
    'rcpt_x',
    '%00',
    '%E2%80%AE',
    'x'.repeat(257),
    "'%20OR%201=1%20--",
    '%FF',
  ])('is not there for %s, with the same page as for any other unknown receipt', async (id) => {
    const [page, other] = await Promise.all([
      openPage(app, `/receipts/${id}`),
      openPage(app, `/receipts/rcpt_${'1'.repeat(32)}`),
    ]);
    const withoutRequest = ({ text }: OpenedPage) => text.replace(/[0-9a-f-]{36}/g, '');
    expect([page.status, withoutRequest(page)]).toEqual([404, withoutRequest(other)]);
  });

  test.each(['', '/public-manifest'])('is where a browser gets from the path of the API%s', async (rest) => {
    const path = `/api/v1/receipts/${idOf('done')}${rest}`;
    const get = (accept: string) =>
      app.fetch(new Request(`http://localhost${path}`, { headers: { accept } }));
    const browser = await get(BROWSER);
    expect([browser.status, browser.headers.get('location')]).toEqual([303, `/receipts/${idOf('done')}`]);
    const program = await get('*/*');
    expect(program.status).toBe(rest === '' ? 401 : 200);
    expect(program.headers.get('vary')).toContain('Accept');
  });

  test.each(['proof', 'status'])('is not where a browser gets from the signed document %s', async (kind) => {
    const path = `http://localhost/api/v1/receipts/${idOf('done')}/${kind}`;
    expect((await app.fetch(new Request(path, { headers: { accept: BROWSER } }))).status).toBe(200);
  });
});

describe('the page of a receipt in a chain', () => {
  let app: TrustApp;
  const ids: string[] = [];
  beforeAll(async () => {
    app = await openTrustApp();
    let prev_receipt_hash: unknown;
    for (const outcome of [SUCCESS, SUCCESS, null, SUCCESS]) {
      const { body } = await app.own.issue({ prev_receipt_hash });
      ids.push(String(body.receipt_id));
      const final = outcome === null ? null : await app.own.finalize(body.receipt_id, outcome);
      // The second one follows from the first version of the first, which no log has.
      prev_receipt_hash = ids.length === 1 ? body.content_hash : (final?.body ?? body).content_hash;
    }
    await app.service.trust.log.publisher.publish();
  });
  afterAll(() => app.close());

  test.each([
    [0, null, 1],
    [1, 0, 2],
    [2, 1, 3],
  ])('with the number %d leads to those before and after it', async (index, before, after) => {
    const { links } = await openPage(app, `/receipts/${ids[index]}`);
    const neighbours = links.flatMap((link) => /^\/receipts\/(rcpt_\w+)$/.exec(link)?.[1] ?? []);
    expect(neighbours).toEqual([...(before === null ? [] : [ids[before] ?? '']), ids[after] ?? '']);
  });

  test('does not name a pending receipt before it, which no log has', async () => {
    const page = await openPage(app, `/receipts/${ids[3]}`);
    expect(page.text).not.toContain(ids[2] ?? 'x');
    expect(wordsOf(page)).toContain('The public logs do not say which receipt has this content hash.');
    await app.own.finalize(ids[2], SUCCESS);
    await app.service.trust.log.publisher.publish();
    expect((await openPage(app, `/receipts/${ids[3]}`)).links).toContain(`/receipts/${ids[2]}`);
  });
});

test('the page of the only entry of a log draws a tree of one node', async () => {
  const app = await openTrustApp();
  const { body } = await app.own.issue();
  await app.own.finalize(body.receipt_id, SUCCESS);
  const before = wordsOf(await openPage(app, `/receipts/${body.receipt_id}`));
  expect(before).toContain('No checkpoint covers it yet');
  await app.service.trust.log.publisher.publish();
  const page = await openPage(app, `/receipts/${body.receipt_id}`);
  expect([page.status, page.elements.get('circle')]).toEqual([200, 1]);
  expect(wordsOf(page)).toContain('Root of 1 entry');
  await app.close();
});

test('the page of a receipt names the witnesses of its checkpoint, and the times that they state', async () => {
  const app = await openTrustApp();
  const { body } = await app.own.issue();
  await app.own.finalize(body.receipt_id, SUCCESS);
  const { log, store } = app.service.trust;
  await log.publisher.publish();
  const newest = log.publisher.latest('receipts');
  const signature = (seconds: bigint): string => {
    const bytes = Buffer.alloc(76);
    bytes.writeBigUInt64BE(seconds, 4);
    return bytes.toString('base64');
  };
  const names = ['witness.example/<b>w\u202e1', 'w2.example', 'w3.example'];
  const times = [1_795_000_000n, 2n ** 53n - 1n, 2n ** 64n - 1n];
  const lines = names.map((witness, index) => ({
    witness,
    keyId: index,
    line: `— w${index} ${signature(times[index] ?? 0n)}\n`,
  }));
  const { issued_at } = newest.response;
  const all = await store.writeAsService((tx) =>
    storeCosignaturesIn(tx, newest.checkpointSeq, lines, issued_at),
  );
  log.publisher.showCosignatures('receipts', newest, all);
  const page = await openPage(app, `/receipts/${body.receipt_id}`);
  expect(page.text).toContain('witness.example/&lt;b&gt;w1');
  expect(wordsOf(page)).toContain('2026-11-18 11:06:40 UTC');
  expect(wordsOf(page)).toContain('3 witnesses have cosigned it.');
  expect(page.text).not.toMatch(/NaN|Invalid/);
  await app.close();
});

test('the page of a receipt says what a restored database lost, and offers no status of it', async () => {
  const app = await openTrustApp();
  const { body } = await app.own.issue();
  const { receipt_id } = body;
  await app.own.finalize(receipt_id, SUCCESS);
  const { log, store } = app.service.trust;
  const entry = JSON.stringify({
    v: 1,
    receipt_id,
    content_hash: DIGEST,
    signature: 'ab'.repeat(64),
    kid: 'k',
    revoked_at: '2026-11-29T12:00:00.000Z',
  });
  await store.writeAsService(({ connection: { sqlite } }) => {
    sqlite
      .query(
        'INSERT INTO revocation_leaf (receipt_seq, leaf_hash, entry) SELECT receipt_seq, ?, ? FROM receipt',
      )
      .run(leafHashOf(entry), entry);
  });
  await log.publisher.publish();
  const page = await openPage(app, `/receipts/${receipt_id}`);
  expect(wordsOf(page)).toContain(
    'The log contains a revocation of this receipt, which the database has lost.',
  );
  expect(page.links.some((link) => link.includes('status'))).toBe(false);
  await app.close();
});
