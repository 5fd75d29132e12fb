import { join } from 'node:path';
import { ROOT } from '../sources.ts';

const SEEDED = join(import.meta.dir, 'seeded-crypto.ts');

/** The time in the first identifier. Each has a later one, so that identifiers sort as in a service. */
const FIRST_ID_MS = Date.parse('2026-05-01T00:00:00Z');

/**
 * Replaces the randomness of the sources that this process loads from now on by seeded generators. It is for
 * recordings only: the keys are public.
 */
export function seedRandomness(): void {
  Bun.plugin({
    name: 'seeded randomness',
    setup(build) {
      build.onLoad({ filter: new RegExp(`^${ROOT}/(?:src|test/support)/.*[.]ts$`) }, async ({ path }) => {
        const text = await Bun.file(path).text();
        const seeded = `from '${SEEDED}?${path.slice(ROOT.length)}'`;
        return { loader: 'ts', contents: text.replaceAll("from 'node:crypto'", seeded) };
      });
    },
  });
  Bun.randomUUIDv7 = seededIds();
}

/** Returns a function that returns UUIDv7s (RFC 9562 section 5.7), each a millisecond after the last. */
function seededIds(): typeof Bun.randomUUIDv7 {
  let count = 0;
  function next(encoding?: 'hex' | 'base64' | 'base64url', timestamp?: number | Date): string;
  function next(encoding: 'buffer', timestamp?: number | Date): Buffer;
  function next(encoding: string = 'hex'): string | Buffer {
    count++;
    const time = (FIRST_ID_MS + count).toString(16).padStart(12, '0');
    const random = new Bun.CryptoHasher('sha256').update(`id ${count}`).digest('hex');
    const digits = `${time}7${random.slice(0, 3)}8${random.slice(3, 18)}`;
    if (encoding === 'buffer') return Buffer.from(digits, 'hex');
    return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  }
  return next;
}
