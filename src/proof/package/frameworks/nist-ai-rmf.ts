import { byAgent, byCluster, type Framework } from './mapping.ts';

/** NIST AI 100-1. Subcategories are named as in its tables 1 to 4. */
export const nistAiRmf: Framework = {
  id: 'NIST_AI_RMF',
  publisher: 'National Institute of Standards and Technology',
  edition: 'AI RMF 1.0 (NIST AI 100-1, January 2023)',
  notes: ['The framework is voluntary. Most of its subcategories are about what an organization does.'],
  extent: { criteria: 72, parts: 'subcategories' },
  kinds: ['assessment', 'datacenter'],
  controls: [
    {
      id: 'GOVERN 1.4',
      title: 'Risk management that others can follow',
      statement: { receipts: 'Outcomes of the agent are signed and in logs that anybody can read.' },
      not_shown: 'The policies behind the outcomes, and how risks are managed, are not known to the service.',
      to_add: 'The policies and procedures of risk management, and who approved them.',
      agent: byAgent('receipts', ['receipts', 'checkpoints']),
    },
    {
      id: 'GOVERN 1.6',
      title: 'An inventory of AI systems',
      statement: {
        sponsors:
          'An agent has a permanent identifier and a public key, and its sponsor is responsible for it.',
      },
      not_shown: 'This is one entry of an inventory. Other systems of the organization do not appear.',
      to_add: 'The inventory of all AI systems, and the process that keeps it current.',
      agent: byAgent('receipts', ['receipts', 'sponsors']),
    },
    {
      id: 'GOVERN 2.1',
      title: 'Documented roles and responsibilities',
      statement: { receipts: 'An operator issued each receipt and is responsible for the agent.' },
      not_shown: 'Roles and communication inside the operator are not known to the service.',
      to_add: 'The roles and responsibilities inside the organization.',
      agent: byAgent('receipts', ['receipts', 'sponsors']),
    },
    {
      id: 'MAP 1.1',
      title: 'Intended purpose and context of use',
      statement: { receipts: 'Each receipt states a domain and the scope of its authority at issue.' },
      not_shown: 'Why the agent is used, who uses it and which laws apply, is not known to the service.',
      to_add: 'The intended purpose, the users, and the laws and norms that apply.',
      agent: byAgent('receipts', ['receipts']),
    },
    {
      id: 'MAP 3.5',
      title: 'Defined human oversight',
      statement: 'Nothing that is recorded here shows that a person oversees the agent.',
      not_shown: 'Refusals, terminations and revocations say that work stopped, not who decided so.',
      to_add: 'The process of oversight, and who may stop the agent.',
      agent: null,
    },
    {
      id: 'MEASURE 2.3',
      title: 'Performance measured as in deployment',
      statement: { receipts: 'Outcomes that the operator stated are counted, on {receipt_days} days.' },
      not_shown: 'Whether the work took place, its criteria and other qualities of the system are not known.',
      to_add: 'The criteria of performance, and the documented measures against them.',
      agent: byAgent('receipts', ['receipts'], {
        unless: ['receipts_overdue', 'receipts_abandoned'],
        shows: ['receipts_success', 'receipts_failed', 'receipts_open'],
      }),
    },
    {
      id: 'MEASURE 2.4',
      title: 'Behavior monitored in production',
      statement: {
        receipts_success: 'Receipts that ended with success and are not revoked: {receipts_success}.',
        receipts_failed: 'Receipts of actions that failed: {receipts_failed}.',
        traces: 'Traces say which calls of models the agent reported: {traces}.',
      },
      not_shown: 'The agent or its sponsor signed the traces. Calls without a trace do not appear.',
      agent: byAgent('actions', ['receipts_success'], {
        statements: ['traces'],
        best: 'satisfied',
        unless: ['receipts_overdue', 'receipts_abandoned', 'receipts_revoked'],
        shows: ['receipts_failed', 'evidence_failed'],
      }),
    },
    {
      id: 'MEASURE 2.7',
      title: 'Evaluation of security and resilience',
      statement: {
        own_reports: 'Reports of the agent or its sponsor that assess this control: {own_reports}.',
      },
      not_shown: 'The service does not repeat the tests, and does not know their methods.',
      agent: byAgent('reports', [], { statements: ['own_reports'], best: 'satisfied' }),
    },
    {
      id: 'MEASURE 2.8',
      title: 'Examination of transparency and accountability',
      statement: {
        receipts: 'Actions are attributed and signed, in a log that anybody can read.',
        checkpoints_cosigned: 'Checkpoints that witnesses cosigned: {checkpoints_cosigned} of {checkpoints}.',
      },
      not_shown: 'That somebody examined and documented the risks is not known to the service.',
      to_add: 'The examination of risks of transparency and accountability, and its results.',
      agent: byAgent('receipts', ['receipts', 'checkpoints_cosigned'], {
        unless: ['keys_compromised'],
        shows: ['checkpoints', 'receipts_linked'],
      }),
    },
    {
      id: 'MEASURE 2.12',
      title: 'Environmental impact',
      statement: {
        energy: 'Telemetry of the cluster states its energy: {energy} items.',
        carbon_intensity: 'Telemetry states the carbon intensity of the grid: {carbon_intensity} items.',
      },
      not_shown:
        'Energy is known for clusters, not for agents, nor for training. Other impacts are not known.',
      to_add: 'The assessment of environmental impact and sustainability.',
      agent: null,
      cluster: byCluster('energy', [], {
        statements: ['energy_hardware_measured', 'facility_energy', 'carbon_intensity'],
        shows: ['energy', 'declared', 'simulated', 'instances', 'measured_days'],
      }),
    },
    {
      id: 'MANAGE 4.1',
      title: 'Monitoring after deployment',
      statement: {
        receipts: 'What the deployed system did is recorded, on {receipt_days} days.',
        telemetry: 'What the deployed system measured is recorded, on {measured_days} days.',
      },
      not_shown: 'Plans of monitoring and feedback of users are not known to the service.',
      to_add: 'The plan of monitoring, the feedback of users, and how changes are managed.',
      agent: byAgent('receipts', ['receipts']),
      cluster: byCluster('telemetry', [], {
        statements: ['telemetry', 'measured_days'],
        shows: ['thermal_audits', 'setpoint_changes', 'simulated'],
      }),
    },
    {
      id: 'MANAGE 4.3',
      title: 'Incidents and errors tracked and answered',
      statement: {
        incidents: 'Failures and revocations are recorded: {incidents}.',
        responses: 'A response is a slash of the stake or a revocation: {responses}.',
      },
      not_shown: 'Whom the operator informed, and how it recovered, is not known to the service.',
      to_add: 'How incidents are communicated, followed and resolved.',
      agent: byAgent('incidents', ['receipts_failed', 'responses'], {
        statements: ['evidence_failed'],
        shows: ['incidents', 'revocations', 'agent_revoked'],
      }),
    },
  ],
};
