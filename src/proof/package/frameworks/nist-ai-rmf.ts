import { byAgent, byCluster, type Framework } from './mapping.ts';

/** NIST AI 100-1. Subcategories are named as in its tables 1 to 4. */
export const nistAiRmf: Framework = {
  id: 'NIST_AI_RMF',
  publisher: 'National Institute of Standards and Technology',
  edition: 'AI RMF 1.0 (NIST AI 100-1, January 2023)',
  kinds: ['assessment', 'datacenter'],
  controls: [
    {
      id: 'GOVERN 1.4',
      title: 'Risk management that others can follow',
      statement:
        'Outcomes of the agent are signed and in logs that anybody can read. The policies behind them are not known to the service.',
      agent: byAgent('actions', ['actions', 'checkpoints'], { best: 'partial' }),
    },
    {
      id: 'GOVERN 1.6',
      title: 'An inventory of AI systems',
      statement:
        'The agent has a permanent identifier, a public key and a responsible operator. Agents that did not act do not appear.',
      agent: byAgent('actions', ['actions', 'sponsors']),
    },
    {
      id: 'GOVERN 2.1',
      title: 'Documented roles and responsibilities',
      statement:
        'An operator issued each receipt and is responsible for the agent. Roles inside the operator are not known to the service.',
      agent: byAgent('receipts', ['receipts', 'sponsors'], { best: 'partial' }),
    },
    {
      id: 'MAP 1.1',
      title: 'Intended purpose and context of use',
      statement:
        'Each receipt states a domain and the scope of its authority at issue. Why the agent is used is not known to the service.',
      agent: byAgent('receipts', ['receipts'], { best: 'partial' }),
    },
    {
      id: 'MAP 3.5',
      title: 'Defined human oversight',
      statement:
        'Refusals, terminations and revocations show that work was stopped. Whether a person decided so is not known to the service.',
      agent: byAgent('interventions', ['interventions'], {
        best: 'partial',
        shows: ['receipts_refused', 'receipts_terminated', 'receipts_revoked', 'agent_revoked'],
      }),
    },
    {
      id: 'MEASURE 2.3',
      title: 'Performance measured as in deployment',
      statement:
        'Outcomes of real work are recorded and counted for each day. Other qualities of the system are not measured.',
      agent: byAgent('actions', ['actions', 'measured_days'], {
        shows: ['receipts_success', 'receipts_failed', 'evidence_failed'],
      }),
    },
    {
      id: 'MEASURE 2.4',
      title: 'Behavior monitored in production',
      statement:
        'Receipts record how actions ended, traces what the model was called for. Calls without a trace do not appear.',
      agent: byAgent('actions', ['receipts', 'traces'], { shows: ['receipts_failed', 'evidence_failed'] }),
    },
    {
      id: 'MEASURE 2.7',
      title: 'Evaluation of security and resilience',
      statement:
        'Compliance reports that the agent signed are the only source here. The service does not repeat their tests.',
      agent: byAgent('reports', ['reports'], { best: 'partial' }),
    },
    {
      id: 'MEASURE 2.8',
      title: 'Examination of transparency and accountability',
      statement:
        'Actions are attributed, signed and in append-only logs. Satisfied if independent witnesses cosigned checkpoints of the period.',
      agent: byAgent('actions', ['actions', 'checkpoints', 'checkpoints_cosigned'], {
        unless: ['keys_compromised'],
        shows: ['receipts_linked'],
      }),
    },
    {
      id: 'MEASURE 2.12',
      title: 'Environmental impact',
      statement:
        'Energy is known for clusters, not for agents: the package of a cluster assesses this control by its measured energy.',
      agent: null,
      cluster: byCluster('energy', ['energy_hardware_measured', 'facility_energy', 'carbon_intensity'], {
        shows: ['energy', 'declared', 'simulated', 'instances', 'measured_days'],
      }),
    },
    {
      id: 'MANAGE 4.1',
      title: 'Monitoring after deployment',
      statement:
        'Receipts and evidence of the deployed agent are counted each day. Plans and feedback of users are not known to the service.',
      agent: byAgent('actions', ['actions', 'measured_days'], { best: 'partial' }),
      cluster: byCluster('telemetry', ['telemetry', 'measured_days'], {
        best: 'partial',
        shows: ['thermal_audits', 'setpoint_changes', 'simulated'],
      }),
    },
    {
      id: 'MANAGE 4.3',
      title: 'Incidents and errors tracked and answered',
      statement:
        'Failures are published. An error tranche has a fixed consequence for the stake. Whom the operator informed is not known.',
      agent: byAgent('incidents', ['incidents', 'responses'], {
        best: 'partial',
        shows: ['receipts_failed', 'evidence_failed', 'receipts_revoked', 'agent_revoked'],
      }),
    },
  ],
};
