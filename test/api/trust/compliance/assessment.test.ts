import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { CompliancePackage } from '../../../../src/proof/package/format.ts';
import { enrolledAgent } from '../../../support/agent.ts';
import { client, DIGEST, type Fetch } from '../../../support/client.ts';
import { evidencePath, PAYLOADS, signedEvidence } from '../../../support/evidence.ts';
import { judgedPackage } from '../../../support/judged-package.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

const TOKEN = `svc_${'5e'.repeat(32)}`;

let app: TrustApp;
beforeAll(async () => {
  app = await openTrustApp({ service_token: TOKEN });
});
afterAll(() => app.close());

type Agent = Awaited<ReturnType<typeof enrolledAgent>>;
type Client = TrustApp['own'];

const pathOf = ({ commitment }: Pick<Agent, 'commitment'>, query = ''): string =>
  `/api/v1/compliance/packages/${commitment}${query}`;

const failure = {
  status: 'failure_tombstone',
  terminal_reason: 'lost',
  error_tranche: 'COMPUTE_TIMEOUT',
};

/** Publishes checkpoints that contain everything. Nothing does it by itself in a test. */
async function publishAll({ service }: TrustApp = app): Promise<void> {
  const { publisher } = service.trust.log;
  for (const log of ['receipts', 'revocations', 'evidence', 'keys'] as const) publisher.grown(log);
  await publisher.publish();
}

/** An agent with six receipts, one of which is revoked, and four items of evidence. */
async function agentWithWork(of = app): Promise<Agent> {
  const agent = await enrolledAgent(of);
  const service = client(of.fetch, 'http://localhost', TOKEN);
  const ended = async (outcome: object): Promise<unknown> => {
    const { body } = await of.own.issue({ agent_id: agent.commitment });
    const finalized = await of.own.finalize(body.receipt_id, outcome);
    if (finalized.status !== 200) throw new Error(JSON.stringify(finalized.body));
    return body.receipt_id;
  };
  const success = { status: 'success', output_hash: DIGEST };
  for (let receipts = 0; receipts < 3; receipts++) await ended(success);
  await ended({ status: 'refusal', refusal_reason: 'no' });
  await ended(failure);
  await of.own.revoke(await ended(success));
  for (const [type, payload] of [
    ['github_push_webhook', PAYLOADS.github_push_webhook()],
    ['otel_genai_trace', PAYLOADS.otel_genai_trace()],
    ['compliance_report', PAYLOADS.compliance_report()],
    ['task_deliverable', { ...PAYLOADS.task_deliverable(), outcome: 'failure' }],
  ] as const) {
    const caller = type === 'task_deliverable' ? service : of.own;
    const item = signedEvidence(agent, type, payload);
    const { status, body } = await caller.post(evidencePath(agent.commitment), item);
    if (status !== 201) throw new Error(JSON.stringify(body));
  }
  await publishAll(of);
  return agent;
}

/** Requests a package as text. */
async function textOf(
  path: string,
  { key }: Pick<Client, 'key'>,
  headers: Record<string, string> = {},
  fetch: Fetch = app.fetch,
): Promise<{ status: number; text: string; headers: Headers }> {
  const authorization: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
  const response = await fetch(
    new Request(`http://localhost${path}`, { headers: { ...authorization, ...headers } }),
  );
  return { status: response.status, text: await response.text(), headers: response.headers };
}

async function packageOf(path: string, caller: Pick<Client, 'key'> = app.anyone): Promise<CompliancePackage> {
  const { status, text } = await textOf(path, caller);
  const { read, problems, verdict } = await judgedPackage(app, text);
  expect([status, verdict, problems]).toEqual([200, 'valid', []]);
  if (read === null) throw new Error(text);
  return read;
}

const countsOf = ({ controls }: CompliancePackage): Record<string, number> =>
  Object.assign({}, ...controls.map(({ counts }) => counts));

describe('the compliance package of an agent', () => {
  test.each(['NIST_AI_RMF', 'EU_AI_ACT', 'SOC2_TYPE2', 'ISO_42001'])(
    'of %s verifies offline, and its sets have the entries of the agent',
    async (framework) => {
      const agent = await agentWithWork();
      await agentWithWork();
      const read = await packageOf(pathOf(agent, `?framework=${framework}`));
      expect(read).toMatchObject({
        kind: 'assessment',
        framework,
        view: 'public',
        subject: { type: 'agent', subject_commitment: agent.commitment, state: 'ISSUED' },
      });
      const sizes: Record<string, number> = {
        actions: 10,
        receipts: 6,
        changes: 1,
        reports: 0,
        results: 1,
        incidents: 3,
      };
      expect(read.reference_sets.length).toBeGreaterThan(0);
      for (const { name, count, sample } of read.reference_sets) {
        expect([name, count, sample.length]).toEqual([name, sizes[name] ?? -1, sizes[name] ?? -1]);
        for (const { inclusion_path, payload_url } of sample) {
          const { leaf_entry } = inclusion_path;
          expect(payload_url).toBeUndefined();
          expect(leaf_entry.includes('"receipt_id"') || leaf_entry.includes(agent.commitment)).toBe(true);
        }
      }
      const paths = read.reference_sets.flatMap(({ sample }) =>
        sample.map(({ inclusion_path }) => inclusion_path),
      );
      const trees = new Set(paths.map(({ log, tree_size }) => `${log} ${tree_size}`));
      expect(new Set(read.checkpoints.map(({ origin, tree_size }) => `${origin} ${tree_size}`))).toEqual(
        trees,
      );
    },
  );

  test('counts what its rows say', async () => {
    const agent = await agentWithWork();
    const counts: Record<string, number> = {};
    for (const framework of ['NIST_AI_RMF', 'EU_AI_ACT', 'SOC2_TYPE2', 'ISO_42001'])
      Object.assign(counts, countsOf(await packageOf(pathOf(agent, `?framework=${framework}`))));
    const expected: Record<string, number> = {
      receipts: 6,
      receipts_success: 3,
      receipts_refused: 1,
      receipts_terminated: 1,
      receipts_null: 0,
      receipts_failed: 1,
      receipts_timed_out: 1,
      receipts_linked: 0,
      receipts_open: 0,
      receipts_overdue: 0,
      receipts_abandoned: 0,
      assessor_pass: 0,
      assessor_fail: 0,
      assessor_days: 0,
      receipts_revoked: 1,
      agent_revoked: 0,
      evidence: 4,
      evidence_failed: 1,
      changes: 1,
      traces: 1,
      deliverables: 1,
      incidents: 3,
      responses: 1,
      revocations: 1,
      own_reports: 0,
      own_fails: 0,
      receipt_days: 1,
      log_days: 0,
      sponsors: 1,
      keys_compromised: 0,
      checkpoints_cosigned: 0,
    };
    const { key_events: keyEvents = 0, checkpoints = 0, ...others } = counts;
    expect(keyEvents).toBeGreaterThan(0);
    expect(checkpoints).toBeGreaterThan(0);
    const shown = Object.fromEntries(Object.entries(expected).filter(([name]) => name in others));
    expect(others).toEqual(shown);
  });

  test('has a sample of 20 that its root chooses, and not more', async () => {
    const agent = await enrolledAgent(app);
    for (let item = 0; item < 45; item++) {
      const trace = signedEvidence(agent, 'otel_genai_trace', PAYLOADS.otel_genai_trace(`trace ${item}`));
      expect((await app.own.post(evidencePath(agent.commitment), trace)).status).toBe(201);
    }
    await publishAll();
    const { reference_sets } = await packageOf(pathOf(agent));
    const actions = reference_sets.find(({ name }) => name === 'actions');
    expect([actions?.count, actions?.sample.length]).toEqual([45, 20]);
  });

  test('is empty but valid for an agent without entries, and no control is satisfied', async () => {
    const agent = await enrolledAgent(app);
    const { summary, checkpoints, reference_sets } = await packageOf(pathOf(agent));
    expect([summary.satisfied, summary.partial, summary.reported, checkpoints]).toEqual([0, 0, 0, []]);
    expect(reference_sets.every(({ count }) => count === 0)).toBe(true);
  });

  test('has only what happened in the period', async () => {
    const agent = await agentWithWork();
    const dayBefore = new Date(Date.now() - 24 * 3600_000).toISOString();
    const hourBefore = new Date(Date.now() - 3600_000).toISOString();
    const before = await packageOf(pathOf(agent, `?from=${dayBefore}&to=${hourBefore}`));
    expect(before.period).toEqual({ from: dayBefore, to: hourBefore });
    expect(before.reference_sets.every(({ count }) => count === 0)).toBe(true);
    const since = await packageOf(pathOf(agent, `?from=${hourBefore}`));
    expect(since.reference_sets.find(({ name }) => name === 'actions')?.count).toBe(10);
  });

  test('still exists of a revoked agent, and says so', async () => {
    const agent = await agentWithWork();
    expect((await packageOf(pathOf(agent))).subject).toMatchObject({ state: 'ISSUED' });
    const revoked = await app.own.post(`/api/v1/passport/agents/${agent.commitment}/revoke`, {});
    expect(revoked.status).toBe(200);
    await publishAll();
    const read = await packageOf(pathOf(agent, '?framework=SOC2_TYPE2'));
    expect(read.subject).toMatchObject({ state: 'REVOKED' });
    expect(read.reference_sets.find(({ name }) => name === 'incidents')?.count).toBe(4);
    expect((await packageOf(pathOf(agent))).subject).toMatchObject({ state: 'REVOKED' });
  });

  test('has the addresses of payloads for keys of the sponsor, and for no other key', async () => {
    const agent = await agentWithWork();
    expect((await packageOf(pathOf(agent), app.own)).view).toBe('sponsor');
    const { reference_sets }: CompliancePackage = JSON.parse((await textOf(pathOf(agent), app.own)).text);
    const urls = reference_sets.flatMap(({ sample }) => sample.map(({ payload_url }) => payload_url));
    expect(urls.filter((url) => url === undefined)).toEqual([]);
    for (const url of new Set(urls)) expect((await app.own.get(String(url))).status).toBe(200);
    expect((await packageOf(pathOf(agent), app.other)).view).toBe('public');
  });

  test('has the receipts of the sampled entries for the sponsor, which show that these are of the agent', async () => {
    const agent = await agentWithWork();
    const { text } = await textOf(pathOf(agent, '?framework=SOC2_TYPE2'), app.own);
    const { verdict, problems, checks, attribution } = await judgedPackage(app, text);
    expect([verdict, problems, checks.attribution]).toEqual(['valid', [], 'ok']);
    const operator = app.service.firstStart.operatorId;
    expect(attribution).toMatchObject({ operators: [operator] });
    const { subject, sampled_receipts }: CompliancePackage = JSON.parse(text);
    expect(subject).toMatchObject({ sponsor: operator });
    // Six as they were finalized, and the revoked version of one of them.
    expect(sampled_receipts).toHaveLength(7);
    const open: object = JSON.parse((await textOf(pathOf(agent), app.anyone)).text);
    expect(Object.hasOwn(open, 'sampled_receipts')).toBe(false);
  });

  test('shows no sponsor the receipts of the one before it', async () => {
    const agent = await agentWithWork();
    const path = `/api/v1/passport/agents/${agent.commitment}/sponsor`;
    expect((await app.own.call('PUT', path, { operator_id: app.otherId })).status).toBe(200);
    const { body } = await app.other.issue({ agent_id: agent.commitment });
    await app.other.finalize(body.receipt_id, { status: 'success', output_hash: DIGEST });
    await publishAll();
    const { text } = await textOf(pathOf(agent), app.other);
    const { verdict, checks, attribution } = await judgedPackage(app, text);
    expect([verdict, checks.attribution]).toEqual(['valid', 'partly']);
    expect(attribution).toMatchObject({ operators: [app.otherId] });
    const { subject, sampled_receipts }: CompliancePackage = JSON.parse(text);
    expect(subject).toMatchObject({ sponsor: app.otherId });
    expect(sampled_receipts).toHaveLength(1);
  });

  test('is sent again while nothing changes, and built again after an entry', async () => {
    const agent = await agentWithWork();
    const first = await textOf(pathOf(agent), app.anyone);
    const again = await textOf(pathOf(agent), app.anyone);
    expect(again.text).toBe(first.text);
    const etag = String(first.headers.get('etag'));
    const known = await textOf(pathOf(agent), app.anyone, { 'if-none-match': etag });
    expect([known.status, known.text]).toEqual([304, '']);
    const trace = signedEvidence(agent, 'otel_genai_trace', PAYLOADS.otel_genai_trace('later'));
    await app.own.post(evidencePath(agent.commitment), trace);
    await publishAll();
    const { reference_sets } = await packageOf(pathOf(agent));
    expect(reference_sets.find(({ name }) => name === 'actions')?.count).toBe(11);
  });

  test('is built once for requests that arrive together', async () => {
    const agent = await agentWithWork();
    const texts = await Promise.all(Array.from({ length: 20 }, () => textOf(pathOf(agent), app.anyone)));
    expect(new Set(texts.map(({ text }) => text)).size).toBe(1);
  });

  test('cites checkpoints that are recorded, so that they stay', async () => {
    const agent = await agentWithWork();
    const { checkpoints } = await packageOf(pathOf(agent));
    const cited = await app.service.trust.store.read(({ connection }) =>
      connection.sqlite
        .query<{ note: string }, []>(
          'SELECT note FROM package_citation JOIN checkpoint USING (checkpoint_seq)',
        )
        .all()
        .map(({ note }) => note),
    );
    expect(checkpoints.length).toBeGreaterThan(1);
    for (const { note } of checkpoints) expect(cited).toContain(note);
  });

  test('is also a page for people', async () => {
    const agent = await agentWithWork();
    const { status, text, headers } = await textOf(pathOf(agent), app.anyone, { accept: 'text/html' });
    expect([status, headers.get('content-type'), headers.get('vary')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'Accept',
    ]);
    expect(text).toContain(agent.commitment);
  });
});

describe('a request for the compliance package of an agent is refused', () => {
  const day = (days: number): string => new Date(Date.now() + days * 24 * 3600_000).toISOString();
  test.each([
    ['another framework', '?framework=ISO_27001', 'framework'],
    ['a framework in lower case', '?framework=nist_ai_rmf', 'framework'],
    ['a reversed period', `?from=${day(-1)}&to=${day(-2)}`, 'from'],
    ['an empty period', `?from=${day(-1).slice(0, 19)}Z&to=${day(-1).slice(0, 19)}Z`, 'from'],
    ['a period of more than a year', `?from=${day(-367)}`, 'from'],
    ['a period that ends tomorrow', `?to=${day(1.01)}`, 'to'],
    ['a day without a time', '?from=2026-01-01', 'from'],
    ['a time before 1970', '?from=1969-12-31T23:59:59Z&to=1970-01-02T00:00:00Z', 'from'],
    ['a period that ends before 1970', '?to=1969-01-01T00:00:00Z', 'to'],
  ])('for %s', async (_, query, field) => {
    const agent = await enrolledAgent(app);
    const { status, body } = await app.anyone.get(pathOf(agent, query));
    expect([status, body.reason_code, Object.keys(Object(body.issues))]).toEqual([
      400,
      'validation_error',
      [field],
    ]);
  });

  test.each([
    ['an unknown commitment', '00'.repeat(32)],
    ['no commitment', 'agent-7'],
  ])('for %s', async (_, commitment) => {
    const { status, body } = await app.anyone.get(pathOf({ commitment }));
    expect([status, body.reason_code]).toEqual([404, 'not_found']);
  });

  test('with a wrong key', async () => {
    const agent = await enrolledAgent(app);
    const key = `pp_${'0'.repeat(64)}`;
    expect((await textOf(pathOf(agent), { key })).status).toBe(401);
  });

  test('beyond ten builds a minute of an address, while cached packages are still sent', async () => {
    const limited = await openTrustApp({ rate_limits: 'on' });
    try {
      const agent = await enrolledAgent(limited);
      const hours = (count: number): string =>
        pathOf(agent, `?from=${new Date(Date.UTC(2026, 0, 1, count)).toISOString()}&to=2026-02-01T00:00:00Z`);
      for (let build = 0; build < 10; build++)
        expect((await limited.anyone.get(hours(build))).status).toBe(200);
      const { status, body, headers } = await limited.anyone.get(hours(10));
      expect([status, body.reason_code]).toEqual([429, 'rate_limit_exceeded']);
      expect(headers.get('ratelimit-policy')).toBe('"packages";q=10;w=60');
      expect((await limited.anyone.get(hours(0))).status).toBe(200);
    } finally {
      await limited.close();
    }
  });
});
