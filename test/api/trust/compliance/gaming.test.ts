import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { DAY_MS } from '../../../../src/platform/time/units.ts';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import type { CompliancePackage, PackageControl } from '../../../../src/proof/package/format.ts';
import { FRAMEWORKS } from '../../../../src/proof/package/frameworks/catalogue.ts';
import { ASSESSMENT_FRAMEWORKS } from '../../../../src/proof/package/frameworks/framework-ids.ts';
import { enrolledAgent } from '../../../support/agent.ts';
import { evidencePath, PAYLOADS, signedEvidence } from '../../../support/evidence.ts';
import { judgedPackage } from '../../../support/judged-package.ts';
import { ending } from '../../../support/outcomes.ts';
import { publishCheckpoints } from '../../../support/published.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';

/**
 * What a dishonest operator tries, one test each, with the status that the catalogue promises. Its own agents
 * and reports cost it nothing, so only records of the service that cover the period satisfy a control.
 */
let app: TrustApp;
let time: VirtualTime;
beforeAll(async () => {
  time = new VirtualTime(Date.parse('2026-01-05T09:00:00.000Z'));
  app = await openTrustApp({}, time);
});
afterAll(() => app.close());

type Agent = Awaited<ReturnType<typeof enrolledAgent>>;

/** Issues a receipt of an agent, and finalizes it unless `outcome` is null. */
async function receipt(agent: Agent, outcome: object | null = ending('success')): Promise<void> {
  const { body } = await app.own.issue({ agent_id: agent.commitment, expiry: '2036-01-01T00:00:00Z' });
  if (outcome === null) return;
  const { status } = await app.own.finalize(body.receipt_id, outcome);
  expect(status).toBe(200);
}

/** Issues and finalizes a receipt on each of so many days, with the same step between them. */
async function receiptsOnDays(agent: Agent, days: number, step = 1): Promise<void> {
  for (let day = 0; day < days; day++) {
    await receipt(agent);
    time.advance(step * DAY_MS);
  }
}

/** Issues and finalizes 24 receipts, one each four days: the days of a SOC 2 package. */
const quarterOfReceipts = (agent: Agent): Promise<void> => receiptsOnDays(agent, 24, 4);

async function evidence(agent: Agent, type: keyof typeof PAYLOADS, payload: JsonObject): Promise<void> {
  const item = signedEvidence(agent, type, payload);
  const { status, body } = await app.own.post(evidencePath(agent.commitment), item);
  if (status !== 201) throw new Error(JSON.stringify(body));
}

/** Returns the package of an agent for a framework over so many days, until now or until days ago. */
async function packageOf(agent: Agent, framework: string, days = 90, ago = 0): Promise<CompliancePackage> {
  await publishCheckpoints(app);
  const before = (count: number): string => new Date(time.now() - count * DAY_MS).toISOString();
  const period = `from=${before(ago + days)}${ago === 0 ? '' : `&to=${before(ago)}`}`;
  const path = `/api/v1/compliance/packages/${agent.commitment}?framework=${framework}&${period}`;
  const { status, body } = await app.anyone.get(path);
  expect(status).toBe(200);
  const { read, verdict, problems } = await judgedPackage(app, JSON.stringify(body));
  expect([verdict, problems]).toEqual(['valid', []]);
  if (read === null) throw new Error('the package is not authentic');
  return read;
}

const controlOf = ({ controls }: CompliancePackage, id: string): PackageControl => {
  const control = controls.find((one) => one.id === id);
  if (control === undefined) throw new Error(`no control is called ${id}`);
  return control;
};
const withStatus = ({ controls }: CompliancePackage, status: string): string[] =>
  controls.filter((control) => control.status === status).map(({ id }) => id);

describe('an operator that wants a good package', () => {
  test('with one receipt, one trace and one report of its own, within seconds, satisfies nothing', async () => {
    const agent = await enrolledAgent(app);
    await receipt(agent);
    await evidence(agent, 'otel_genai_trace', PAYLOADS.otel_genai_trace());
    await evidence(agent, 'compliance_report', PAYLOADS.compliance_report());
    for (const framework of ASSESSMENT_FRAMEWORKS) {
      const read = await packageOf(agent, framework);
      expect([framework, withStatus(read, 'satisfied')]).toEqual([framework, []]);
      expect(read.coverage[0]).toMatchObject({ records: 'receipts', days: 91, record_days: 1 });
    }
  });

  test('with one receipt, and traces on 20 days, has no part of what receipts show', async () => {
    const agent = await enrolledAgent(app);
    await receipt(agent);
    for (let day = 0; day < 20; day++) {
      await evidence(agent, 'otel_genai_trace', PAYLOADS.otel_genai_trace(`trace ${day}`));
      time.advance(DAY_MS);
    }
    for (const framework of ['EU_AI_ACT', 'ISO_42001'])
      expect([framework, withStatus(await packageOf(agent, framework), 'partial')]).toEqual([framework, []]);
    const read = await packageOf(agent, 'SOC2_TYPE2');
    expect(withStatus(read, 'partial')).toEqual(['PI1.3', 'PI1.4']);
    expect(controlOf(read, 'CC2.1')).toMatchObject({
      statement: 'Too little in the period: receipt days 1 of 20.',
      counts: { receipt_days: 1 },
    });
  });

  test('with one receipt has no part of a control that its organization must complete', async () => {
    const agent = await enrolledAgent(app);
    await receipt(agent);
    const partial = async (framework: string) => withStatus(await packageOf(agent, framework), 'partial');
    expect(await partial('SOC2_TYPE2')).toEqual(['PI1.3', 'PI1.4']);
    expect(await partial('NIST_AI_RMF')).toEqual(['MEASURE 2.4']);
    for (const framework of ['EU_AI_ACT', 'ISO_42001']) expect(await partial(framework)).toEqual([]);
  });

  test('that shows logs of less than 184 days has no part of the articles about kept logs', async () => {
    const agent = await enrolledAgent(app);
    await receiptsOnDays(agent, 183);
    expect(withStatus(await packageOf(agent, 'EU_AI_ACT', 183), 'partial')).toEqual(['Art. 12']);
    await receiptsOnDays(agent, 1);
    const read = await packageOf(agent, 'EU_AI_ACT', 184);
    expect(withStatus(read, 'partial')).toEqual(['Art. 12', 'Art. 19', 'Art. 26(6)']);
    expect(withStatus(read, 'not_assessed')).toEqual([
      ...['Art. 14', 'Art. 15', 'Annex XI, Section 1, point 2(e)'],
    ]);
    expect(controlOf(read, 'Art. 19')).toMatchObject({
      statement: expect.stringContaining('184'),
      counts: { log_days: 184 },
    });
  });

  test('that asks for a period of two seconds around its receipts satisfies nothing', async () => {
    const agent = await enrolledAgent(app);
    for (let count = 0; count < 25; count++) await receipt(agent);
    time.advance(1000);
    const read = await packageOf(agent, 'SOC2_TYPE2', 2 / 86_400);
    expect(read.records).toMatchObject({ receipts: 25 });
    expect(read.coverage[0]).toMatchObject({ days: 1, record_days: 1, covered_days: 1 });
    expect(withStatus(read, 'satisfied')).toEqual([]);
  });

  test('with a mass of its own evidence is only reported where nothing else is recorded', async () => {
    const agent = await enrolledAgent(app);
    for (let day = 0; day < 30; day++) {
      await evidence(agent, 'compliance_report', { ...PAYLOADS.compliance_report(), day });
      await evidence(agent, 'otel_genai_trace', PAYLOADS.otel_genai_trace(`trace ${day}`));
      time.advance(DAY_MS);
    }
    for (const framework of ASSESSMENT_FRAMEWORKS) {
      const read = await packageOf(agent, framework, 30);
      expect([framework, withStatus(read, 'satisfied'), withStatus(read, 'partial')]).toEqual([
        framework,
        [],
        [],
      ]);
    }
    const soc2 = await packageOf(agent, 'SOC2_TYPE2', 30);
    expect(controlOf(soc2, 'CC7.2')).toMatchObject({ status: 'reported', attested_by: ['self'] });
    // The reports say nothing of evaluations and backups.
    for (const id of ['CC4.1', 'A1.2'])
      expect(controlOf(soc2, id)).toMatchObject({
        ...{ status: 'not_assessed', attested_by: [], statement: 'None in the period.' },
      });
  });

  test('that sends a report which says fail is not helped by it', async () => {
    const agent = await enrolledAgent(app);
    const controls = [{ id: 'CC4.1', status: 'fail' }];
    await evidence(agent, 'compliance_report', { framework: 'SOC2_TYPE2', controls });
    await receipt(agent);
    expect(controlOf(await packageOf(agent, 'SOC2_TYPE2'), 'CC4.1')).toMatchObject({
      status: 'reported',
      statement: expect.stringMatching(/A report of the agent of 20..-..-.. says fail\.$/),
      counts: { own_reports: 1, own_fails: 1 },
    });
  });

  test('whose own report says that a control failed does not satisfy it', async () => {
    const agent = await enrolledAgent(app);
    await quarterOfReceipts(agent);
    const controls = [{ id: 'PI1.3', status: 'fail' }];
    await evidence(agent, 'compliance_report', { framework: 'ISO_42001', controls });
    expect(controlOf(await packageOf(agent, 'SOC2_TYPE2'), 'PI1.3').status).toBe('satisfied');
    await evidence(agent, 'compliance_report', { framework: 'SOC2_TYPE2', controls });
    const read = await packageOf(agent, 'SOC2_TYPE2');
    expect(controlOf(read, 'PI1.3')).toMatchObject({
      status: 'partial',
      statement: expect.stringMatching(/A report of the agent of 20..-..-.. says fail\.$/),
      counts: { own_fails: 1 },
    });
    expect(controlOf(read, 'PI1.4').counts).toMatchObject({ own_reports: 0, own_fails: 0 });
  });

  test('is reported for a control by reports that assess it in this framework, and by no others', async () => {
    const agent = await enrolledAgent(app);
    const reported = async (framework: string, id: string): Promise<void> =>
      evidence(agent, 'compliance_report', { framework, controls: [{ id, status: 'pass', evidence: 'x' }] });
    await reported('SOC2_TYPE2', 'CC7.2');
    await reported('ISO_27001', 'A.5.2');
    const soc2 = async () => controlOf(await packageOf(agent, 'SOC2_TYPE2'), 'A1.2');
    expect(await soc2()).toMatchObject({ status: 'not_assessed', counts: { own_reports: 0 } });
    await reported('SOC2_TYPE2', 'A1.2');
    expect(await soc2()).toMatchObject({
      ...{ status: 'reported', counts: { own_reports: 1 }, references: { set: 'reports', count: 1 } },
    });
    const iso = async () => controlOf(await packageOf(agent, 'ISO_42001'), 'A.5.2');
    expect(await iso()).toMatchObject({ status: 'not_assessed', counts: { own_reports: 0 } });
    await reported('ISO_42001', 'A.5.2');
    expect(await iso()).toMatchObject({ status: 'reported', references: { set: 'reports', count: 1 } });
  });

  test('that moves the agent to a second company keeps what the first one left open', async () => {
    const agent = await enrolledAgent(app);
    await receipt(agent, null);
    await quarterOfReceipts(agent);
    const open = { receipts_open: 1, receipts_overdue: 1, receipts_abandoned: 1 };
    const before = await packageOf(agent, 'SOC2_TYPE2', 92);
    expect(controlOf(before, 'PI1.3')).toMatchObject({ status: 'partial', counts: open });
    const path = `/api/v1/passport/agents/${agent.commitment}/sponsor`;
    expect((await app.own.call('PUT', path, { operator_id: app.otherId })).status).toBe(200);
    time.advance(1000);
    const read = await packageOf(agent, 'SOC2_TYPE2', 92);
    expect(controlOf(read, 'PI1.3')).toMatchObject({ status: 'partial', counts: open });
    const sponsors = [app.service.firstStart.operatorId, app.otherId];
    expect(read.subject).toMatchObject({
      sponsors: sponsors.map((id) => `${id.slice(0, 11)}…${id.slice(-4)}`),
    });
  });

  test('that revokes its successes has none, and one that is revoked forbids what they show', async () => {
    const agent = await enrolledAgent(app);
    const { body } = await app.own.issue({ agent_id: agent.commitment, expiry: '2036-01-01T00:00:00Z' });
    await app.own.finalize(body.receipt_id, ending('success'));
    await quarterOfReceipts(agent);
    const pi13 = async () => controlOf(await packageOf(agent, 'SOC2_TYPE2', 100, 1), 'PI1.3');
    time.advance(DAY_MS);
    const before = await pi13();
    expect(before).toMatchObject({ status: 'satisfied', counts: { receipts_revoked: 0 } });
    // After the period.
    expect((await app.own.revoke(body.receipt_id)).status).toBe(200);
    const receipts = Number(before.counts.receipts);
    expect(await pi13()).toMatchObject({
      status: 'partial',
      counts: { receipts, receipts_success: receipts - 1, receipts_revoked: 1 },
    });
  });

  test('that refuses more than 10% of the work does not process it completely', async () => {
    const agent = await enrolledAgent(app);
    await receipt(agent, ending('refusal'));
    await receipt(agent, ending('refusal'));
    await quarterOfReceipts(agent);
    const refused = { receipts_refused: 2, receipts_success: 24 };
    const read = await packageOf(agent, 'SOC2_TYPE2', 97);
    expect(controlOf(read, 'PI1.3')).toMatchObject({ status: 'satisfied', counts: refused });
    await receipt(agent, ending('refusal'));
    expect(controlOf(await packageOf(agent, 'SOC2_TYPE2', 97), 'PI1.3').status).toBe('partial');
  });

  test('that asks for less than 90 days of SOC 2 satisfies nothing', async () => {
    const agent = await enrolledAgent(app);
    await quarterOfReceipts(agent);
    const day = new Date(time.now() - DAY_MS).toISOString().slice(0, 10);
    const ago = (time.now() - Date.parse(`${day}T00:00:00.000Z`)) / DAY_MS;
    expect(withStatus(await packageOf(agent, 'SOC2_TYPE2', 89, ago), 'satisfied')).toEqual([]);
    expect(withStatus(await packageOf(agent, 'SOC2_TYPE2', 90, ago), 'satisfied')).toEqual(['PI1.3']);
  });

  test('whose failure cost nothing has answered none, and without a timeout shows no capacity', async () => {
    const agent = await enrolledAgent(app);
    const { body } = await app.own.issue({ agent_id: agent.commitment });
    await app.own.finalize(body.receipt_id, ending('terminal', 'LOGIC_DETECTION'));
    await receiptsOnDays(agent, 20);
    const read = await packageOf(agent, 'SOC2_TYPE2', 20);
    for (const id of ['CC7.3', 'CC7.4'])
      expect(controlOf(read, id)).toMatchObject({
        status: 'not_assessed',
        statement: expect.stringContaining('responses 0 of 1'),
      });
    expect(controlOf(read, 'A1.1').status).toBe('not_assessed');
    expect(controlOf(await packageOf(agent, 'ISO_42001', 20), 'A.8.4').status).toBe('not_assessed');
  });

  test('has no sentence about what was not recorded', async () => {
    const agent = await enrolledAgent(app);
    await receiptsOnDays(agent, 19);
    await receipt(agent, ending('refusal'));
    const read = await packageOf(agent, 'SOC2_TYPE2', 20);
    const statementOf = (id: string): string => controlOf(read, id).statement;
    expect(statementOf('PI1.3')).toBe(
      'Receipts that ended with success and are not revoked: 19 of 20, on 20 days. Receipts that ended with refusal: 1.',
    );
    expect(statementOf('CC4.1')).toBe('Outcomes are counted each day, on 20 days.');
    expect(statementOf('CC7.2')).toBe('Receipts state how actions ended: 20.');
    for (const { status, statement } of read.controls)
      if (status === 'not_assessed') expect(statement).toMatch(/^(None|Too little) in the period/);
  });

  test('with receipts on 19 days satisfies nothing, and with one on a 20th what records alone can show', async () => {
    const agent = await enrolledAgent(app);
    await receiptsOnDays(agent, 19, 5);
    expect(withStatus(await packageOf(agent, 'SOC2_TYPE2', 95), 'satisfied')).toEqual([]);
    await receiptsOnDays(agent, 1);
    const read = await packageOf(agent, 'SOC2_TYPE2', 96);
    expect(withStatus(read, 'satisfied')).toEqual(['PI1.3']);
    expect(controlOf(read, 'PI1.3').attested_by).toEqual(['service']);
    expect(withStatus(await packageOf(agent, 'ISO_42001', 96), 'satisfied')).toEqual([]);
  });

  test('with receipts on 20 chosen days still satisfies them, and the limits say so', async () => {
    const agent = await enrolledAgent(app);
    await receiptsOnDays(agent, 20, 5);
    const read = await packageOf(agent, 'SOC2_TYPE2', 100);
    expect(withStatus(read, 'satisfied')).toEqual(['PI1.3']);
    expect(read.coverage[0]).toMatchObject({ count: 20, record_days: 20 });
    expect(read.limits.join(' ')).toContain(
      'Coverage counts days and not work: one receipt on each of 20 days',
    );
  });

  test('whose days are far apart does not', async () => {
    const agent = await enrolledAgent(app);
    await receiptsOnDays(agent, 22, 9);
    const read = await packageOf(agent, 'SOC2_TYPE2', 198);
    expect(withStatus(read, 'satisfied')).toEqual([]);
    expect(read.coverage[0]?.gaps[1]?.days).toBe(8);
  });

  test('that works hard in the last days of a long period does not', async () => {
    const agent = await enrolledAgent(app);
    await receiptsOnDays(agent, 30);
    const read = await packageOf(agent, 'SOC2_TYPE2', 90);
    expect(withStatus(read, 'satisfied')).toEqual([]);
    expect(read.coverage[0]?.gaps[0]?.days).toBeGreaterThan(50);
  });

  test('that leaves its failures open forbids what is about processing and complete logs', async () => {
    const agent = await enrolledAgent(app);
    for (let count = 0; count < 5; count++) await receipt(agent, null);
    await receiptsOnDays(agent, 32);
    const read = await packageOf(agent, 'SOC2_TYPE2', 33);
    expect(read.records).toMatchObject({
      receipts: 32,
      receipts_open: 5,
      receipts_overdue: 5,
      receipts_abandoned: 5,
    });
    expect(controlOf(read, 'PI1.3').status).toBe('partial');
    expect(controlOf(await packageOf(agent, 'ISO_42001', 33), 'A.6.2.8').status).toBe('partial');
  });

  test('that never ends its failures is not helped by a period that ended before they were 30 days old', async () => {
    const agent = await enrolledAgent(app);
    await receiptsOnDays(agent, 18, 5);
    for (let count = 0; count < 200; count++) await receipt(agent, null);
    await receiptsOnDays(agent, 2);
    expect(withStatus(await packageOf(agent, 'SOC2_TYPE2', 92), 'satisfied')).toEqual(['PI1.3']);
    time.advance(94 * DAY_MS);
    const read = await packageOf(agent, 'SOC2_TYPE2', 92, 94);
    expect(read.records).toMatchObject({ receipts: 20, receipts_open: 200, receipts_overdue: 200 });
    expect(withStatus(read, 'satisfied')).toEqual([]);
  });

  test('that leaves them open for less than 30 days is not stopped, but they are counted, and the limits say so', async () => {
    const agent = await enrolledAgent(app);
    await receiptsOnDays(agent, 18, 5);
    for (let count = 0; count < 5; count++) await receipt(agent, null);
    await receiptsOnDays(agent, 2);
    const read = await packageOf(agent, 'SOC2_TYPE2', 92);
    expect(controlOf(read, 'PI1.3')).toMatchObject({ status: 'satisfied', counts: { receipts_open: 5 } });
    expect(read.limits).toContain(
      'Receipts that are open for less than 30 days forbid no status. They are counted as open.',
    );
  });

  test.each(['terminal', 'failure_tombstone', 'timeout', 'graceful_shutdown', 'null'] as const)(
    'with one receipt that ended with %s loses complete processing',
    async (status) => {
      const agent = await enrolledAgent(app);
      await receipt(agent, ending(status));
      await quarterOfReceipts(agent);
      expect(controlOf(await packageOf(agent, 'SOC2_TYPE2', 97), 'PI1.3').status).toBe('partial');
    },
  );

  test('with a second operator of its own changes nothing: its receipts are not those of the sponsor', async () => {
    const agent = await enrolledAgent(app);
    for (let day = 0; day < 20; day++) {
      const { body } = await app.other.issue({ agent_id: agent.commitment });
      await app.other.finalize(body.receipt_id, ending('success'));
      time.advance(DAY_MS);
    }
    const read = await packageOf(agent, 'SOC2_TYPE2', 20);
    expect(read.records).toMatchObject({ receipts: 0 });
    expect(withStatus(read, 'satisfied')).toEqual([]);
  });

  test('never satisfies a control of an organization, whatever it records', async () => {
    const agent = await enrolledAgent(app);
    for (let day = 0; day < 20; day++) {
      await receipt(agent);
      await evidence(agent, 'otel_genai_trace', PAYLOADS.otel_genai_trace(`trace ${day}`));
      await evidence(agent, 'compliance_report', { ...PAYLOADS.compliance_report(), day });
      time.advance(DAY_MS);
    }
    for (const framework of ASSESSMENT_FRAMEWORKS) {
      const read = await packageOf(agent, framework, 20);
      for (const { id, to_add } of FRAMEWORKS[framework].controls)
        if (to_add !== undefined) expect([id, controlOf(read, id).status]).not.toEqual([id, 'satisfied']);
    }
    const read = await packageOf(agent, 'SOC2_TYPE2', 20);
    for (const id of ['CC2.1', 'CC4.1', 'CC7.2'])
      expect(controlOf(read, id)).toMatchObject({ status: 'partial', to_add: expect.stringMatching(/\.$/) });
  });
});

describe('the package names whom it is about', () => {
  test('by the name of the agent and the masked operator, which only the sponsor sees whole', async () => {
    const agent = await enrolledAgent(app);
    const operator = app.service.firstStart.operatorId;
    const read = await packageOf(agent, 'SOC2_TYPE2');
    expect(read.subject).toMatchObject({ operator: expect.stringMatching(/^op_cus_.{4}….{4}$/) });
    expect(JSON.stringify(read)).not.toContain(operator);
    const own = await app.own.get(`/api/v1/compliance/packages/${agent.commitment}`);
    expect(own.body.subject).toMatchObject({ operator, sponsor: operator });
  });
});
