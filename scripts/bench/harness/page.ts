import { type Benchmark, CAPABILITIES, commandOf } from './benchmark.ts';
import { goalText, type Verdict, verdictOf, withUnit } from './metric.ts';
import { isDisturbed, type Results, type Run } from './results.ts';

const HEAD = ['Benchmark', 'Metric', 'Measured', 'Goal', 'Result', 'Form', 'Commit', 'Date'];

const WIDTH = 140;

const RESULTS: Record<Verdict, string> = {
  met: 'met',
  missed: '**missed**',
  'full form only': 'full form only',
  'no goal': '–',
};

/** One metric of one run, compared with its goal. */
export interface MetricResult {
  label: string;
  measured: string;
  goal: string;
  verdict: Verdict;
}

/** Compares the metrics of a run with the current goals of its benchmark. */
export function metricResults({ metrics }: Benchmark, run: Run): MetricResult[] {
  return run.figures.flatMap(({ figure: name, value, note }) => {
    const metric = metrics[name];
    if (metric === undefined) return [];
    const measured = withUnit(value, metric.unit);
    return {
      label: metric.label,
      measured: note === undefined ? measured : `${measured} (${note})`,
      goal: goalText(metric),
      verdict: verdictOf(metric, value, run.form),
    };
  });
}

/**
 * Returns docs/benchmarks.md: the goals, what was measured of them, and the machines. Metrics without a goal
 * are only in the results.
 */
export function pageOf(results: Results, benchmarks: readonly Benchmark[]): string {
  const rows = byCapability(benchmarks).flatMap((benchmark) => rowsOf(benchmark, results));
  const table = [HEAD, HEAD.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  const parts = [introductionOf(results, benchmarks), table.join('\n'), machinesOf(results)];
  return `${parts.join('\n\n')}\n`;
}

/** Returns docs/benchmark-methods.md: what each benchmark does, its sizes and its command. */
export function methodsOf(benchmarks: readonly Benchmark[]): string {
  const explanations = byCapability(benchmarks).map(explanationOf).join('\n');
  return `# Methods of the benchmarks

<!-- Written by \`bun scripts/bench\`. Change the benchmarks in scripts/bench, not this page. -->

How the figures of [benchmarks.md](benchmarks.md) are measured.

${explanations}
`;
}

function byCapability(benchmarks: readonly Benchmark[]): Benchmark[] {
  return CAPABILITIES.flatMap((capability) =>
    benchmarks.filter((benchmark) => benchmark.capability === capability),
  );
}

function introductionOf(results: Results, benchmarks: readonly Benchmark[]): string {
  const verdicts = benchmarks.flatMap((benchmark) => {
    const run = runOf(benchmark, results);
    return run === null ? [] : metricResults(benchmark, run).map(({ verdict }) => verdict);
  });
  const met = verdicts.filter((verdict) => verdict === 'met').length;
  const missed = verdicts.filter((verdict) => verdict === 'missed').length;
  return `# Benchmarks

<!-- Written by \`bun scripts/bench\` from benchmarks.json. Change the benchmarks in scripts/bench, not this page. -->

**${met} of ${met + missed} goals are met.** \`bun scripts/bench\` runs every benchmark in its short form and writes this page, last at commit
\`${results.commit}\`. The full form has more rounds and data, and is shown where it was run. Compare ratios: both sides are measured in turns on the
same machine; other results depend on it. **older**: measured at another commit than this page. **+dirty**: with uncommitted changes. *disturbed*:
others kept half a processor or more busy; a quiet result is never replaced by such a one. [Methods](benchmark-methods.md)`;
}

function explanationOf(benchmark: Benchmark): string {
  const sizes = `Short: ${benchmark.sizeOf('short')}. Full: ${benchmark.sizeOf('full')}.`;
  return `- ${wrapped(`**${benchmark.name}**: ${benchmark.about} ${sizes} \`${commandOf(benchmark)}\``, '  ')}`;
}

function rowsOf(benchmark: Benchmark, results: Results): string[][] {
  const run = runOf(benchmark, results);
  if (run === null) return [[benchmark.name, 'not measured yet', ...Array(HEAD.length - 2).fill('')]];
  const older = run.commit === results.commit ? '' : ' **older**';
  const disturbed = isDisturbed(run) ? ' *disturbed*' : '';
  const when = [
    `${run.form}${disturbed}`,
    `\`${run.commit}\`${older}`,
    run.date.slice(0, 'YYYY-MM-DD'.length),
  ];
  if (run.failure !== null) return [[run.benchmark, escaped(run.failure), '', '', '**failed**', ...when]];
  return metricResults(benchmark, run).flatMap(({ label, measured, goal, verdict }) =>
    verdict === 'no goal'
      ? []
      : [[run.benchmark, escaped(label), escaped(measured), goal, RESULTS[verdict], ...when]],
  );
}

function machinesOf({ runs }: Results): string {
  const machines = new Map<string, string[]>();
  for (const { benchmark, form, machine, versions } of runs) {
    const tools = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
    const text = [machine, ...tools].join('; ');
    machines.set(text, [...(machines.get(text) ?? []), `${benchmark} (${form})`]);
  }
  const lines = [...machines].map(
    ([text, names]) => `- ${text}${machines.size > 1 ? `: ${names.join(', ')}` : ''}`,
  );
  return ['## Machines', lines.length === 0 ? 'Nothing was measured yet.' : lines.join('\n')].join('\n\n');
}

/** Returns the run of a benchmark that the page shows: the full one, else the short one; null for none. */
function runOf({ name }: Benchmark, { runs }: Results): Run | null {
  const own = runs.filter(({ benchmark }) => benchmark === name);
  return own.find(({ form }) => form === 'full') ?? own[0] ?? null;
}

/** Wraps a paragraph between words. */
function wrapped(text: string, indent: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = `${indent}${word}`;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join('\n');
}

/** Escapes bars, which would end the table cell. */
function escaped(text: string): string {
  return text.replaceAll('|', '\\|');
}
