import { usualCoverage } from '../coverage.ts';
import { byAgent, type Framework } from './mapping.ts';

/** The criteria of security, availability and processing integrity for which the service has evidence. */
export const soc2: Framework = {
  id: 'SOC2_TYPE2',
  publisher: 'American Institute of Certified Public Accountants',
  edition: '2017 Trust Services Criteria (TSP section 100), with revised points of focus of 2022',
  notes: [
    'A SOC 2 report is the opinion of a service auditor on the controls of an organization. This package is evidence for it and no report.',
  ],
  extent: { criteria: 61, parts: 'CC 33, A 3, C 2, PI 5, P 18' },
  kinds: ['assessment', 'audit'],
  controls: [
    {
      id: 'CC2.1',
      title: 'Reliable information for internal control',
      statement: { receipts: 'Receipts are signed, in order, and verifiable without the service.' },
      not_shown: 'Whether the organization uses this information for internal control is not known.',
      to_add: 'Which information internal control needs, and how its quality is checked.',
      agent: byAgent('receipts', ['receipts', 'checkpoints'], { shows: ['evidence'] }),
    },
    {
      id: 'CC4.1',
      title: 'Ongoing and separate evaluations',
      statement: {
        receipts: 'Outcomes are counted each day, on {receipt_days} days.',
        own_reports: 'Reports of the agent or its sponsor that assess this control: {own_reports}.',
      },
      not_shown:
        'Counting is no evaluation. The agent or its sponsor signed the reports; their methods are not known.',
      to_add: 'Who evaluates the controls, how often, and with which competence.',
      agent: byAgent('actions', ['receipts'], { statements: ['own_reports'] }),
    },
    {
      id: 'CC6.1',
      title: 'Logical access limited to those who may',
      statement: {
        receipts:
          'Agents act by signatures of their own keys, and receipts are issued by keys of the sponsor.',
      },
      not_shown: 'Access to anything else is not known to the service.',
      to_add: 'The architecture of access to all protected information.',
      agent: byAgent('receipts', ['receipts', 'sponsors'], {
        unless: ['keys_compromised'],
        shows: ['key_events'],
      }),
    },
    {
      id: 'CC7.1',
      title: 'Detection of changes and vulnerabilities',
      statement: {
        changes: 'Events of GitHub that the agent or its sponsor sent show changes of code: {changes}.',
      },
      not_shown:
        'That these are all changes is not known, and nothing says that vulnerabilities are searched.',
      to_add: 'The monitoring of configurations, and scans for vulnerabilities.',
      agent: byAgent('changes', [], { statements: ['changes'] }),
    },
    {
      id: 'CC7.2',
      title: 'Monitoring for anomalies',
      statement: {
        receipts: 'Receipts state how actions ended: {receipts}.',
        traces: 'Traces say which calls of models the agent reported: {traces}.',
      },
      not_shown: 'That somebody looks for anomalies is not known. Calls without a trace do not appear.',
      to_add: 'The monitoring of all components, its alarms, and who handles them.',
      agent: byAgent('actions', ['receipts'], {
        statements: ['traces'],
        shows: ['receipts_failed', 'evidence_failed', 'receipts_open'],
      }),
    },
    {
      id: 'CC7.3',
      title: 'Evaluation of security events',
      statement: {
        incidents: 'Failures and revocations are recorded: {incidents}.',
        responses: 'A response is a slash of the stake or a revocation: {responses}.',
      },
      not_shown: 'Other failures have no consequence. Whether they were security events is not known.',
      to_add: 'How security events are evaluated, and who evaluates them.',
      agent: byAgent('incidents', ['receipts_failed', 'responses'], {
        statements: ['evidence_failed'],
        shows: ['incidents'],
      }),
    },
    {
      id: 'CC7.4',
      title: 'Response to incidents',
      statement: {
        responses:
          'A response is a slash of the stake, or the revocation of a receipt or of the agent: {responses}.',
        incidents: 'Failures and revocations are recorded: {incidents}.',
      },
      not_shown: 'Communication, containment and recovery are not known to the service.',
      to_add: 'The program of incident response, and how it was followed.',
      agent: byAgent('incidents', ['receipts_failed', 'responses'], {
        statements: ['evidence_failed'],
        shows: ['incidents', 'revocations', 'agent_revoked'],
      }),
    },
    {
      id: 'CC8.1',
      title: 'Controlled changes',
      statement: {
        changes:
          'Pushes, commits and issues that the agent or its sponsor sent are logged in order: {changes}.',
      },
      not_shown: 'Approvals and tests, and whether these are all changes, are not known to the service.',
      to_add: 'The process of changes: authorization, tests, approval and release.',
      agent: byAgent('changes', [], { statements: ['changes'] }),
    },
    {
      id: 'A1.1',
      title: 'Capacity',
      statement: { receipts_timed_out: 'Actions that ran out of time are counted: {receipts_timed_out}.' },
      not_shown: 'Capacity and its use are not known to the service.',
      to_add: 'How capacity is monitored, forecast and added.',
      agent: byAgent('receipts', ['receipts', 'receipts_timed_out']),
    },
    {
      id: 'A1.2',
      title: 'Backup, recovery and environment',
      statement: {
        own_reports: 'Reports of the agent or its sponsor that assess this control: {own_reports}.',
      },
      not_shown: 'The service has no evidence of the backups of the operator.',
      to_add: 'Backups, the infrastructure of recovery, and protections of the environment.',
      agent: byAgent('reports', [], { statements: ['own_reports'] }),
    },
    {
      id: 'PI1.1',
      title: 'Specified processing',
      statement: { receipts: 'Each receipt commits to its input, domain and scope at issue.' },
      not_shown: 'What the operator specified beyond them is not known to the service.',
      to_add: 'The specifications of the processing, and who received them.',
      agent: byAgent('receipts', ['receipts']),
    },
    {
      id: 'PI1.2',
      title: 'Complete and accurate inputs',
      statement: { receipts: 'Each receipt has the digest of its input, fixed when it was issued.' },
      not_shown: 'Whether the input was right, and whether all inputs have a receipt, is not known.',
      to_add: 'How inputs are checked for completeness and accuracy.',
      agent: byAgent('receipts', ['receipts'], {
        unless: ['receipts_overdue', 'receipts_abandoned'],
        shows: ['receipts_linked', 'receipts_open'],
      }),
    },
    {
      id: 'PI1.3',
      title: 'Complete and accurate processing',
      statement: {
        receipts:
          'Receipts that ended with success and are not revoked: {receipts_success} of {receipts}, on {receipt_days} days.',
        receipts_refused: 'Receipts that ended with refusal: {receipts_refused}.',
        receipts_failed: 'Receipts of actions that failed: {receipts_failed}.',
        receipts_revoked: 'Receipts that were revoked: {receipts_revoked}.',
        receipts_overdue: 'Receipts that are open for more than 30 days: {receipts_overdue}.',
        receipts_abandoned: 'Receipts that were abandoned in the period: {receipts_abandoned}.',
      },
      not_shown: 'The operator states how actions ended. Work without a receipt does not appear.',
      agent: byAgent('receipts', ['receipts', 'receipts_success'], {
        best: 'satisfied',
        atLeast: { receipts_success: usualCoverage('receipts').min_record_days },
        unless: [
          ...(['receipts_failed', 'receipts_terminated', 'receipts_null'] as const),
          ...(['receipts_overdue', 'receipts_abandoned', 'receipts_revoked'] as const),
        ],
        shares: [{ count: 'receipts_refused', of: 'receipts', at_most_percent: 10 }],
        shows: ['receipts_open', 'receipt_days'],
      }),
    },
    {
      id: 'PI1.4',
      title: 'Complete and accurate outputs',
      statement: {
        receipts_success:
          'Receipts that have the digest of their output and are not revoked: {receipts_success}.',
        deliverables: 'Deliverables that the agent signed: {deliverables}.',
      },
      not_shown:
        'Whether an output was right, and whether it reached the person that it was for, is not known.',
      agent: byAgent('actions', ['receipts_success'], {
        statements: ['deliverables'],
        best: 'satisfied',
        unless: ['receipts_failed', 'receipts_overdue', 'receipts_abandoned', 'receipts_revoked'],
      }),
    },
    {
      id: 'PI1.5',
      title: 'Stored records stay complete',
      statement: {
        receipts: 'Receipts are in an append-only log with time and order.',
        checkpoints_cosigned:
          'Witnesses that cosigned a checkpoint saw the same version: {checkpoints_cosigned} checkpoints.',
      },
      not_shown: 'Records that the organization stores elsewhere are not known to the service.',
      to_add: 'Where inputs and outputs are stored, for how long, and the test of their completeness.',
      agent: byAgent('receipts', ['receipts', 'checkpoints_cosigned'], {
        unless: ['keys_compromised', 'receipts_overdue', 'receipts_abandoned'],
        shows: ['checkpoints'],
      }),
    },
  ],
};
