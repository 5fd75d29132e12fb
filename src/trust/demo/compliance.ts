import type { JsonObject } from '../../proof/encoding/json.ts';
import { DEMO_API_KEY } from '../http/example-ids.ts';
import { anchor, type DemoAgent } from './agents.ts';
import type { DemoClient } from './receipts.ts';

/** What the reports of a day say: the framework, its controls, and those that failed or do not apply. */
interface DemoReport {
  framework: string;
  controls: readonly string[];
  fail?: readonly string[];
  notApplicable?: readonly string[];
}

const SOC2 = [
  ...['CC2.1', 'CC4.1', 'CC6.1', 'CC7.1', 'CC7.2', 'CC7.3', 'CC7.4', 'CC8.1', 'A1.1'],
  ...['PI1.1', 'PI1.2', 'PI1.3', 'PI1.4', 'PI1.5'],
];

/** By the day of the scenario. The control that fails on the first day is repaired by the last. */
const REPORTS: Readonly<Record<number, readonly DemoReport[]>> = {
  9: [{ framework: 'SOC2_TYPE2', controls: SOC2, fail: ['PI1.5'] }],
  21: [
    {
      framework: 'ISO_27001',
      controls: ['A.5.15', 'A.5.16', 'A.5.17', 'A.8.5', 'A.8.15', 'A.8.17', 'A.8.24'],
    },
    {
      framework: 'ISO_42001',
      controls: ['A.6.2.6', 'A.6.2.8', 'A.8.4', 'A.10.3'],
      notApplicable: ['A.10.3'],
    },
  ],
  33: [{ framework: 'SOC2_TYPE2', controls: SOC2 }],
};

/** Anchors the compliance reports of a day, if there are any. */
export async function reportControls({ ask }: DemoClient, agent: DemoAgent, day: number): Promise<void> {
  for (const report of REPORTS[day] ?? []) {
    await anchor(ask, DEMO_API_KEY, agent, 'compliance_report', payloadOf(report, day));
  }
}

function payloadOf(
  { framework, controls, fail = [], notApplicable = [] }: DemoReport,
  day: number,
): JsonObject {
  const statusOf = (id: string) => {
    if (fail.includes(id)) return 'fail';
    return notApplicable.includes(id) ? 'not_applicable' : 'pass';
  };
  return {
    framework,
    controls: controls.map((id) => ({ id, status: statusOf(id) })),
    period: `the weeks before day ${day}`,
  };
}
