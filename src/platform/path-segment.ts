import { CORRECT_THE_VALUE, Failure } from './failure.ts';

/** Returns a parameter as a path segment. @throws Failure (exit code 2) for one that changes the path */
export function pathSegment(name: string, value: string): string {
  if (!/^\.{0,2}$/.test(value)) return encodeURIComponent(value);
  throw new Failure(`${name} must not be "${value}"`, CORRECT_THE_VALUE, 2);
}
