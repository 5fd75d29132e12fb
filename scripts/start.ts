import { join } from 'node:path';
import { executable, fresh } from './build.ts';
import { root, run } from './steps/checkout.ts';
import { install, installed } from './steps/install.ts';

/** Brings the checkout up to date and serves. Standard output is the server's alone. */
async function start(args: string[]): Promise<number> {
  if (!installed('production')) {
    say('installing dependencies…');
    if ((await install('production', 2)) !== 0) {
      say('error: the dependencies could not be installed');
      return 1;
    }
  }
  if (!fresh()) {
    say('building…');
    if ((await run([process.execPath, join(root, 'scripts/build.ts'), '--if-stale'], 2)) !== 0) {
      say('error: the executable could not be built');
      return 1;
    }
  }
  return serve(args);
}

function serve(args: string[]): Promise<number> {
  const chosen = process.env.COUNTERSIGN_SERVICE || args.some((arg) => /^--service(=|$)/.test(arg));
  process.on('SIGTERM', () => server.kill('SIGTERM'));
  process.on('SIGHUP', () => server.kill('SIGHUP'));
  process.on('SIGINT', () => {
    if (!onTerminal) {
      server.kill('SIGINT');
    }
  });
  const server = Bun.spawn([executable, 'serve', ...(chosen ? [] : ['--service', 'trust']), ...args], {
    stdio: ['inherit', 'inherit', 'inherit'],
  });
  return server.exited;
}

/** A terminal gives Ctrl-C to every process in front of it, so the server has it already. */
const onTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;

function say(line: string): void {
  process.stderr.write(`countersign: ${line}\n`);
}

process.exitCode = await start(process.argv.slice(2));
