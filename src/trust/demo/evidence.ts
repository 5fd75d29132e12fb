import { createHash } from 'node:crypto';
import { sha256Hex } from '../../platform/crypto/crypto.ts';
import type { JsonObject } from '../../proof/encoding/json.ts';
import type { SourceType } from '../../proof/evidence/source-types.ts';
import { DEMO_COMMIT } from '../http/example-ids.ts';

/** The source type and payload of an item of evidence. */
type Item = readonly [SourceType, JsonObject];

const commitOf = (text: string): string => createHash('sha1').update(text).digest('hex');

/** Returns an agent's nth item, counted from 0: each source type in turn, with some failures. */
export function evidenceOf(agent: string, n: number): Item {
  const about = `${agent} ${n}`;
  const fails = n % 9 === 7;
  switch (n % 6) {
    case 0:
      return [
        'github_push_webhook',
        { ref: 'refs/heads/main', commits: [{ id: commitOf(about), message: about }] },
      ];
    case 1:
      return ['task_deliverable', deliverable(about, fails)];
    case 2:
      return ['otel_genai_trace', trace(about, fails)];
    case 3:
      return [
        'github_commit_payload',
        { sha: commitOf(about), commit: { message: `Fix the totals of ${about}` } },
      ];
    case 4:
      return ['compliance_report', report(about, fails)];
    default:
      return [
        'github_issue_event',
        { action: 'closed', issue: { number: n + 1, title: `Totals of ${about}` } },
      ];
  }
}

/** The push with the commit that an example of the documentation names. */
export const EXAMPLE_COMMIT: Item = [
  'github_push_webhook',
  { ref: 'refs/heads/totals', commits: [{ id: DEMO_COMMIT, message: 'Take the last line as well' }] },
];

function deliverable(about: string, fails: boolean): JsonObject {
  const done = { task_id: `task ${about}`, deliverable_digest: sha256Hex(about) };
  return fails ? { ...done, outcome: 'failure' } : done;
}

function trace(about: string, fails: boolean): JsonObject {
  return {
    name: `chat ${about}`,
    attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'example-1' },
    status: { code: fails ? 'ERROR' : 'OK' },
  };
}

function report(about: string, fails: boolean): JsonObject {
  return {
    framework: 'SOC2_TYPE2',
    controls: [
      { id: 'CC7.2', status: fails ? 'fail' : 'pass' },
      { id: 'CC8.1', status: 'pass' },
    ],
    period: `week of ${about}`,
  };
}
