import { expect, test } from 'bun:test';
import examples from '@octokit/webhooks-examples';
import { Value } from '@sinclair/typebox/value';
import { PAYLOAD_SHAPES, payloadIssues } from '../../../src/platform/evidence-payload.ts';
import type { JsonObject } from '../../../src/proof/encoding/json.ts';
import { SENT_TYPES } from '../../../src/proof/evidence/source-types.ts';
import { PAYLOADS } from '../../support/evidence.ts';

test('the documented schema of a source type accepts every payload that the rules accept', () => {
  const github: JsonObject[] = examples.flatMap(({ examples }) => examples).map((payload) => Object(payload));
  const commit = { id: 'ab'.repeat(20), message: 'm' };
  const payloads = [
    ...github,
    ...Object.values(PAYLOADS).map((make) => make()),
    ...['check_suite', 'workflow_run', 'merge_group'].map((name) => ({ [name]: { head_commit: commit } })),
    { head_commit: commit },
    commit,
  ];
  const taken = SENT_TYPES.flatMap((name) =>
    payloads
      .filter((payload) => payloadIssues(name, payload) === null)
      .map((payload) => [name, payload] as const),
  );
  expect(new Set(taken.map(([name]) => name)).size).toBe(SENT_TYPES.length);
  for (const [name, payload] of taken) {
    expect([name, payload, Value.Check(PAYLOAD_SHAPES[name], payload)]).toEqual([name, payload, true]);
  }
});

test('a list that is too long is counted before its elements are checked', () => {
  const none = Array.from({ length: 4097 }, () => ({}));
  expect(payloadIssues('compliance_report', { controls: none })).toEqual({
    'payload.controls': ['must have at most 4096 elements'],
  });
  expect(payloadIssues('github_push_webhook', { ref: '', commits: none })).toEqual({
    'payload.commits': ['must have at most 2048 elements'],
  });
  expect(payloadIssues('compliance_report', { ...PAYLOADS.compliance_report(), commits: none })).toBeNull();
});
