import { createHash } from 'node:crypto';
import type { Values } from '../../../platform/control/operation-command.ts';
import { Failure } from '../../../platform/failure.ts';
import { bytesOf, requireFile } from '../../../platform/files/read.ts';

/**
 * Replaces the files that some values name by the SHA-256 of their bytes.
 * @param digests the member that a file's digest is sent as, by the value that names the file
 * @throws Failure (exit code 2) for a value with both, and as `bytesOf`
 */
export async function fileDigests(
  values: Values,
  digests: Readonly<Record<string, string>>,
): Promise<Values> {
  const sent = { ...values };
  for (const [name, member] of Object.entries(digests)) {
    const file = sent[name];
    if (file === undefined) continue;
    if (sent[member] !== undefined)
      throw new Failure(`${member} is given twice: as a file and as a digest`, 'leave one of the two out', 2);
    requireFile(String(file));
    const hash = createHash('sha256');
    for await (const piece of bytesOf(String(file))) hash.update(piece);
    delete sent[name];
    sent[member] = hash.digest('hex');
  }
  return sent;
}
