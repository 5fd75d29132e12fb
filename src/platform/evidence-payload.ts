import { type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler';
import type { JsonObject } from '../proof/encoding/json.ts';
import { CARRIERS, carriedCommit } from '../proof/evidence/commits.ts';
import type { SentType } from '../proof/evidence/source-types.ts';
import { namesGenAi, spansOf } from '../proof/evidence/spans.ts';
import { otherSignedObject } from '../proof/keys/signed-types.ts';
import type { Issues } from './http/errors/errors.ts';
import { issuesOf } from './http/errors/issues.ts';
import { hexString, named, oneOf, plainName } from './http/schema.ts';

/**
 * Schemas for the payload of each source type: the members that identify it, as the source sends them.
 * Additional members are allowed everywhere, because sources add some without notice.
 */

/** The maximum number of commits that GitHub sends in one push. */
const MOST_COMMITS = 2048;
const MOST_CONTROLS = 4096;

/** Returns a schema for members that a source sends; it allows additional members. */
function sent<Properties extends TProperties>(properties: Properties): TObject<Properties> {
  return Type.Object(properties, { additionalProperties: true });
}

const Anything = sent({});
const Text = Type.String();
const CommitSha = Type.String({
  pattern: '^(?:[0-9a-f]{40}|[0-9a-f]{64})$',
  'x-message': 'must be the SHA of a commit: 40 or 64 lower-case hexadecimal characters',
});

/** A commit of a push, or a single commit of the same shape. */
const PushedCommit = sent({
  id: CommitSha,
  message: Type.Optional(Text),
  author: Type.Optional(Anything),
});

const Push = sent({
  ref: Type.String({ minLength: 1 }),
  before: Type.Optional(CommitSha),
  after: Type.Optional(CommitSha),
  commits: Type.Array(PushedCommit, { maxItems: MOST_COMMITS }),
  head_commit: Type.Optional(
    Type.Union([PushedCommit, Type.Null()], {
      'x-message': 'must be a commit like those of commits, or null',
    }),
  ),
  repository: Type.Optional(Anything),
});

const SingleCommit = named(
  'SentCommit',
  sent({ id: CommitSha, message: Text, author: Type.Optional(Anything) }),
);

/** A commit as the REST API returns it. The event `status` contains a similar one. */
const RestCommit = sent({ sha: CommitSha, commit: Anything });

/** An event that contains a commit. */
const Carrier = sent({ head_commit: SingleCommit });

const IssueEvent = sent({
  action: Type.String({ minLength: 1 }),
  issue: sent({ number: Type.Integer({ minimum: 1 }), title: Type.Optional(Text) }),
  comment: Type.Optional(Anything),
  repository: Type.Optional(Anything),
});

const ComplianceReport = sent({
  framework: plainName('The rules that were checked.', 'SOC2_TYPE2'),
  controls: Type.Array(
    sent({ id: plainName('The control.', 'CC7.2'), status: oneOf(['pass', 'fail', 'not_applicable']) }),
    {
      minItems: 1,
      maxItems: MOST_CONTROLS,
      'x-message': `must be 1 to ${MOST_CONTROLS} controls`,
    },
  ),
  period: Type.Optional(Type.Union([Text, Anything], { 'x-message': 'must be text or an object' })),
});

const Attributes = Type.Union([Type.Array(sent({ key: Text })), Anything], {
  'x-message': 'must be a list of {key, value}, or an object',
});

const Span = sent({
  name: Type.Optional(Text),
  attributes: Type.Optional(Attributes),
  status: Type.Optional(Type.Union([Text, Anything], { 'x-message': 'must be text or an object' })),
});

const TraceExport = sent({
  resourceSpans: Type.Array(sent({ scopeSpans: Type.Array(sent({ spans: Type.Array(Span) })) })),
});

const TaskDeliverable = sent({
  task_id: plainName('The task.', 'task-1'),
  deliverable_digest: Type.Optional(hexString(32, 'SHA-256 of the deliverable.')),
  digest: Type.Optional(hexString(32, 'The same under another name.')),
  outcome: Type.Optional(oneOf(['success', 'failure'])),
  terms_digest: Type.Optional(
    hexString(32, 'The terms of the engagement, in a delivery that the worker itself sends.'),
  ),
  arbiter_commitment: Type.Optional(
    hexString(32, 'The agent that may decide a dispute, in a delivery that the worker itself sends.'),
  ),
});

/**
 * The payload of each source type, for the documentation. `payloadIssues` checks a little more than a schema
 * can express.
 */
export const PAYLOAD_SHAPES: Readonly<Record<SentType, TSchema>> = {
  github_push_webhook: Push,
  github_commit_payload: Type.Union([
    RestCommit,
    SingleCommit,
    Carrier,
    ...CARRIERS.map((name) => sent({ [name]: Carrier })),
  ]),
  github_issue_event: IssueEvent,
  compliance_report: ComplianceReport,
  otel_genai_trace: Type.Union([TraceExport, Span]),
  task_deliverable: TaskDeliverable,
};

/**
 * Returns the problems of a payload, by the path within the request body; null for a valid one. A payload of
 * any type is invalid if it could be accepted as another type of signed object.
 */
export function payloadIssues(sourceType: SentType, payload: JsonObject): Issues | null {
  const other = otherSignedObject(payload);
  if (other === 'presentation') {
    return {
      payload: ['must not have all four members of a presentation, because it would be signed as one'],
    };
  }
  if (other !== null) {
    return { 'payload.type': [`must not be ${other}, because the payload would be signed as that object`] };
  }
  return shapeIssues(sourceType, payload);
}

function shapeIssues(sourceType: SentType, payload: JsonObject): Issues | null {
  switch (sourceType) {
    case 'github_push_webhook':
      return schemaIssues(Push, payload);
    case 'github_commit_payload':
      return commitIssues(payload);
    case 'github_issue_event':
      return schemaIssues(IssueEvent, payload);
    case 'compliance_report':
      return schemaIssues(ComplianceReport, payload);
    case 'otel_genai_trace':
      return traceIssues(payload);
    case 'task_deliverable':
      return schemaIssues(TaskDeliverable, payload) ?? deliverableIssues(payload);
  }
}

/** The compiled schemas. Each is compiled with its first payload to keep the start fast. */
const compiled = new Map<TSchema, TypeCheck<TSchema>>();

function checkOf(shape: TSchema): TypeCheck<TSchema> {
  const check = compiled.get(shape) ?? TypeCompiler.Compile(shape);
  compiled.set(shape, check);
  return check;
}

/** The lists that are counted first, because finding all problems of a longer one takes long. */
const MOST_ELEMENTS = { commits: MOST_COMMITS, controls: MOST_CONTROLS };

/** Returns the issues of lists that are too long; null for none. */
function lengthIssues({ properties }: TObject, value: JsonObject, path: string): Issues | null {
  const issues: Issues = {};
  for (const [name, most] of Object.entries(MOST_ELEMENTS)) {
    const list = value[name];
    if (!Object.hasOwn(properties, name) || !Array.isArray(list) || list.length <= most) continue;
    issues[`${path}.${name}`] = [`must have at most ${most} elements`];
  }
  return Object.keys(issues).length === 0 ? null : issues;
}

function schemaIssues(shape: TObject, value: JsonObject, path = 'payload'): Issues | null {
  const tooLong = lengthIssues(shape, value, path);
  if (tooLong !== null) return tooLong;
  const check = checkOf(shape);
  if (check.Check(value)) return null;
  const issues = Object.entries(issuesOf(check.Errors(value)));
  return Object.fromEntries(
    issues.map(([place, said]) => [place === 'body' ? path : `${path}.${place}`, said]),
  );
}

/** Checks a commit in any of three forms: of the REST API, of a push, or within an event. */
function commitIssues(payload: JsonObject): Issues | null {
  if ('sha' in payload) return schemaIssues(RestCommit, payload);
  const carried = carriedCommit(payload);
  if (carried !== null) return schemaIssues(SingleCommit, carried.commit, `payload.${carried.path}`);
  return schemaIssues(SingleCommit, payload);
}

/** Checks a trace as OTLP/JSON or as a single span. At least one span must be about generative AI. */
function traceIssues(payload: JsonObject): Issues | null {
  const issues =
    'resourceSpans' in payload ? schemaIssues(TraceExport, payload) : schemaIssues(Span, payload);
  if (issues !== null) return issues;
  if (spansOf(payload).some(namesGenAi)) return null;
  return { payload: ['must have a span with an attribute whose name begins with gen_ai.'] };
}

function deliverableIssues({ deliverable_digest, digest }: JsonObject): Issues | null {
  if (deliverable_digest === undefined && digest === undefined) {
    return { 'payload.deliverable_digest': ['is required'] };
  }
  if (deliverable_digest === undefined || digest === undefined || deliverable_digest === digest) return null;
  return { 'payload.digest': ['must be the deliverable_digest, where both are given'] };
}
