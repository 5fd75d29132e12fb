import { Failure } from '../../platform/failure.ts';
import { readPolicyFile } from '../../platform/tlog/policy-file.ts';
import type { VerifierKey } from '../../proof/log/note.ts';

/** The longest origin that an ML-DSA-44 cosignature can contain (C2SP tlog-cosignature). */
const MAX_ORIGIN_BYTES = 255;
/** The maximum number of keys per log. One note has a line for each of them and for each cosignature. */
const MAX_KEYS = 32;

/** Reads the policy file and returns each log's keys by its origin. @throws Failure (exit code 2) */
export function trustedLogs(path: string | null): ReadonlyMap<string, readonly VerifierKey[]> {
  if (path === null) {
    throw new Failure(
      'the setting logs is missing',
      'pass --logs with a tlog-policy file that has a line "log <vkey>" for each log',
      2,
    );
  }
  const policy = readPolicyFile(path, '--logs');
  const logs = new Map<string, VerifierKey[]>();
  for (const { key } of policy.logs) {
    if (Buffer.byteLength(key.name) > MAX_ORIGIN_BYTES) {
      throw new Failure(
        `${path}: the origin ${key.name} is longer than ${MAX_ORIGIN_BYTES} bytes`,
        'remove its log lines',
        2,
      );
    }
    const keys = [...(logs.get(key.name) ?? []), key];
    if (keys.length > MAX_KEYS)
      throw new Failure(
        `${path} has more than ${MAX_KEYS} keys for ${key.name}`,
        'remove the log lines of old keys',
        2,
      );
    logs.set(key.name, keys);
  }
  if (logs.size > 0) return logs;
  throw new Failure(`${path} names no log`, 'add a line "log <vkey>" for each log', 2);
}
