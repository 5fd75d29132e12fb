import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto.ts';
import { subjectCommitment } from '../../../../src/proof/agent/commitment.ts';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { enrolledAgent, newAgentKey } from '../../../support/agent.ts';
import { client } from '../../../support/client.ts';
import { evidencePath, PAYLOADS, sha256, signedEvidence } from '../../../support/evidence.ts';
import { type Scenario, scenarios } from '../../../support/scenario.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

const TOKEN = `svc_${'5e'.repeat(32)}`;
const SERVICE = { authorization: `Bearer ${TOKEN}` };
const WRONG_TOKEN = { authorization: `Bearer svc_${'5f'.repeat(32)}` };
const CHALLENGE = { 'www-authenticate': 'Bearer realm="countersign"' };

let app: TrustApp;
let agent: Awaited<ReturnType<typeof enrolledAgent>>;
let revoked: Awaited<ReturnType<typeof enrolledAgent>>;
let told = 0;

beforeAll(async () => {
  app = await openTrustApp({ service_token: TOKEN });
  agent = await enrolledAgent(app);
  revoked = await enrolledAgent(app);
  await revoke(revoked);
  app.service.trust.events.listen(({ event }) => {
    if (event === 'evidence.anchored') told++;
  });
});
afterAll(() => app.close());
/** Whatever is refused leaves nothing behind. */
afterEach(async () => {
  const rows = await app.service.trust.store.read(({ connection: { sqlite } }) =>
    ['evidence', 'evidence_commit'].map((table) =>
      sqlite.query<{ rows: number }, []>(`SELECT count(*) AS rows FROM ${table}`).get(),
    ),
  );
  expect([rows, told]).toEqual([[{ rows: 0 }, { rows: 0 }], 0]);
});

const revoke = ({ agent: { agentSeq } }: typeof agent) =>
  app.service.trust.store.writeAsService(
    ({ connection }) =>
      void connection.sqlite.run(
        "UPDATE agent SET state = 'REVOKED', revoked_at = '2026-01-01T00:00:00.000Z' WHERE agent_seq = ?",
        [agentSeq],
      ),
  );

const path = (): string => evidencePath(agent.commitment);
const good = (type: keyof typeof PAYLOADS = 'otel_genai_trace') =>
  signedEvidence(agent, type, PAYLOADS[type]());
/** A refusal of a signed body whose members are as given. */
const refused = (name: string, body: () => unknown, more: Partial<Scenario> = {}): Scenario => ({
  name,
  path,
  body,
  status: 400,
  reasonCode: 'validation_error',
  ...more,
});

describe('the credential', () => {
  const unauthorized = { status: 401, reasonCode: 'unauthorized', answerHeaders: CHALLENGE };
  const serviceAuth = { status: 401, reasonCode: 'service_auth_failed', answerHeaders: CHALLENGE };
  const deliverable = () => good('task_deliverable');
  const asText = JSON.stringify({ source_type: 'task_deliverable' });
  scenarios(
    () => app,
    [
      refused('none, for what an API key brings', good, { key: 'none', ...unauthorized }),
      refused('none, for a deliverable', deliverable, { key: 'none', ...serviceAuth }),
      refused('an unknown key', good, {
        key: { authorization: `Bearer pp_${'0'.repeat(64)}` },
        ...unauthorized,
      }),
      refused('an unknown key, for a deliverable', deliverable, {
        key: { authorization: `Bearer pp_${'0'.repeat(64)}` },
        ...serviceAuth,
      }),
      refused('another scheme', good, { key: { authorization: 'Basic Og==' }, ...unauthorized }),
      refused('a good API key, for a deliverable', deliverable, serviceAuth),
      refused(
        'a good API key, for a deliverable that fits nothing',
        () => ({ source_type: 'task_deliverable' }),
        serviceAuth,
      ),
      refused('the service token, for another type', good, { key: SERVICE, ...unauthorized }),
      refused('a wrong service token, for a deliverable', deliverable, { key: WRONG_TOKEN, ...serviceAuth }),
      refused('a wrong service token, for another type', good, { key: WRONG_TOKEN, ...serviceAuth }),
      refused('a service token that is too short', deliverable, {
        key: { authorization: 'Bearer svc_5e' },
        ...serviceAuth,
      }),
      refused('the service token and no source type', () => ({}), {
        key: SERVICE,
        issues: ['source_type', 'payload', 'signature'],
      }),
      refused(
        'the service token and a source type that is none',
        () => ({ ...deliverable(), source_type: 'x' }),
        { key: SERVICE, issues: ['source_type'] },
      ),
      ...[
        ['no body', undefined, unauthorized],
        ['no JSON', '{"source_type":"task_deliverable"', unauthorized],
        ['JSON that is no object', '"task_deliverable"', unauthorized],
        ['null', 'null', unauthorized],
        ['JSON of another type', asText, serviceAuth],
        ['a member twice', '{"source_type":"x","source_type":"task_deliverable"}', serviceAuth],
        ['nesting without end', '['.repeat(500_000), unauthorized],
        ['bytes that are no text', new Uint8Array([0xff, 0xfe]), unauthorized],
        ['a stream that is too long', endless, unauthorized],
      ].map(
        ([name, raw, expected]): Scenario => ({
          name: `none, and ${name}`,
          method: 'POST',
          path,
          key: 'none',
          headers: { 'content-type': 'text/plain' },
          ...Object(raw === undefined ? {} : { raw: typeof raw === 'function' ? raw() : raw }),
          ...Object(expected),
        }),
      ),
    ],
  );

  test('a holder key brings nothing for another agent, nor for its own where another is its sponsor or nobody', async () => {
    const { api_key } = (
      await app.own.post('/api/v1/operator/api-keys', { role: 'holder', subject_commitment: 'ab'.repeat(32) })
    ).body;
    const holder = client(app.fetch, 'http://localhost', String(api_key));
    expect(await holder.post(path(), good())).toMatchObject({
      status: 403,
      body: { reason_code: 'forbidden' },
    });
    // Of an agent without a sponsor too.
    const key = newAgentKey();
    const subject_commitment = subjectCommitment(nativePrimitives, key.publicKey);
    const own = await app.other.post('/api/v1/operator/api-keys', { role: 'holder', subject_commitment });
    const alone = await enrolledAgent(app, { sponsor: null, key });
    const usurper = client(app.fetch, 'http://localhost', String(own.body.api_key));
    const body = signedEvidence(alone, 'otel_genai_trace', PAYLOADS.otel_genai_trace());
    expect((await usurper.post(evidencePath(alone.commitment), body)).status).toBe(403);
  });
});

function endless(): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      if (sent++ > 20) controller.close();
      else controller.enqueue(new Uint8Array(65_536).fill(0x20));
    },
  });
}

describe('the agent', () => {
  const notEnrolled = { status: 403, reasonCode: 'agent_not_enrolled' };
  scenarios(
    () => app,
    [
      refused('that never enrolled', good, { path: evidencePath('ab'.repeat(32)), ...notEnrolled }),
      refused('that is no commitment', good, { path: evidencePath('x'), ...notEnrolled }),
      refused('in upper case', good, {
        path: () => evidencePath(agent.commitment.toUpperCase()),
        ...notEnrolled,
      }),
      refused(
        'that was revoked',
        () => signedEvidence(revoked, 'otel_genai_trace', PAYLOADS.otel_genai_trace()),
        {
          path: () => evidencePath(revoked.commitment),
          ...notEnrolled,
          contains: ['revoked at 2026-01-01'],
        },
      ),
      refused('comes before what is wrong with the payload', () => ({ ...good(), payload: {} }), {
        path: () => evidencePath(revoked.commitment),
        ...notEnrolled,
      }),
    ],
  );

  test('that is revoked while its signature is verified', async () => {
    const own = await enrolledAgent(app);
    const body = signedEvidence(own, 'otel_genai_trace', PAYLOADS.otel_genai_trace());
    const sent = app.own.post(evidencePath(own.commitment), body);
    // The writer takes this first, since the request has to be read before it writes.
    await revoke(own);
    expect(await sent).toMatchObject({ status: 403, body: { reason_code: 'agent_not_enrolled' } });
    expect((await app.own.get(evidencePath(own.commitment))).body).toEqual({
      evidence: [],
      next_cursor: null,
    });
  });
});

describe('the signature', () => {
  const wrong = { status: 401, reasonCode: 'invalid_proof', answerHeaders: { 'www-authenticate': 'Bearer' } };
  const payload = PAYLOADS.otel_genai_trace();
  const stranger = newAgentKey();
  const canonical = '{"attributes":{"gen_ai.system":"example"},"name":"chat"}';
  const signed = (make: () => string) => () => ({ ...good(), signature: make() });
  scenarios(
    () => app,
    [
      refused("another agent's", () => signedEvidence(stranger, 'otel_genai_trace', payload), wrong),
      refused(
        'of 128 zeros',
        signed(() => '0'.repeat(128)),
        wrong,
      ),
      refused(
        'of 128 letters f',
        signed(() => 'f'.repeat(128)),
        wrong,
      ),
      refused(
        'over the canonical JSON itself',
        signed(() => agent.signText(canonical)),
        wrong,
      ),
      refused(
        'over the digest of other JSON',
        signed(() => agent.signText(sha256(`${canonical} `))),
        wrong,
      ),
      refused(
        'over the digest in upper case',
        signed(() => agent.signText(sha256(canonical).toUpperCase())),
        wrong,
      ),
      refused(
        'over the whole body',
        signed(() => agent.sign({ source_type: 'otel_genai_trace', payload })),
        wrong,
      ),
      refused('of another payload', () => ({ ...good(), payload: { ...payload, name: 'forged' } }), wrong),
      refused(
        'whose S is not canonical',
        signed(() => bigger(agent.sign(payload))),
        wrong,
      ),
      refused(
        'in upper case',
        signed(() => agent.sign(payload).toUpperCase()),
        { issues: ['signature'] },
      ),
      refused(
        'too short',
        signed(() => agent.sign(payload).slice(2)),
        { issues: ['signature'] },
      ),
      refused('missing', () => ({ ...good(), signature: undefined }), { issues: ['signature'] }),
    ],
  );

  test('is over __proto__ too: who signed without it signed something else', async () => {
    const signature = agent.signText(sha256(canonical));
    const forged = `{"source_type":"otel_genai_trace","payload":{"__proto__":{"x":1},${canonical.slice(1)},"signature":"${signature}"}`;
    expect(await app.own.post(path(), forged)).toMatchObject({
      status: 401,
      body: { reason_code: 'invalid_proof' },
    });
  });
});

/** The same signature with the group's order added to S. */
function bigger(signature: string): string {
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  const littleEndian = (hex: string): bigint =>
    BigInt(`0x${Buffer.from(hex, 'hex').reverse().toString('hex')}`);
  const sum = (littleEndian(signature.slice(64)) + order).toString(16).padStart(64, '0');
  return signature.slice(0, 64) + Buffer.from(sum, 'hex').reverse().toString('hex');
}

describe('the body', () => {
  const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  const raw = (payload: string, signature = '0'.repeat(128)): string =>
    `{"source_type":"otel_genai_trace","payload":${payload},"signature":"${signature}"}`;
  const sent = (name: string, text: string, more: Partial<Scenario> = {}): Scenario => ({
    name,
    path,
    raw: text,
    status: 400,
    reasonCode: 'invalid_json',
    ...more,
  });
  const unfit = (
    name: string,
    type: keyof typeof PAYLOADS,
    payload: JsonObject,
    issues: string[],
  ): Scenario =>
    refused(name, () => signedEvidence(agent, type, payload), {
      issues,
      ...(type === 'task_deliverable' ? { key: SERVICE } : {}),
    });
  const controls = (...items: JsonObject[]): JsonObject => ({ framework: 'x', controls: items });
  scenarios(
    () => app,
    [
      refused('payload as text', () => ({ ...good(), payload: '{"name":"chat"}' }), { issues: ['payload'] }),
      refused('payload as a list', () => ({ ...good(), payload: [] }), { issues: ['payload'] }),
      refused('payload as null', () => ({ ...good(), payload: null }), { issues: ['payload'] }),
      refused('a member that nobody knows', () => ({ ...good(), agent: 'x' }), { issues: ['agent'] }),
      refused('a source type that is none', () => ({ ...good(), source_type: 'gitlab' }), {
        issues: ['source_type'],
      }),
      sent('nesting of 65 levels', raw(nested(64))),
      sent('a lone surrogate', raw('{"gen_ai.x":"\\ud800"}')),
      sent('a lone surrogate in a name', raw('{"gen_ai.x":1,"\\udc00":1}')),
      sent('a member twice', raw('{"gen_ai.x":1,"gen_ai.x":1}')),
      sent('nothing', '', { reasonCode: 'validation_error' }),
      sent('a megabyte and more', raw(`{"gen_ai.x":"${'x'.repeat(1_048_576)}"}`), {
        status: 413,
        reasonCode: 'payload_too_large',
      }),
      sent('another media type', raw('{}'), {
        status: 415,
        headers: { 'content-type': 'text/plain' },
        reasonCode: 'unsupported_media_type',
      }),
      sent('a number that is not finite', raw('{"gen_ai.x":1e999}'), {
        reasonCode: 'validation_error',
        issues: ['payload'],
      }),
      sent('an integer that no double is', raw('{"gen_ai.x":9007199254740993}'), {
        contains: ['a double cannot hold the integer 9007199254740993 exactly'],
      }),
      sent(
        'members of a prototype',
        '{"source_type":"github_push_webhook","payload":{"__proto__":{"ref":"r","commits":[]}},"signature":"' +
          '0'.repeat(128) +
          '"}',
        {
          reasonCode: 'validation_error',
          issues: ['payload.ref', 'payload.commits'],
        },
      ),
      unfit('a push without its members', 'github_push_webhook', {}, ['payload.ref', 'payload.commits']),
      unfit(
        'a push of a commit without a SHA',
        'github_push_webhook',
        { ref: 'r', commits: [{ id: 'HEAD' }] },
        ['payload.commits.0.id'],
      ),
      unfit(
        'a push with a head that is none',
        'github_push_webhook',
        { ref: 'r', commits: [], head_commit: 'x' },
        ['payload.head_commit'],
      ),
      unfit(
        'a push of 2,049 commits',
        'github_push_webhook',
        { ref: 'r', commits: Array(2049).fill({ id: 'a'.repeat(40) }) },
        ['payload.commits'],
      ),
      unfit('a commit that is none', 'github_commit_payload', { commit: {} }, [
        'payload.id',
        'payload.message',
      ]),
      unfit('a commit with a short SHA', 'github_commit_payload', { sha: 'abc', commit: {} }, [
        'payload.sha',
      ]),
      unfit(
        'an event whose commit is none',
        'github_commit_payload',
        { check_suite: { head_commit: { id: 'x', message: 'm' } } },
        ['payload.check_suite.head_commit.id'],
      ),
      unfit('an issue event without an issue', 'github_issue_event', { action: 'opened' }, ['payload.issue']),
      unfit('an issue without a number', 'github_issue_event', { action: 'opened', issue: {} }, [
        'payload.issue.number',
      ]),
      unfit('a report without controls', 'compliance_report', controls(), ['payload.controls']),
      unfit(
        'a control with a status that is none',
        'compliance_report',
        controls({ id: 'a', status: 'ok' }),
        ['payload.controls.0.status'],
      ),
      unfit('a trace without spans', 'otel_genai_trace', { resourceSpans: [] }, ['payload']),
      unfit(
        'a span about something else',
        'otel_genai_trace',
        { name: 'GET', attributes: { 'http.method': 'GET' } },
        ['payload'],
      ),
      unfit(
        'spans that are no list',
        'otel_genai_trace',
        { resourceSpans: [{ scopeSpans: [{ spans: {} }] }] },
        ['payload.resourceSpans.0.scopeSpans.0.spans'],
      ),
      unfit('a deliverable without a digest', 'task_deliverable', { task_id: 'a' }, [
        'payload.deliverable_digest',
      ]),
      unfit(
        'a deliverable with two digests',
        'task_deliverable',
        { task_id: 'a', digest: 'ab'.repeat(32), deliverable_digest: 'cd'.repeat(32) },
        ['payload.digest'],
      ),
      unfit(
        'a deliverable with an outcome that is none',
        'task_deliverable',
        { task_id: 'a', digest: 'ab'.repeat(32), outcome: 'meh' },
        ['payload.outcome'],
      ),
      unfit('a deliverable without a task', 'task_deliverable', { digest: 'ab'.repeat(32) }, [
        'payload.task_id',
      ]),
      refused('an Idempotency-Key that is none', good, {
        headers: { 'idempotency-key': 'a b' },
        issues: ['Idempotency-Key'],
      }),
    ],
  );
});
