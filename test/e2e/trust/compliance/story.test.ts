import { expect, test } from 'bun:test';
import { pageOf, runStory, shellBlocks } from '../../../support/story.ts';

const page = pageOf('compliance.md');
const blocks = shellBlocks(page);
const needed = ['bash', 'curl', 'jq', 'sha256sum'].filter((name) => Bun.which(name) === null);

test.skipIf(needed.length > 0)('docs/compliance.md: the story of an auditor runs word for word', async () => {
  const { said, stderr } = await runStory(blocks);
  const [worked = '', reported = '', packages = '', verified = '', changed = '', sample = ''] = said;
  expect(worked).toContain('\nsuccess\nrefusal\n');
  expect(reported).toStartWith('failure\n');
  expect(
    packages
      .replaceAll(/of 20\d\d-\d\d-\d\d/g, 'of 2026-05-01')
      .split('\n')
      .slice(0, 3),
  ).toEqual(/\n```\n(\{"not[\s\S]*?)\n```/.exec(page)?.[1]?.split('\n') ?? []);
  expect(verified.match(/"verdict": "valid"/g)).toHaveLength(2);
  expect(changed).toContain('"verdict": "bad_signature"');
  expect(stderr.match(/^valid: The package is authentic/gm)).toHaveLength(2);
  const [inLog, ofReport] = sample.split('\n');
  expect(inLog).toMatch(/^[0-9a-f]{64}$/);
  expect(ofReport).toBe(inLog);
});
