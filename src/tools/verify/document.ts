import { printable } from '../../platform/terminal/output.ts';
import { judgeByBoth } from './both-implementations.ts';
import type { DocumentKind, VerifierContext } from './judgement.ts';

/** Verifies a document that is not a receipt, and writes the result. @returns whether it is valid @throws Failure */
export async function verifyDocument(
  { name, load }: DocumentKind,
  document: Uint8Array,
  context: VerifierContext,
): Promise<boolean> {
  const judge = await load();
  const { isValid, result, sentence, facts } = await judgeByBoth(name, (primitives) =>
    judge(primitives, document, context),
  );
  // The problems quote the document, which could otherwise write another verdict on the terminal.
  process.stdout.write(`${printable(JSON.stringify(result, null, 2))}\n`);
  process.stderr.write(`${sentence}\n`);
  for (const line of [...result.problems, ...facts])
    process.stderr.write(`  ${printable(line).replaceAll('\n', '\\n')}\n`);
  return isValid;
}
