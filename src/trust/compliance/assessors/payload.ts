import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import {
  characters,
  dateTime,
  hexString,
  named,
  oneOf,
  strictObject,
} from '../../../platform/http/schema.ts';
import { lazy } from '../../../platform/lazy.ts';
import type { JsonValue } from '../../../proof/encoding/json.ts';
import type { SignedType } from '../../../proof/keys/signed-types.ts';
import { AUDIT_FRAMEWORKS } from '../../../proof/package/frameworks/framework-ids.ts';

/** The value of `type` of an assessment, and its source type in the log of evidence. */
export const ASSESSMENT_TYPE = 'assessment' satisfies SignedType;

/** The frameworks of packages about agents. */
const ASSESSED_FRAMEWORKS = ['NIST_AI_RMF', 'EU_AI_ACT', ...AUDIT_FRAMEWORKS] as const;

/** Control characters, line and paragraph separators, and what changes the direction of text. */
const EXCLUDED = '\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069';
const MOST_CONTROLS = 128;
const MOST_SOURCES = 20;

const Control = strictObject({
  id: characters(64, EXCLUDED, 'A control of the framework.', 'CC7.2'),
  status: oneOf(['pass', 'fail', 'not_applicable'], { description: 'What the assessor found.' }),
  evidence: Type.Optional(
    Type.Union(
      [
        characters(1024, EXCLUDED, 'What it looked at.'),
        Type.Array(characters(256, EXCLUDED, 'One of several.'), { minItems: 1, maxItems: MOST_SOURCES }),
      ],
      {
        description: 'What the assessor looked at.',
        'x-message': `must be text of at most 1024 characters, or 1 to ${MOST_SOURCES} texts of at most 256, without control characters`,
      },
    ),
  ),
});

/** What an assessor signs. */
export const AssessmentPayload = named(
  'AssessmentPayload',
  strictObject(
    {
      type: Type.Literal(ASSESSMENT_TYPE),
      subject_commitment: hexString(32, 'The assessed agent: that of the path.'),
      assessor_commitment: hexString(32, 'The agent that assesses, and signs.'),
      framework: oneOf(ASSESSED_FRAMEWORKS, { description: 'The framework of the controls.' }),
      period: strictObject(
        { from: dateTime('The beginning, inclusive.'), to: dateTime('The end, exclusive.') },
        { description: 'The time that was assessed. It has ended.' },
      ),
      controls: Type.Array(Control, {
        minItems: 1,
        maxItems: MOST_CONTROLS,
        'x-message': `must be 1 to ${MOST_CONTROLS} controls`,
      }),
    },
    { description: 'At most 16 KiB as canonical JSON.' },
  ),
);

export type Assessment = Static<typeof AssessmentPayload>;

/** Compiled by the first assessment: that takes 4 ms, and more of the compiler of the runtime. */
const checker = lazy(() => TypeCompiler.Compile(AssessmentPayload));

/** Reads a stored payload. @returns null for one that is no assessment */
export function readAssessment(payload: JsonValue): Assessment | null {
  return checker().Check(payload) ? payload : null;
}

/** Returns the period in the stored form: UTC with milliseconds. */
export function storedPeriod({ period }: Pick<Assessment, 'period'>): { from: string; to: string } {
  const stored = (time: string): string => new Date(time).toISOString();
  return { from: stored(period.from), to: stored(period.to) };
}
