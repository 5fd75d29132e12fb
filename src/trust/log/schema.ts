import { type Static, Type } from '@sinclair/typebox';
import {
  dateTime,
  described,
  hexString,
  inForms,
  limitParameter,
  named,
  nullable,
  oneOf,
  plainText,
  strictObject,
} from '../../platform/http/schema.ts';
import { COSE_RECEIPT_TYPE } from '../../proof/log/cose-receipt.ts';
import { LogName } from '../http/enumerations.ts';

const log = Type.Optional(
  described(LogName, 'Which log: of finalized receipts (default), of keys, of revocations, or of evidence.'),
);
const hashes = (description: string) =>
  Type.Array(Type.String({ description: 'A SHA-256 hash, in base64.' }), { description });
const origin = Type.String({ description: "The log's name (origin), as in its checkpoints." });
const note = Type.String({ description: 'The signed note (C2SP tlog-checkpoint), verbatim.' });
const treeSize = (description: string) => Type.Integer({ minimum: 0, description });
/** A size in a query: a whole number as text. */
const sizeParameter = (description: string) =>
  Type.String({
    pattern: '^(0|[1-9][0-9]{0,15})$',
    description,
    examples: [0],
    'x-message': 'must be a whole number',
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
    checkpoint_id: Type.String({
      description: 'The id of the checkpoint: `ckpt_` and a UUIDv7 without dashes.',
    }),
    origin,
    tree_size: treeSize('The number of entries in the log.'),
    root_hash: hexString(32, 'The root hash (RFC 6962) of the tree.'),
    from_index: treeSize(
      'The index of the first entry that the previous checkpoint does not cover, equal to its tree_size.',
    ),
    to_index: treeSize(
      'The index of the first entry that this checkpoint does not cover, equal to tree_size.',
    ),
    receipt_count: treeSize('The number of entries since the previous checkpoint: to_index − from_index.'),
    issued_at: dateTime(
      'The time when the checkpoint was signed, never earlier than the time of the previous checkpoint.',
    ),
    previous_checkpoint_id: nullable(
      Type.String({
        description:
          'The checkpoint_id of the previous checkpoint, which may have been deleted. null for the first.',
      }),
    ),
    kid: Type.String({ description: 'The id of the key (purpose `<log>-log`) that made `signature`.' }),
    signature: hexString(
      64,
      'Ed25519 signature over the text of `note`: all bytes before its empty line, with the last line feed.',
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
  from: sizeParameter('The size of the smaller tree, in leaves.'),
  to: sizeParameter('The size of the larger tree, in leaves.'),
});

export const ConsistencyResponse = named(
  'ConsistencyProof',
  strictObject({
    log: origin,
    from: treeSize('The size of the smaller tree, in leaves.'),
    to: treeSize('The size of the larger tree, in leaves.'),
    from_root: hexString(32, 'The root hash of the smaller tree.'),
    to_root: hexString(32, 'The root hash of the larger tree.'),
    hashes: hashes('The hashes of the consistency proof, in the order of RFC 6962 section 2.1.2.'),
  }),
);

const pathMembers = {
  log: origin,
  leaf_index: treeSize('The index of the entry in the log, from 0.'),
  tree_size: treeSize('The size of the tree that the proof is for, in leaves.'),
  leaf_entry: Type.String({ description: 'The exact JSON text of the log entry.' }),
  leaf_hash: hexString(32, 'SHA-256 of a zero byte followed by leaf_entry.'),
  hashes: hashes(
    'The hashes of the inclusion proof, in the order of RFC 6962 section 2.1.1: the sibling of the leaf first.',
  ),
};

/** An inclusion proof in a document that has the checkpoint once for many proofs. */
export const PathWithoutCheckpoint = named(
  'InclusionProofWithoutCheckpoint',
  strictObject(pathMembers, {
    description:
      'An InclusionProof without `checkpoint`: the document has the checkpoint of `log` with `tree_size` once.',
  }),
);

/** The inclusion proof of a receipt in its manifest. */
export const InclusionPath = named(
  'InclusionProof',
  strictObject({
    ...pathMembers,
    checkpoint: note,
    cosigned: Type.Boolean({
      description: "Whether the checkpoint has the cosignatures that the service's witness policy demands.",
    }),
  }),
);

/** Which checkpoint an inclusion proof is for. */
export const ProofQuery = strictObject({
  cosigned: Type.Optional(
    oneOf(['yes', 'no'], {
      description:
        '`yes` (default): prove with the newest checkpoint that meets the witness policy of the service, if it covers the entry; else ' +
        'with the newest checkpoint. `no`: always prove with the newest checkpoint.',
    }),
  ),
});

export const ProofText = plainText(
  'The proof in the format C2SP tlog-proof. Its extra data is the log entry.',
);

/** The media types of the proof of a receipt: C2SP tlog-proof, which is the default, and a COSE receipt. */
export const PROOF_TYPE = 'text/plain';
export const PROOF_TYPES = [PROOF_TYPE, COSE_RECEIPT_TYPE] as const;
export type ProofType = (typeof PROOF_TYPES)[number];

/** The proof of a receipt, in both forms. */
export const ReceiptProof = inForms(
  [
    ProofText,
    Type.Uint8Array({
      description:
        'The proof as COSE receipt: a tagged COSE_Sign1 message with a detached payload, in deterministic CBOR.',
      'x-schema': { type: 'string', format: 'binary', 'x-media-type': COSE_RECEIPT_TYPE },
    }),
  ],
  'The proof, in the form that Accept prefers.',
);

/** The media type of a bundle. */
export const BUNDLE_TYPE = 'application/vnd.countersign.bundle+json';

/** The header of a proof, with its description. */
export const PROOF_HEADERS = {
  Cosigned:
    "`true` if the checkpoint has the cosignatures that the service's witness policy demands; else `false`.",
};

const name = { ...described(LogName, 'The name of the log.'), examples: ['keys'] };

export const LogPath = strictObject({ name });

/** Which checkpoint a note is of. */
export const NoteQuery = strictObject({
  cosigned: Type.Optional(
    oneOf(['yes', 'no'], {
      description:
        '`yes`: the newest checkpoint that meets the witness policy of the service, or the newest of all if there is none. `no` ' +
        '(default): the newest of all.',
    }),
  ),
});

export const TilePath = strictObject({
  name,
  '*': Type.String({
    maxLength: 64,
    description:
      'The path of the tile after `tile/` (C2SP tlog-tiles), such as `0/000`, `0/x001/234.p/17` or `entries/000.p/5`.',
    examples: ['0/000.p/1'],
    // The response to an invalid tile path is 404, like a tile that does not exist yet.
    'x-schema': {
      type: 'string',
      pattern: '^(?:entries|[0-9]|[1-5][0-9]|6[0-3])/(?:x[0-9]{3}/)*[0-9]{3}(?:\\.p/[1-9][0-9]{0,2})?$',
    },
  }),
});

export const NoteText = plainText('The newest checkpoint, a signed note.');
export const PolicyLines = plainText('Lines of a policy, one for each key.');
export const TileBytes = Type.Uint8Array({
  description: 'Hashes of 32 bytes each; or entries, each after its length in two bytes.',
  'x-schema': { type: 'string', format: 'binary', 'x-media-type': 'application/octet-stream' },
});

export type ProofRequest = Static<typeof ProofQuery>;
