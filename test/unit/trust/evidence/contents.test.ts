import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { payloadIssues } from '../../../../src/platform/evidence-payload.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseCanonicalJson,
} from '../../../../src/proof/encoding/json.ts';
import { commitsIn } from '../../../../src/proof/evidence/commits.ts';
import { SENT_TYPES } from '../../../../src/proof/evidence/source-types.ts';
import { compress, decompress, storedPayload } from '../../../../src/trust/evidence/compression.ts';
import { outcomeOf } from '../../../../src/trust/evidence/outcome.ts';
import { PAYLOADS, SHA } from '../../../support/evidence.ts';

const OTHER = 'cd'.repeat(32);
const GEN_AI = { 'gen_ai.system': 'x' };
const exported = (...spans: JsonValue[]): JsonObject => ({ resourceSpans: [{ scopeSpans: [{ spans }] }] });

const anyObject = fc
  .dictionary(fc.string(), fc.jsonValue())
  .map((made): JsonValue => JSON.parse(JSON.stringify(made)))
  .filter(isJsonObject);

/** A good payload with some members replaced, taken out or added. */
const mangled = fc.constantFrom(...SENT_TYPES).chain((sourceType) => {
  const good: JsonObject = PAYLOADS[sourceType]();
  const names = fc.constantFrom(
    ...Object.keys(good),
    'resourceSpans',
    'sha',
    'head_commit',
    'status',
    '__proto__',
  );
  return fc.array(fc.tuple(names, fc.jsonValue()), { maxLength: 3 }).map((changes) => {
    const text = JSON.stringify(Object.fromEntries([...Object.entries(good), ...changes]));
    return { sourceType, payload: parseCanonicalJson(text) };
  });
});

describe('what a payload must look like', () => {
  test('whatever comes is judged without an error, and what is taken has an outcome and its commits', () => {
    fc.assert(
      fc.property(
        fc.oneof(mangled, fc.record({ sourceType: fc.constantFrom(...SENT_TYPES), payload: anyObject })),
        ({ sourceType, payload }) => {
          if (!isJsonObject(payload)) return;
          const issues = payloadIssues(sourceType, payload);
          if (issues !== null) {
            for (const path of Object.keys(issues)) expect(path).toMatch(/^payload(?:\.|$)/);
            return;
          }
          expect(['success', 'failure']).toContain(outcomeOf(sourceType, payload));
          for (const sha of commitsIn(sourceType, payload))
            expect(sha).toMatch(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('members beyond are allowed, whatever they are', () => {
    fc.assert(
      fc.property(fc.constantFrom(...SENT_TYPES), anyObject, (sourceType, more) => {
        const beyond = Object.fromEntries(Object.entries(more).map(([name, value]) => [`x-${name}`, value]));
        expect(payloadIssues(sourceType, { ...PAYLOADS[sourceType](), ...beyond })).toBe(null);
      }),
    );
  });

  test.each<[string, JsonObject]>([
    ['an export', exported({ attributes: [{ key: 'gen_ai.system', value: { stringValue: 'x' } }] })],
    ['an export of which one span is about it', exported({ name: 'a' }, { name: 'b', attributes: GEN_AI })],
    ['a span', { name: 'chat', attributes: GEN_AI }],
    ['a span with a list of attributes', { attributes: [{ key: 'gen_ai.system', value: {} }] }],
    ['a span of which an event is about it', { events: [{ name: 'e', attributes: GEN_AI }] }],
    ['a span without a level for attributes', GEN_AI],
  ])('%s about generative AI is a trace', (_, payload) => {
    expect(payloadIssues('otel_genai_trace', payload)).toBe(null);
  });

  test.each<[string, JsonObject]>([
    ['an export without spans', exported()],
    ['a span about HTTP', { attributes: { 'http.method': 'GET' } }],
    ['a span with a name that looks like it', { name: 'gen_ai.chat' }],
    ['attributes that are none', { attributes: 'gen_ai.system' }],
  ])('%s is none', (_, payload) => {
    expect(payloadIssues('otel_genai_trace', payload)).not.toBe(null);
  });
});

describe('the outcome', () => {
  test.each<[JsonValue | undefined, 'success' | 'failure']>([
    [{ code: 2 }, 'failure'],
    [{ code: 'STATUS_CODE_ERROR', message: 'm' }, 'failure'],
    [{ code: 'ERROR' }, 'failure'],
    [{ status_code: 'ERROR' }, 'failure'],
    [{ code: 'StatusCode.ERROR' }, 'failure'],
    ['Error', 'failure'],
    [{ code: 1 }, 'success'],
    [{ code: 'STATUS_CODE_OK' }, 'success'],
    [{ message: 'ERROR' }, 'success'],
    ['UNSET', 'success'],
    [undefined, 'success'],
  ])('of a span with status %p is %s', (status, outcome) => {
    const span: JsonObject = { attributes: GEN_AI, ...(status === undefined ? {} : { status }) };
    expect(outcomeOf('otel_genai_trace', span)).toBe(outcome);
    expect(outcomeOf('otel_genai_trace', exported({ name: 'good' }, span))).toBe(outcome);
  });

  test.each<[JsonObject, 'success' | 'failure']>([
    [{}, 'success'],
    [{ outcome: 'success' }, 'success'],
    [{ outcome: 'failure' }, 'failure'],
    [{ error_classification: 'SLA_BREACH' }, 'failure'],
    [{ outcome: 'success', error_classification: 'SLA_BREACH' }, 'failure'],
    [{ error_classification: null }, 'success'],
    [{ error_classification: 'NONE' }, 'success'],
  ])('of a deliverable with %p is %s', (more, outcome) => {
    expect(outcomeOf('task_deliverable', { ...PAYLOADS.task_deliverable(), ...more })).toBe(outcome);
  });

  test('of what GitHub sends is a success, whatever it says of itself', () => {
    expect(outcomeOf('github_push_webhook', { status: 'ERROR', outcome: 'failure' })).toBe('success');
  });
});

describe('the commits', () => {
  test.each<['github_push_webhook' | 'github_commit_payload' | 'github_issue_event', JsonObject, string[]]>([
    [
      'github_push_webhook',
      { commits: [{ id: SHA }, { id: OTHER }, { id: SHA }], head_commit: { id: OTHER } },
      [SHA, OTHER],
    ],
    ['github_push_webhook', { commits: [], head_commit: { id: SHA } }, [SHA]],
    ['github_push_webhook', { commits: [], head_commit: null, after: SHA }, []],
    ['github_commit_payload', { sha: SHA, commit: {}, parents: [{ sha: OTHER }] }, [SHA]],
    ['github_commit_payload', { id: SHA, message: 'm' }, [SHA]],
    ['github_commit_payload', { head_commit: { id: SHA, message: 'm' } }, [SHA]],
    ['github_commit_payload', { workflow_run: { head_commit: { id: SHA, message: 'm' } } }, [SHA]],
    ['github_issue_event', { sha: SHA }, []],
  ])('of %s %j', (sourceType, payload, commits) => {
    expect(commitsIn(sourceType, payload)).toEqual(commits);
  });
});

test('what is packed comes out as it was', () => {
  fc.assert(
    fc.property(anyObject, (payload) => {
      const text = JSON.stringify(payload);
      expect(decompress(compress(text))).toBe(text);
      expect(JSON.stringify(storedPayload(compress(text)))).toBe(text);
    }),
  );
  expect(() => storedPayload(compress('[]'))).toThrow('not a JSON object');
});
