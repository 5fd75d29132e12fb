import { byAgent, type Framework } from './mapping.ts';

/** The criteria of security, availability and processing integrity for which the service has evidence. */
export const soc2: Framework = {
  id: 'SOC2_TYPE2',
  publisher: 'American Institute of Certified Public Accountants',
  edition: '2017 Trust Services Criteria (TSP section 100), with revised points of focus of 2022',
  kinds: ['assessment', 'audit'],
  controls: [
    {
      id: 'CC2.1',
      title: 'Reliable information for internal control',
      statement: 'Receipts and evidence are signed, in order, and verifiable without the service.',
      agent: byAgent('actions', ['actions', 'checkpoints'], { shows: ['receipts', 'evidence'] }),
    },
    {
      id: 'CC4.1',
      title: 'Ongoing and separate evaluations',
      statement:
        'Outcomes are counted each day, and compliance reports evaluate apart from that. The methods of reports are not known.',
      agent: byAgent('actions', ['measured_days', 'reports']),
    },
    {
      id: 'CC6.1',
      title: 'Logical access limited to those who may',
      statement:
        'Agents act by signatures of their own keys, receipts are issued by keys of the sponsor. Access elsewhere is not known.',
      agent: byAgent('actions', ['actions', 'sponsors'], {
        best: 'partial',
        unless: ['keys_compromised'],
        shows: ['key_events'],
      }),
    },
    {
      id: 'CC7.1',
      title: 'Detection of changes and vulnerabilities',
      statement:
        'Changes of code are anchored as signed evidence from GitHub. Scans for vulnerabilities are not known to the service.',
      agent: byAgent('changes', ['changes'], { best: 'partial' }),
    },
    {
      id: 'CC7.2',
      title: 'Monitoring for anomalies',
      statement:
        'Receipts state how actions ended and traces how the model was called. Calls without a trace do not appear.',
      agent: byAgent('actions', ['receipts', 'traces', 'measured_days'], {
        shows: ['receipts_failed', 'evidence_failed'],
      }),
    },
    {
      id: 'CC7.3',
      title: 'Evaluation of security events',
      statement:
        'An error tranche has a fixed consequence for the stake, other failures have none. Without incidents there is nothing to assess.',
      agent: byAgent('incidents', ['incidents', 'responses'], {
        best: 'partial',
        shows: ['receipts_failed', 'evidence_failed'],
      }),
    },
    {
      id: 'CC7.4',
      title: 'Response to incidents',
      statement:
        'A response is slashing, or the revocation of a receipt or of the agent. Communication and recovery are not known.',
      agent: byAgent('incidents', ['incidents', 'responses'], {
        best: 'partial',
        shows: ['receipts_revoked', 'agent_revoked'],
      }),
    },
    {
      id: 'CC8.1',
      title: 'Controlled changes',
      statement:
        'Pushes, commits and issues of the agent are anchored in order. Approvals and tests of changes are not known to the service.',
      agent: byAgent('changes', ['changes'], { best: 'partial' }),
    },
    {
      id: 'A1.1',
      title: 'Capacity',
      statement:
        'Actions that ran out of time are counted. Capacity and its planning are not known to the service.',
      agent: byAgent('receipts', ['receipts'], { best: 'partial', shows: ['receipts_timed_out'] }),
    },
    {
      id: 'A1.2',
      title: 'Backup, recovery and environment',
      statement:
        'The service has no evidence of the backups of the operator. Compliance reports are the only source here.',
      agent: byAgent('reports', ['reports'], { best: 'partial' }),
    },
    {
      id: 'PI1.1',
      title: 'Specified processing',
      statement:
        'Each receipt commits to its input, domain and scope at issue. What the operator specified beyond them is not known.',
      agent: byAgent('receipts', ['receipts'], { best: 'partial' }),
    },
    {
      id: 'PI1.2',
      title: 'Complete and accurate inputs',
      statement:
        'Each receipt has the digest of its input, fixed before the work began. Whether the input was right is not known.',
      agent: byAgent('receipts', ['receipts'], { best: 'partial', shows: ['receipts_linked'] }),
    },
    {
      id: 'PI1.3',
      title: 'Complete and accurate processing',
      statement:
        'A receipt ends once, with an outcome. Satisfied if none of the period failed, and all ended with success or refusal.',
      agent: byAgent('receipts', ['receipts', 'receipts_success'], {
        unless: ['receipts_failed', 'receipts_terminated', 'receipts_null'],
        shows: ['receipts_refused'],
      }),
    },
    {
      id: 'PI1.4',
      title: 'Complete and accurate outputs',
      statement:
        'Successful receipts have the digest of their output, deliverables are signed. Whether an output was right is not known.',
      agent: byAgent('actions', ['receipts_success', 'deliverables'], { best: 'partial' }),
    },
    {
      id: 'PI1.5',
      title: 'Stored records stay complete',
      statement:
        'Entries are in append-only logs. Satisfied if independent witnesses cosigned checkpoints of the period.',
      agent: byAgent('actions', ['actions', 'checkpoints', 'checkpoints_cosigned'], {
        unless: ['keys_compromised'],
      }),
    },
  ],
};
