import { afterAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, scratch, serve } from '../../support/process.ts';

const directory = scratch();
afterAll(() => directory.dispose());

const API_KEY = `pp_${'12'.repeat(32)}`;
const SERVICES = [
  {
    service: 'trust',
    secrets: {
      COUNTERSIGN_BOOTSTRAP_API_KEY: API_KEY,
      COUNTERSIGN_SERVICE_TOKEN: `svc_${'34'.repeat(32)}`,
      COUNTERSIGN_KEYS_PASSPHRASE: 'horse battery staple',
    },
    start: /API key {8}as configured\n {2}Service token {2}as configured\n/,
  },
  {
    service: 'staffing',
    secrets: { COUNTERSIGN_ADMIN_TOKEN: `adm_${'56'.repeat(32)}` },
    start: /^ {2}Admin token {2}as configured\n/m,
  },
];

const expectNone = (texts: readonly string[], secrets: object): void => {
  // Of a secret that was mistyped, most is still a secret.
  for (const secret of Object.values(secrets)) expect(texts.join('\n')).not.toContain(secret.slice(0, 40));
};

test.each(SERVICES)(
  'the start of $service shows no secret that was given by configuration, at any log level',
  async ({ service, secrets, start }) => {
    const server = await serve(join(directory.path, service), secrets, [
      '--service',
      service,
      '--log-level',
      'trace',
    ]);
    const arguments_ = readFileSync(`/proc/${server.pid}/cmdline`, 'utf8');
    await fetch(`${server.url}/api/v1/receipts`, { headers: { authorization: `Bearer ${API_KEY}` } });
    const { stdout, stderr } = await server.stop();
    expect(stdout).toMatch(start);
    const config = await run(['config', '--service', service], { env: secrets });
    expect(config.code).toBe(0);
    expectNone([arguments_, stdout, stderr, config.stdout, config.stderr], secrets);
  },
);

test.each(SERVICES)(
  'no error of $service quotes a secret: one that is malformed, or in the place of a file, or on the command line',
  async ({ service, secrets }) => {
    const settle = (env: Record<string, string>, args: string[] = []) =>
      run(['config', '--service', service, ...args], { env });
    for (const [name, value] of Object.entries(secrets)) {
      const flag = `--${name.replace('COUNTERSIGN_', '').toLowerCase().replaceAll('_', '-')}`;
      const misplaced = await settle({ [`${name}_FILE`]: value });
      expect([misplaced.code, misplaced.stderr]).toEqual([2, expect.stringContaining('cannot be read')]);
      expectNone([misplaced.stderr, misplaced.stdout], secrets);
      // A passphrase has no form by which it could be told from anything else that was typed.
      if (name.endsWith('PASSPHRASE')) continue;
      for (const { code, stderr, stdout } of [
        await settle({ [name]: `${value}0` }),
        await settle({}, [`${flag}=${value}`]),
        await settle({}, [value]),
      ]) {
        expect([name, code]).toEqual([name, 2]);
        expectNone([stderr, stdout], secrets);
      }
    }
  },
);
