import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { setAccountStatus } from '../../../../../src/trust/pages/dashboard/set-account-status.ts';
import { skills } from '../../../../../src/trust/protocols/a2a/skills/skills.ts';
import { issueBody } from '../../../../support/client.ts';
import { creditedAgent, fundPool, holderOf } from '../../../../support/credits.ts';
import { ENGAGEMENTS, type Market, openMarket } from '../../../../support/engagements.ts';
import { accountsOf } from '../../../../support/ledger-accounts.ts';
import { skillCaller } from '../../../../support/skills.ts';

let market: Market;
let own: ReturnType<typeof skillCaller>;
beforeAll(async () => {
  market = await openMarket();
  own = skillCaller(market.app, market.app.apiKey);
});
afterAll(() => market.app.close());

const outcomeOf = async (id: string, input: Parameters<typeof own.run>[1]) =>
  (await own.run(id, input)).outcome;

describe('verify_receipt', () => {
  test('judges a receipt by its id and as it is shown, before and after a change, its revocation and its loss', async () => {
    const { app } = market;
    const { body: receipt } = await app.own.issue();
    const shown = JSON.parse(JSON.stringify(receipt));
    const { receipt_id } = shown;
    expect(await outcomeOf('verify_receipt', { receipt_id })).toMatchObject({
      state: 'completed',
      text: expect.stringMatching(/^valid: /),
      data: {
        verdict: 'valid',
        authentic: true,
        current: { status: 'pending', revocation_status: 'active' },
      },
    });
    const verdict = async (document: typeof shown) => {
      const outcome = await outcomeOf('verify_receipt', { receipt: document });
      return Object(Object(outcome).data).verdict;
    };
    expect(await verdict(shown)).toBe('valid');
    expect(await verdict({ ...shown, authority_scope: 'everything' })).toBe('hash_mismatch');
    expect(await verdict({ ...shown, more: true })).toBe('malformed');
    expect(await verdict({})).toBe('malformed');
    await app.own.revoke(receipt_id);
    // The copy is older than its revocation, and says nothing of it.
    expect(await verdict(shown)).toBe('revoked');
    expect(await outcomeOf('verify_receipt', { receipt_id })).toMatchObject({ data: { verdict: 'revoked' } });
  });

  test('knows a receipt of another installation neither by its keys nor by its id', async () => {
    const other = await openMarket();
    const { body } = await other.app.own.post('/api/v1/receipts', issueBody());
    await other.app.close();
    const receipt = JSON.parse(JSON.stringify(body));
    expect(await outcomeOf('verify_receipt', { receipt })).toMatchObject({
      data: { verdict: 'key_unknown', authentic: false, current: null },
    });
    expect(await outcomeOf('verify_receipt', { receipt_id: receipt.receipt_id })).toStartWith(
      'receipt_not_found: ',
    );
  });

  test('stores little of a malformed receipt', async () => {
    const receipt = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`${index}`.padEnd(900, 'x'), 1]),
    );
    const outcome = await outcomeOf('verify_receipt', { receipt });
    expect(outcome).toMatchObject({ data: { verdict: 'malformed' } });
    expect(JSON.stringify(outcome).length).toBeLessThan(10_000);
  });

  test.each([
    ['nothing', {}, 'is required, or receipt'],
    ['both', { receipt_id: `rcpt_${'0'.repeat(32)}`, receipt: {} }, 'must be absent when receipt is given'],
  ])('asks which receipt, for %s', async (_, input, problem) => {
    expect(await outcomeOf('verify_receipt', input)).toBe(`validation_error: {"receipt_id":["${problem}"]}`);
  });
});

describe('lookup_reputation', () => {
  test('returns the public profile without the timeline, and the name only as data', async () => {
    const { worker, app } = market;
    const { body } = await app.anyone.get(`/api/v1/profiles/${worker.commitment}`);
    const { timeline: _, signed: __, ...profile } = body;
    const outcome = await outcomeOf('lookup_reputation', { subject_commitment: worker.commitment });
    expect([Object(outcome).state, Object(outcome).data]).toEqual(['completed', profile]);
    expect(Object(outcome).text).toContain(`The agent ${worker.commitment} is ISSUED. Score `);
  });

  test('says that an unknown agent does not exist', async () => {
    expect(await outcomeOf('lookup_reputation', { subject_commitment: '0'.repeat(64) })).toStartWith(
      'not_found: ',
    );
  });
});

describe('check_gate', () => {
  test.each([
    ['an operator without receipts', null, 'ZERO_TENANCY_REJECT'],
    ['an unknown operator', 'op_cus_000000000000000000000000', 'OPERATOR_UNKNOWN'],
  ])('denies %s', async (_, operator, reason) => {
    const input = { operator_id: operator ?? market.app.otherId, domain: 'CODE_GENERATION' };
    expect(await outcomeOf('check_gate', input)).toEqual({
      state: 'completed',
      text: `The gate denies this operator in CODE_GENERATION: ${reason}.`,
      data: {
        ...input,
        ...{ allow_invocation: false, reason },
        ...{ abandoned: { abandoned: 0, of: 0 }, blind: { breaches: 0, of: 0 } },
      },
    });
  });

  test('allows an operator with a finalized receipt in the domain', async () => {
    const { app } = market;
    const { body } = await app.own.issue({ domain: 'CUSTOMER_SUPPORT' });
    await app.own.finalize(body.receipt_id, { status: 'success', output_hash: 'ab'.repeat(32) });
    const input = { operator_id: app.service.firstStart.operatorId, domain: 'CUSTOMER_SUPPORT' };
    expect(await outcomeOf('check_gate', input)).toMatchObject({
      text: 'The gate allows this operator in CUSTOMER_SUPPORT.',
      data: { allow_invocation: true, reason: 'OK' },
    });
  });
});

describe('issue_credential', () => {
  test('returns the credential that everybody may have, as REST does, and charges nobody', async () => {
    const { app, worker, hirer } = market;
    const before = await accountsOf(app);
    const outcome = await outcomeOf('issue_credential', { subject_commitment: worker.commitment });
    const { body } = await app.anyone.get(`/api/v1/credentials/${worker.commitment}`);
    expect(outcome).toMatchObject({
      state: 'completed',
      text: expect.stringContaining('valid until'),
      data: body,
    });
    expect(await outcomeOf('issue_credential', { subject_commitment: hirer.commitment })).toMatchObject({
      data: { type: ['VerifiableCredential', 'AgentReputationCredential'] },
    });
    expect(await accountsOf(app)).toEqual(before);
  });

  test('charges a metered one exactly as REST does: a pool, the agent of a holder key, or another payer', async () => {
    const { app, hirer, worker } = market;
    const subject = worker.commitment;
    await fundPool(app, app.service.firstStart.operatorId, { promotional: 50 });
    const holder = await holderOf(app, hirer);
    const callers = [
      [app.own, {}],
      [holder, {}],
      [app.own, { payer_commitment: hirer.commitment }],
    ] as const;
    for (const [caller, payer] of callers) {
      const { body } = await caller.post(`/api/v1/metered/credentials/${subject}`, payer);
      const { run } = skillCaller(app, String(caller.key));
      const input = { subject_commitment: subject, metered: true, ...payer };
      const { outcome } = await run('issue_credential', input);
      expect(outcome).toMatchObject({
        state: 'completed',
        text: expect.stringContaining('10 credits were charged.'),
      });
      const { credential, meter_receipt } = Object(Object(outcome).data);
      expect(credential).toEqual(body.credential);
      const rest = Object(body.meter_receipt);
      expect(meter_receipt).toMatchObject({
        product: 'portable_credential_issuance',
        payer: rest.payer,
        credits_charged: rest.credits_charged,
        remaining_credits: rest.remaining_credits - rest.credits_charged,
      });
    }
  });

  test.each([
    [
      'a payer that the key may not debit',
      () => ({ payer_commitment: market.worker.commitment }),
      'forbidden: ',
    ],
    ['an unknown payer', () => ({ payer_commitment: '0'.repeat(64) }), 'agent_not_enrolled: '],
    ['an unknown agent', () => ({ subject_commitment: '0'.repeat(64) }), 'not_found: '],
    [
      'a payer, but without metered',
      () => ({ metered: false, payer_commitment: market.hirer.commitment }),
      'validation_error: ',
    ],
  ])('charges nothing for a metered one with %s', async (_, changes, says) => {
    const before = await accountsOf(market.app);
    const input = { subject_commitment: market.worker.commitment, metered: true, ...changes() };
    expect(await outcomeOf('issue_credential', input)).toStartWith(says);
    expect(await accountsOf(market.app)).toEqual(before);
  });

  test('charges nothing for a metered one without credits', async () => {
    const { app, worker } = market;
    const { run } = skillCaller(app, app.otherKey);
    const input = { subject_commitment: worker.commitment, metered: true };
    expect((await run('issue_credential', input)).outcome).toStartWith('insufficient_credits: ');
  });

  test('refuses an unknown and a revoked agent', async () => {
    const revoked = await creditedAgent(market.app);
    await market.app.own.post(`/api/v1/passport/agents/${revoked.commitment}/revoke`);
    expect(await outcomeOf('issue_credential', { subject_commitment: '0'.repeat(64) })).toStartWith(
      'not_found: ',
    );
    expect(await outcomeOf('issue_credential', { subject_commitment: revoked.commitment })).toStartWith(
      'agent_not_enrolled: ',
    );
  });
});

describe('hire_agent', () => {
  const terms = () => ({
    hirer_commitment: market.hirer.commitment,
    worker_commitment: market.worker.commitment,
    amount: 7,
  });

  test('locks credits as an engagement does, with the id of the task', async () => {
    const before = await market.figures(market.hirer);
    const { outcome, task } = await own.run('hire_agent', { ...terms(), description: 'Sort the invoices.' });
    expect(outcome).toMatchObject({
      state: 'working',
      data: { task_id: task.taskId, status: 'HELD', amount: 7 },
    });
    expect(await market.read(task.taskId)).toMatchObject({
      purpose: 'a2a',
      hirer_commitment: market.hirer.commitment,
      description: 'Sort the invoices.',
    });
    expect((await market.figures(market.hirer)).promotional.locked).toBe(before.promotional.locked + 7);
  });

  test('shows everybody neither the parties nor the work', async () => {
    const { outcome } = await own.run('hire_agent', { ...terms(), description: 'a secret' });
    const text = JSON.stringify(outcome);
    for (const secret of [market.hirer.commitment, market.worker.commitment, 'a secret'])
      expect(text).not.toContain(secret);
  });

  const requests = async (changes: Record<string, unknown>) =>
    outcomeOf('hire_agent', JSON.parse(JSON.stringify({ ...terms(), ...changes })));
  test.each([
    [
      'no hirer with an issuer key',
      { hirer_commitment: undefined },
      'validation_error: {"hirer_commitment":["is required',
    ],
    [
      'the hirer itself',
      () => ({ worker_commitment: market.hirer.commitment }),
      'validation_error: {"worker_commitment":',
    ],
    ['an unknown worker', { worker_commitment: '0'.repeat(64) }, 'agent_not_enrolled: '],
    ['an unknown hirer', { hirer_commitment: '0'.repeat(64) }, 'agent_not_enrolled: '],
    [
      'an agent of another operator as the hirer',
      () => ({ hirer_commitment: market.worker.commitment, worker_commitment: market.hirer.commitment }),
      'forbidden: ',
    ],
    ['more credits than there are', { amount: 1_000_000 }, 'insufficient_credits: '],
    ['a deadline in the past', { deadline: '2020-01-01T00:00:00Z' }, 'validation_error: {"deadline":'],
  ] as const)('refuses %s, and locks nothing', async (_, changes, says) => {
    const before = await market.figures(market.hirer);
    expect(await requests(typeof changes === 'function' ? changes() : changes)).toStartWith(says);
    expect(await market.figures(market.hirer)).toEqual(before);
  });

  test('hires for the agent of a holder key, within the scope of the key', async () => {
    const holder = await holderOf(market.app, market.hirer, { scope: { max_credits: 3 } });
    const { run } = skillCaller(market.app, String(holder.key));
    const { hirer_commitment: _, ...others } = terms();
    expect((await run('hire_agent', others)).outcome).toStartWith('scope_violation: ');
    const { task } = await run('hire_agent', { ...others, amount: 3 });
    expect(await market.read(task.taskId)).toMatchObject({
      hirer_commitment: market.hirer.commitment,
      amount: 3,
    });
  });

  test('is accepted once the worker has delivered, and pays with a receipt that verify_receipt finds valid', async () => {
    const { task } = await own.run('hire_agent', terms());
    const early = await own.follow('hire_agent', task, 'accept');
    expect(early).toMatchObject({
      state: 'working',
      text: expect.stringMatching(/^Nothing changed: you cannot accept before/),
    });
    await market.deliver(market.worker, task.taskId, { outcome: 'failure' });
    expect(await own.follow('hire_agent', task, 'How is it going?')).toMatchObject({
      state: 'working',
      text: expect.stringContaining('The worker anchored evidence of a failure.'),
    });
    await market.deliver(market.worker, task.taskId);
    expect(await own.follow('hire_agent', task, 'hm')).toMatchObject({
      state: 'input-required',
      text: expect.stringContaining('Send "accept" to pay 7 credits, "refuse", or "dispute: REASON"'),
    });
    const paid = await own.follow('hire_agent', task, { skill: 'hire_agent', action: 'accept' });
    expect(paid).toMatchObject({ state: 'completed', data: { status: 'PAID', paid_at: expect.any(String) } });
    const { receipt_id } = Object(Object(paid).data);
    expect(await outcomeOf('verify_receipt', { receipt_id })).toMatchObject({ data: { verdict: 'valid' } });
    expect(await own.follow('hire_agent', task, 'Accept!')).toMatchObject({
      state: 'completed',
      text: expect.stringContaining('Nothing changed: you cannot accept a task that is PAID.'),
    });
  });

  test('a refusal returns the credits only if the caller acts for the worker too', async () => {
    const colleague = await creditedAgent(market.app);
    for (const [worker, state] of [
      [market.worker, 'input-required'],
      [colleague, 'canceled'],
    ] as const) {
      const { task } = await own.run('hire_agent', { ...terms(), worker_commitment: worker.commitment });
      await market.deliver(worker, task.taskId);
      expect(await own.follow('hire_agent', task, 'refuse')).toMatchObject({ state });
    }
  });

  test('is cancelled by its words and by its task, until the worker has delivered', async () => {
    const first = await own.run('hire_agent', terms());
    expect(await own.follow('hire_agent', first.task, 'cancel')).toMatchObject({ state: 'canceled' });
    const second = await own.run('hire_agent', terms());
    expect(await own.cancel('hire_agent', second.task)).toMatchObject({
      state: 'canceled',
      data: { status: 'CANCELLED' },
    });
    const third = await own.run('hire_agent', terms());
    await market.deliver(market.worker, third.task.taskId);
    expect(await own.cancel('hire_agent', third.task)).toStartWith('invalid_state: ');
    expect(await own.follow('hire_agent', third.task, 'cancel')).toMatchObject({ state: 'input-required' });
  });

  test.each([
    ['another action', { action: 'pay' }],
    ['no action', {}],
    ['other members', { action: 'accept', amount: 1 }],
    ['another skill', { action: 'accept', skill: 'check_gate' }],
  ])('refuses data with %s for a task with escrow', async (_, data) => {
    const { task } = await own.run('hire_agent', terms());
    expect(await own.follow('hire_agent', task, data)).toStartWith('validation_error: ');
  });

  test('accepts and cancels for nobody but the hirer', async () => {
    const { task } = await own.run('hire_agent', terms());
    const stranger = skillCaller(market.app, market.app.otherKey);
    expect(await stranger.cancel('hire_agent', task)).toStartWith('forbidden: ');
    await market.deliver(market.worker, task.taskId);
    expect(await stranger.follow('hire_agent', task, 'accept')).toStartWith('forbidden: ');
    expect(await market.read(task.taskId)).toMatchObject({ status: 'DELIVERED' });
  });

  test('nobody else can take an id of an A2A task', async () => {
    for (const path of [ENGAGEMENTS, '/api/v1/acp/task']) {
      const { status, body } = await market.app.own.post(path, {
        ...terms(),
        task_id: `a2a_${'0'.repeat(32)}`,
      });
      expect([status, body.issues]).toEqual([
        400,
        { task_id: ['must not begin with a2a_, which the ids of A2A tasks begin with'] },
      ]);
    }
  });

  test('is refused for a party that was revoked, and for a suspended operator', async () => {
    const { app, worker, hirer, deliver } = await openMarket();
    const { run, follow } = skillCaller(app, app.apiKey);
    const hire = { hirer_commitment: hirer.commitment, worker_commitment: worker.commitment, amount: 1 };
    const { task } = await run('hire_agent', hire);
    await deliver(worker, task.taskId);
    await setAccountStatus(app.service.trust, app.otherId, 'SUSPENDED');
    expect((await run('hire_agent', hire)).outcome).toStartWith('forbidden: ');
    await setAccountStatus(app.service.trust, app.otherId, 'ACTIVE');
    await app.own.post(`/api/v1/passport/agents/${hirer.commitment}/revoke`);
    expect((await run('hire_agent', hire)).outcome).toStartWith('agent_not_enrolled: ');
    expect(await follow('hire_agent', task, 'accept')).toStartWith('agent_not_enrolled: ');
    await app.close();
  });
});

test('each question for missing input names what is missing', () => {
  const asked = skills.map(({ id, ask }) => [
    id,
    ask?.({ amount: ['is required'], domain: ['is required'] }),
  ]);
  expect(Object.fromEntries(asked)).toMatchObject({
    verify_receipt: expect.stringContaining('receipt_id'),
    lookup_reputation: expect.stringContaining('subject_commitment'),
    check_gate: expect.stringContaining('CODE_GENERATION'),
    issue_credential: expect.stringContaining('subject_commitment'),
    hire_agent: expect.stringContaining('domain is required. Example: {"skill":"hire_agent"'),
  });
});
