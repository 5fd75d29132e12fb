import { judge } from './judge/judge.ts';
import type { CommandOptions } from './options/by-document.ts';
import { checkedOptions } from './options/combinations.ts';
import { readInputs } from './read/inputs.ts';
import { type Output, report, TERMINAL } from './report/report.ts';

/**
 * Verifies one document or many receipts from a file or standard input, and writes the result.
 *
 * First it reads everything: files, URLs and the clock. Then it judges what was read.
 * @param now Unix time in milliseconds
 * @returns whether there is at least one document, all are valid, and every requested check is ok
 * @throws Failure for options that make no sense together, and for inputs that cannot be read or trusted
 */
export async function verify(
  file: string,
  commandOptions: CommandOptions,
  output: Output = TERMINAL,
  now = Date.now(),
): Promise<boolean> {
  const options = checkedOptions(file, commandOptions);
  using resources = new DisposableStack();
  const inputs = await readInputs(file, options, { now, resources });
  return await report(judge(inputs), output);
}
