import type { AuditOptions } from '../../platform/audit/directory.ts';
import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import { Failure } from '../../platform/failure.ts';
import { bytesOf, gathered } from '../../platform/files/read.ts';
import { jsonLine, writeOut } from '../../platform/terminal/output.ts';
import { printable } from '../../platform/terminal/printable.ts';
import { type PublishedProposal, proposalIn } from '../../proof/agora/proposal.ts';
import { proposalProblems } from '../../proof/agora/verify-proposal.ts';
import { CanonicalJsonError } from '../../proof/encoding/canonical-json.ts';
import { JsonError, parseJsonBytes } from '../../proof/encoding/json.ts';

/** Larger than any proposal: 32 steps with terms of 16 KiB. */
const MOST_BYTES = 2 ** 20;

/**
 * Verifies a proposal in a file (`-` for standard input) and prints the result. Problems set exit code 1.
 * @throws Failure (exit code 2) for anything else
 */
export async function checkProposal(
  file: string,
  { all, output }: Pick<AuditOptions, 'all' | 'output'>,
): Promise<void> {
  const proposal = proposalOf(file, await gathered(file, bytesOf(file), MOST_BYTES));
  const problems = problemsOf(proposal);
  const shown = all ? problems : problems.slice(0, 1);
  const { proposal_id, status, timeline } = proposal;
  if (output === 'json') {
    await writeOut(
      jsonLine({
        valid: problems.length === 0,
        proposal_id,
        status,
        steps: timeline.length,
        problems: shown,
      }),
    );
  } else if (problems.length === 0) {
    await writeOut(`valid: ${printable(proposal_id)} is ${status} after ${timeline.length} signed steps\n`);
  } else {
    await writeOut(shown.map((problem) => `problem: ${printable(problem)}\n`).join(''));
  }
  if (problems.length > 0) process.exitCode = 1;
}

function problemsOf(proposal: PublishedProposal): string[] {
  try {
    return proposalProblems(nativePrimitives, proposal);
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    return [`The terms have no canonical form: ${error.message}.`];
  }
}

/** @throws Failure (exit code 2) */
function proposalOf(file: string, bytes: Uint8Array): PublishedProposal {
  const proposal = parsed(bytes);
  if (proposal !== null) return proposal;
  throw new Failure(
    `${file} is not a proposal`,
    'save the response of GET /api/v1/agora/proposals/ID unchanged',
    2,
  );
}

function parsed(bytes: Uint8Array): PublishedProposal | null {
  try {
    return proposalIn(parseJsonBytes(bytes));
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return null;
  }
}
