import { Type } from '@sinclair/typebox';
import {
  dateTime,
  described,
  hexString,
  limitParameter,
  named,
  nullable,
  plainText,
  strictObject,
} from '../../platform/http/schema.ts';
import { LogName } from '../http/enumerations.ts';

const log = Type.Optional(
  described(LogName, 'Which log: of finalized receipts (default), of keys, or of revocations.'),
);
const hashes = (description: string) =>
  Type.Array(Type.String({ description: 'A SHA-256 hash, base64.' }), { description });
const origin = Type.String({ description: "The log's name, as its checkpoints state it." });
const note = Type.String({ description: 'The signed note (C2SP tlog-checkpoint), verbatim.' });
const treeSize = (description: string) => Type.Integer({ minimum: 0, description });
/** A size in a query: a whole number as text. */
const sizeParameter = (description: string) =>
  Type.String({
    pattern: '^(0|[1-9][0-9]{0,15})$',
    description,
    examples: [0],
    'x-complaint': 'must be a whole number',
    'x-schema': { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  });

export const LogQuery = strictObject({ log });

export const CheckpointsQuery = strictObject({
  log,
  limit: limitParameter('Checkpoints per page.', 50),
  cursor: Type.Optional(
    Type.String({ maxLength: 256, description: '`next_cursor` of the previous page, of the same log.' }),
  ),
});

export const CheckpointResponseSchema = named(
  'Checkpoint',
  strictObject({
    checkpoint_id: Type.String({ description: '`ckpt_` and a UUIDv7 without dashes.' }),
    origin,
    tree_size: treeSize('Leaves in the tree.'),
    root_hash: hexString(32, 'The RFC 6962 root of these leaves.'),
    from_index: treeSize('The first entry that the checkpoint before does not cover.'),
    to_index: treeSize('The first entry that this one does not cover.'),
    receipt_count: treeSize('Leaves from the one to the other.'),
    issued_at: dateTime('When it was signed; never before the one before.'),
    previous_checkpoint_id: nullable(Type.String()),
    kid: Type.String({ description: 'The key of purpose `log` that made `signature`.' }),
    signature: hexString(
      64,
      "Ed25519 over the note's text, up to and with the line end before the empty line.",
    ),
    note,
  }),
);

export const CheckpointListResponse = named(
  'CheckpointPage',
  strictObject({
    checkpoints: Type.Array(CheckpointResponseSchema),
    next_cursor: Type.Union([Type.String(), Type.Null()], {
      description: 'The cursor of the next page. null on the last page.',
    }),
  }),
);

export const ConsistencyQuery = strictObject({
  log,
  from: sizeParameter('The smaller tree.'),
  to: sizeParameter('The larger tree.'),
});

export const ConsistencyResponse = named(
  'ConsistencyProof',
  strictObject({
    log: origin,
    from: treeSize('The smaller tree.'),
    to: treeSize('The larger tree.'),
    from_root: hexString(32, 'Its root.'),
    to_root: hexString(32, 'Its root.'),
    hashes: hashes('The proof of RFC 6962 section 2.1.2.'),
  }),
);

/** The inclusion proof of a receipt in its manifest. */
export const InclusionPath = named(
  'InclusionProof',
  strictObject({
    log: origin,
    leaf_index: treeSize('Its place, counted from 0.'),
    tree_size: treeSize('The tree that the proof is for.'),
    leaf_entry: Type.String({ description: 'What was logged: the exact JSON text.' }),
    leaf_hash: hexString(32, 'SHA-256 of a zero byte and the text.'),
    hashes: hashes("The proof of RFC 6962 section 2.1.1, the leaf's sibling first."),
    checkpoint: note,
  }),
);

const name = { ...described(LogName, 'Which log.'), examples: ['keys'] };

export const LogPath = strictObject({ name });

export const TilePath = strictObject({
  name,
  '*': Type.String({
    maxLength: 64,
    description: 'What follows `tile/` in C2SP tlog-tiles: `0/000`, `0/x001/234.p/17`, `entries/000.p/5`.',
    examples: ['0/000.p/1'],
    // An invalid tile path is answered with 404, like a tile that does not exist yet.
    'x-schema': {
      type: 'string',
      pattern: '^(?:entries|[0-9]|[1-5][0-9]|6[0-3])/(?:x[0-9]{3}/)*[0-9]{3}(?:\\.p/[1-9][0-9]{0,2})?$',
    },
  }),
});

export const NoteText = plainText('The newest checkpoint, a signed note.');
export const PolicyLines = plainText('Lines of a policy, one for each key.');
export const TileBytes = Type.Uint8Array({
  description: 'Hashes of 32 bytes each, or entries with their lengths.',
  'x-schema': { type: 'string', format: 'binary', 'x-media-type': 'application/octet-stream' },
});
