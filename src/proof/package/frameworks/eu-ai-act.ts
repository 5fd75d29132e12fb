import { byAgent, byCluster, type Framework } from './mapping.ts';

/** Six months, as articles 19(1) and 26(6) ask, at most. */
const SIX_MONTHS = 184;

/** Regulation (EU) 2024/1689. */
export const euAiAct: Framework = {
  id: 'EU_AI_ACT',
  publisher: 'European Union',
  edition: 'Regulation (EU) 2024/1689 of 13 June 2024',
  kinds: ['assessment', 'datacenter'],
  controls: [
    {
      id: 'Art. 12',
      title: 'Automatic records of events',
      statement:
        'Receipts record actions when they end, evidence what the agent did. Both are in append-only logs with time and order.',
      agent: byAgent('actions', ['receipts', 'evidence'], { shows: ['traces', 'checkpoints'] }),
    },
    {
      id: 'Art. 14',
      title: 'Human oversight',
      statement:
        'Refusals, terminations and revocations show that work was stopped. Whether a person decided so is not known to the service.',
      agent: byAgent('interventions', ['interventions'], {
        best: 'partial',
        shows: ['receipts_refused', 'receipts_terminated', 'receipts_revoked', 'agent_revoked'],
      }),
    },
    {
      id: 'Art. 15',
      title: 'Accuracy, robustness and cybersecurity',
      statement:
        'Successes and failures of real work are counted. Accuracy against a reference and resistance to attacks are not measured.',
      agent: byAgent('actions', ['actions', 'measured_days'], {
        best: 'partial',
        shows: ['receipts_success', 'receipts_failed', 'evidence_failed'],
      }),
    },
    {
      id: 'Art. 19',
      title: 'Logs kept by the provider',
      statement:
        'Log entries cannot be removed unnoticed. Satisfied if the first one of the agent is 184 days older than the end of the period.',
      agent: byAgent('actions', ['actions', 'log_days'], {
        atLeast: { log_days: SIX_MONTHS },
        shows: ['checkpoints'],
      }),
    },
    {
      id: 'Art. 26(6)',
      title: 'Logs kept by the deployer',
      statement:
        'The log has the receipts of the responsible operator. Satisfied if its first entry of the agent is 184 days older than the end.',
      agent: byAgent('receipts', ['receipts', 'log_days', 'sponsors'], { atLeast: { log_days: SIX_MONTHS } }),
    },
    {
      id: 'Annex XI, Section 1, point 2(e)',
      title: 'Known or estimated energy consumption',
      statement:
        'Energy is known for clusters, not for agents: the package of a cluster states the energy that was measured there.',
      agent: null,
      cluster: byCluster('energy', ['energy', 'energy_hardware_measured'], {
        shows: ['declared', 'simulated', 'facility_energy', 'instances', 'measured_days'],
      }),
    },
  ],
};
