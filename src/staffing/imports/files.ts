import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../platform/failure.ts';
import { currentRegistry, formerRegistry, isRegistryName } from '../registry/current.ts';
import { describeRegistry, type RegistryDescription } from '../registry/description.ts';

/** A registry file, as commands show it. Members are null for a file that cannot be read. */
export interface RegistryFile {
  name: string;
  state: 'current' | 'former' | 'other';
  /** YYYY-MM-DD. */
  as_of: string | null;
  records: number | null;
  sample: boolean | null;
  /** With its log. */
  bytes: number;
}

const ORDER = ['current', 'former', 'other'] as const;

/** Returns the registry files of a directory: the current one, the former one, and others by name. */
export function registryFiles(directory: string): RegistryFile[] {
  if (!existsSync(directory)) return [];
  const names = { current: currentRegistry(directory), former: formerRegistry(directory) };
  const stateOf = (name: string): RegistryFile['state'] => {
    if (name === names.current) return 'current';
    return name === names.former ? 'former' : 'other';
  };
  return readdirSync(directory)
    .filter(isRegistryName)
    .sort()
    .map((name) => fileOf(directory, name, stateOf(name)))
    .sort((left, right) => ORDER.indexOf(left.state) - ORDER.indexOf(right.state));
}

function fileOf(directory: string, name: string, state: RegistryFile['state']): RegistryFile {
  const path = join(directory, name);
  const bytes = ['', '-wal'].reduce(
    (sum, end) => sum + (statSync(`${path}${end}`, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
  const described = readable(path);
  return {
    name,
    state,
    as_of: described?.asOf ?? null,
    records: described?.records ?? null,
    sample: described?.sample ?? null,
    bytes,
  };
}

function readable(path: string): RegistryDescription | null {
  try {
    return describeRegistry(path);
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}
