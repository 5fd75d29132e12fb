import { AGENT_STATES } from '../../../db/trust/agents-enums.ts';
import { KEY_PURPOSES } from '../../../db/trust/keys-enums.ts';
import { named, oneOf } from '../../platform/http/schema.ts';
import { SOURCE_TYPES } from '../../proof/evidence/source-types.ts';
import { LOG_NAMES } from '../../proof/log/log-names.ts';
import {
  DOMAINS,
  ERROR_TRANCHES,
  RECEIPT_STATUSES,
  RECEIPT_TYPES,
  REVOCATION_STATUSES,
} from '../../proof/receipt/receipt.ts';
import { GATE_REASONS } from '../gate/verdict.ts';

/** The enumerations in schemas of several modules, with their names in generated clients. */

export const Domain = named('Domain', oneOf(DOMAINS, { description: 'The operational domain.' }));
export const ReceiptType = named(
  'ReceiptType',
  oneOf(RECEIPT_TYPES, { description: 'Custody of something, or competence shown.' }),
);
export const ReceiptStatus = named(
  'ReceiptStatus',
  oneOf(RECEIPT_STATUSES, { description: '`pending` until finalized.' }),
);
export const RevocationStatus = named('RevocationStatus', oneOf(REVOCATION_STATUSES));
export const ErrorTranche = named(
  'ErrorTranche',
  oneOf(ERROR_TRANCHES, { description: 'What went wrong; `NONE` for nothing.' }),
);
export const GateReason = named('GateReason', oneOf(GATE_REASONS, { description: '`OK`, or why not.' }));
export const SourceType = named(
  'SourceType',
  oneOf(SOURCE_TYPES, { description: 'What the payload of an item of evidence is.' }),
);
export const EvidenceOutcome = named(
  'EvidenceOutcome',
  oneOf(['success', 'failure'], { description: 'How the work ended that the payload describes.' }),
);
export const AgentState = named(
  'AgentState',
  oneOf(AGENT_STATES, { description: 'Once an agent is REVOKED, it stays so.' }),
);
export const KeyPurpose = named('KeyPurpose', oneOf(KEY_PURPOSES, { description: 'What a key signs.' }));
export const LogName = named('LogName', oneOf(LOG_NAMES, { description: 'One of the transparency logs.' }));
