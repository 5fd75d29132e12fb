import { type Static, Type } from '@sinclair/typebox';
import { strictObject } from '../../../../platform/http/schema.ts';
import { engagementTerms } from '../../../hires/engagements/schema.ts';
import { commonErrors } from '../../../http/errors.ts';
import type { Principal } from '../../../operators/auth/authenticate.ts';

const { hirer_commitment, ...otherTerms } = engagementTerms;

/** The terms of a hire. The agent of a holder key hires by default. */
export const HireInput = strictObject({ hirer_commitment: Type.Optional(hirer_commitment), ...otherTerms });

export type HireInput = Static<typeof HireInput>;

/**
 * Returns the agent that hires.
 * @throws ApiError validation_error for an issuer key that does not say which
 */
export function hirerOf(
  { subjectCommitment }: Principal,
  { hirer_commitment: requested }: HireInput,
): string {
  const hirer = requested ?? subjectCommitment;
  if (hirer !== null) return hirer;
  throw commonErrors.validation_error({ issues: { hirer_commitment: ['is required with an issuer key'] } });
}
