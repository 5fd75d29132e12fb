import { expect, test } from 'bun:test';
import { pageOf, runStory, shellBlocks } from '../../../../support/story.ts';

const blocks = shellBlocks(pageOf('month.md'));
const needed = ['bash', 'curl', 'jq', 'openssl'].filter((name) => Bun.which(name) === null);

test.skipIf(needed.length > 0)(
  'docs/month.md: the month of an operator runs word for word',
  async () => {
    const { said } = await runStory(blocks);
    const [, topUp = '', spent = '', paid = '', refunded = '', closed = '', agent = '', verified = ''] = said;
    expect(topUp).toContain('"sandboxCredits": 5000');
    expect(spent).toContain('"kind":"TASK_PAYMENT"');
    expect(paid).toContain('"earned":90,"spent":0,"locked":0,"available":110');
    expect(linesOf(refunded)).toEqual([
      '["refund","made",-1000,-1000]',
      '["topup","partly_refunded",5000,5000]',
    ]);
    const [interim, ...lines] = linesOf(closed);
    expect(interim).toBe('{"interim":true,"signed":false}');
    expect(lines).toEqual([
      '{"month":"2026-01","interim":false,"opening":{"promotional":{"available":0},"sandbox":{"available":0}},"closing":{"promotional":{"available":999680},"sandbox":{"available":4000}}}',
      '["promotional","ADJUSTMENT","credit",1,1000000]',
      '["promotional","OPERATOR_GRANT","debit",2,320]',
      '["sandbox","ADJUSTMENT","debit",1,1000]',
      '["sandbox","SETTLEMENT","credit",1,5000]',
    ]);
    expect(linesOf(agent)).toEqual([
      '{"promotional":{"granted":300,"earned":0,"spent":90}}',
      '{"promotional":{"available":210,"locked":0}}',
    ]);
    expect(verified.match(/"(?:signature|journal)": "\w+"/g)).toEqual([
      '"signature": "ok"',
      '"journal": "ok"',
      '"signature": "ok"',
      '"journal": "mismatch"',
    ]);
    expect(verified.trim()).toEndWith('an entry is missing');
  },
  120_000,
);

/** Returns the lines of a block, without those of the clock. */
function linesOf(text: string): string[] {
  return text
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('{"now":'));
}
