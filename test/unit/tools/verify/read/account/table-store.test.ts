import { expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  type LoggedReceipt,
  MemoryReceiptTable,
  type ReceiptTable,
} from '../../../../../../src/proof/account/receipt-table.ts';
import { ReceiptTableStore } from '../../../../../../src/tools/verify/read/account/table-store.ts';

const HASH = 'ab'.repeat(32);
const receipt = (number: number, ordinal: number, finalized: string | null): LoggedReceipt => ({
  ordinal,
  receiptId: `rcpt_${number}`,
  sequence: number + 2,
  agent: HASH,
  issuedAt: number % 3 === 0 ? null : number,
  issued: number % 3 === 0 ? null : HASH,
  finalized,
  revoked: null,
});

test('a table in SQLite is like one in memory', () => {
  const act = fc.record({
    act: fc.constantFrom('put', 'put', 'finalize', 'find', 'order', 'at', 'agent'),
    number: fc.nat({ max: 60 }),
  });
  fc.assert(
    fc.property(fc.array(act, { maxLength: 200 }), fc.integer({ min: 1, max: 20 }), (acts, changedMax) => {
      using store = new ReceiptTableStore(changedMax);
      const memory = new MemoryReceiptTable();
      for (const { act, number } of acts) {
        const both = (of: (table: ReceiptTable) => unknown): void => expect(of(store)).toEqual(of(memory));
        const id = `rcpt_${number}`;
        const known = memory.find(id);
        if (act === 'put' && known === null) {
          const added = receipt(number, memory.size, null);
          for (const table of [store, memory]) table.put(added);
        }
        if (act === 'finalize' && known !== null)
          for (const table of [store, memory]) table.put({ ...known, finalized: HASH });
        if (act === 'find') both((table) => table.find(id));
        if (act === 'order') for (let at = 0; at < 61; at++) both((table) => table.findInOrder(`rcpt_${at}`));
        if (act === 'at' && number < memory.size) both((table) => table.at(number));
        if (act === 'agent') {
          const leaves = memory.leavesOf(id) + 1;
          for (const table of [store, memory]) table.setLeavesOf(id, leaves);
          both((table) => table.leavesOf(`rcpt_${number % 7}`));
        }
        both((table) => table.size);
      }
    }),
    { numRuns: 60 },
  );
  using empty = new ReceiptTableStore();
  expect(() => empty.at(0)).toThrow('there is no receipt 0');
});
