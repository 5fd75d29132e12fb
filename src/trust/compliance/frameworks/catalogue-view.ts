import { FRAMEWORK_NAMES, MIN_DAYS } from '../../../proof/package/frameworks/framework-ids.ts';
import { type Framework, type Mapping, wholeOf } from '../../../proof/package/frameworks/mapping.ts';
import {
  AGENT_COUNTS,
  AGENT_SETS,
  AUDIT_SETS,
  CLUSTER_COUNTS,
  CLUSTER_SETS,
  type SetDefinition,
} from '../../../proof/package/frameworks/vocabulary.ts';
import type { CatalogueResponse } from './schema.ts';

/** Returns the public view of frameworks, with the sets and counts that their controls name. */
export function catalogueView(frameworks: readonly Framework[]): CatalogueResponse {
  return {
    frameworks: frameworks.map(({ id, publisher, edition, notes, kinds, controls }) => ({
      ...{
        framework: id,
        name: FRAMEWORK_NAMES[id],
        publisher,
        framework_edition: edition,
        notes: [...notes],
        kinds: [...kinds],
        min_days: MIN_DAYS[id] ?? 1,
      },
      controls: controls.map(({ agent, cluster = null, to_add = null, statement, ...words }) => ({
        ...words,
        statement: wholeOf(statement),
        to_add,
        assessment: agent === null ? null : mappingView(agent),
        datacenter: cluster === null ? null : mappingView(cluster),
      })),
    })),
    reference_sets: {
      assessment: setsView(AGENT_SETS),
      audit: setsView(AUDIT_SETS),
      datacenter: setsView(CLUSTER_SETS),
    },
    counts: { assessment: AGENT_COUNTS, datacenter: CLUSTER_COUNTS },
  };
}

function mappingView({ set, counts, rule }: Mapping<string, string>) {
  const { requires, statements, unless, shares, coverage, best } = rule;
  return {
    ...{ set, counts: [...counts], requires: [...requires], statements: [...statements] },
    ...{ unless: [...unless], shares: [...shares], coverage, best },
  };
}

const setsView = (sets: Readonly<Record<string, SetDefinition>>) =>
  Object.entries(sets).map(([name, { description, logs }]) => ({ name, description, logs: [...logs] }));
