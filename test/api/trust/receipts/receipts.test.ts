import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { client, DIGEST, issueBody, strings } from '../../../support/client.ts';
import { fourSteps } from '../../../support/four-steps.ts';
import { type Scenario, scenarios } from '../../../support/scenario.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

let app: TrustApp;
let key: string;
/**
 * A pending receipt of the first operator, a finalized and a revoked one, and a blind one of the other
 * operator.
 */
const known = { pending: '', finalized: '', revoked: '', both: '', others: '', othersHash: '' };

beforeAll(async () => {
  app = await openTrustApp();
  key = String((await app.anyone.get('/api/v1/public-key')).body.public_key);
  known.pending = String((await app.own.issue()).body.receipt_id);
  known.finalized = String((await app.own.issue()).body.receipt_id);
  await app.own.finalize(known.finalized, { status: 'success', output_hash: DIGEST });
  known.revoked = String((await app.own.issue()).body.receipt_id);
  await app.own.revoke(known.revoked);
  known.both = String((await app.own.issue()).body.receipt_id);
  await app.own.finalize(known.both, { status: 'success', output_hash: DIGEST });
  await app.own.revoke(known.both);
  const others = (await app.other.issue({ blind: true })).body;
  known.others = String(others.receipt_id);
  known.othersHash = String(others.content_hash);
});
afterAll(() => app.close());

const ISSUE = '/api/v1/receipts';
/** Issuing with one member changed, which is refused by its name. */
const refusedIssue = (name: string, changes: Record<string, unknown>): Scenario => [
  `with ${name} is refused`,
  `POST ${ISSUE}`,
  `400 validation_error: ${Object.keys(changes).join(', ')}`,
  { body: issueBody(changes) },
];

describe('issuing a receipt', () => {
  scenarios(
    () => app,
    [
      [
        'makes a pending receipt, signed and without a salt',
        `POST ${ISSUE}`,
        '201',
        {
          body: issueBody({ expiry: '2036-01-31T13:00:00.123456+01:00' }),
          contains: [
            '"status":"pending"',
            '"expiry":"2036-01-31T13:00:00.123456+01:00"',
            '"domain":"CODE_GENERATION"',
          ],
          lacks: ['blind_salt', 'error_tranche', 'domain_commitment'],
          effects: (_, body) => expect(fourSteps(strings(body), key, Date.now())).toBe('valid'),
        },
      ],
      [
        'that is blind carries the commitment instead of the domain',
        `POST ${ISSUE}`,
        '201',
        {
          body: issueBody({ blind: true }),
          lacks: ['"domain":', 'CODE_GENERATION'],
          effects: async ({ anyone, own }, body) => {
            const { domain_commitment, blind_salt, receipt_id } = strings(body);
            const expected = createHash('sha256').update(`CODE_GENERATION${blind_salt}`).digest('hex');
            expect(domain_commitment).toBe(expected);
            expect(fourSteps(strings(body), key, Date.now())).toBe('valid');
            expect((await own.get(`${ISSUE}/${receipt_id}`)).body.blind_salt).toBe(blind_salt ?? '');
            const manifest = await anyone.get(`${ISSUE}/${receipt_id}/public-manifest`);
            expect(JSON.stringify(manifest.body)).not.toContain(blind_salt ?? '');
            expect(manifest.body).toMatchObject({ domain_commitment: expected });
          },
        },
      ],
      ...['agent_id', 'receipt_type', 'input_digest', 'authority_scope', 'expiry', 'domain'].map((field) =>
        refusedIssue(`no ${field}`, { [field]: undefined }),
      ),
      refusedIssue('an unknown field', { blnd: true }),
      refusedIssue('a number for a name', { agent_id: 7 }),
      refusedIssue('an object that cannot be printed for a name', { agent_id: { toString: false } }),
      refusedIssue('an empty name', { agent_id: '' }),
      refusedIssue('a name of 257 characters', { authority_scope: 'x'.repeat(257) }),
      refusedIssue('a name of 257 emoji', { agent_id: '🙂'.repeat(257) }),
      [
        'with a name of 256 emoji succeeds: characters are code points',
        `POST ${ISSUE}`,
        '201',
        {
          body: issueBody({ agent_id: '🙂'.repeat(256) }),
          effects: async (_app, body) => {
            expect(fourSteps(strings(body), key, Date.now())).toBe('valid');
          },
        },
      ],
      refusedIssue('a control character', { agent_id: 'a\u0000b' }),
      refusedIssue('upper-case hex', { input_digest: DIGEST.toUpperCase() }),
      refusedIssue('short hex', { input_digest: DIGEST.slice(1) }),
      refusedIssue('an unknown domain', { domain: 'LEGAL' }),
      refusedIssue('an expiry that has passed', { expiry: '2020-01-01T00:00:00Z' }),
      refusedIssue('1/2/2027', { expiry: '1/2/2027' }),
      refusedIssue('30 February', { expiry: '2036-02-30T00:00:00Z' }),
      refusedIssue('a date without a zone', { expiry: '2036-02-20T00:00:00' }),
      refusedIssue('blind as a word', { blind: 'true' }),
      refusedIssue('a chain hash that nothing had', { prev_receipt_hash: 'ab'.repeat(32) }),
      [
        "with another operator's chain hash is refused",
        `POST ${ISSUE}`,
        '400 validation_error: prev_receipt_hash',
        { body: () => issueBody({ prev_receipt_hash: known.othersHash }) },
      ],
      ['with an array for a body is refused', `POST ${ISSUE}`, '400 validation_error', { body: [] }],
      ['without a body is refused', `POST ${ISSUE}`, '400 validation_error'],
    ],
  );

  test('on any version of another makes a chain, with its depth and its successors', async () => {
    const first = (await app.own.issue()).body;
    const ended = (await app.own.finalize(first.receipt_id, { status: 'success', output_hash: DIGEST })).body;
    const onFirst = (await app.own.issue({ prev_receipt_hash: first.content_hash })).body;
    const onSecond = (await app.own.issue({ prev_receipt_hash: ended.content_hash })).body;
    const third = (await app.own.issue({ prev_receipt_hash: onSecond.content_hash })).body;
    for (const receipt of [onFirst, onSecond, third])
      expect(fourSteps(strings(receipt), key, Date.now())).toBe('valid');
    const manifest = async (id: unknown) =>
      (await app.anyone.get(`${ISSUE}/${id}/public-manifest`)).body.chain;
    expect(await manifest(first.receipt_id)).toEqual({
      prev_receipt_hash: null,
      next: [onFirst.receipt_id, onSecond.receipt_id],
      depth: 0,
    });
    expect(await manifest(third.receipt_id)).toMatchObject({
      prev_receipt_hash: onSecond.content_hash,
      depth: 2,
    });
  });
});

const OUTCOMES: [string, string, string][] = [
  ['success', 'output_hash', 'NONE'],
  ['refusal', 'refusal_reason', 'NONE'],
  ['null', 'refusal_reason', 'NONE'],
  ['terminal', 'terminal_reason', 'NONE'],
  ['graceful_shutdown', 'terminal_reason', 'NONE'],
  ['timeout', 'terminal_reason', 'COMPUTE_TIMEOUT'],
  ['failure_tombstone', 'terminal_reason', 'NONE'],
];
const FIELDS = ['output_hash', 'refusal_reason', 'terminal_reason'];

describe('finalizing a receipt', () => {
  test.each(OUTCOMES)(
    'as %s takes %s, with the tranche %s by default, and it verifies',
    async (status, field, tranche) => {
      const { receipt_id } = (await app.own.issue()).body;
      const value = field === 'output_hash' ? DIGEST : 'a reason\nof two lines';
      const { status: code, body } = await app.own.finalize(receipt_id, { status, [field]: value });
      expect([code, body.status, body[field], body.error_tranche]).toEqual([200, status, value, tranche]);
      expect(FIELDS.filter((name) => name in body)).toEqual([field]);
      expect(fourSteps(strings(body), key, Date.now())).toBe('valid');
      expect((await app.own.get(`${ISSUE}/${receipt_id}`)).body).toEqual(body);
      for (const other of FIELDS.filter((name) => name !== field)) {
        const wrong = await app.own.finalize(known.pending, { status, [field]: value, [other]: value });
        expect([wrong.status, wrong.body.issues]).toMatchObject([400, { [other]: expect.any(Array) }]);
      }
      expect((await app.own.finalize(known.pending, { status })).body.issues).toHaveProperty(field);
    },
  );

  const path = (id: () => string) => () => `POST ${ISSUE}/${id()}/finalize`;
  const success = { status: 'success', output_hash: DIGEST };
  scenarios(
    () => app,
    [
      [
        'as pending is refused',
        path(() => known.pending),
        '400 validation_error: status',
        { body: { status: 'pending' } },
      ],
      [
        'as a success with a tranche is refused',
        path(() => known.pending),
        '400 validation_error: error_tranche',
        { body: { ...success, error_tranche: 'SLA_BREACH' } },
      ],
      [
        'with a reason of 1,025 characters is refused',
        path(() => known.pending),
        '400 validation_error: refusal_reason',
        { body: { status: 'refusal', refusal_reason: 'x'.repeat(1025) } },
      ],
      [
        'a second time is refused',
        path(() => known.finalized),
        '409 receipt_already_finalized',
        {
          body: success,
          effects: (_, body) =>
            expect(body.receipt).toMatchObject({ receipt_id: known.finalized, status: 'success' }),
        },
      ],
      [
        'after it was revoked is refused',
        path(() => known.revoked),
        '409 receipt_already_revoked',
        { body: success },
      ],
      [
        'after it was finalized and then revoked is refused',
        path(() => known.both),
        '409 receipt_already_finalized',
        {
          body: success,
          effects: (_, body) =>
            expect(body.receipt).toMatchObject({ status: 'success', revocation_status: 'revoked' }),
        },
      ],
      [
        'with a reason that has a carriage return is refused',
        path(() => known.pending),
        '400 validation_error: refusal_reason',
        { body: { status: 'refusal', refusal_reason: 'two\r\nlines' } },
      ],
      [
        'of another operator is not found',
        path(() => known.others),
        '404 receipt_not_found',
        { body: success },
      ],
      ['that is none is not found', path(() => 'rcpt_x'), '404', { body: success }],
    ],
  );

  test('twenty times concurrently is one 200 and nineteen 409, and the receipt is that of the 200', async () => {
    const { receipt_id } = (await app.own.issue()).body;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        app.own.finalize(receipt_id, { status: 'refusal', refusal_reason: `finalizer ${index}` }),
      ),
    );
    const won = answers.filter(({ status }) => status === 200);
    expect([won.length, answers.filter(({ status }) => status === 409).length]).toEqual([1, 19]);
    for (const { status, body } of answers) if (status === 409) expect(body.receipt).toEqual(won[0]?.body);
    expect((await app.own.get(`${ISSUE}/${receipt_id}`)).body).toEqual(Object(won[0]?.body));
  });
});

describe('revoking a receipt', () => {
  test('in every status signs it anew, with what was there', async () => {
    for (const body of [null, { status: 'success', output_hash: DIGEST }]) {
      const issued = (await app.own.issue({ blind: true })).body;
      const before = body === null ? issued : (await app.own.finalize(issued.receipt_id, body)).body;
      const { status, body: revoked } = await app.own.revoke(issued.receipt_id, { reason: 'by mistake' });
      const { content_hash: _, signature: __, ...same } = before;
      expect([status, revoked]).toMatchObject([200, { ...same, revocation_status: 'revoked' }]);
      expect(revoked.content_hash).not.toBe(before.content_hash);
      expect(fourSteps({ ...strings(revoked), revocation_status: 'active' }, key, Date.now())).toBe(
        'hash mismatch',
      );
      expect(JSON.stringify(revoked)).not.toContain('by mistake');
    }
  });

  const path = (id: () => string) => () => `POST ${ISSUE}/${id()}/revoke`;
  scenarios(
    () => app,
    [
      [
        'a second time is refused',
        path(() => known.revoked),
        '409 receipt_already_revoked',
        { effects: (_, body) => expect(body.receipt).toMatchObject({ revocation_status: 'revoked' }) },
      ],
      ['that is revoked, with an empty body, is refused', path(() => known.revoked), '409', { raw: '' }],
      ['of another operator is not found', path(() => known.others), '404'],
      [
        'with an unknown field is refused',
        path(() => known.pending),
        '400 validation_error: why',
        { body: { why: 'x' } },
      ],
      ['with a body that is no JSON is refused', path(() => known.pending), '400 invalid_json', { raw: '{' }],
    ],
  );
});

describe('reading a receipt', () => {
  scenarios(
    () => app,
    [
      [
        'of the own operator gives it',
        () => `GET ${ISSUE}/${known.finalized}`,
        '200',
        { contains: ['"status":"success"'] },
      ],
      ['of another operator is not found', () => `GET ${ISSUE}/${known.others}`, '404 receipt_not_found'],
      ['that is none is not found', `GET ${ISSUE}/rcpt_${'0'.repeat(32)}`, '404'],
      [
        'by its manifest tells anyone what may be told, and no more',
        () => `GET ${ISSUE}/${known.others}/public-manifest`,
        '200',
        {
          by: 'anyone',
          contains: ['"status":"valid"', '"inclusion_path":null'],
          lacks: [DIGEST, 'payments:read', 'blind_salt', 'CODE_GENERATION', 'agent-7'],
          responseHeaders: { 'access-control-allow-origin': '*' },
          effects: ({ otherId }, body) => {
            expect(body.operator_id).toBe(`${otherId.slice(0, 11)}…${otherId.slice(-4)}`);
          },
        },
      ],
      [
        'by its manifest is not found where there is none',
        `GET ${ISSUE}/x/public-manifest`,
        '404',
        { by: 'anyone' },
      ],
      [
        'by its manifest says that it was revoked',
        () => `GET ${ISSUE}/${known.revoked}/public-manifest`,
        '200',
        { by: 'anyone', contains: ['"verification":{"status":"revoked"', '"revocation_status":"revoked"'] },
      ],
    ],
  );
});

describe('a reason', () => {
  const revoked = async (reason: string) => {
    const { receipt_id } = (await app.own.issue()).body;
    return (await app.own.revoke(receipt_id, { reason })).status;
  };
  const refused = async (member: string, status: string, reason: string) => {
    const { receipt_id } = (await app.own.issue()).body;
    return (await app.own.finalize(receipt_id, { status, [member]: reason })).status;
  };
  const agentsRevoked = async (reason: string) =>
    (await app.own.post(`/api/v1/passport/agents/${'0'.repeat(64)}/revoke`, { reason })).status;

  test.each([
    ['two lines with a tab', 'one\n\ttwo', true],
    ['1,024 characters beyond the basic plane', '🙂'.repeat(1024), true],
    ['1,025 characters', 'x'.repeat(1025), false],
    ['nothing', '', false],
    ['a carriage return', 'a\rb', false],
    ['a NUL', 'a\u0000b', false],
    ['a vertical tab', 'a\u000bb', false],
    ['an escape', 'a\u001b[31mb', false],
    ['a delete', 'a\u007fb', false],
    ['a C1 control character', 'a\u009bb', false],
    ['half of a surrogate pair', 'a\ud800b', false],
  ])('of %s is taken or refused by every member alike', async (_, reason, isGood) => {
    const [taken, unknown] = isGood ? [200, 404] : [400, 400];
    expect([
      await refused('refusal_reason', 'refusal', reason),
      await refused('terminal_reason', 'timeout', reason),
      await revoked(reason),
      await agentsRevoked(reason),
    ]).toEqual([taken, taken, taken, unknown]);
  });
});

describe('the versions of a receipt', () => {
  const path = (id: () => string) => () => `GET ${ISSUE}/${id()}/versions`;
  scenarios(
    () => app,
    [
      [
        'are its issue alone while it is pending',
        path(() => known.pending),
        '200',
        { contains: ['"version":1', '"revocation_reason":null'], lacks: ['"version":2'] },
      ],
      ["are not found where it is another operator's", path(() => known.others), '404 receipt_not_found'],
      ['are not found where there is none', `GET ${ISSUE}/rcpt_${'0'.repeat(32)}/versions`, '404'],
      ['are not found by an id of no form', `GET ${ISSUE}/x/versions`, '404 receipt_not_found'],
      ['are not shown without a key', path(() => known.pending), '401 unauthorized', { by: 'anyone' }],
    ],
  );

  test('are every answer that was signed, newest first, with its time and the reason of the revocation', async () => {
    const issued = (await app.own.issue({ blind: true })).body;
    const finalized = (await app.own.finalize(issued.receipt_id, { status: 'success', output_hash: DIGEST }))
      .body;
    const revoked = (await app.own.revoke(issued.receipt_id, { reason: 'by mistake' })).body;
    const { status, body } = await app.own.get(`${ISSUE}/${issued.receipt_id}/versions`);
    expect([status, body]).toEqual([
      200,
      {
        versions: [
          { version: 3, signed_at: expect.any(String), revocation_reason: 'by mistake', receipt: revoked },
          { version: 2, signed_at: expect.any(String), revocation_reason: null, receipt: finalized },
          { version: 1, signed_at: issued.issued_at, revocation_reason: null, receipt: issued },
        ],
      },
    ]);
  });

  test('are refused to a holder key of another agent', async () => {
    const commitment = '12'.repeat(32);
    const made = await app.own.post('/api/v1/operator/api-keys', {
      role: 'holder',
      subject_commitment: commitment,
    });
    const holder = client(app.fetch, 'http://localhost', String(made.body.api_key));
    const { body } = await holder.issue({ agent_id: commitment });
    expect((await holder.get(`${ISSUE}/${body.receipt_id}/versions`)).status).toBe(200);
    expect((await holder.get(`${ISSUE}/${known.pending}/versions`)).body.reason_code).toBe('forbidden');
  });
});

describe('the list of receipts', () => {
  const refused = (query: string, issue: string): Scenario => [
    `refuses ${query}`,
    `GET ${ISSUE}?${query}`,
    `400 validation_error: ${issue}`,
  ];
  scenarios(
    () => app,
    [
      refused('limit=0', 'limit'),
      refused('limit=101', 'limit'),
      refused('limit=1&limit=2', 'limit'),
      refused('status=success&status=timeout', 'status'),
      refused('limit=abc', 'limit'),
      refused('limit=1e1', 'limit'),
      refused('status=done', 'status'),
      refused('domain=LEGAL', 'domain'),
      refused('from=yesterday', 'from'),
      refused('cursor=nonsense', 'cursor'),
      refused('cursor=a.b.0123456789abcdef', 'cursor'),
      refused('offset=1', 'offset'),
      refused('status=', 'status'),
      refused('domain=', 'domain'),
      refused('domain=code_generation', 'domain'),
      refused('agent_id=', 'agent_id'),
      refused(`agent_id=${'x'.repeat(257)}`, 'agent_id'),
      refused('agent_id=a%00b', 'agent_id'),
      refused('agent_id=a%0Ab', 'agent_id'),
      refused('agent_id=a&agent_id=b', 'agent_id'),
      refused('from=', 'from'),
      refused('from=2026-02-30T00:00:00Z', 'from'),
      refused('from=2026-02-20', 'from'),
      refused('from=1767225600', 'from'),
      refused('from=2026-02-20T00:00:00%2B25:00', 'from'),
      // A plus that is not written %2B is a space.
      refused('to=2026-02-20T00:00:00+01:00', 'to'),
      refused('to=2026-02-20T00:00:00Z&to=2026-02-21T00:00:00Z', 'to'),
      refused('limit=', 'limit'),
      refused('limit=%201', 'limit'),
      refused('limit=-1', 'limit'),
      refused('cursor=', 'cursor'),
      refused(`cursor=${'a'.repeat(257)}`, 'cursor'),
      refused('__proto__=1', '__proto__'),
      refused('Status=success', 'Status'),
      [
        'names all of several wrong filters',
        `GET ${ISSUE}?status=done&domain=LEGAL&from=x&limit=0&more=1`,
        '400 validation_error: status, domain, from, limit, more',
      ],
      [
        'is an empty page where nothing fits',
        `GET ${ISSUE}?agent_id=nobody`,
        '200',
        { contains: ['{"receipts":[],"next_cursor":null}'] },
      ],
    ],
  );

  /** Reads all pages, calling `between` after the first. */
  async function all(query: string, between = async (): Promise<void> => undefined): Promise<string[]> {
    const ids: string[] = [];
    for (let cursor: unknown = ''; cursor !== null; ) {
      const { status, body } = await app.own.get(
        `${ISSUE}?${query}${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      expect(status).toBe(200);
      const rows: unknown[] = Array.isArray(body.receipts) ? body.receipts : [];
      ids.push(...rows.map((row) => String(Object(row).receipt_id)));
      if (cursor === '') await between();
      cursor = body.next_cursor;
    }
    return ids;
  }

  test('has pages newest first, without a gap or repeat while receipts are added', async () => {
    const issued: string[] = [];
    for (let count = 0; count < 120; count++) {
      issued.push(String((await app.own.issue({ agent_id: 'pages' })).body.receipt_id));
    }
    const add = async (): Promise<void> => {
      await Promise.all(Array.from({ length: 10 }, () => app.own.issue({ agent_id: 'pages' })));
    };
    expect(await all('agent_id=pages&limit=7', add)).toEqual(issued.toReversed());
    expect((await all('agent_id=pages')).length).toBe(130);
  });

  test('accepts a cursor only with its own filters', async () => {
    const { body } = await app.own.get(`${ISSUE}?agent_id=pages&limit=1`);
    expect((await app.own.get(`${ISSUE}?agent_id=other&limit=1&cursor=${body.next_cursor}`)).status).toBe(
      400,
    );
    expect((await app.own.get(`${ISSUE}?agent_id=pages&limit=9&cursor=${body.next_cursor}`)).status).toBe(
      200,
    );
  });

  test('is filtered by domain, agent, status with its finer ones, and time', async () => {
    const ids: Record<string, string> = {};
    for (const [status, field] of OUTCOMES) {
      const issued = await app.own.issue({
        agent_id: 'filters',
        domain: 'CUSTOMER_SUPPORT',
        blind: status === 'null',
      });
      ids[status] = String(issued.body.receipt_id);
      await app.own.finalize(ids[status], { status, [field]: field === 'output_hash' ? DIGEST : 'because' });
    }
    const of = (...names: string[]) => names.map((name) => ids[name] ?? '').toReversed();
    expect(await all('agent_id=filters&status=success')).toEqual(of('success'));
    expect(await all('agent_id=filters&status=timeout')).toEqual(of('timeout'));
    expect(await all('agent_id=filters&status=terminal')).toEqual(
      of('terminal', 'graceful_shutdown', 'timeout', 'failure_tombstone'),
    );
    expect((await all('domain=CUSTOMER_SUPPORT')).length).toBe(7);
    expect(await all('domain=FINANCIAL_CLEARING')).toEqual([]);
    const { issued_at } = (await app.own.get(`${ISSUE}/${ids.refusal}`)).body;
    const from = await all(`agent_id=filters&from=${issued_at}`);
    const to = await all(`agent_id=filters&to=${issued_at}`);
    expect(from).toContain(ids.refusal ?? '');
    expect(to).not.toContain(ids.refusal ?? '');
    expect(from.length + to.length).toBe(7);
  });

  test("shows no other operator's receipts", async () => {
    const { body } = await app.other.get(ISSUE);
    expect(body.receipts).toMatchObject([{ receipt_id: known.others }]);
  });
});
