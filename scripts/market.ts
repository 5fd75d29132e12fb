/**
 * Simulates a market on the service itself, and writes what became of it: `bun scripts/market.ts` runs 90
 * virtual days, writes the figures to `docs/market.json`, the curves to `docs/pictures`, and the tables of
 * `docs/reputation.md`. The scores are the same each time; the CPU seconds of proofs of work depend on the
 * machine. With `--page` it writes pictures and tables from the figures that are there.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MarketResult, simulatedMarket } from '../test/support/market/simulation.ts';
import { withTables } from './market/page.ts';
import { PLOTS, plotOf } from './market/plot.ts';
import { ROOT } from './sources.ts';

const FIGURES = join(ROOT, 'docs/market.json');
const PAGE = join(ROOT, 'docs/reputation.md');

if (!process.argv.includes('--page')) {
  const made = await simulatedMarket({ days: 90, agents: 6 });
  writeFileSync(FIGURES, textOf(made));
}
const result: MarketResult = JSON.parse(readFileSync(FIGURES, 'utf8'));
for (const plot of PLOTS) writeFileSync(join(ROOT, `docs/pictures/${plot.name}.svg`), plotOf(plot, result));
writeFileSync(PAGE, withTables(readFileSync(PAGE, 'utf8'), result));

/** Returns figures as JSON with a line for each kind of agents, so that changes are seen. */
function textOf({ kinds, ...rest }: MarketResult): string {
  const lines = kinds.map((kind) => `    ${JSON.stringify(kind)}`).join(',\n');
  return `${JSON.stringify({ ...rest, kinds: [] }, null, 2).replace('"kinds": []', `"kinds": [\n${lines}\n  ]`)}\n`;
}
