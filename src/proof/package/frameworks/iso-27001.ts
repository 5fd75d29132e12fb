import type { Control, Framework } from './mapping.ts';

const control = (id: string, title: string): Control => ({
  id,
  title,
  statement: 'Compliance reports that the agent or its sponsor signs are the only source here.',
  not_shown: 'The service does not repeat the tests of reports, and knows no other system of the operator.',
  agent: null,
});

/** ISO/IEC 27001, annex A. Only compliance reports assess it. */
export const iso27001: Framework = {
  id: 'ISO_27001',
  publisher: 'ISO and IEC',
  edition: 'ISO/IEC 27001:2022, annex A',
  notes: ['Which controls of the annex apply is in the statement of applicability of the organization.'],
  extent: { criteria: 93, parts: 'annex A' },
  kinds: ['audit'],
  controls: [
    control('A.5.15', 'Rules for access'),
    control('A.5.16', 'Identities over their lifetime'),
    control('A.5.17', 'Handling of passwords, keys and other proofs of identity'),
    control('A.5.18', 'Granting, reviewing and removing access'),
    control('A.5.28', 'Evidence that can be relied on'),
    control('A.5.33', 'Records safe from loss and forgery'),
    control('A.8.5', 'Authentication that resists misuse'),
    control('A.8.9', 'Known and controlled configurations'),
    control('A.8.15', 'Logs of events'),
    control('A.8.16', 'Monitoring for unusual behavior'),
    control('A.8.17', 'Clocks that agree'),
    control('A.8.24', 'Use of cryptography and its keys'),
  ],
};
