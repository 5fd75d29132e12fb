import type { ApiCall } from '../../platform/demo/api-client.ts';
import type { KnownIds } from '../../platform/demo/known-ids.ts';
import type { Chronology } from '../../platform/test-service/seed/chronology.ts';
import { derivedHex } from '../../platform/test-service/seed/names.ts';
import type { Path, Seed } from '../../platform/test-service/seed/read-seed.ts';
import { type DemoAgent, demoAgent } from '../demo/agents.ts';
import type { TrustService } from '../service/service.ts';
import { FIRST, type TrustSeed } from './schema.ts';

/** An operator of a seed, as the service knows it. */
export interface SeedOperator {
  operatorId: string;
  /** Its first API key. */
  apiKey: string;
}

/** Whoever acts in a seed, and with what. */
export class Scene {
  private readonly operators: Record<string, SeedOperator>;
  private readonly agents: Record<string, DemoAgent>;

  /**
   * @param service the open service, whose first start made an operator with a key
   * @throws Failure for an operator `first` with an id, a name or a key of its own
   */
  constructor(
    readonly seed: Seed<TrustSeed>,
    readonly chronology: Chronology,
    readonly ask: ApiCall,
    readonly ids: KnownIds,
    readonly trust: TrustService['trust'],
    private readonly first: { operatorId: string; apiKey: string; serviceToken: string },
  ) {
    const { operators = {}, agents = {} } = seed.content;
    this.operators = Object.fromEntries(
      Object.entries(operators).map(([label, { operator_id, api_key }]) => [
        label,
        {
          operatorId: operator_id ?? `op_cus_${derivedHex('operator', label).slice(0, 24)}`,
          apiKey: api_key ?? `pp_${derivedHex('first key', label)}`,
        },
      ]),
    );
    this.operators[FIRST] = first;
    this.agents = Object.fromEntries(
      Object.entries(agents).map(([label, { seed: key, name }]) => [
        label,
        { ...demoAgent(label, key ?? derivedHex('agent', label)), name: name ?? label },
      ]),
    );
  }

  /** Returns the operator with a label; by default the first one. @throws Failure */
  operator(label: string | undefined, path: Path): SeedOperator {
    return this.named(this.operators, label ?? FIRST, 'operator', path);
  }

  /** Returns the agent with a label. @throws Failure */
  agent(label: string, path: Path): DemoAgent {
    return this.named(this.agents, label, 'agent', path);
  }

  /** Returns the agent with a label; null if no agent has it. */
  agentIfAny(label: string): DemoAgent | null {
    return Object.hasOwn(this.agents, label) ? (this.agents[label] ?? null) : null;
  }

  /** Returns an API key that may act for an agent: its sponsor's; without one, the first operator's. */
  keyFor(agent: string, path: Path): string {
    const sponsor = this.seed.content.agents?.[agent]?.operator;
    return this.operator(sponsor ?? undefined, path).apiKey;
  }

  get serviceToken(): string {
    return this.first.serviceToken;
  }

  private named<Thing>(things: Record<string, Thing>, label: string, kind: string, path: Path): Thing {
    const thing = Object.hasOwn(things, label) ? things[label] : undefined;
    if (thing !== undefined) return thing;
    throw this.seed.problemAt(path, `is ${label}, but the seed has no ${kind} of this name`);
  }
}
