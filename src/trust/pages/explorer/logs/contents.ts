import type { LogName } from '../../../../proof/log/log-names.ts';

/** What each log contains, as a phrase. */
export const CONTENTS: Readonly<Record<LogName, string>> = {
  receipts: 'finalized receipts',
  keys: 'signing keys: added, activated, retired, compromised; closed logs',
  revocations: 'revoked receipts and agents',
  evidence: 'evidence about agents, without its payloads',
  accounts: 'acts on receipts of linked operators, so that a missing one is noticed; daily heads of journals',
};
