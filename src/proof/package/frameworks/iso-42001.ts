import { byAgent, type Framework } from './mapping.ts';

/** ISO/IEC 42001, annex A. */
export const iso42001: Framework = {
  id: 'ISO_42001',
  publisher: 'ISO and IEC',
  edition: 'ISO/IEC 42001:2023, annex A',
  kinds: ['assessment', 'audit'],
  controls: [
    {
      id: 'A.4.5',
      title: 'Known systems and computing resources',
      statement:
        'Which computers the agent uses is not known to the service. Telemetry of a cluster is in the package of the cluster.',
      agent: null,
    },
    {
      id: 'A.5.2',
      title: 'A process to assess impacts',
      statement:
        'Compliance reports are the only source here. The service does not know the process of the operator.',
      agent: byAgent('reports', ['reports'], { best: 'partial' }),
    },
    {
      id: 'A.6.2.4',
      title: 'Verification and validation',
      statement:
        'Compliance reports and deliverables are anchored with their outcomes. The criteria of the operator are not known.',
      agent: byAgent('results', ['reports', 'deliverables'], { best: 'partial' }),
    },
    {
      id: 'A.6.2.6',
      title: 'Operation and monitoring',
      statement:
        'Receipts state how actions ended and traces how the model was called. Calls without a trace do not appear.',
      agent: byAgent('actions', ['receipts', 'traces', 'measured_days'], {
        shows: ['receipts_failed', 'evidence_failed'],
      }),
    },
    {
      id: 'A.6.2.7',
      title: 'Technical documentation',
      statement:
        'Changes of code are anchored. The technical documentation itself is not known to the service.',
      agent: byAgent('changes', ['changes'], { best: 'partial' }),
    },
    {
      id: 'A.6.2.8',
      title: 'Event logs',
      statement:
        'Receipts and evidence are in append-only logs with time and order, and cannot be removed unnoticed.',
      agent: byAgent('actions', ['receipts', 'evidence', 'checkpoints'], { shows: ['traces'] }),
    },
    {
      id: 'A.8.4',
      title: 'Communication of incidents',
      statement:
        'Failures and revocations are public in the logs. Without incidents there is nothing to assess.',
      agent: byAgent('incidents', ['incidents'], {
        best: 'partial',
        shows: ['receipts_failed', 'evidence_failed', 'receipts_revoked', 'agent_revoked'],
      }),
    },
    {
      id: 'A.9.2',
      title: 'Processes of responsible use',
      statement:
        'Before an operator issues a receipt, the gate checks its account, stake and record. Other processes are not known.',
      agent: byAgent('receipts', ['receipts', 'sponsors'], { best: 'partial' }),
    },
    {
      id: 'A.9.3',
      title: 'Objectives of responsible use',
      statement:
        'Outcomes and failures are measured against fixed limits of the service. Objectives of the operator are not known.',
      agent: byAgent('actions', ['measured_days'], {
        best: 'partial',
        shows: ['receipts_success', 'receipts_failed', 'evidence_failed'],
      }),
    },
    {
      id: 'A.9.4',
      title: 'Use as intended',
      statement:
        'Each receipt states a domain and the scope of its authority at issue. Use without a receipt does not appear.',
      agent: byAgent('receipts', ['receipts'], { best: 'partial', shows: ['receipts_refused'] }),
    },
    {
      id: 'A.10.3',
      title: 'Suppliers',
      statement:
        'As a supplier, the agent signed what it delivered. Whom the operator buys from is not known to the service.',
      agent: byAgent('deliverables', ['deliverables'], { best: 'partial' }),
    },
  ],
};
