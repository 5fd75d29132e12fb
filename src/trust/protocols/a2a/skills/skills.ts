import type { Skill } from '../skill.ts';
import { checkGateSkill } from './check-gate.ts';
import { declineHireSkill } from './decline-hire.ts';
import { hireAgentSkill } from './hire-agent.ts';
import { issueCredentialSkill } from './issue-credential.ts';
import { lookupReputationSkill } from './lookup-reputation.ts';
import { verifyReceiptSkill } from './verify-receipt.ts';

/** The skills of the service, in the order of the agent card. */
export const skills: readonly Skill[] = [
  verifyReceiptSkill,
  lookupReputationSkill,
  checkGateSkill,
  issueCredentialSkill,
  hireAgentSkill,
  declineHireSkill,
];
