import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { sha256Hex } from '../../platform/crypto/crypto.ts';
import { writeSecretFile } from '../../platform/files/write.ts';
import { LimitedLog } from '../../platform/monitoring/log-limit.ts';
import { encodeBase64 } from '../../proof/encoding/base64.ts';
import { bytesToHex } from '../../proof/encoding/hex.ts';
import type { Checkpoint } from '../../proof/log/checkpoint.ts';

/** What a log submitted, and what had been cosigned of it. */
interface Evidence {
  oldSize: number;
  proof: readonly Uint8Array[];
  submitted: Uint8Array;
  /** The cosigned note; null where there was none. */
  known: string | null;
}

/**
 * How many files there are of one log at most. Whoever holds a signed checkpoint can submit it with a wrong proof: of what is
 * merely suspicious few are kept, so that nobody fills the disk, nor the room of what only the log itself can have made.
 */
const MAX_FORKS = 1000;
const MAX_SUSPICIOUS = 100;

/** Keeps, in a directory of its own, the checkpoints that a log has signed and that do not go together. */
export class Forks {
  private readonly failures: LimitedLog;

  constructor(
    private readonly directory: string,
    log: Logger,
  ) {
    this.failures = new LimitedLog(log);
  }

  /**
   * Writes both notes to a file. Of one submitted tree there is one file at most.
   *
   * @param isProof whether the two notes alone show that the log has forked
   * @returns its name; null when nothing new was written
   */
  keep({ origin, size, root }: Checkpoint, evidence: Evidence, isProof: boolean): string | null {
    const kind = isProof ? 'fork' : 'suspicious';
    const start = `${kind}-${sha256Hex(origin).slice(0, 16)}-`;
    const name = `${start}${size}-${bytesToHex(root).slice(0, 32)}.txt`;
    const path = join(this.directory, name);
    try {
      if (existsSync(path)) return null;
      mkdirSync(this.directory, { recursive: true, mode: 0o700 });
      const others = readdirSync(this.directory).filter((other) => other.startsWith(start));
      if (others.length >= (isProof ? MAX_FORKS : MAX_SUSPICIOUS)) return null;
      writeSecretFile(path, textOf(evidence));
      return name;
    } catch (err) {
      // The refusal stands without it.
      this.failures.error(err, { origin }, 'evidence against a log could not be kept');
      return null;
    }
  }
}

/** The request as it came, behind what it contradicts. */
function textOf({ oldSize, proof, submitted, known }: Evidence): string {
  const request = [`old ${oldSize}`, ...proof.map(encodeBase64), '', ''].join('\n');
  return [
    'Cosigned before:\n',
    known ?? '(nothing)\n',
    'Submitted afterwards:\n',
    `${request}${Buffer.from(submitted).toString('utf8')}`,
  ].join('\n');
}
