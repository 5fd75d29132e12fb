import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import examples from '@octokit/webhooks-examples';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { subjectCommitment } from '../../../../src/proof/agent/commitment.ts';
import { canonicalJson } from '../../../../src/proof/encoding/canonical-json.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../../../src/proof/encoding/json.ts';
import { commitsIn } from '../../../../src/proof/evidence/commits.ts';
import { EXAMPLE_COMMITMENT } from '../../../../src/trust/agents/example-agent.ts';
import { evidenceByHashIn, timelineIn } from '../../../../src/trust/evidence/find-items.ts';
import { EXAMPLE_REQUEST } from '../../../../src/trust/evidence/schema.ts';
import type { EmittedEvent } from '../../../../src/trust/webhooks/events.ts';
import { enrolledAgent, newAgentKey } from '../../../support/agent.ts';
import { client } from '../../../support/client.ts';
import {
  evidencePath,
  exampleAgent,
  expectedEventHash,
  PAYLOADS,
  SHA,
  sha256,
  signedEvidence,
} from '../../../support/evidence.ts';
import { parametersOf } from '../../../support/openapi.ts';
import { scenarios } from '../../../support/scenario.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

const TOKEN = `svc_${'5e'.repeat(32)}`;
const SERVICE = { authorization: `Bearer ${TOKEN}` };

let app: TrustApp;
let agent: Awaited<ReturnType<typeof enrolledAgent>>;
const events: EmittedEvent[] = [];
const service = () => client(app.fetch, 'http://localhost', TOKEN);

beforeAll(async () => {
  app = await openTrustApp({ service_token: TOKEN });
  agent = await enrolledAgent(app);
  app.service.trust.events.listen((event) => events.push(event));
});
afterAll(() => app.close());

/** What the agent's standing says, read past the program. */
const state = (seq = agent.agent.agentSeq) =>
  app.service.trust.store.read(({ connection }) =>
    connection.sqlite
      .query<{ evidence_count: number; artifact_count: number; failure_count: number }, [number]>(
        'SELECT evidence_count, artifact_count, failure_count FROM agent_standing WHERE agent_seq = ?',
      )
      .get(seq),
  );

const post = (type: string, payload: JsonObject, by = app.own, of = agent) =>
  by.post(evidencePath(of.commitment), signedEvidence(of, type, payload));

describe('anchoring', () => {
  test('a first item begins the chain, the next follows, and everything can be computed again', async () => {
    const own = await enrolledAgent(app);
    const payload = { ref: 'refs/heads/main', commits: [] };
    const first = await post('github_push_webhook', payload, app.own, own);
    expect(first.status).toBe(201);
    expect(first.body).toEqual({
      index: 0,
      event_commitment_hash: expectedEventHash(own.commitment, first.body),
      prev_event_hash: null,
      subject_commitment: own.commitment,
      source_type: 'github_push_webhook',
      payload_digest: sha256('{"commits":[],"ref":"refs/heads/main"}'),
      outcome: 'success',
      reading: 'digest',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      duplicate: false,
    });
    const second = await post('otel_genai_trace', PAYLOADS.otel_genai_trace(), app.own, own);
    expect(second.body.prev_event_hash).toBe(first.body.event_commitment_hash);
    expect(second.body.index).toBe(1);
    expect(second.body.event_commitment_hash).toBe(expectedEventHash(own.commitment, second.body));
    expect(events.slice(-2)).toEqual(
      [first, second].map(({ body }) => ({
        event: 'evidence.anchored',
        data: {
          event_commitment_hash: String(body.event_commitment_hash),
          subject_commitment: own.commitment,
          source_type:
            body.source_type === 'github_push_webhook' ? 'github_push_webhook' : 'otel_genai_trace',
        },
        timestamp: String(body.created_at),
        operators: [own.agent.sponsorSeq ?? 0],
      })),
    );
  });

  test.each(Object.keys(PAYLOADS))('%s is taken by what may bring it, and counted', async (type) => {
    const own = await enrolledAgent(app, { sponsor: app.otherId });
    const payload = Object.entries(PAYLOADS).find(([name]) => name === type)?.[1]() ?? {};
    const by = type === 'task_deliverable' ? service() : app.own;
    expect((await post(type, payload, by, own)).status).toBe(201);
    const artifacts = type === 'github_issue_event' || /report|trace/.test(type) ? 0 : 1;
    expect(await state(own.agent.agentSeq)).toEqual({
      evidence_count: 1,
      artifact_count: artifacts,
      failure_count: 0,
    });
    const { operators = [] } = events.at(-1) ?? {};
    expect(operators.length).toBe(type === 'task_deliverable' ? 1 : 2);
  });

  test('the same payload again, from any sender and in any formatting: the first hash, and no new item', async () => {
    const payload = { ...PAYLOADS.compliance_report('dup'), period: { from: 'a', to: 'b' } };
    const first = await post('compliance_report', payload);
    const before = [await state(), events.length];
    const { framework, controls, period } = payload;
    const again = await post('compliance_report', { period, controls, framework }, app.other);
    expect(again).toMatchObject({ status: 200, body: { ...first.body, duplicate: true } });
    expect([await state(), events.length]).toEqual(before);
    // Under another type it is another item.
    const both = { ...payload, ...PAYLOADS.otel_genai_trace() };
    expect((await post('compliance_report', both)).status).toBe(201);
    expect((await post('otel_genai_trace', both)).status).toBe(201);
    // And another agent's is another's.
    expect((await post('compliance_report', payload, app.own, await enrolledAgent(app))).status).toBe(201);
  });

  test('many concurrent requests with one payload: one is anchored, the others return its hash', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post('compliance_report', PAYLOADS.compliance_report('at once'))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201]);
    expect(new Set(answers.map(({ body }) => body.event_commitment_hash)).size).toBe(1);
  });

  test('many at once of different payloads: one chain', async () => {
    const own = await enrolledAgent(app);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        post('compliance_report', PAYLOADS.compliance_report(`${index}`), app.own, own),
      ),
    );
    const next = new Map(answers.map(({ body }) => [body.prev_event_hash, body.event_commitment_hash]));
    let length = 0;
    for (let at = next.get(null); at !== undefined; at = next.get(at)) length++;
    expect([length, next.size]).toEqual([40, 40]);
  });

  test('a request with an Idempotency-Key gets the first response again, with its status', async () => {
    const key = { 'idempotency-key': 'once' };
    const body = signedEvidence(agent, 'compliance_report', PAYLOADS.compliance_report('once'));
    const first = await app.own.post(evidencePath(agent.commitment), body, key);
    const again = await app.own.post(evidencePath(agent.commitment), body, key);
    expect([again.status, again.body, again.headers.get('idempotency-replayed')]).toEqual([
      201,
      first.body,
      'true',
    ]);
    const other = signedEvidence(agent, 'compliance_report', PAYLOADS.compliance_report('twice'));
    expect((await app.own.post(evidencePath(agent.commitment), other, key)).status).toBe(422);
    const deliverable = signedEvidence(agent, 'task_deliverable', PAYLOADS.task_deliverable('once'));
    const [one, two] = [
      await service().post(evidencePath(agent.commitment), deliverable, key),
      await service().post(evidencePath(agent.commitment), deliverable, key),
    ];
    expect([one.status, two.status, two.body.duplicate]).toEqual([201, 201, false]);
  });

  test('the three formats of a signature, each stored with its name', async () => {
    const nested = { name: 'z', attributes: { 'gen_ai.z': 1, 'gen_ai.a': 2 }, 2: 'x', 10: 'y', é: 1 };
    const text = '{"10":"y","2":"x","attributes":{"gen_ai.a":2,"gen_ai.z":1},"name":"z","é":1}';
    const shallow = '{"10":"y","2":"x","attributes":{"gen_ai.z":1,"gen_ai.a":2},"name":"z","é":1}';
    const messages: [string, string, Uint8Array][] = [
      ['digest', 'a', Buffer.from(sha256(text.replace('"z","é"', '"a","é"')))],
      ['raw', 'b', Buffer.from(sha256(text.replace('"z","é"', '"b","é"')), 'hex')],
      ['shallow', 'c', Buffer.from(sha256(shallow.replace('"z","é"', '"c","é"')))],
    ];
    for (const [reading, name, message] of messages) {
      const response = await app.own.post(evidencePath(agent.commitment), {
        source_type: 'otel_genai_trace',
        payload: { ...nested, name },
        signature: agent.signBytes(message),
      });
      expect([response.status, response.body.reading]).toEqual([201, reading]);
    }
    const { body } = await app.own.get(`${evidencePath(agent.commitment)}?limit=1`);
    // A shallow one is kept in its own order, without which nobody could check it again.
    expect(JSON.stringify(body)).toContain('"attributes":{"gen_ai.z":1,"gen_ai.a":2}');
  });

  test('what is signed is the body as it was parsed: __proto__, integer-like names, numbers, escapes', async () => {
    const raw =
      '{"name":"\\u0061\\ud83d\\ude42","9":1,"10":-0,"__proto__":{"ref":"x"},"constructor":1.50,"attributes":{"gen_ai.x":1e2}}';
    const canonical =
      '{"10":0,"9":1,"__proto__":{"ref":"x"},"attributes":{"gen_ai.x":100},"constructor":1.5,"name":"a🙂"}';
    const signature = agent.signText(sha256(canonical));
    const answer = await app.own.post(
      evidencePath(agent.commitment),
      `{"source_type":"otel_genai_trace","payload":${raw},"signature":"${signature}"}`,
    );
    expect([answer.status, answer.body.payload_digest]).toEqual([201, sha256(canonical)]);
    const response = await app.fetch(
      new Request(`http://localhost${evidencePath(agent.commitment)}?limit=1`, {
        headers: { authorization: `Bearer ${app.apiKey}` },
      }),
    );
    expect(await response.text()).toContain(`"payload":${canonical}`);
  });

  test('every push, commit and issue example of GitHub’s is taken', async () => {
    const own = await enrolledAgent(app);
    const payloads = examples.flatMap(({ name, examples: bodies }) =>
      bodies.flatMap((body): [string, JsonObject][] => {
        const payload = parseJson(JSON.stringify(body));
        if (!isJsonObject(payload)) return [];
        if (name === 'push') {
          const commits = Array.isArray(payload.commits) ? payload.commits.filter(isJsonObject) : [];
          const all = isJsonObject(payload.head_commit)
            ? [...commits, payload.head_commit, payload]
            : commits;
          return [
            ['github_push_webhook', payload],
            ...all.map((commit): [string, JsonObject] => ['github_commit_payload', commit]),
          ];
        }
        if (name === 'issues' || name === 'issue_comment') return [['github_issue_event', payload]];
        return /"(?:head_)?commit":\{/.test(JSON.stringify(body)) ? [['github_commit_payload', payload]] : [];
      }),
    );
    expect(payloads.length).toBeGreaterThan(70);
    for (const [type, payload] of payloads) {
      const response = await post(type, payload, app.own, own);
      expect([type, response.body.issues, response.status < 300]).toEqual([type, undefined, true]);
      if (type !== 'github_commit_payload') continue;
      const [sha = '', ...more] = commitsIn(type, payload);
      expect(more).toEqual([]);
      const { agentSeq } = own.agent;
      const found = await app.service.trust.store.read((snapshot) =>
        evidenceByHashIn(snapshot, agentSeq, sha),
      );
      expect([sha, typeof found?.eventHash]).toEqual([sha, 'string']);
    }
  });

  test('the example of the documentation works for whoever enrolls its key', async () => {
    await exampleAgent(app);
    expect((await app.own.post(evidencePath(EXAMPLE_COMMITMENT), EXAMPLE_REQUEST)).status).toBe(201);
    const { body } = await app.anyone.get('/openapi.json');
    const { post: operation } = Object(body.paths)['/api/v1/passport/agents/{id}/evidence'];
    expect(operation.requestBody.content['application/json'].example).toEqual(EXAMPLE_REQUEST);
    expect(parametersOf(body, operation)).toContainEqual(
      expect.objectContaining({ example: EXAMPLE_COMMITMENT }),
    );
  });
});

const OUTCOMES: [string, string, JsonObject][] = [
  ['a span with code 2', 'otel_genai_trace', { attributes: { 'gen_ai.a': 1 }, status: { code: 2 } }],
  [
    'an exported span with STATUS_CODE_ERROR among good ones',
    'otel_genai_trace',
    {
      resourceSpans: [
        {
          scopeSpans: [
            { spans: [{ name: 'a', attributes: [{ key: 'gen_ai.system', value: { stringValue: 'x' } }] }] },
          ],
        },
        { scopeSpans: [{ spans: [{ name: 'b', status: { code: 'STATUS_CODE_ERROR' } }] }] },
      ],
    },
  ],
  [
    'a failing control',
    'compliance_report',
    {
      framework: 'x',
      controls: [
        { id: 'a', status: 'pass' },
        { id: 'b', status: 'fail' },
      ],
    },
  ],
  [
    'a deliverable that failed',
    'task_deliverable',
    { task_id: 'f', digest: 'ab'.repeat(32), outcome: 'failure' },
  ],
  [
    'an error_classification',
    'task_deliverable',
    { task_id: 'g', digest: 'ab'.repeat(32), error_classification: 'SLA_BREACH' },
  ],
];
test.each(OUTCOMES)('%s is a failure, and counted as one', async (_, type, payload) => {
  const own = await enrolledAgent(app);
  const response = await post(type, payload, type === 'task_deliverable' ? service() : app.own, own);
  expect([response.status, response.body.outcome]).toEqual([201, 'failure']);
  expect(await state(own.agent.agentSeq)).toMatchObject({ evidence_count: 1, failure_count: 1 });
});

describe('the payload of evidence:', () => {
  const secret = (name: string) => ({
    ...PAYLOADS.otel_genai_trace(name),
    prompt: 'the words that were said',
  });
  const payloads = (body: Record<string, unknown>): boolean[] =>
    (Array.isArray(body.evidence) ? body.evidence : []).map((item: object) => 'payload' in item);

  test('the sponsor, its admins, the holder key and who brought it see the payload; nobody else does', async () => {
    const sponsored = await enrolledAgent(app, { sponsor: app.otherId });
    const path = evidencePath(sponsored.commitment);
    const third = (await app.own.post('/api/v1/operator/api-keys', { name: 'not an admin' })).body.api_key;
    const plain = client(app.fetch, 'http://localhost', String(third));
    const { api_key } = (
      await app.other.post('/api/v1/operator/api-keys', {
        role: 'holder',
        subject_commitment: sponsored.commitment,
      })
    ).body;
    const holder = client(app.fetch, 'http://localhost', String(api_key));
    await post('otel_genai_trace', secret('by the holder'), holder, sponsored);
    await post('otel_genai_trace', secret('by another operator'), plain, sponsored);

    for (const [name, caller, expected] of [
      ['sponsor', app.other, [true, true]],
      ['holder', holder, [true, true]],
      ['admin', app.own, [true, true]],
      ['who brought one of them', plain, [true, false]],
    ] as const) {
      const { status, body } = await caller.get(path);
      expect([name, status, payloads(body)]).toEqual([name, 200, [...expected]]);
      const items = Array.isArray(body.evidence) ? body.evidence : [];
      expect([name, items.map((item: object) => 'signature' in item)]).toEqual([name, [...expected]]);
      expect(items.map(({ index, reading }) => [index, reading])).toEqual([
        [1, 'digest'],
        [0, 'digest'],
      ]);
    }
    // An agent of the first operator's is a stranger's to the second.
    await post('otel_genai_trace', secret('own'));
    const seen = await app.other.get(`${evidencePath(agent.commitment)}?limit=1`);
    expect([seen.status, payloads(seen.body)]).toEqual([200, [false]]);
    expect(JSON.stringify(seen.body)).not.toContain('the words');
    expect(Object.keys(Object(seen.body.evidence)[0])).toEqual([
      'index',
      'event_commitment_hash',
      'prev_event_hash',
      'source_type',
      'payload_digest',
      'outcome',
      'reading',
      'created_at',
    ]);
  });

  test('a holder key has to do with its own agent alone, and only where the sponsor made it', async () => {
    const make = async (by: typeof app.own, subject_commitment: string) =>
      client(
        app.fetch,
        'http://localhost',
        String(
          (await by.post('/api/v1/operator/api-keys', { role: 'holder', subject_commitment })).body.api_key,
        ),
      );
    const other = await enrolledAgent(app);
    const holder = await make(app.own, other.commitment);
    // Whoever knows a key can make a holder key for its agent before it enrolls, with somebody else as its
    // sponsor.
    const key = newAgentKey();
    const usurper = await make(app.other, subjectCommitment(nativePrimitives, key.publicKey));
    const usurped = await enrolledAgent(app, { key });
    for (const caller of [holder, usurper]) {
      const brought = await post('otel_genai_trace', PAYLOADS.otel_genai_trace('held'), caller, usurped);
      expect([brought.status, brought.body.reason_code]).toEqual([403, 'forbidden']);
      expect((await caller.get(evidencePath(usurped.commitment))).status).toBe(403);
    }
    expect((await post('otel_genai_trace', PAYLOADS.otel_genai_trace(), holder, other)).status).toBe(201);
    expect((await holder.get(evidencePath(other.commitment))).status).toBe(200);
    expect((await holder.get(evidencePath('ab'.repeat(32)))).status).toBe(403);
  });
});

describe('the list of evidence', () => {
  test('is newest first, page by page, stable while items are added, and by type', async () => {
    const own = await enrolledAgent(app);
    const hashes: unknown[] = [];
    for (let index = 0; index < 7; index++) {
      const type = index % 3 === 0 ? 'compliance_report' : 'otel_genai_trace';
      hashes.unshift((await post(type, PAYLOADS[type](`${index}`), app.own, own)).body.event_commitment_hash);
    }
    const pages = async (query: string) => {
      const seen: unknown[] = [];
      for (let cursor: unknown = ''; cursor !== null; ) {
        const more = cursor === '' ? '' : `&cursor=${cursor}`;
        const { status, body } = await app.own.get(`${evidencePath(own.commitment)}?limit=2${query}${more}`);
        expect(status).toBe(200);
        const items = Array.isArray(body.evidence) ? body.evidence : [];
        seen.push(...items.map((item) => item.event_commitment_hash));
        if (cursor === '') await post('github_issue_event', PAYLOADS.github_issue_event(query), app.own, own);
        cursor = body.next_cursor;
      }
      return seen;
    };
    expect(await pages('')).toEqual(hashes);
    expect(await pages('&source_type=compliance_report')).toEqual(
      [0, 3, 6].map((at) => hashes[6 - at]).reverse(),
    );
    const { body } = await app.own.get(`${evidencePath(own.commitment)}?limit=2`);
    const wrong = await app.own.get(
      `${evidencePath(own.commitment)}?source_type=otel_genai_trace&cursor=${body.next_cursor}`,
    );
    expect([wrong.status, Object.keys(Object(wrong.body.issues))]).toEqual([400, ['cursor']]);
  });

  test('limits a page by the bytes of its payloads, not by their characters', async () => {
    const own = await enrolledAgent(app);
    for (let index = 0; index < 3; index++) {
      const payload = { ...PAYLOADS.otel_genai_trace(`${index}`), long: '漢'.repeat(150_000) };
      expect((await post('otel_genai_trace', payload, app.own, own)).status).toBe(201);
    }
    const { body } = await app.own.get(evidencePath(own.commitment));
    expect([Object(body.evidence).length, typeof body.next_cursor]).toEqual([2, 'string']);
  });

  test('ends a page before its payloads exceed 1 MiB, and the next page continues', async () => {
    const own = await enrolledAgent(app);
    const expected: unknown[] = [];
    for (const [index, bytes] of [10, 250_000, 500_000, 100_000, 300_000, 20, 30].entries()) {
      const long = randomBytes(bytes).toString('hex');
      const payload = { ...PAYLOADS.otel_genai_trace(`${index}`), long };
      expect((await post('otel_genai_trace', payload, app.own, own)).status).toBe(201);
      expected.unshift(long);
    }
    const page = async (query = '') => (await app.own.get(`${evidencePath(own.commitment)}${query}`)).body;
    const lengths: number[] = [];
    const found: unknown[] = [];
    for (let cursor: unknown = ''; cursor !== null; ) {
      const { evidence, next_cursor } = await page(cursor === '' ? '' : `?cursor=${cursor}`);
      if (!Array.isArray(evidence)) throw new Error('no page');
      lengths.push(evidence.length);
      found.push(...evidence.map(({ payload }) => payload.long));
      cursor = next_cursor;
    }
    expect(lengths).toEqual([4, 1, 2]);
    expect(found).toEqual(expected);
    // Whoever does not see them has all of them on one page.
    expect(Object((await app.other.get(evidencePath(own.commitment))).body.evidence).length).toBe(7);
  });

  scenarios(
    () => app,
    [
      [
        'of an agent that never enrolled is not found',
        `GET ${evidencePath('ab'.repeat(32))}`,
        '404 not_found',
      ],
      ['of what is no commitment is not found', `GET ${evidencePath('x')}`, '404 not_found'],
      [
        'is refused without a key',
        `GET ${evidencePath('ab'.repeat(32))}`,
        '401 unauthorized',
        { by: 'anyone' },
      ],
      [
        'is refused to the service token',
        `GET ${evidencePath('ab'.repeat(32))}`,
        '401',
        { headers: SERVICE },
      ],
      [
        'with a cursor of nobody is refused',
        () => `GET ${evidencePath(agent.commitment)}?cursor=x`,
        '400 validation_error: cursor',
      ],
    ],
  );
});

describe('numbers in evidence', () => {
  test('beyond 2^53 are stored, listed and hashed as in RFC 8785', async () => {
    const own = await enrolledAgent(app);
    const written = '{"gen_ai.a":1152921504606846976,"gen_ai.b":1e20,"gen_ai.c":9007199254740993.0}';
    const canonical =
      '{"gen_ai.a":1152921504606847000,"gen_ai.b":100000000000000000000,"gen_ai.c":9007199254740992}';
    const body = `{"source_type":"otel_genai_trace","payload":${written},"signature":"${own.signText(sha256(canonical))}"}`;
    const response = await app.own.post(evidencePath(own.commitment), body);
    expect([response.status, response.body.payload_digest]).toEqual([201, sha256(canonical)]);
    const list = await app.fetch(
      new Request(`http://localhost${evidencePath(own.commitment)}`, {
        headers: { authorization: `Bearer ${app.apiKey}` },
      }),
    );
    expect(await list.text()).toContain(`"payload":${canonical}`);
  });
});

describe('what others read of evidence:', () => {
  test('each of 300 items whose commits share their first 16 bytes, without a look at the others', async () => {
    const own = await enrolledAgent(app);
    const shaOf = (index: number): string => SHA.slice(0, 32) + index.toString(16).padStart(8, '0');
    for (let index = 0; index < 300; index++) {
      await post('github_commit_payload', { sha: shaOf(index), commit: {} }, app.own, own);
    }
    for (const index of [0, 299]) {
      const { status, body } = await app.anyone.get(
        `/api/v1/artifacts/${own.commitment}/${shaOf(index)}/attestation?format=json`,
      );
      expect([index, status, body.artifact]).toEqual([index, 200, shaOf(index)]);
    }
    expect(
      (await app.anyone.get(`/api/v1/artifacts/${own.commitment}/${shaOf(300)}/attestation`)).status,
    ).toBe(404);
  });

  test('an item by its event hash or a commit in it, in full; the newest as anyone may see them', async () => {
    const own = await enrolledAgent(app);
    const long = 'cd'.repeat(32);
    const commits = [{ id: SHA }, { id: long }];
    const { body } = await post('github_push_webhook', { ref: 'r', commits }, app.own, own);
    const later = await post('github_commit_payload', PAYLOADS.github_commit_payload(), app.own, own);
    const { agentSeq } = own.agent;
    await app.service.trust.store.read(async (snapshot) => {
      const find = async (hash: unknown) =>
        (await evidenceByHashIn(snapshot, agentSeq, String(hash)))?.eventHash;
      const first = String(body.event_commitment_hash);
      expect(await Promise.all([first, SHA, long].map(find))).toEqual([first, first, first]);
      expect(await find(later.body.event_commitment_hash)).toBe(String(later.body.event_commitment_hash));
      const near = (hash: string) => hash.slice(0, 12) + '0'.repeat(hash.length - 12);
      for (const none of [
        near(SHA),
        near(long),
        near(first),
        SHA.slice(0, 39),
        SHA.toUpperCase(),
        '',
        'x',
        body.payload_digest,
      ])
        expect(await find(none)).toBeUndefined();
      expect(await evidenceByHashIn(snapshot, agent.agent.agentSeq, first)).toBeNull();
      expect(await timelineIn(snapshot, agentSeq, 1)).toEqual([
        {
          event_commitment_hash: String(later.body.event_commitment_hash),
          source_type: 'github_commit_payload',
          outcome: 'success',
          created_at: String(later.body.created_at),
        },
      ]);
      expect((await timelineIn(snapshot, agentSeq, 50)).length).toBe(2);
    });
  });
});

describe('the size of a payload', () => {
  /** All that GitHub says of a commit, as tersely as can be. */
  const commit = (index: number) => {
    const id = index.toString(16).padStart(40, '0');
    const person = { name: 'A', email: 'a@b.example', username: 'a' };
    return {
      ...{ id, tree_id: id, distinct: true, message: 'm', timestamp: '2026-05-01T12:00:00Z' },
      ...{ url: `https://github.com/o/r/commit/${id}`, author: person, committer: person },
      ...{ added: [], removed: [], modified: ['a'] },
    };
  };

  test('a push of 2,048 commits with everything that GitHub says of each is taken', async () => {
    const commits = Array.from({ length: 2048 }, (_, index) => commit(index));
    const repository = { id: 1, name: 'r', full_name: 'o/r', private: false, topics: [] };
    const push = { ref: 'refs/heads/main', commits, head_commit: commit(2047), repository };
    const own = await enrolledAgent(app);
    expect((await post('github_push_webhook', push, app.own, own)).status).toBe(201);
  });

  test('more members and elements than 44000 are refused, whatever the payload is', async () => {
    const own = await enrolledAgent(app);
    const { status, body } = await post(
      'github_commit_payload',
      { sha: SHA, commit: { parents: Array(44_000).fill(0) } },
      app.own,
      own,
    );
    expect([status, body.issues]).toEqual([
      400,
      { body: ['must have at most 44000 members and elements together'] },
    ]);
  });

  test('a payload has at most 4096 members, and as many below as all may be', async () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, 0]));
    const own = await enrolledAgent(app);
    const send = (payload: JsonObject) => post('github_commit_payload', payload, app.own, own);
    expect((await send({ sha: SHA, commit: many(4096), ...many(4094) })).status).toBe(201);
    const refused = await send({ sha: SHA, commit: {}, ...many(4095) });
    expect([refused.status, Object.keys(Object(refused.body.issues))]).toEqual([400, ['payload']]);
  });

  test('evidence with an Idempotency-Key is stored under the digest of the canonical body', async () => {
    const own = await enrolledAgent(app);
    const payload = { sha: SHA, b: { '10': 1, '9': 'é', a: [1.5e300, null] }, commit: {} };
    const body = signedEvidence(own, 'github_commit_payload', payload);
    const key = { 'idempotency-key': 'digest-of-evidence' };
    expect((await app.own.post(evidencePath(own.commitment), body, key)).status).toBe(201);
    const digest = sha256(canonicalJson({ ...body }));
    const kept = await app.service.trust.store.read(({ connection: { sqlite } }) =>
      sqlite.query('SELECT 1 FROM idempotency WHERE lower(hex(body_digest)) = ?').all(digest),
    );
    expect(kept.length).toBe(1);
    const again = await app.own.post(evidencePath(own.commitment), body, key);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    const other = await app.own.post(
      evidencePath(own.commitment),
      { ...body, payload: { ...payload, b: 0 } },
      key,
    );
    expect(other.status).toBe(401);
  });
});
