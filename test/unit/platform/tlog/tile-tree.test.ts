import { expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import type { LogSource } from '../../../../src/platform/tlog/source.ts';
import { TileTree } from '../../../../src/platform/tlog/tile-tree.ts';
import { Frontier, leafHash } from '../../../../src/proof/log/merkle.ts';
import { tilesOfLeaves } from '../../../support/leaf-tiles.ts';

const leaf = (index: number): Uint8Array => leafHash(nativePrimitives, Buffer.from(String(index)));

/** A source with the tiles of a log, and the paths that were read. */
function sourceOf(size: number): LogSource & { asked: string[]; files: Map<string, Uint8Array> } {
  const files = tilesOfLeaves(Array.from({ length: size }, (_, index) => leaf(index)));
  const asked: string[] = [];
  const read = async (path: string): Promise<Uint8Array> => {
    asked.push(path);
    const bytes = files.get(path.replace('receipts/', ''));
    if (bytes === undefined) throw new Error(`${path} is missing`);
    return bytes;
  };
  return { location: 'copy', read, asked, files };
}

function rootsUpTo(size: number): Uint8Array[] {
  const frontier = new Frontier(nativePrimitives);
  return [
    frontier.root(),
    ...Array.from({ length: size }, (_, index) => {
      frontier.append(leaf(index));
      return frontier.root();
    }),
  ];
}

test.each([0, 1, 2, 3, 255, 256, 257, 511, 512, 700])(
  'a tree of %p leaves has the root of every size',
  async (size) => {
    const source = sourceOf(size);
    const roots = rootsUpTo(size);
    for (const [prefix, root] of roots.entries())
      expect(await new TileTree(source, 'receipts', size).rootsAt(prefix)).toEqual({
        prefix: root,
        whole: roots[size] ?? new Uint8Array(),
      });
  },
);

test('few tiles lead to a root of a large tree, and each is read once', async () => {
  const size = 2 ** 16 + 3 * 256 + 7;
  const source = sourceOf(size);
  const roots = rootsUpTo(size);
  for (const prefix of [1, 255, 30_000, 2 ** 16, 2 ** 16 + 1, size - 1, size]) {
    source.asked.length = 0;
    const found = await new TileTree(source, 'receipts', size).rootsAt(prefix);
    expect([found.prefix, found.whole]).toEqual([roots[prefix] ?? found.whole, roots[size] ?? found.prefix]);
    expect(source.asked.length).toBeLessThanOrEqual(6);
    expect(new Set(source.asked).size).toBe(source.asked.length);
  }
});

test('a changed hash gives another root of the whole tree, and a cut tile is refused', async () => {
  const source = sourceOf(300);
  const [{ whole }, path] = [await new TileTree(source, 'receipts', 300).rootsAt(256), 'tile/0/001.p/44'];
  const tile = source.files.get(path) ?? new Uint8Array();
  source.files.set(path, tile.with(0, (tile[0] ?? 0) ^ 1));
  expect((await new TileTree(source, 'receipts', 300).rootsAt(256)).whole).not.toEqual(whole);
  source.files.set(path, tile.subarray(1));
  expect(new TileTree(source, 'receipts', 300).rootsAt(256)).rejects.toThrow(
    'copy/receipts/tile/0/001.p/44 has 1407 bytes instead of 1408',
  );
});
