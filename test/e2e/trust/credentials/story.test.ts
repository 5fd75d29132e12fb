import { expect, test } from 'bun:test';
import { pageOf, runStory, shellBlocks } from '../../../support/story.ts';

const page = pageOf('credentials.md');
const blocks = shellBlocks(page);
const needed = ['bash', 'curl', 'jq', 'node'].filter((name) => Bun.which(name) === null);

test.skipIf(needed.length > 0)(
  'docs/credentials.md: the story of a verifier runs word for word',
  async () => {
    const { said, stderr } = await runStory(blocks);
    const [got = '', accepted = '', changed = '', revoked = '', ours = ''] = said;
    expect(got).toContain('"AgentReputationCredential"');
    expect(accepted).toMatch(/^valid: score 0 of did:key:z6Mk\w+\n/);
    expect(changed).toStartWith('not valid: Invalid signature.\n');
    expect(revoked).toContain('"status":"revoked"');
    expect(revoked).toMatch(/^revoked$/m);
    const [offline, withList] = stderr.match(/^[a-z]+: The credential .*$/gm) ?? [];
    expect([offline, withList]).toEqual([
      'valid: The credential is authentic, unchanged and not expired. Not checked: whether it is revoked (--status).',
      'revoked: The credential has been revoked.',
    ]);
    expect(ours).toContain('"reason_code":"credential_revoked"');
  },
);
