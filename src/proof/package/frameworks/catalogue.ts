import { euAiAct } from './eu-ai-act.ts';
import type { FrameworkId } from './framework-ids.ts';
import { iso14064 } from './iso-14064.ts';
import { iso27001 } from './iso-27001.ts';
import { iso42001 } from './iso-42001.ts';
import type { ClusterMapping, Control, Framework } from './mapping.ts';
import { nistAiRmf } from './nist-ai-rmf.ts';
import { soc2 } from './soc2.ts';
import type { AgentSet } from './vocabulary.ts';

/** All frameworks, by their id. */
export const FRAMEWORKS: Readonly<Record<FrameworkId, Framework>> = {
  NIST_AI_RMF: nistAiRmf,
  EU_AI_ACT: euAiAct,
  SOC2_TYPE2: soc2,
  ISO_42001: iso42001,
  ISO_27001: iso27001,
  ISO_14064: iso14064,
};

/** Returns the sets that the controls of a framework cite for an agent, each once. */
export function agentSetsOf({ controls }: Framework): AgentSet[] {
  return [...new Set(controls.flatMap(({ agent }) => (agent === null ? [] : [agent.set])))];
}

/** Returns the controls that the package of a cluster lists, with their mapping. */
export function clusterControlsOf({ controls }: Framework): (Control & { cluster: ClusterMapping | null })[] {
  return controls.flatMap(({ cluster, ...control }) =>
    cluster === undefined ? [] : [{ ...control, cluster }],
  );
}

/** What is said of every edition: the service cannot see whether a publisher has a newer one. */
const EDITION_NOTE =
  'The ids of controls are those of the named edition. Whether it is the newest one was not checked.';

/** Returns what a package lists as limits of its framework. @param listed how many controls it lists */
export function frameworkLimits({ notes, extent }: Framework, listed: number): string[] {
  const listing =
    extent === undefined
      ? 'Only the listed criteria are assessed.'
      : `${listed} of ${extent.criteria} criteria (${extent.parts}) are in this package; the others are not assessed.`;
  return [listing, ...notes, EDITION_NOTE];
}
