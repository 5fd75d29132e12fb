import { createHash } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import type { ServiceTarget } from '../../platform/client/service-target.ts';
import { Failure } from '../../platform/failure.ts';
import { timestampOf } from '../../platform/time/timestamp.ts';
import { DAY_MS } from '../../platform/time/units.ts';
import { isJsonObject, type JsonValue } from '../../proof/encoding/json.ts';
import { DOMAINS, OUTCOMES, outcomeMember, RECEIPT_TYPES } from '../../proof/receipt/receipt.ts';
import { defineTool, type Tool } from './tool.ts';

/** The most characters of an input or an output, of which the digest is computed here. */
const LENGTH_MAX = 2 ** 20;
/** How long a receipt is valid by default, in days. */
const VALID_DAYS = 3650;
/** How many items of evidence of an agent are returned. */
const EVIDENCE_MAX = 10;

/** TypeBox checks the pattern, and models read the list. */
const oneOf = <Value extends string>(values: readonly Value[], description: string) =>
  Type.Unsafe<Value>(Type.String({ enum: [...values], pattern: `^(?:${values.join('|')})$`, description }));
const text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description });
const digest = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description });
const object = <Members extends Parameters<typeof Type.Object>[0]>(members: Members) =>
  Type.Object(members, { additionalProperties: false });

const DOMAIN = oneOf(DOMAINS, 'The operational domain of the work.');

/** Returns the tools that ask a trust service and change nothing. */
export function readingTools(service: ServiceTarget): Tool[] {
  return [
    defineTool({
      name: 'check_gate',
      title: 'Check whether an operator may act',
      description:
        'Asks the trust service whether an operator may act in a domain. Use it before work is given to an agent of the operator. Returns allow_invocation and the reason.',
      isReadOnly: true,
      input: object({ operator_id: text(128, 'The id of the operator, op_cus_…'), domain: DOMAIN }),
      run: async (values) => asObject(await service.call('verifyGate', values)),
    }),
    defineTool({
      name: 'look_up_agent',
      title: 'Look up an agent',
      description:
        'Returns the public profile of an enrolled agent: state, name, counters, rates and newest evidence. The agent chose its name, and nobody checked it.',
      isReadOnly: true,
      input: object({ commitment: digest('The subject commitment of the agent: 64 hexadecimal digits.') }),
      async run({ commitment }) {
        const profile = asObject(await service.call('getProfile', { hash: commitment }));
        const { timeline } = profile;
        return Array.isArray(timeline) ? { ...profile, timeline: timeline.slice(0, EVIDENCE_MAX) } : profile;
      },
    }),
  ];
}

/** The scopes of receipts that capture issues: a model must not say what a wrapper has seen. */
const OF_CAPTURE = /^\s*(?:mcp|hook|run|session):/i;

/**
 * Returns the tools that issue and finalize receipts with the rights of the key.
 * @param finalizesAny false if only receipts are finalized that these tools have issued
 */
export function writingTools(service: ServiceTarget, finalizesAny: boolean): Tool[] {
  const issued = new Set<string>();
  return [
    defineTool({
      name: 'issue_receipt',
      title: 'Issue a receipt',
      description:
        'Issues a signed, pending receipt before an action, and returns it. Finalize it when the action has ended. Pass the input of the action, or its digest; the service gets only the digest.',
      isReadOnly: false,
      input: object({
        agent_id: text(256, 'Who acts: a name, or the commitment of an enrolled agent.'),
        domain: DOMAIN,
        authority_scope: text(256, 'What the agent is allowed to do, such as repo:write.'),
        input: Type.Optional(
          Type.String({
            maxLength: LENGTH_MAX,
            description: 'The input of the action, of which the SHA-256 is computed.',
          }),
        ),
        input_digest: Type.Optional(digest('The SHA-256 of the input, instead of the input.')),
        receipt_type: Type.Optional(
          oneOf(
            RECEIPT_TYPES,
            'custody (default): something was entrusted to the agent. competence: it shows what it can do.',
          ),
        ),
        expires_in_days: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 36_500,
            description: `How long it is valid. Default: ${VALID_DAYS}.`,
          }),
        ),
        prev_receipt_hash: Type.Optional(digest('The content_hash of the receipt before this one.')),
      }),
      async run({
        input,
        input_digest,
        expires_in_days: days = VALID_DAYS,
        receipt_type = 'custody',
        ...values
      }) {
        if (OF_CAPTURE.test(values.authority_scope))
          throw new Failure(
            'scopes that begin with mcp:, hook:, run: or session: are those of countersign mcp, hook and run',
            'pass another authority_scope',
            2,
          );
        const receipt = asObject(
          await service.call('issueReceipt', {
            ...values,
            receipt_type,
            input_digest: digestOf('input', input, input_digest),
            expiry: timestampOf(Date.now() + days * DAY_MS),
          }),
        );
        if (typeof receipt.receipt_id === 'string') issued.add(receipt.receipt_id);
        return receipt;
      },
    }),
    defineTool({
      name: 'finalize_receipt',
      title: 'Finalize a receipt',
      description:
        'Says how the action of a pending receipt ended, and returns the signed receipt. It cannot be changed afterwards. Only receipts that issue_receipt returned in this session. success needs the output or its digest; every other status needs a reason.',
      isReadOnly: false,
      input: object({
        receipt_id: text(256, 'The id of the receipt, rcpt_…'),
        status: oneOf(OUTCOMES, 'How the action ended. refusal: the agent refused it. terminal: it failed.'),
        output: Type.Optional(
          Type.String({
            maxLength: LENGTH_MAX,
            description: 'The output of the action, of which the SHA-256 is computed.',
          }),
        ),
        output_hash: Type.Optional(digest('The SHA-256 of the output, instead of the output.')),
        reason: Type.Optional(text(256, 'Why, for every status but success.')),
      }),
      async run({ receipt_id: id, status, output, output_hash, reason }) {
        const member = outcomeMember(status) ?? 'output_hash';
        const isSuccess = member === 'output_hash';
        if (isSuccess ? reason !== undefined : output !== undefined || output_hash !== undefined)
          throw new Failure(
            isSuccess ? 'success has no reason' : `${status} has no output`,
            isSuccess ? 'pass output or output_hash' : 'pass reason',
            2,
          );
        if (!isSuccess && reason === undefined)
          throw new Failure(`${status} needs a reason`, 'pass reason', 2);
        if (!finalizesAny && !issued.has(id))
          throw new Failure(
            'this server did not issue the receipt',
            'finalize what issue_receipt returned here; the user can allow others with --finalize-any',
            3,
          );
        return asObject(
          await service.call('finalizeReceipt', {
            id,
            status,
            [member]: isSuccess ? digestOf('output', output, output_hash) : reason,
            // Any other takes a part of the operator's stake, which is not for a model to decide.
            error_tranche: 'NONE',
          }),
        );
      },
    }),
  ];
}

/**
 * Returns a digest: the given one, or the SHA-256 of a text as UTF-8.
 * @throws Failure unless exactly one of the two is there
 */
function digestOf(name: 'input' | 'output', content: string | undefined, given: string | undefined): string {
  const other = name === 'input' ? 'input_digest' : 'output_hash';
  if ((content === undefined) === (given === undefined))
    throw new Failure(`one of ${name} and ${other} is needed`, `pass ${name} or ${other}`, 2);
  return (
    given ??
    createHash('sha256')
      .update(content ?? '')
      .digest('hex')
  );
}

function asObject(value: JsonValue): Record<string, JsonValue> {
  if (isJsonObject(value)) return { ...value };
  throw new Failure('the service responded with no object', 'check the URL of the service');
}
