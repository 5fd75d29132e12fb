import { describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { clearForDemonstration } from '../../../src/platform/demo/directory.ts';
import { staffingServiceDefinition } from '../../../src/staffing/definition.ts';
import { staffingModules } from '../../../src/staffing/service/modules.ts';
import { trustServiceDefinition } from '../../../src/trust/definition.ts';
import { DEMO_API_KEY, DEMO_OPERATOR_ID, DEMO_RECEIPT_ID } from '../../../src/trust/http/example-ids.ts';
import { trustModules } from '../../../src/trust/service/modules.ts';
import { client } from '../../support/client.ts';
import { run, scratch, serve, start } from '../../support/process.ts';

const key = async (url: string): Promise<unknown> =>
  (await client(fetch, url, null).get('/api/v1/public-key')).body.kid;

describe('serve --demo', () => {
  test('without --data serves from a directory that is removed at the end', async () => {
    const { path, dispose } = scratch();
    try {
      const readyFile = `${path}/ready.json`;
      const server = await start(['--demo', '--port', '0', '--ready-file', readyFile], readyFile);
      expect(server.apiKey).toBe(DEMO_API_KEY);
      const { status } = await client(fetch, server.url, DEMO_API_KEY).get(
        `/api/v1/receipts/${DEMO_RECEIPT_ID}`,
      );
      expect(status).toBe(200);
      const { code, stdout } = await server.stop();
      expect(code).toBe(0);
      const directory = /Data +(\S+)/.exec(stdout)?.[1] ?? '';
      expect([directory.startsWith('/'), existsSync(directory)]).toEqual([true, false]);
      expect(stdout).toContain(DEMO_API_KEY);
      expect(stdout).toContain('Demonstration: made-up data and public keys.');
    } finally {
      dispose();
    }
  });

  test('with --data leaves a directory in which fsck finds no problem, is replaced by the next start, and is neither served without --demo nor backed up', async () => {
    const { path, dispose } = scratch();
    try {
      const data = `${path}/data`;
      const first = await serve(data, {}, ['--demo']);
      const firstKey = await key(first.url);
      const listed = await run(['operators', 'list', '--output', 'ndjson', '--all', '--data', data]);
      expect([listed.code, listed.stdout]).toEqual([0, expect.stringContaining(DEMO_OPERATOR_ID)]);
      expect((await first.stop()).code).toBe(0);
      const audit = await run(['fsck', data]);
      expect([audit.code, audit.stderr]).toEqual([0, expect.stringContaining('no problems')]);

      const refused = await run(['serve', '--port', '0', '--data', data]);
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('add --demo')]);

      const backup = await run(['backup', `${path}/copy`, '--data', data]);
      expect([backup.code, backup.stderr]).toEqual([2, expect.stringContaining('do not back it up')]);

      const second = await serve(data, {}, ['--demo']);
      expect(await key(second.url)).not.toBe(firstKey);
      expect((await second.stop()).code).toBe(0);
    } finally {
      dispose();
    }
  });

  test('nothing is restored to its directory, which the next start with --demo clears of all that the services make', async () => {
    const { path, dispose } = scratch();
    try {
      const real = await serve(`${path}/real`);
      const passphrase = { COUNTERSIGN_KEYS_PASSPHRASE: 'four words and more' };
      expect((await run(['backup', `${path}/db`, '--data', `${path}/real`])).code).toBe(0);
      const keys = await run(['keys', 'backup', `${path}/keys`, '--data', `${path}/real`], {
        env: passphrase,
      });
      expect(keys.code).toBe(0);
      await real.stop();
      for (const service of ['trust', 'staffing']) {
        const data = `${path}/${service}`;
        await (await serve(data, {}, ['--demo', '--service', service])).stop('SIGKILL');
        const first = readdirSync(data);
        for (const restore of [
          ['restore', '--force', `${path}/db`],
          ['keys', 'restore', `${path}/keys`],
        ]) {
          const args = [...restore, '--service', service, '--data', data];
          const { code, stderr } = await run(args, { env: passphrase });
          expect([code, stderr]).toEqual([2, expect.stringContaining('would delete what is restored')]);
        }
        writeFileSync(`${data}/log.jsonl`, 'mine');
        await (await serve(data, {}, ['--demo', '--service', service])).stop('SIGKILL');
        expect(readdirSync(data).sort()).toEqual([...first, 'log.jsonl'].sort());
        clearForDemonstration(
          data,
          service === 'trust'
            ? trustServiceDefinition(trustModules)
            : staffingServiceDefinition(staffingModules),
        );
        expect(
          readdirSync(data)
            .filter((name) => !name.startsWith('lock'))
            .sort(),
        ).toEqual(['demonstration', 'log.jsonl']);
      }
    } finally {
      dispose();
    }
  }, 180_000);

  test("refuses another service's directory, and an address that others reach, before it touches anything", async () => {
    const { path, dispose } = scratch();
    try {
      mkdirSync(`${path}/mine`);
      writeFileSync(`${path}/mine/trust.db`, '');
      const taken = await run(['serve', '--demo', '--port', '0', '--data', `${path}/mine`]);
      expect([taken.code, taken.stderr]).toEqual([2, expect.stringContaining('--demo would replace')]);
      expect(readdirSync(`${path}/mine`)).toEqual(['trust.db']);
      const open = await run(['serve', '--demo', '--host', '0.0.0.0', '--data', `${path}/new`]);
      expect([open.code, open.stderr]).toEqual([
        2,
        expect.stringContaining('host 0.0.0.0 contradicts --demo'),
      ]);
      expect(existsSync(`${path}/new`)).toBe(false);
    } finally {
      dispose();
    }
  });
});
