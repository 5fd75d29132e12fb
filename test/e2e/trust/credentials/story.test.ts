import { expect, test } from 'bun:test';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { EXECUTABLE, scratch, serve } from '../../../support/process.ts';

const ROOT = join(import.meta.dir, '../../../..');
const page = readFileSync(join(ROOT, 'docs/credentials.md'), 'utf8');
const [, story = ''] = /\n## A verifier accepts a credential\n([\s\S]*?)\n## /.exec(page) ?? [];
const blocks = [...story.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, script = '']) => script);
const needed = ['bash', 'curl', 'jq', 'node'].filter((name) => Bun.which(name) === null);

test.skipIf(needed.length > 0)(
  'docs/credentials.md: the story of a verifier runs word for word',
  async () => {
    const { path, dispose } = scratch();
    try {
      mkdirSync(join(path, 'data'));
      mkdirSync(join(path, 'dist'));
      symlinkSync(EXECUTABLE, join(path, 'dist/countersign'));
      // As `npm install` leaves them.
      symlinkSync(join(ROOT, 'node_modules'), join(path, 'node_modules'));
      const server = await serve(join(path, 'data/trust'));
      const env = { ...process.env, API: `${server.url}/api/v1`, KEY: server.apiKey };
      const script = blocks.map((block) => `${block}\necho; echo -----\n`).join('');
      const child = Bun.spawnSync(['bash', '-euo', 'pipefail', '-c', script], { cwd: path, env });
      expect([child.stderr.toString(), child.exitCode]).toEqual([expect.any(String), 0]);
      const said = child.stdout.toString().split('-----\n');
      expect(said).toHaveLength(blocks.length + 1);
      const [got = '', accepted = '', changed = '', revoked = '', ours = ''] = said;
      expect(got).toContain('"AgentReputationCredential"');
      expect(accepted).toMatch(/^valid: score 0 of did:key:z6Mk\w+\n/);
      expect(changed).toStartWith('not valid: Invalid signature.\n');
      expect(revoked).toContain('"status":"revoked"');
      expect(revoked).toMatch(/^revoked$/m);
      const [offline, withList] = child.stderr.toString().match(/^[a-z]+: The credential .*$/gm) ?? [];
      expect([offline, withList]).toEqual([
        'valid: The credential is authentic, unchanged, and valid now.',
        'revoked: The credential has been revoked.',
      ]);
      expect(ours).toContain('"reason_code":"credential_revoked"');
      expect((await server.stop()).code).toBe(0);
    } finally {
      dispose();
    }
  },
);
