import { KINDS } from '../../test/support/market/kinds.ts';
import type { KindResult, MarketResult } from '../../test/support/market/simulation.ts';

/** Returns the result of a kind of agents. @throws Error for a kind that the market did not have */
export function resultOf({ kinds }: Pick<MarketResult, 'kinds'>, name: string): KindResult {
  const result = kinds.find((kind) => kind.name === name);
  if (result === undefined) throw new Error(`the market has no ${name}: run bun scripts/market.ts`);
  return result;
}

/** Returns how a kind of agents is called in tables and pictures. */
export function labelOf(name: string): string {
  return KINDS.find((kind) => kind.name === name)?.label ?? name;
}

/** Returns the lowest and the highest score of the honest agents at the end. */
export function honestRange({ kinds }: Pick<MarketResult, 'kinds'>) {
  const honest = kinds.filter(({ name }) => KINDS.some((kind) => kind.name === name && kind.isHonest));
  if (honest.length === 0) throw new Error('the market has no honest agents');
  return {
    lowest: Math.min(...honest.map(({ lowest }) => lowest)),
    highest: Math.max(...honest.map(({ highest }) => highest)),
  };
}

/** Returns after how many days the agents of a kind had the score that they had at the end, less a point. */
export function daysUntilScore({ scores }: KindResult): number {
  const last = scores.at(-1) ?? 0;
  return scores.findIndex((score) => score >= last - 1) + 1;
}
