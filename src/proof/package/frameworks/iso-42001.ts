import { byAgent, type Framework } from './mapping.ts';

/** ISO/IEC 42001, annex A. */
export const iso42001: Framework = {
  id: 'ISO_42001',
  publisher: 'ISO and IEC',
  edition: 'ISO/IEC 42001:2023, annex A',
  notes: ['Which controls of the annex apply is in the statement of applicability of the organization.'],
  extent: { criteria: 38, parts: 'annex A' },
  kinds: ['assessment', 'audit'],
  controls: [
    {
      id: 'A.4.5',
      title: 'Known systems and computing resources',
      statement: 'Which computers the agent uses is not known to the service.',
      not_shown: 'Telemetry of a cluster is in the package of the cluster, and names no agent.',
      to_add: 'The systems and computing resources of the AI system.',
      agent: null,
    },
    {
      id: 'A.5.2',
      title: 'A process to assess impacts',
      statement: {
        own_reports: 'Reports of the agent or its sponsor that assess this control: {own_reports}.',
      },
      not_shown: 'The process of the organization is not known to the service.',
      to_add: 'The process that assesses impacts on people and societies, and its results.',
      agent: byAgent('reports', [], { statements: ['own_reports'] }),
    },
    {
      id: 'A.6.2.4',
      title: 'Verification and validation',
      statement: {
        own_reports: 'Reports of the agent or its sponsor that assess this control: {own_reports}.',
        deliverables: 'Deliverables that the agent signed: {deliverables}.',
      },
      not_shown: 'The agent or its sponsor signed them. The criteria of the operator are not known.',
      agent: byAgent('results', [], { statements: ['own_reports', 'deliverables'], best: 'satisfied' }),
    },
    {
      id: 'A.6.2.6',
      title: 'Operation and monitoring',
      statement: {
        receipts: 'Receipts state how actions ended: {receipts}.',
        traces: 'Traces say which calls of models the agent reported: {traces}.',
      },
      not_shown: 'Calls without a trace do not appear. Repairs, updates and support are not known.',
      to_add: 'The elements of operation: monitoring of performance, repairs, updates and support.',
      agent: byAgent('actions', ['receipts'], {
        statements: ['traces'],
        shows: ['receipts_failed', 'evidence_failed', 'receipts_open'],
      }),
    },
    {
      id: 'A.6.2.7',
      title: 'Technical documentation',
      statement: 'The technical documentation is not known to the service. Changes of code are none.',
      not_shown: 'Nothing that is recorded here says whether there is documentation.',
      to_add: 'The technical documentation for each group of its readers.',
      agent: null,
    },
    {
      id: 'A.6.2.8',
      title: 'Event logs',
      statement: {
        receipts:
          'Receipts record actions while the system is in use, in an append-only log with time and order.',
      },
      not_shown:
        'Events without a receipt do not appear. Which events must be recorded, the operator decides.',
      to_add: 'The decision at which phases events are logged.',
      agent: byAgent('receipts', ['receipts', 'checkpoints'], {
        unless: ['receipts_overdue', 'receipts_abandoned'],
        shows: ['evidence', 'traces', 'receipts_open'],
      }),
    },
    {
      id: 'A.8.4',
      title: 'Communication of incidents',
      statement: {
        incidents: 'Failures are counted, and revocations are in a log that everybody can read: {incidents}.',
        responses: 'A response is a slash of the stake or a revocation: {responses}.',
      },
      not_shown:
        'Whether users of the system were notified is not known. Without incidents nothing is assessed.',
      to_add: 'The plan to communicate incidents to users, and what was communicated.',
      agent: byAgent('incidents', ['receipts_failed', 'responses'], {
        statements: ['evidence_failed'],
        shows: ['incidents', 'revocations', 'agent_revoked'],
      }),
    },
    {
      id: 'A.9.2',
      title: 'Processes of responsible use',
      statement: {
        receipts: 'Before an operator issues a receipt, the gate checks its account, stake and record.',
      },
      not_shown: 'Other processes are not known to the service.',
      to_add: 'The processes of responsible use, and their approvals.',
      agent: byAgent('receipts', ['receipts', 'sponsors']),
    },
    {
      id: 'A.9.3',
      title: 'Objectives of responsible use',
      statement: { receipts: 'Outcomes and failures are measured against fixed limits of the service.' },
      not_shown: 'The objectives of the operator are not known to the service.',
      to_add: 'The objectives of responsible use, and how they are reached.',
      agent: byAgent('receipts', ['receipts'], {
        shows: ['receipts_success', 'receipts_failed', 'evidence_failed'],
      }),
    },
    {
      id: 'A.9.4',
      title: 'Use as intended',
      statement: { receipts: 'Each receipt states a domain and the scope of its authority at issue.' },
      not_shown: 'Use without a receipt does not appear. The intended use is not known to the service.',
      to_add: 'The intended uses, and how other uses are found.',
      agent: byAgent('receipts', ['receipts'], { shows: ['receipts_refused'] }),
    },
    {
      id: 'A.10.3',
      title: 'Suppliers',
      statement: 'The control is about suppliers of the organization, which the service does not know.',
      not_shown: 'What the agent delivers says nothing about the suppliers of its operator.',
      to_add: 'How suppliers are chosen and checked.',
      agent: null,
    },
  ],
};
