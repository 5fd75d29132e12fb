import { jsonLine, writeOut } from '../../../platform/terminal/output.ts';
import { groupDigits, Progress } from '../../../platform/terminal/progress.ts';
import { WorkerPool } from '../../../platform/workers/worker-pool.ts';
import { startWorker } from '../../../platform/workers/workers.ts';
import { type RevocationVerdict, VERDICTS, type VerdictOptions } from '../../../proof/receipt/verdict.ts';
import type { LineProblem, Report } from './judge.ts';
import { wholeLines } from './lines.ts';
import type { VerifierOptions } from './worker.ts';

/** The result for all lines. */
export interface Summary {
  checked: number;
  valid: number;
  /** The number of receipts per verdict, in the order of `VERDICTS`; verdicts with none are omitted. */
  verdicts: Record<string, number>;
  /** The worst of all receipts: `revoked`, else `not_checked`, else `ok`. */
  revocation: RevocationVerdict;
}

/**
 * Verifies a stream of receipts, one per line, on all cores. It writes a line of JSON to stdout for each invalid receipt, in the
 * order of the input, and then the summary. Progress and a sentence with the result go to stderr. Only a few chunks are in memory.
 *
 * @param input chunks of the input
 * @param inputSize its size in bytes; 0 when it is unknown
 * @returns whether there was at least one receipt and all are valid and of the requested domain
 * @throws Failure when a worker fails
 */
export async function verifyLines(
  input: AsyncIterable<Uint8Array>,
  inputSize: number,
  options: VerdictOptions,
): Promise<boolean> {
  const progress = new Progress(process.stderr, 'receipts');
  const pool = verifierPool<Report>({ task: 'judge', verdict: options });
  const tally = new Tally();
  let bytesRead = 0;
  const chunks = counted(wholeLines(input), (size) => {
    bytesRead += size;
  });
  try {
    for await (const report of pool.results(chunks, ({ buffer }) => [buffer])) {
      const problems = tally.add(report);
      if (problems.length > 0) {
        progress.clear();
        await writeOut(problems.map(jsonLine).join(''));
      }
      progress.at(tally.checked, inputSize > 0 ? bytesRead / inputSize : null);
    }
  } finally {
    progress.clear();
    pool.end();
  }
  const summary = tally.summary();
  await writeOut(`${JSON.stringify(summary)}\n`);
  progress.end(inWords(summary));
  return summary.checked > 0 && summary.valid === summary.checked;
}

/** Returns a pool of Workers, one for each core. @param options their task, which determines what they answer */
export function verifierPool<Answer>(options: VerifierOptions): WorkerPool<Uint8Array<ArrayBuffer>, Answer> {
  return new WorkerPool(
    () => {
      const worker = startWorker('verifier');
      worker.postMessage(options);
      return worker;
    },
    Math.max(navigator.hardwareConcurrency, 1),
  );
}

/** Adds up the reports of the chunks, in their order. */
export class Tally {
  checked = 0;
  private valid = 0;
  private lineCount = 0;
  private notChecked = 0;
  private readonly verdicts = new Map<string, number>();

  /** @returns the chunk's problems, their lines counted from the first of the input. */
  add(report: Report): LineProblem[] {
    const problems = report.problems.map((problem) => ({ ...problem, line: this.lineCount + problem.line }));
    this.lineCount += report.lines;
    this.checked += report.checked;
    this.notChecked += report.revocationNotChecked;
    this.valid += report.valid;
    for (const [verdict, count] of Object.entries(report.verdicts)) {
      this.verdicts.set(verdict, (this.verdicts.get(verdict) ?? 0) + count);
    }
    return problems;
  }

  summary(): Summary {
    const given = Object.keys(VERDICTS).filter((verdict) => this.verdicts.has(verdict));
    const verdicts = Object.fromEntries(given.map((verdict) => [verdict, this.verdicts.get(verdict) ?? 0]));
    const unrevoked = this.notChecked > 0 || this.checked === 0 ? 'not_checked' : 'ok';
    const revocation = this.verdicts.has('revoked') ? 'revoked' : unrevoked;
    return { checked: this.checked, valid: this.valid, verdicts, revocation };
  }
}

/** Describes the summary in words. */
export function inWords({ checked, valid, verdicts, revocation }: Summary): string {
  if (checked === 0) return 'no receipts: the input is empty.';
  if (valid === checked) {
    const all = `valid: all ${groupDigits(checked)} receipts`;
    return revocation === 'ok'
      ? `${all}, none of which is revoked.`
      : `${all}. Revocation was not checked (--revocations).`;
  }
  const causes = Object.entries(verdicts)
    .filter(([verdict]) => verdict !== 'valid')
    .map(([verdict, count]) => `${groupDigits(count)} ${verdict}`);
  const wrongDomain = (verdicts.valid ?? 0) - valid;
  if (wrongDomain > 0)
    causes.push(`${groupDigits(wrongDomain)} whose domain differs from --domain or cannot be checked`);
  return `not valid: ${groupDigits(checked - valid)} of ${groupDigits(checked)} receipts (${causes.join(', ')}).`;
}

/** Yields chunks, and calls `onRead` with the size of each. */
export async function* counted(
  chunks: AsyncIterable<Uint8Array<ArrayBuffer>>,
  onRead: (size: number) => void,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for await (const chunk of chunks) {
    onRead(chunk.length);
    yield chunk;
  }
}
