import { EXECUTABLE } from '../build.ts';
import { memoryOf } from './server-process.ts';

/**
 * Runs `ledger check`. @returns seconds from exec to exit, and the peak memory in MB @throws Error if it
 * finds a problem
 */
export async function checkedLedger(
  data: string,
): Promise<{ seconds: number; memory: number; movements: number }> {
  const since = performance.now();
  const child = Bun.spawn([EXECUTABLE, 'ledger', 'check', '--json', '--data', data], {
    stdout: 'pipe',
    stderr: 'pipe',
  });
  let memory = 0;
  const watch = setInterval(() => {
    memory = Math.max(memory, memoryOf(child.pid, 'VmHWM'));
  }, 200);
  const text = await new Response(child.stdout).text();
  clearInterval(watch);
  if ((await child.exited) !== 0)
    throw new Error(`ledger check found problems: ${text}${await new Response(child.stderr).text()}`);
  const { examined } = JSON.parse(text);
  return { seconds: (performance.now() - since) / 1000, memory, movements: Number(examined.movements) };
}
