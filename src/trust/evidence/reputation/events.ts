import { Type } from '@sinclair/typebox';

const change = Type.Object({
  agent_commitment: Type.String(),
  /** 0 to 1, four decimals. */
  current_failure_rate: Type.Number(),
  reason: Type.String(),
});

/** The events about reputations (specification, section 6). */
export const reputationEvents = {
  'reputation.degraded': change,
  'reputation.restored': change,
  'reputation.milestone': Type.Object({
    agent_commitment: Type.String(),
    /** Items of evidence. */
    total_evidence: Type.Integer(),
    /** The milestone: the number of items that was reached. */
    milestone_tier: Type.Union([Type.Literal(100), Type.Literal(500), Type.Literal(1000)]),
  }),
};
