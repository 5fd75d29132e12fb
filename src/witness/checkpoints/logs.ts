import { Failure } from '../../platform/failure.ts';
import { readPolicyFile } from '../../platform/tlog/policy-file.ts';
import type { VerifierKey } from '../../proof/log/note.ts';

/** What the name of a log may have for ML-DSA-44 to sign it (C2SP tlog-cosignature). */
const MAX_ORIGIN_BYTES = 255;
/** Of one log: their lines and the witness's own all stand in one note. */
const MAX_KEYS = 32;

/** The keys of the logs of a policy, by origin. @throws Failure (exit code 2) */
export function trustedLogs(path: string | null): ReadonlyMap<string, readonly VerifierKey[]> {
  if (path === null) {
    throw new Failure(
      'nobody said which logs are to be witnessed',
      'name a file with their log lines: --logs',
      2,
    );
  }
  const policy = readPolicyFile(path, 'logs', true);
  const logs = new Map<string, VerifierKey[]>();
  for (const { key } of policy.logs) {
    if (Buffer.byteLength(key.name) > MAX_ORIGIN_BYTES) {
      throw new Failure(
        `${path}: the name of a log has at most ${MAX_ORIGIN_BYTES} bytes`,
        `see ${key.name}`,
        2,
      );
    }
    const keys = [...(logs.get(key.name) ?? []), key];
    if (keys.length > MAX_KEYS)
      throw new Failure(`${path} has more than ${MAX_KEYS} keys of ${key.name}`, null, 2);
    logs.set(key.name, keys);
  }
  if (logs.size > 0) return logs;
  throw new Failure(`${path} names no log`, 'a line of it is "log <vkey>"', 2);
}
