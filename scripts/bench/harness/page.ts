import { type Benchmark, CAPABILITIES, commandOf } from './benchmark.ts';
import { goalText, type Verdict, verdictOf, withUnit } from './metric.ts';
import type { Results, Run } from './results.ts';

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
 * Returns docs/benchmarks.md: the missed goals, a table for each capability, and the methods and machines of
 * the benchmarks.
 */
export function pageOf(results: Results, benchmarks: readonly Benchmark[]): string {
  const sections = CAPABILITIES.flatMap((capability) => {
    const ofCapability = benchmarks.filter((benchmark) => benchmark.capability === capability);
    return ofCapability.length === 0 ? [] : [sectionOf(capability, ofCapability, results)];
  });
  return `${[introductionOf(results), summaryOf(results, benchmarks), ...sections, machinesOf(results)].join('\n\n')}\n`;
}

function introductionOf({ commit }: Results): string {
  return `# Benchmarks

<!-- Written by \`bun scripts/bench\` from benchmarks.json. Change the benchmarks in scripts/bench, not this page. -->

\`bun scripts/bench\` runs every benchmark in its short form and writes this page. It was last written at commit \`${commit}\`.

- Compare ratios: both sides of a ratio are measured in turns on the same machine. Other results depend on the machine.
- **older**: measured at another commit than this page. **+dirty**: measured with uncommitted changes.
- The short form has fewer rounds and less data. A goal that depends on the amount of data applies to the full form only.`;
}

function summaryOf(results: Results, benchmarks: readonly Benchmark[]): string {
  const all = benchmarks.flatMap((benchmark) =>
    runsOf(benchmark, results).flatMap((run) =>
      metricResults(benchmark, run).map((result) => ({ run, result })),
    ),
  );
  const missed = all.filter(({ result }) => result.verdict === 'missed');
  const met = all.filter(({ result }) => result.verdict === 'met');
  const failed = results.runs.filter(({ failure }) => failure !== null);
  const lines = [`**${met.length} of ${met.length + missed.length} goals are met.**`];
  if (missed.length > 0) lines.push('', 'Missed:', '');
  for (const { run, result } of missed)
    lines.push(`- ${run.benchmark} (${run.form}), ${result.label}: ${result.measured}, goal ${result.goal}`);
  if (failed.length > 0) lines.push('', 'Failed:', '');
  for (const run of failed) lines.push(`- ${run.benchmark} (${run.form}): ${run.failure}`);
  return lines.join('\n');
}

function sectionOf(capability: string, benchmarks: readonly Benchmark[], results: Results): string {
  const rows = benchmarks.flatMap((benchmark) => rowsOf(benchmark, results));
  const table = [HEAD, HEAD.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return [`## ${capability}`, table.join('\n'), ...benchmarks.map(explanationOf)].join('\n\n');
}

function explanationOf(benchmark: Benchmark): string {
  const sizes = `Short: ${benchmark.sizeOf('short')}. Full: ${benchmark.sizeOf('full')}.`;
  return wrapped(`**${benchmark.name}**: ${benchmark.about} ${sizes} \`${commandOf(benchmark)}\``);
}

function rowsOf(benchmark: Benchmark, results: Results): string[][] {
  const runs = runsOf(benchmark, results);
  if (runs.length === 0) return [[benchmark.name, 'not measured yet', ...Array(HEAD.length - 2).fill('')]];
  return runs.flatMap((run) => {
    const older = run.commit === results.commit ? '' : ' **older**';
    const when = [run.form, `\`${run.commit}\`${older}`, run.date.slice(0, 'YYYY-MM-DD'.length)];
    if (run.failure !== null) return [[run.benchmark, escaped(run.failure), '', '', '**failed**', ...when]];
    return metricResults(benchmark, run).map(({ label, measured, goal, verdict }) => [
      run.benchmark,
      escaped(label),
      escaped(measured),
      goal,
      RESULTS[verdict],
      ...when,
    ]);
  });
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

function runsOf({ name }: Benchmark, { runs }: Results): Run[] {
  return runs.filter(({ benchmark }) => benchmark === name);
}

/** Wraps a paragraph between words. */
function wrapped(text: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join('\n');
}

/** Escapes bars, which would end the table cell. */
function escaped(text: string): string {
  return text.replaceAll('|', '\\|');
}
