import { AGENT_STATES } from '../../../db/trust/agents-enums.ts';
import { named, oneOf } from '../../platform/http/schema.ts';
import { SOURCE_TYPES } from '../../proof/evidence/source-types.ts';
import { KEY_PURPOSES } from '../../proof/log/key-purposes.ts';
import { LOG_NAMES } from '../../proof/log/log-names.ts';
import {
  DOMAINS,
  ERROR_TRANCHES,
  RECEIPT_STATUSES,
  RECEIPT_TYPES,
  REVOCATION_STATUSES,
} from '../../proof/receipt/receipt.ts';

/** The enumerations in schemas of several modules, with their names in generated clients. */

export const Domain = named(
  'Domain',
  oneOf(DOMAINS, { description: 'The operational domain of the agent’s work.' }),
);
export const ReceiptType = named(
  'ReceiptType',
  oneOf(RECEIPT_TYPES, {
    description:
      '`custody`: the agent handled something that was entrusted to it. `competence`: the agent showed that it can do a task.',
  }),
);
export const ReceiptStatus = named(
  'ReceiptStatus',
  oneOf(RECEIPT_STATUSES, {
    description: 'The status of the receipt: `pending` until it is finalized, then the outcome of the work.',
  }),
);
export const RevocationStatus = named(
  'RevocationStatus',
  oneOf(REVOCATION_STATUSES, { description: '`active`, or `revoked`. A revocation is permanent.' }),
);
export const ErrorTranche = named(
  'ErrorTranche',
  oneOf(ERROR_TRANCHES, { description: 'The kind of failure. `NONE` if nothing failed.' }),
);
export const SourceType = named(
  'SourceType',
  oneOf(SOURCE_TYPES, { description: 'The kind of payload of an item of evidence.' }),
);
export const EvidenceOutcome = named(
  'EvidenceOutcome',
  oneOf(['success', 'failure'], { description: 'How the work that the payload describes ended.' }),
);
export const AgentState = named(
  'AgentState',
  oneOf(AGENT_STATES, { description: 'The state of the agent. `REVOKED` is permanent.' }),
);
export const KeyPurpose = named('KeyPurpose', oneOf(KEY_PURPOSES, { description: 'What the key signs.' }));
export const LogName = named('LogName', oneOf(LOG_NAMES, { description: 'One of the transparency logs.' }));
