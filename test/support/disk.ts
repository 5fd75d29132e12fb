import { scratch } from './process.ts';

/** A disk of so many KiB, in memory; only root can have one. */
export function mount(at: string, kib: number, options = ''): boolean {
  return ran(['mount', '-t', 'tmpfs', '-o', `size=${kib}k,mode=0700${options}`, 'tmpfs', at]);
}

/** Makes a mounted disk read-only. */
export const makeReadOnly = (at: string): boolean => ran(['mount', '-o', 'remount,ro', at]);

/** Mounts a directory a second time, where nobody can write it. */
export const mountReadOnly = (from: string, at: string): boolean =>
  ran(['mount', '--bind', from, at]) && ran(['mount', '-o', 'remount,ro,bind', at]);

export const unmount = (at: string): boolean => ran(['umount', at]);

const ran = (command: string[]): boolean => Bun.spawnSync(command, { stderr: 'ignore' }).exitCode === 0;

/** Whether this user can mount disks. */
export const canMount = ((): boolean => {
  const { path, dispose } = scratch();
  const mounted = process.getuid?.() === 0 && mount(path, 64);
  if (mounted) unmount(path);
  dispose();
  return mounted;
})();
