import { byAgent, type Framework } from './mapping.ts';

/** Six months, as articles 19(1) and 26(6) ask, at most. */
const SIX_MONTHS = 184;

/**
 * Regulation (EU) 2024/1689. Its dates are those that Regulation (EU) 2026/1744 of 8 July 2026 (in force on
 * 27 July 2026) moved. Several secondary sources of July to November 2026 agree on them; the text of the
 * Official Journal was not read.
 */
export const euAiAct: Framework = {
  id: 'EU_AI_ACT',
  publisher: 'European Union',
  edition: 'Regulation (EU) 2024/1689 of 13 June 2024',
  notes: [
    'Articles 12, 14, 15, 19 and 26 apply to high-risk systems only: of Annex III from 2 December 2027, of Annex I from 2 August 2028. Regulation (EU) 2026/1744 moved these dates; by secondary sources, as of 30 November 2026.',
    'Annex XI is about general-purpose models, whose obligations apply since 2 August 2025.',
    'Whether the agent is a high-risk system, and who is its provider or deployer, is not known to the service.',
  ],
  kinds: ['assessment', 'datacenter'],
  controls: [
    {
      id: 'Art. 12',
      title: 'Automatic records of events',
      statement: {
        receipts: 'Receipts record actions when they end, in an append-only log with time and order.',
      },
      not_shown:
        'That the system makes the records by itself, and of all events, is not known to the service.',
      to_add: 'Which events the system records, and that its design makes it do so.',
      agent: byAgent('receipts', ['receipts', 'checkpoints'], {
        unless: ['receipts_overdue', 'receipts_abandoned'],
        shows: ['evidence', 'traces', 'receipts_open'],
      }),
    },
    {
      id: 'Art. 14',
      title: 'Human oversight',
      statement: 'Nothing that is recorded here shows that a person oversees the agent.',
      not_shown: 'Refusals, terminations and revocations say that work stopped, not who decided so.',
      to_add: 'The measures of oversight, and the persons who have the competence for it.',
      agent: null,
    },
    {
      id: 'Art. 15',
      title: 'Accuracy, robustness and cybersecurity',
      statement: 'Accuracy against a reference, robustness and attacks are not measured here.',
      not_shown: 'Outcomes that the operator stated say nothing about accuracy.',
      to_add: 'The metrics of accuracy, and tests of robustness and security.',
      agent: null,
    },
    {
      id: 'Art. 19',
      title: 'Logs kept by the provider',
      statement: {
        receipts: `Receipts are in an append-only log. Assessed from ${SIX_MONTHS} log days after the agent's first entry.`,
      },
      not_shown: 'That these are all logs that the system generates is not known to the service.',
      to_add: 'That the logs of article 12 are those that are kept here, or where the others are kept.',
      agent: byAgent('receipts', ['receipts', 'log_days'], {
        atLeast: { log_days: SIX_MONTHS },
        unless: ['receipts_overdue', 'receipts_abandoned'],
        shows: ['checkpoints'],
      }),
    },
    {
      id: 'Art. 26(6)',
      title: 'Logs kept by the deployer',
      statement: {
        receipts: `The operator's receipts are in an append-only log. Assessed from ${SIX_MONTHS} log days after the first entry.`,
      },
      not_shown: 'That the operator is the deployer, and that these are all of its logs, is not known.',
      to_add: 'Which logs are under the control of the deployer, and where the others are kept.',
      agent: byAgent('receipts', ['receipts', 'log_days', 'sponsors'], {
        atLeast: { log_days: SIX_MONTHS },
        unless: ['receipts_overdue', 'receipts_abandoned'],
      }),
    },
    {
      id: 'Annex XI, Section 1, point 2(e)',
      title: 'Known or estimated energy consumption of a model',
      statement: 'Telemetry names no model, so nothing here says how much energy a model consumed.',
      not_shown: 'The energy of a cluster is not that of a model. Its package shows it as a metric only.',
      to_add: 'The energy of the model, and how it was measured or estimated.',
      agent: null,
      cluster: null,
    },
  ],
};
