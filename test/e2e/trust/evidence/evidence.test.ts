import { expect, test } from 'bun:test';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { client } from '../../../support/client.ts';
import { EXECUTABLE, run, scratch, serve } from '../../../support/process.ts';
import { pageOf, shellBlocks } from '../../../support/story.ts';

const [sending = '', , signing = ''] = shellBlocks(pageOf('evidence.md'));
const needed = ['bash', 'curl', 'jq', 'openssl', 'xxd'].filter((name) => Bun.which(name) === null);

test.skipIf(needed.length > 0)(
  'docs/evidence.md: both ways to sign are one, and what is sent is anchored',
  async () => {
    const { path, dispose } = scratch();
    const server = await serve(join(path, 'data'));
    try {
      mkdirSync(join(path, 'tryout'));
      const key = join(path, 'tryout/agent.pem');
      const apiKey = join(path, 'api-key');
      writeFileSync(apiKey, server.apiKey, { mode: 0o600 });
      expect((await run(['keygen', '--out', key])).code).toBe(0);
      const enrolled = await run(['enroll', server.url, '--key', key, '--api-key-file', apiKey]);
      const { subject_commitment: commitment } = JSON.parse(enrolled.stdout);
      const shell = (script: string) => {
        const env = {
          ...process.env,
          API: `${server.url}/api/v1`,
          KEY: server.apiKey,
          AGENT: commitment,
        };
        const child = Bun.spawnSync(
          ['bash', '-euo', 'pipefail', '-c', script.replace('dist/countersign', EXECUTABLE)],
          { cwd: path, env },
        );
        expect([child.exitCode, child.stderr.toString()]).toEqual([0, '']);
        return child.stdout.toString();
      };
      const anchored = JSON.parse(shell(sending));
      expect(anchored).toMatchObject({ duplicate: false, reading: 'digest', prev_event_hash: null });
      const { signature } = JSON.parse(readFileSync(join(path, 'tryout/evidence.json'), 'utf8'));
      shell(signing);
      expect(readFileSync(join(path, 'tryout/signature'), 'utf8')).toBe(signature);
      expect(readFileSync(join(path, 'tryout/digest'), 'utf8')).toBe(anchored.payload_digest);
      // Compressed and read again by the executable.
      const listed = await client(fetch, server.url, server.apiKey).get(
        `/api/v1/passport/agents/${commitment}/evidence`,
      );
      expect(listed.body.evidence).toEqual([
        expect.objectContaining({
          event_commitment_hash: anchored.event_commitment_hash,
          signature,
          payload: JSON.parse(readFileSync(join(path, 'tryout/payload.json'), 'utf8')),
        }),
      ]);
      expect((await server.stop()).code).toBe(0);
    } finally {
      dispose();
    }
  },
);
