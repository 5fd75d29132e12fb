import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { subjectCommitment } from '../../../../src/proof/agent/commitment.ts';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { enrolledAgent, newAgentKey } from '../../../support/agent.ts';
import { client } from '../../../support/client.ts';
import { evidencePath, PAYLOADS, sha256, signedEvidence } from '../../../support/evidence.ts';
import { type More, type Scenario, scenarios } from '../../../support/scenario.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

const TOKEN = `svc_${'5e'.repeat(32)}`;
const SERVICE = { authorization: `Bearer ${TOKEN}` };
const WRONG_TOKEN = { authorization: `Bearer svc_${'5f'.repeat(32)}` };
const CHALLENGE = { 'www-authenticate': 'Bearer realm="countersign"' };

let app: TrustApp;
let agent: Awaited<ReturnType<typeof enrolledAgent>>;
let revoked: Awaited<ReturnType<typeof enrolledAgent>>;
let events = 0;

beforeAll(async () => {
  app = await openTrustApp({ service_token: TOKEN });
  agent = await enrolledAgent(app);
  revoked = await enrolledAgent(app);
  await revoke(revoked);
  app.service.trust.events.listen(({ event }) => {
    if (event === 'evidence.anchored') events++;
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
  expect([rows, events]).toEqual([[{ rows: 0 }, { rows: 0 }], 0]);
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
type Row = [name: string, answer: Scenario[2], body: () => unknown, more?: More];
/** Each brings a body to the agent, which is refused with the answer given. */
const refused = (rows: readonly Row[], common: More = {}): void =>
  scenarios(
    () => app,
    rows.map(([name, response, body, more]) => [name, () => `POST ${path()}`, response, { body, ...more }]),
    common,
  );

describe('evidence is refused for its credential:', () => {
  const unauthorized = '401 unauthorized';
  const serviceAuth = '401 service_auth_failed';
  const deliverable = () => good('task_deliverable');
  const stranger = { headers: { authorization: `Bearer pp_${'0'.repeat(64)}` } };
  const typeAlone = () => ({ source_type: 'task_deliverable' });
  refused(
    [
      ['none, for what an API key brings', unauthorized, good, { by: 'anyone' }],
      ['none, for a deliverable', serviceAuth, deliverable, { by: 'anyone' }],
      ['an unknown key', unauthorized, good, stranger],
      ['an unknown key, for a deliverable', serviceAuth, deliverable, stranger],
      ['another scheme', unauthorized, good, { headers: { authorization: 'Basic Og==' } }],
      ['a good API key, for a deliverable', serviceAuth, deliverable],
      ['a good API key, for a deliverable that fits nothing', serviceAuth, typeAlone],
      ['the service token, for another type', unauthorized, good, { headers: SERVICE }],
      ['a wrong service token, for a deliverable', serviceAuth, deliverable, { headers: WRONG_TOKEN }],
      ['a wrong service token, for another type', serviceAuth, good, { headers: WRONG_TOKEN }],
      [
        'a service token that is too short',
        serviceAuth,
        deliverable,
        { headers: { authorization: 'Bearer svc_5e' } },
      ],
    ],
    { responseHeaders: CHALLENGE },
  );
  const unread: [name: string, answer: Scenario[2], more: More][] = [
    ['no body', unauthorized, {}],
    ['no JSON', unauthorized, { raw: '{"source_type":"task_deliverable"' }],
    ['JSON that is no object', unauthorized, { raw: '"task_deliverable"' }],
    ['null', unauthorized, { raw: 'null' }],
    ['JSON of another type', serviceAuth, { raw: JSON.stringify(typeAlone()) }],
    ['a member twice', serviceAuth, { raw: '{"source_type":"x","source_type":"task_deliverable"}' }],
    ['nesting without end', unauthorized, { raw: '['.repeat(500_000) }],
    ['bytes that are no text', unauthorized, { raw: new Uint8Array([0xff, 0xfe]) }],
    ['a stream that is too long', unauthorized, { raw: endless() }],
  ];
  scenarios(
    () => app,
    unread.map(([name, response, more]) => [`none, and ${name}`, () => `POST ${path()}`, response, more]),
    { by: 'anyone', headers: { 'content-type': 'text/plain' }, responseHeaders: CHALLENGE },
  );
  refused(
    [
      [
        'the service token with a body that names no source type',
        '400 validation_error: source_type, payload, signature',
        () => ({}),
      ],
      [
        'the service token with a source type that is none',
        '400 validation_error: source_type',
        () => ({ ...deliverable(), source_type: 'x' }),
      ],
    ],
    { headers: SERVICE },
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

describe('evidence is refused for its agent:', () => {
  const NOT_ENROLLED = '403 agent_not_enrolled';
  const payload = PAYLOADS.otel_genai_trace();
  const ofRevoked = () => signedEvidence(revoked, 'otel_genai_trace', payload);
  scenarios(
    () => app,
    [
      ['one that never enrolled', `POST ${evidencePath('ab'.repeat(32))}`, NOT_ENROLLED, { body: good }],
      ['one that is no commitment', `POST ${evidencePath('x')}`, NOT_ENROLLED, { body: good }],
      [
        'one whose commitment is in upper case',
        () => `POST ${evidencePath(agent.commitment.toUpperCase())}`,
        NOT_ENROLLED,
        { body: good },
      ],
      [
        'one that was revoked',
        () => `POST ${evidencePath(revoked.commitment)}`,
        NOT_ENROLLED,
        { body: ofRevoked, contains: ['revoked at 2026-01-01'] },
      ],
      [
        'one that was revoked, before anything is said of a wrong payload',
        () => `POST ${evidencePath(revoked.commitment)}`,
        NOT_ENROLLED,
        { body: () => ({ ...good(), payload: {} }) },
      ],
    ],
  );

  test('one that is revoked while the signature is verified', async () => {
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

describe('evidence is refused for its signature:', () => {
  const payload = PAYLOADS.otel_genai_trace();
  const stranger = newAgentKey();
  const canonical = '{"attributes":{"gen_ai.system":"example"},"name":"chat"}';
  const BEARER: More = { responseHeaders: { 'www-authenticate': 'Bearer' } };
  const wrong = (name: string, make: () => string): Row => [
    name,
    '401 invalid_proof',
    () => ({ ...good(), signature: make() }),
    BEARER,
  ];
  const unfit = (name: string, make: () => string | undefined): Row => [
    name,
    '400 validation_error: signature',
    () => ({ ...good(), signature: make() }),
  ];
  refused([
    wrong("another agent's", () => stranger.sign(payload)),
    wrong('128 zeros', () => '0'.repeat(128)),
    wrong('128 letters f', () => 'f'.repeat(128)),
    wrong('one over the canonical JSON itself', () => agent.signText(canonical)),
    wrong('one over the digest of other JSON', () => agent.signText(sha256(`${canonical} `))),
    wrong('one over the digest in upper case', () => agent.signText(sha256(canonical).toUpperCase())),
    wrong('one over the whole body', () => agent.sign({ source_type: 'otel_genai_trace', payload })),
    [
      'one over another payload',
      '401 invalid_proof',
      () => ({ ...good(), payload: { ...payload, name: 'forged' } }),
      BEARER,
    ],
    wrong('one whose S is not canonical', () => bigger(agent.sign(payload))),
    unfit('one in upper case', () => agent.sign(payload).toUpperCase()),
    unfit('one that is too short', () => agent.sign(payload).slice(2)),
    unfit('none', () => undefined),
  ]);

  test('one over a payload without the __proto__ that was sent', async () => {
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

describe('evidence is refused for its body:', () => {
  const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  const SIGNATURE = '0'.repeat(128);
  const raw = (payload: string): More => ({
    raw: `{"source_type":"otel_genai_trace","payload":${payload},"signature":"${SIGNATURE}"}`,
  });
  const withMembers = (members: Record<string, unknown>) => () => ({ ...good(), ...members });
  refused([
    ['a payload as text', '400 validation_error: payload', withMembers({ payload: '{"name":"chat"}' })],
    ['a payload as a list', '400 validation_error: payload', withMembers({ payload: [] })],
    ['a payload as null', '400 validation_error: payload', withMembers({ payload: null })],
    ['a member that nobody knows', '400 validation_error: agent', withMembers({ agent: 'x' })],
    [
      'a source type that is none',
      '400 validation_error: source_type',
      withMembers({ source_type: 'gitlab' }),
    ],
    [
      'an Idempotency-Key that is none',
      '400 validation_error: Idempotency-Key',
      good,
      { headers: { 'idempotency-key': 'a b' } },
    ],
  ]);

  const sent: [name: string, answer: Scenario[2], more: More][] = [
    ['nesting of 65 levels', '400 invalid_json', raw(nested(64))],
    ['a lone surrogate', '400 invalid_json', raw('{"gen_ai.x":"\\ud800"}')],
    ['a lone surrogate in a name', '400 invalid_json', raw('{"gen_ai.x":1,"\\udc00":1}')],
    ['a member twice', '400 invalid_json', raw('{"gen_ai.x":1,"gen_ai.x":1}')],
    ['nothing', '400 validation_error', { raw: '' }],
    ['a megabyte and more', '413 payload_too_large', raw(`{"gen_ai.x":"${'x'.repeat(1_048_576)}"}`)],
    [
      'another media type',
      '415 unsupported_media_type',
      { ...raw('{}'), headers: { 'content-type': 'text/plain' } },
    ],
    ['a number that is not finite', '400 validation_error: payload', raw('{"gen_ai.x":1e999}')],
    [
      'an integer that no double is',
      '400 invalid_json',
      {
        ...raw('{"gen_ai.x":9007199254740993}'),
        contains: ['a double cannot represent the integer 9007199254740993 exactly'],
      },
    ],
    [
      'members of a prototype',
      '400 validation_error: payload.ref, payload.commits',
      {
        raw: `{"source_type":"github_push_webhook","payload":{"__proto__":{"ref":"r","commits":[]}},"signature":"${SIGNATURE}"}`,
      },
    ],
  ];
  scenarios(
    () => app,
    sent.map(([name, response, more]) => [name, () => `POST ${path()}`, response, more]),
  );
});

describe('a payload is refused that is not of its source type:', () => {
  const commits = Array(2049).fill({ id: 'a'.repeat(40) });
  const digest = 'ab'.repeat(32);
  const ofControls = (...controls: JsonObject[]): JsonObject => ({ framework: 'x', controls });
  const rows: [name: string, type: keyof typeof PAYLOADS, payload: JsonObject, issues: string][] = [
    ['a push without its members', 'github_push_webhook', {}, 'ref, payload.commits'],
    [
      'a push of a commit without a SHA',
      'github_push_webhook',
      { ref: 'r', commits: [{ id: 'HEAD' }] },
      'commits.0.id',
    ],
    [
      'a push with a head that is none',
      'github_push_webhook',
      { ref: 'r', commits: [], head_commit: 'x' },
      'head_commit',
    ],
    ['a push of 2,049 commits', 'github_push_webhook', { ref: 'r', commits }, 'commits'],
    ['a commit that is none', 'github_commit_payload', { commit: {} }, 'id, payload.message'],
    ['a commit with a short SHA', 'github_commit_payload', { sha: 'abc', commit: {} }, 'sha'],
    [
      'an event whose commit is none',
      'github_commit_payload',
      { check_suite: { head_commit: { id: 'x', message: 'm' } } },
      'check_suite.head_commit.id',
    ],
    ['an issue event without an issue', 'github_issue_event', { action: 'opened' }, 'issue'],
    ['an issue without a number', 'github_issue_event', { action: 'opened', issue: {} }, 'issue.number'],
    ['a report without controls', 'compliance_report', ofControls(), 'controls'],
    [
      'a control with a status that is none',
      'compliance_report',
      ofControls({ id: 'a', status: 'ok' }),
      'controls.0.status',
    ],
    ['a trace without spans', 'otel_genai_trace', { resourceSpans: [] }, ''],
    [
      'a span about something else',
      'otel_genai_trace',
      { name: 'GET', attributes: { 'http.method': 'GET' } },
      '',
    ],
    [
      'spans that are no list',
      'otel_genai_trace',
      { resourceSpans: [{ scopeSpans: [{ spans: {} }] }] },
      'resourceSpans.0.scopeSpans.0.spans',
    ],
    ['a deliverable without a digest', 'task_deliverable', { task_id: 'a' }, 'deliverable_digest'],
    [
      'a deliverable with two digests',
      'task_deliverable',
      { task_id: 'a', digest, deliverable_digest: 'cd'.repeat(32) },
      'digest',
    ],
    [
      'a deliverable with an outcome that is none',
      'task_deliverable',
      { task_id: 'a', digest, outcome: 'meh' },
      'outcome',
    ],
    ['a deliverable without a task', 'task_deliverable', { digest }, 'task_id'],
  ];
  refused(
    rows.map(([name, type, payload, issues]) => [
      name,
      `400 validation_error: ${issues === '' ? 'payload' : `payload.${issues}`}`,
      () => signedEvidence(agent, type, payload),
      type === 'task_deliverable' ? { headers: SERVICE } : {},
    ]),
  );
});
