import { dlopen, FFIType } from 'bun:ffi';

/** CLOCK_THREAD_CPUTIME_ID of Linux. */
const THREAD_TIME = 3;

const { symbols } = dlopen('libc.so.6', {
  clock_gettime: { args: [FFIType.i32, FFIType.ptr], returns: FFIType.i32 },
});
const time = new BigInt64Array(2);

/**
 * Returns the processor time of this thread in microseconds, to the nanosecond (clock_gettime(2)).
 * `process.threadCpuUsage` counts in ticks of the kernel on some machines, which are longer than a question
 * takes.
 */
export function threadTime(): number {
  if (symbols.clock_gettime(THREAD_TIME, time) !== 0)
    throw new Error('the clock of the thread cannot be read');
  const [seconds = 0n, nanoseconds = 0n] = time;
  return Number(seconds) * 1e6 + Number(nanoseconds) / 1e3;
}
