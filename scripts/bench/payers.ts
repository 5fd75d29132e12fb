import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { client } from '../../test/support/client.ts';
import { enrolledWithKey } from './enrolled-agent.ts';
import type { Product } from './product.ts';

/** Agents that pay one another. */
export interface Payers {
  commitments: readonly string[];
  /** A file with their commitments, one a line. */
  file: string;
}

/** Enrolls agents of the first operator at a running executable, each with credits. */
export async function enrollPayers(
  executable: string,
  product: Product,
  count: number,
  creditsOfEach: number,
): Promise<Payers> {
  const { body } = await client(fetch, product.url, product.apiKey).get('/api/v1/operator/status');
  // An older executable does not ask, and does not have the option.
  const { stdout: help } = Bun.spawnSync([executable, 'credits', 'grant', '--help']);
  const answer = help.toString().includes('--yes') ? ['--yes'] : [];
  const credits = (...args: string[]): void => {
    const command = [executable, 'credits', ...args, ...answer, '--data', product.data];
    const { success, stderr } = Bun.spawnSync(command);
    if (!success) throw new Error(`credits ${args.join(' ')} failed: ${stderr}`);
  };
  credits('adjust', String(body.operator_id), String(count * creditsOfEach));
  const commitments: string[] = [];
  for (let payer = 0; payer < count; payer++) {
    const { commitment } = await enrolledWithKey(product);
    credits('grant', commitment, String(creditsOfEach));
    commitments.push(commitment);
  }
  const file = join(product.data, 'payers');
  writeFileSync(file, commitments.join('\n'));
  return { commitments, file };
}
