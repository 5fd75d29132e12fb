import type { Form, Measured, Metric } from './metric.ts';

/** The sections of the page, in order: the parts of the product. */
export const CAPABILITIES = [
  'Old and new executable',
  'Start',
  'Receipts',
  'Verification and audit',
  'Agents',
  'Credits',
  'Credentials',
  'Compliance',
  'Data centers',
  'Search of clinicians',
] as const;

/** A prerequisite of a benchmark. `old executable`: the one in `--against`. */
export type Need = 'wrk' | 'product' | 'trust server' | 'old executable';

/** The environment of a running benchmark. */
export interface Bench {
  /** Creates a directory on the disk of the checkout. The parent process removes it. */
  newDirectory(): string;
  /** The path of the executable to compare with; null unless the benchmark needs one. */
  oldExecutable: string | null;
}

export interface Benchmark {
  /** The name on the command line. */
  name: string;
  capability: (typeof CAPABILITIES)[number];
  /** The subject and the method of the measurement, and other information for understanding the metrics. */
  about: string;
  needs: readonly Need[];
  metrics: Readonly<Record<string, Metric>>;
  /** Describes the sizes of a form: `1,000,000 receipts, 3 rounds`. */
  sizeOf(form: Form): string;
  /**
   * Measures. @returns a value for every metric. @throws Error when something fails or gives an unexpected
   * response
   */
  run(form: Form, bench: Bench): Promise<Record<string, Measured>>;
}

/** Returns the command that runs a benchmark. `OLD` stands for the path of the executable to compare with. */
export function commandOf({ name, needs }: Benchmark, form: Form = 'short'): string {
  const full = form === 'full' ? ' --full' : '';
  return `bun scripts/bench ${name}${full}${needs.includes('old executable') ? ' --against OLD' : ''}`;
}

/** The sizes of a form, by names that are readable after a number: `{ receipts: 200_000, rounds: 3 }`. */
type Size = Readonly<Record<string, number>>;

interface Definition<Sizes extends Size, Name extends string>
  extends Pick<Benchmark, 'name' | 'capability' | 'about' | 'needs'> {
  metrics: Readonly<Record<Name, Metric>>;
  short: Sizes;
  full: Sizes;
  run(size: Sizes, bench: Bench): Promise<Readonly<Record<NoInfer<Name>, number | Measured>>>;
}

/**
 * Defines a benchmark. The types require `run` to return the declared metrics, and both forms to have the
 * same sizes.
 */
export function defineBenchmark<Sizes extends Size, Name extends string>({
  short,
  full,
  run,
  ...rest
}: Definition<Sizes, Name>): Benchmark {
  const forms: Record<Form, Sizes> = { short, full };
  return {
    ...rest,
    sizeOf: (form) =>
      Object.entries(forms[form])
        .map(([name, count]) => `${count.toLocaleString('en-US')} ${count === 1 ? singular(name) : name}`)
        .join(', '),
    async run(form, bench) {
      const values: Readonly<Record<string, number | Measured>> = await run(forms[form], bench);
      return Object.fromEntries(
        Object.entries(values).map(([name, value]) => [name, typeof value === 'number' ? { value } : value]),
      );
    },
  };
}

/** `seconds of steady load` → `second of steady load`. */
function singular(name: string): string {
  return name.replace(/^(\w+)s\b/, '$1');
}
