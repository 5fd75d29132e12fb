import { expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { client } from '../../../support/client.ts';
import { EXECUTABLE, run, scratch, serve } from '../../../support/process.ts';

const ROOT = join(import.meta.dir, '../../../..');
const blocks = [...readFileSync(join(ROOT, 'docs/evidence.md'), 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)];
const needed = ['bash', 'curl', 'jq', 'openssl', 'xxd'].filter((name) => Bun.which(name) === null);

test.skipIf(needed.length > 0)(
  'docs/evidence.md: both ways to sign are one, and what is sent is anchored',
  async () => {
    const { path, dispose } = scratch();
    const server = await serve(join(path, 'data'));
    try {
      const key = join(path, 'agent.pem');
      const apiKey = join(path, 'api-key');
      writeFileSync(apiKey, server.apiKey, { mode: 0o600 });
      expect((await run(['keygen', '--out', key])).code).toBe(0);
      const enrolled = await run(['enroll', server.url, '--key', key, '--api-key-file', apiKey]);
      const { subject_commitment: commitment } = JSON.parse(enrolled.stdout);
      const [sending = '', signing = ''] = blocks.map(([, script = '']) =>
        script.replace('dist/countersign', EXECUTABLE),
      );
      const shell = (script: string) => {
        const env = {
          ...process.env,
          API: `${server.url}/api/v1`,
          KEY: server.apiKey,
          COMMITMENT: commitment,
        };
        const child = Bun.spawnSync(['bash', '-euo', 'pipefail', '-c', script], { cwd: path, env });
        expect([child.exitCode, child.stderr.toString()]).toEqual([0, '']);
        return child.stdout.toString();
      };
      const anchored = JSON.parse(shell(sending));
      expect(anchored).toMatchObject({ duplicate: false, reading: 'digest', prev_event_hash: null });
      const { signature } = JSON.parse(readFileSync(join(path, 'evidence.json'), 'utf8'));
      shell(signing);
      expect(readFileSync(join(path, 'signature'), 'utf8')).toBe(signature);
      expect(readFileSync(join(path, 'digest'), 'utf8')).toBe(anchored.payload_digest);
      // Compressed and read again by the executable.
      const listed = await client(fetch, server.url, server.apiKey).get(
        `/api/v1/passport/agents/${commitment}/evidence`,
      );
      expect(listed.body.evidence).toEqual([
        expect.objectContaining({
          event_commitment_hash: anchored.event_commitment_hash,
          signature,
          payload: JSON.parse(readFileSync(join(path, 'payload.json'), 'utf8')),
        }),
      ]);
      expect((await server.stop()).code).toBe(0);
    } finally {
      dispose();
    }
  },
);
