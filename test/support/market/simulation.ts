import { randomFrom } from '../../../src/staffing/registry/sample/random.ts';
import { wrongCounts } from '../audit.ts';
import { type Actor, KINDS, type Kind, type Setting } from './kinds.ts';
import { type MarketAgent, MarketWorld, type Standing, type Work } from './world.ts';

/** The customers of a market. */
const HIRERS = 30;
/** More than a hirer pays in all days of a market. */
const BOUGHT = 1_000_000;

/** What became of the agents of a kind. */
export interface KindResult {
  name: string;
  /** The proofs of work behind one of its agents. */
  strangers: number;
  /** The operators with a subscription behind one of its agents. */
  subscriptions: number;
  /** The credits that somebody bought to trade with itself, all of which come back. */
  bought: number;
  /** The mean score of its agents at the end of each day, with one decimal: first that after one day. */
  scores: number[];
  /** Of the agents at the end. */
  lowest: number;
  highest: number;
  /** The lowest and the highest `score_corroborated` at the end. */
  corroborated: [lowest: number, highest: number];
  /** The most credits that hirers paid to one of its agents in the last 30 days. */
  earned: number;
}

export interface MarketResult {
  days: number;
  /** Agents of each kind of customers. */
  agents: number;
  hirers: number;
  kinds: KindResult[];
  work: Work;
}

/** How large a market is. */
export interface MarketSize {
  days: number;
  /** Agents of each kind of customers. */
  agents: number;
  /** By default all. */
  kinds?: readonly string[];
  /** Leading zeros of proofs of work; by default as the service requires. */
  difficulty?: number;
}

/**
 * Runs a market in which all agents act through the API, every day, and returns their scores as the public
 * profiles say them. The same size gives the same scores.
 * @throws Error if the counts of reputations are not what fsck recomputes
 */
export async function simulatedMarket({
  days,
  agents,
  kinds = KINDS.map(({ name }) => name),
  difficulty,
}: MarketSize): Promise<MarketResult> {
  const world = await MarketWorld.open(
    difficulty === undefined ? {} : { 'agents.pow_difficulty': `${difficulty}` },
  );
  try {
    const hirers: MarketAgent[] = [];
    while (hirers.length < HIRERS) {
      const hirer = await world.agentOf(await world.firm('PRO'));
      await world.buy(hirer, BOUGHT);
      hirers.push(hirer);
    }
    const followed: Followed[] = [];
    for (const [index, kind] of KINDS.entries()) {
      if (!kinds.includes(kind.name)) continue;
      const setting: Setting = { world, hirers, random: randomFrom(index + 1) };
      const before = world.bought;
      const isMade = kind.strangers > 0 || kind.subscriptions !== undefined;
      const actors = await kind.open(setting, isMade ? 1 : agents);
      followed.push({ kind, actors, bought: world.bought - before, days: [] });
    }
    for (let day = 0; day < days; day++) {
      await Promise.all(followed.map((one) => actedBy(one, day)));
      await world.endDay();
      for (const { actors, days: known } of followed)
        known.push(await Promise.all(actors.map(({ agent }) => world.standingOf(agent))));
    }
    const wrong = await world.app.service.trust.store.read(wrongCounts);
    if (wrong.length > 0) throw new Error(`fsck finds ${JSON.stringify(wrong.slice(0, 5))}`);
    return {
      ...{ days, agents, hirers: HIRERS },
      kinds: followed.map((one) => resultOf(one, world)),
      work: world.work,
    };
  } finally {
    await world.close();
  }
}

interface Followed {
  kind: Kind;
  actors: Actor[];
  bought: number;
  /** What the profiles of its agents said at the end of each day. */
  days: Standing[][];
}

/** Agents of a kind act one after the other, so that they choose hirers in the same order every time. */
async function actedBy({ actors }: Followed, day: number): Promise<void> {
  for (const actor of actors) await actor.act(day);
}

function resultOf({ kind, actors, bought, days }: Followed, world: MarketWorld): KindResult {
  const last = days.at(-1) ?? [];
  const scores = last.map(({ score }) => score);
  const corroborated = last.map((standing) => standing.corroborated);
  return {
    name: kind.name,
    strangers: kind.strangers,
    subscriptions: kind.subscriptions ?? 0,
    bought,
    scores: days.map((standings) => mean(standings.map(({ score }) => score))),
    lowest: Math.min(...scores),
    highest: Math.max(...scores),
    corroborated: [Math.min(...corroborated), Math.max(...corroborated)],
    earned: Math.max(...actors.map(({ agent }) => world.earnedBy(agent))),
  };
}

function mean(values: readonly number[]): number {
  return Math.round((10 * values.reduce((sum, value) => sum + value, 0)) / values.length) / 10;
}
