import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { nativePrimitives, sha256Hex } from '../../../../../src/platform/crypto/crypto.ts';
import { digest } from '../../../../../src/proof/encoding/digest.ts';
import { inputDigests, outputDigests } from '../../../../../src/tools/capture/run/files.ts';
import { scratch } from '../../../../support/process.ts';

test('files with the names of members of every object have their digests', async () => {
  const { path, dispose } = scratch();
  const before = process.cwd();
  process.chdir(path);
  try {
    for (const name of ['__proto__', 'constructor']) writeFileSync(name, name);
    const of = sha256Hex('__proto__');
    for (const digests of [await inputDigests(['__proto__']), await outputDigests(['__proto__'])]) {
      expect(Object.entries(digests)).toEqual([['__proto__', of]]);
      const result = { outputs: { ...digests, stdout: of } };
      expect(digest(nativePrimitives, result)).toBe(
        sha256Hex(`{"outputs":{"__proto__":"${of}","stdout":"${of}"}}`),
      );
    }
    expect(Object.keys(await outputDigests(['constructor', 'toString']))).toEqual([
      'constructor',
      'toString',
    ]);
  } finally {
    process.chdir(before);
    dispose();
  }
});
