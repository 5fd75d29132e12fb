import { buildIfChanged, EXECUTABLE } from './build.ts';
import { install } from './install.ts';

install('production');
buildIfChanged();

const child = Bun.spawn([EXECUTABLE, 'serve', ...process.argv.slice(2)], {
  stdin: 'inherit',
  stdout: 'inherit',
  stderr: 'inherit',
});
// Ctrl-C reaches the whole process group, including the child; forwarding it would send a second signal.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => child.kill('SIGTERM'));
process.on('SIGHUP', () => child.kill('SIGTERM'));
process.exit(await child.exited);
