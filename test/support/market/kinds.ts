import type { Random } from '../../../src/staffing/registry/sample/random.ts';
import type { HireEnd, MarketAgent, MarketWorld } from './world.ts';

/** The outcomes of each agent that works, each day: 150 in 30 days. */
const DAILY = 5;
/** What a hirer pays for honest work, and what somebody pays who pays itself, in credits. */
export const HONEST_PRICE = 10;
const LEAST_PRICE = 1;
/** Every so many days somebody who pays itself hires: 5 times in 30 days, since more count for nothing. */
const WASH_DAYS = 6;

/** What the agents of a kind need. */
export interface Setting {
  world: MarketWorld;
  /** The customers of the market, each with an operator of its own. */
  hirers: readonly MarketAgent[];
  /** Chooses among the hirers. */
  random: Random;
}

/** An agent whose score is followed, and what it does each day. */
export interface Actor {
  agent: MarketAgent;
  /** @param day from 0 */
  act(day: number): Promise<void>;
}

/** Agents that behave alike. */
export interface Kind {
  name: string;
  /** In the legend of the picture. */
  label: string;
  /** Whether they do the work, equally much and equally well, and pay nobody: they must come out alike. */
  isHonest: boolean;
  /** The operators that somebody makes for one such agent, each by a proof of work; 0 for a customer. */
  strangers: number;
  /** The operators with a subscription behind them. */
  subscriptions?: number;
  open(setting: Setting, count: number): Promise<Actor[]>;
}

/** Ends as the work of a share of the tasks does: every nth fails. */
function failingEvery(n: number, offset: number) {
  let tasks = offset;
  return () => {
    tasks += 1;
    return tasks % n === 0;
  };
}

/** Honest agents fail at 5 of 150 tasks, and say so; lazy ones at 45. */
const [HONEST, LAZY] = [30, 10 / 3];

/** Returns a hirer by chance. */
function anyOf({ hirers, random }: Setting): MarketAgent {
  const hirer = hirers[Math.floor(random() * hirers.length)];
  if (hirer === undefined) throw new Error('the market has no hirers');
  return hirer;
}

/** Opens agents one after the other, so that their order does not depend on chance. */
async function several(count: number, open: (index: number) => Promise<Actor>): Promise<Actor[]> {
  const actors: Actor[] = [];
  for (let index = 0; index < count; index++) actors.push(await open(index));
  return actors;
}

/** Does one task each time; `isInFirm` says by the number of the task who asks for it. */
function worker(
  setting: Setting,
  agent: MarketAgent,
  { fails, isInFirm }: { fails: () => boolean; isInFirm: (task: number) => boolean },
  failure: HireEnd = 'failed',
): Actor {
  let tasks = 0;
  return {
    agent,
    async act() {
      for (let turn = 0; turn < DAILY; turn++) {
        const failed = fails();
        tasks += 1;
        if (isInFirm(tasks)) await setting.world.receipt(agent, !failed);
        else await setting.world.hire(anyOf(setting), agent, HONEST_PRICE, failed ? failure : 'accepted');
      }
    },
  };
}

/** Agents that all work in one firm, whose sponsor issues the receipts. */
async function firmOf(
  setting: Setting,
  count: number,
  fails: (index: number) => () => boolean,
): Promise<Actor[]> {
  const firm = await setting.world.firm('PRO');
  return several(count, async (index) =>
    worker(setting, await setting.world.agentOf(firm), { fails: fails(index), isInFirm: () => true }),
  );
}

/** How agents of the market work. */
interface Manner {
  /** Whether their own firm asks for a task, by its number; by default never. */
  isInFirm?: (task: number) => boolean;
  /** How a hire ends whose work failed. */
  failure?: HireEnd;
}

/** Agents that work for the market, each of a firm of its own. */
function marketOf(
  setting: Setting,
  count: number,
  fails: (index: number) => () => boolean,
  { isInFirm = () => false, failure = 'failed' }: Manner = {},
): Promise<Actor[]> {
  return several(count, async (index) => {
    const agent = await setting.world.agentOf(await setting.world.firm('PRO'));
    return worker(setting, agent, { fails: fails(index), isInFirm }, failure);
  });
}

const honestly = (index: number) => failingEvery(HONEST, index * 7);

/** Fails at 3 of 10 tasks. */
function lazily(index: number) {
  let tasks = index;
  return () => {
    tasks += 1;
    return Math.floor(tasks / LAZY) > Math.floor((tasks - 1) / LAZY);
  };
}

/** The receipts that a stranger issues for itself each day: more than count. */
const SELF_ISSUED = 3;

/** A stranger issues receipts of successes for itself. */
async function selfIssued({ world }: Setting, agent: MarketAgent): Promise<void> {
  for (let turn = 0; turn < SELF_ISSUED; turn++) await world.receipt(agent, true);
}

/** Gives strangers credits of somebody who bought them, and who is none of the market. */
async function funded({ world }: Setting, agents: readonly MarketAgent[], amount: number) {
  const maker = await world.agentOf(await world.firm('FREE'));
  await world.buy(maker, amount * agents.length);
  for (const agent of agents) await world.give(maker, agent, amount);
  return maker;
}

async function strangersOf({ world }: Setting, count: number): Promise<MarketAgent[]> {
  const agents: MarketAgent[] = [];
  while (agents.length < count) agents.push(await world.stranger());
  return agents;
}

/** A stranger that issues receipts for itself. */
async function alone(setting: Setting, count: number): Promise<Actor[]> {
  const agents = await strangersOf(setting, count);
  return agents.map((agent) => ({ agent, act: () => selfIssued(setting, agent) }));
}

/** Agents of operators that somebody made, each with a subscription. */
async function subscribersOf({ world }: Setting, count: number): Promise<MarketAgent[]> {
  const agents: MarketAgent[] = [];
  while (agents.length < count) agents.push(await world.agentOf(await world.firm('PRO')));
  return agents;
}

/** Strangers in a circle, each of which hires the next one. Two are a pair that hires both ways. */
async function circle(setting: Setting, size: number): Promise<Actor[]> {
  const agents = await strangersOf(setting, size);
  await funded(setting, agents, LEAST_PRICE);
  return agents.map((agent, index) => ({
    agent,
    async act(day) {
      await selfIssued(setting, agent);
      const next = agents[(index + 1) % size];
      // Each begins a day after the one before it, which has paid it by then.
      if (next === undefined || day % WASH_DAYS !== index % WASH_DAYS) return;
      await setting.world.hire(agent, next, LEAST_PRICE, 'accepted');
    },
  }));
}

/** A stranger that others hire, which the same person made. It gives the credits back through that person. */
function star(payers: number, make = strangersOf): Kind['open'] {
  return (setting, count) =>
    several(count, async () => {
      const [agent] = await strangersOf(setting, 1);
      if (agent === undefined) throw new Error('nobody was made');
      const others = await make(setting, payers);
      const maker = await funded(setting, others, LEAST_PRICE);
      return {
        agent,
        async act(day) {
          await selfIssued(setting, agent);
          if (day % WASH_DAYS !== 0) return;
          const { world } = setting;
          for (const other of others) await world.hire(other, agent, LEAST_PRICE, 'accepted');
          await world.give(agent, maker, LEAST_PRICE * others.length);
          for (const other of others) await world.give(maker, other, LEAST_PRICE);
        },
      };
    });
}

/** An honest worker whose firm hires its customers in turn, with half of what they pay. */
function trading(setting: Setting, count: number): Promise<Actor[]> {
  return several(count, async (index) => {
    const { world } = setting;
    const agent = await world.agentOf(await world.firm('PRO'));
    const fails = honestly(index);
    const paid = new Map<MarketAgent, number>();
    return {
      agent,
      async act() {
        for (let turn = 0; turn < DAILY; turn++) {
          const hirer = anyOf(setting);
          if (fails()) {
            await world.hire(hirer, agent, HONEST_PRICE, 'failed');
            continue;
          }
          await world.hire(hirer, agent, HONEST_PRICE, 'accepted');
          const times = (paid.get(hirer) ?? 0) + 1;
          paid.set(hirer, times);
          if (times % 2 === 0) await world.hire(agent, hirer, HONEST_PRICE, 'accepted');
        }
      },
    };
  });
}

/** Every kind of agent of a market, honest ones first. */
export const KINDS: readonly Kind[] = [
  {
    name: 'market',
    label: 'honest, in the market',
    ...{ isHonest: true, strangers: 0 },
    open: (setting, count) => marketOf(setting, count, honestly),
  },
  {
    name: 'mixed',
    label: 'honest, half and half',
    ...{ isHonest: true, strangers: 0 },
    open: (setting, count) => marketOf(setting, count, honestly, { isInFirm: (task) => task % 2 === 0 }),
  },
  {
    name: 'firm',
    label: 'honest, in one firm',
    ...{ isHonest: true, strangers: 0 },
    open: (setting, count) => firmOf(setting, count, honestly),
  },
  {
    name: 'trading',
    label: 'honest, hires its customers in turn',
    ...{ isHonest: false, strangers: 0 },
    open: trading,
  },
  {
    name: 'lazy-market',
    label: 'lazy, in the market, and says so',
    ...{ isHonest: false, strangers: 0 },
    open: (setting, count) => marketOf(setting, count, lazily),
  },
  {
    name: 'lazy-silent',
    label: 'lazy, in the market, and silent',
    ...{ isHonest: false, strangers: 0 },
    open: (setting, count) => marketOf(setting, count, lazily, { failure: 'rejected' }),
  },
  {
    name: 'lazy-firm',
    label: 'lazy, in one firm',
    ...{ isHonest: false, strangers: 0 },
    open: (setting, count) => firmOf(setting, count, lazily),
  },
  {
    name: 'lying-firm',
    label: 'a firm that lies',
    ...{ isHonest: false, strangers: 0 },
    open: (setting, count) => firmOf(setting, count, () => () => false),
  },
  {
    name: 'sybil',
    label: 'a Sybil alone',
    ...{ isHonest: false, strangers: 1 },
    open: alone,
  },
  {
    name: 'pair',
    label: 'two that hire each other',
    ...{ isHonest: false, strangers: 2 },
    open: (setting) => circle(setting, 2),
  },
  {
    name: 'ring',
    label: 'a ring of three',
    ...{ isHonest: false, strangers: 3 },
    open: (setting) => circle(setting, 3),
  },
  {
    name: 'hired-by-4',
    label: 'a Sybil that 4 operators of its maker hire',
    ...{ isHonest: false, strangers: 5 },
    open: star(4),
  },
  {
    name: 'paid-hired-by-4',
    label: 'a Sybil that 4 subscribers of its maker hire',
    ...{ isHonest: false, strangers: 1, subscriptions: 4 },
    open: star(4, subscribersOf),
  },
];
