import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { sha256Hex } from '../../../../../src/platform/crypto/crypto.ts';
import { setAccountStatus } from '../../../../../src/trust/pages/dashboard/set-account-status.ts';
import { agentAuth, audienceOf } from '../../../../support/agent.ts';
import { createKeyFor } from '../../../../support/api-keys.ts';
import { client } from '../../../../support/client.ts';
import { journalOf } from '../../../../support/credit-journal.ts';
import { type CreditedAgent, creditedAgent } from '../../../../support/credits.ts';
import { evidencePath, signedEvidence } from '../../../../support/evidence.ts';
import { duringTheRequest } from '../../../../support/late-body.ts';
import { accountsOf, byName } from '../../../../support/ledger-accounts.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';

const SERVICE_TOKEN = `svc_${'7e'.repeat(32)}`;
const ENGAGEMENTS = '/api/v1/passport/engagements';
const ACP = '/api/v1/acp/task';

let app: TrustApp;
let hirer: CreditedAgent;
let worker: CreditedAgent;
let stolenKey: string;
let audience: string;

beforeEach(async () => {
  app = await openTrustApp({ service_token: SERVICE_TOKEN });
  hirer = await creditedAgent(app, { sponsor: app.otherId, credits: { promotional: 20 } });
  worker = await creditedAgent(app);
  ({ api_key: stolenKey } = await createKeyFor(app.service.trust, app.otherId, {}));
  audience = await audienceOf(app);
  for (const task of ['held', 'delivered'])
    expect((await app.other.post(ENGAGEMENTS, terms(task))).status).toBe(201);
  await deliver('delivered');
});
afterEach(() => app.close());

const terms = (task_id: string) => ({
  task_id,
  hirer_commitment: hirer.commitment,
  worker_commitment: worker.commitment,
  amount: 5,
});

async function deliver(task_id: string): Promise<void> {
  const payload = { task_id, deliverable_digest: 'ab'.repeat(32) };
  const service = client(app.fetch, 'http://localhost', SERVICE_TOKEN);
  const { status } = await service.post(
    evidencePath(worker.commitment),
    signedEvidence(worker, 'task_deliverable', payload),
  );
  expect(status).toBe(201);
}

const statusOf = async (task: string) => (await app.anyone.get(`${ACP}/${task}`)).body.status;
const accounts = async () => byName(await accountsOf(app));

describe('a request about an engagement whose headers came before a change and whose body after it is refused:', () => {
  const requests: [string, () => { path: string; body: Record<string, unknown> }][] = [
    ['hire', () => ({ path: ENGAGEMENTS, body: terms('new') })],
    ['create an ACP task', () => ({ path: ACP, body: terms('new') })],
    ['accept', () => ({ path: `${ENGAGEMENTS}/delivered/accept`, body: {} })],
    ['accept an ACP task', () => ({ path: `${ACP}/delivered/accept`, body: {} })],
    ['cancel', () => ({ path: `${ENGAGEMENTS}/held/cancel`, body: {} })],
  ];
  const changes: [string, () => Promise<unknown>, string][] = [
    [
      'the deletion of the key',
      () => app.other.call('DELETE', `/api/v1/operator/api-keys/${sha256Hex(stolenKey)}`),
      '401 unauthorized',
    ],
    [
      'the suspension of the sponsor',
      () => setAccountStatus(app.service.trust, app.otherId, 'SUSPENDED'),
      '403 forbidden',
    ],
    [
      'the revocation of the hirer',
      () => app.own.post(`/api/v1/passport/agents/${hirer.commitment}/revoke`),
      '403 agent_not_enrolled',
    ],
  ];
  const cases = requests.flatMap(([name, request]) =>
    changes.map(([change, meanwhile, answer]) => [name, change, request, meanwhile, answer] as const),
  );

  test.each(cases)('%s, and meanwhile %s', async (_name, _change, request, meanwhile, answer) => {
    const before = await accounts();
    const headers = { authorization: `Bearer ${stolenKey}` };
    const held = { method: 'POST', ...request(), headers };
    const { status, body } = await duringTheRequest(app.fetch, held, meanwhile);
    expect(`${status} ${body.reason_code}`).toBe(answer);
    expect(await accounts()).toEqual(before);
    expect([await statusOf('held'), await statusOf('delivered')]).toEqual(['held', 'delivered']);
  });
});

describe('the signature of the hirer over the acceptance of a task authorizes nothing else:', () => {
  const path = `${ENGAGEMENTS}/delivered/accept`;
  const signed = () => ({ agent_auth: agentAuth(hirer, { method: 'POST', path, body: {}, audience }) });
  test.each([
    ['the same by ACP', `${ACP}/delivered/accept`, 401],
    ['the acceptance of another task', `${ENGAGEMENTS}/held/accept`, 401],
    ['a cancellation', `${ENGAGEMENTS}/delivered/cancel`, 401],
    ['a refund, which is for the worker', `${ENGAGEMENTS}/delivered/refund`, 401],
    ['the same task in another spelling', `${ENGAGEMENTS}/%64elivered/accept`, 401],
    ['the acceptance with a query string', `${path}?force=true`, 400],
  ])('%s', async (_name, other, status) => {
    expect((await app.anyone.post(other, signed())).status).toBe(status);
    expect([await statusOf('held'), await statusOf('delivered')]).toEqual(['held', 'delivered']);
  });

  test('nor does that of the worker, or of a stranger', async () => {
    const stranger = await creditedAgent(app);
    const answers: string[] = [];
    for (const agent of [worker, stranger]) {
      const auth = agentAuth(agent, { method: 'POST', path, body: {}, audience });
      const { status, body } = await app.anyone.post(path, { agent_auth: auth });
      answers.push(`${status} ${body.reason_code}`);
    }
    expect(answers).toEqual(['403 forbidden', '404 not_found']);
    expect(await statusOf('delivered')).toBe('delivered');
  });

  test('and it accepts once, however often it is sent', async () => {
    const body = signed();
    const answers = await Promise.all(Array.from({ length: 16 }, () => app.anyone.post(path, body)));
    expect(answers.filter(({ status }) => status === 200).length).toBe(1);
    expect(answers.filter(({ status }) => status === 409).length).toBe(15);
  });
});

test('accepted 32 times, refunded and cancelled at once, by every path, a task is paid once or returned once', async () => {
  for (let round = 0; round < 5; round++) {
    const task = `race-${round}`;
    const before = await accounts();
    expect((await app.other.post(ENGAGEMENTS, { ...terms(task), amount: 2 })).status).toBe(201);
    await deliver(task);
    const answers = await Promise.all([
      ...Array.from({ length: 16 }, () => app.other.post(`${ENGAGEMENTS}/${task}/accept`, {})),
      ...Array.from({ length: 16 }, () => app.other.post(`${ACP}/${task}/accept`, {})),
      ...Array.from({ length: 4 }, () => app.own.post(`${ENGAGEMENTS}/${task}/refund`, {})),
      ...Array.from({ length: 4 }, () => app.other.post(`${ENGAGEMENTS}/${task}/cancel`, {})),
    ]);
    expect(answers.filter(({ status }) => status === 200).length).toBe(1);
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    const entries = (await journalOf(app.own, worker.commitment)).filter(
      ({ reference }) => reference === task,
    );
    const isPaid = (await statusOf(task)) === 'paid';
    expect(entries.length).toBe(isPaid ? 1 : 0);
    if (!isPaid) expect(await accounts()).toEqual(before);
  }
});

test('what strangers see of a task, a journal and a live passport names no party, note or task', async () => {
  const memo = 'a private note';
  const transfer = { from_commitment: hirer.commitment, to_commitment: worker.commitment, amount: 1, memo };
  expect((await app.other.post('/api/v1/passport/credits/transfers', transfer)).status).toBe(201);
  const long = 'a-task-with-a-long-name';
  expect((await app.other.post(ENGAGEMENTS, { ...terms(long), amount: 1, description: memo })).status).toBe(
    201,
  );
  const { operatorId } = app.service.firstStart;
  const { api_key: key } = await createKeyFor(app.service.trust, operatorId, {
    role: 'holder',
    subject_commitment: worker.commitment,
  });
  // Nobody, and the holder key of the other party.
  for (const reader of [app.anyone, client(app.fetch, 'http://localhost', key)]) {
    for (const path of [
      `/api/v1/passport/agents/${hirer.commitment}/credit-journal`,
      `/api/v1/passport/agents/${hirer.commitment}/governance`,
      `/api/v1/passport/agents/${hirer.commitment}/passport-live`,
      `${ACP}/delivered`,
    ]) {
      const text = JSON.stringify((await reader.get(path)).body);
      for (const secret of [worker.commitment, memo, long, app.otherId, operatorId])
        expect([path, text.includes(secret)]).toEqual([path, false]);
    }
  }
});
