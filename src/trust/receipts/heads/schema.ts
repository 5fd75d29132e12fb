import { type Static, Type } from '@sinclair/typebox';
import { hexString, named, nullable, oneOf, strictObject } from '../../../platform/http/schema.ts';
import { HEAD_PROOF_TYPE } from '../../../proof/ledger/head-proof.ts';
import { InclusionPath } from '../../log/schema.ts';

const count = (description: string, minimum: 0 | 1) =>
  Type.Integer({ minimum, maximum: Number.MAX_SAFE_INTEGER, description });
const day = (description: string) =>
  Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', description, 'x-message': 'must be a date' });

export const HeadProofQuery = strictObject({
  date: Type.Optional(day('A UTC day that has ended. Default: the newest one.')),
});

export type HeadProofQuery = Static<typeof HeadProofQuery>;

export const HeadProofResponse = named(
  'JournalHeadProof',
  strictObject({
    type: oneOf([HEAD_PROOF_TYPE], { description: 'The kind of document.' }),
    date: day('The UTC day at whose end the journal had the head.'),
    leaf: strictObject(
      {
        account: Type.String({
          description: 'The subject commitment of an agent, or the operator_id of a pool.',
        }),
        entries: count('The number of entries of the journal.', 1),
        head: hexString(32, 'The entry_hash of the newest entry.'),
        salt: hexString(16, 'Keeps others from guessing the leaf.'),
        v: Type.Literal(1, { description: 'The version.' }),
      },
      { description: 'The leaf of the tree of all heads of the day, hashed as canonical JSON.' },
    ),
    leaf_index: count('The index of the leaf in the tree of heads.', 0),
    hashes: Type.Array(Type.String({ description: 'A SHA-256 hash, in base64.' }), {
      description: 'The path from the leaf to `root` of the entry of the log, as in RFC 6962.',
    }),
    proof: nullable(InclusionPath),
  }),
);
