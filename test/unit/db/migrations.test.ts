import { describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from '../../../src/platform/crypto/crypto.ts';
import { freshDatabase } from '../../../src/platform/store/migrations/apply-migration.ts';
import type { Migration } from '../../../src/platform/store/migrations/schema.ts';
import { staffingDatabase } from '../../../src/staffing/service/database.ts';
import { trustDatabase } from '../../../src/trust/service/database.ts';
import { witnessDatabase } from '../../../src/witness/database.ts';

type Frozen = readonly (readonly [name: string, sha256: string])[];

/**
 * Every migration that has landed, in order, with the SHA-256 of its text. A line of this table never
 * changes; new ones are appended.
 */
const FROZEN = {
  trust: [
    ['0001_keys', 'eea25c019b84ee24cbcecfbc96b588721e9e8f084d8fbfab9a3d30d6e91c191c'],
    ['0002_operators', '2995906d6635bda4344e9d7508f99490e29483c9b1a874f9a80e4316fdaa6705'],
    ['0003_receipts', '11c20cb08d9ed95b3229ed734bee61bb7d2e628767578ee992a4b339f43d7c21'],
    ['0004_gate', '7babe49179b811cd6e2addabccc63ae171679f4f45a3ad45758477122503c1b2'],
    ['0005_log', '365d35a920a24949a3281f467dd6569b376d8f4f4cbf3435127b286dbbfa1cea'],
    ['0006_agents', '4c91667a04825216f6ad0da5044dd1d8fbc5d5be4fa077d5d13c69f5cb3d2d1e'],
    ['0007_evidence', 'd1b4a17704692d96a5d373270ae6aecd7ede921832825d28ecb38a0a8f950a9d'],
    ['0008_reputation', '86476647a060a22f6bc1926004f6d0872e68fc2e8e80ebb3bcde77146dfabb1a'],
    ['0009_webhooks', '6c19d8e5264384517bc619712ab16a1698c489e07f3571dea677e305733ef135'],
    ['0010_idempotency', '2839b169d9240f19ea11672595fb9e22f0a591bf9e778d94b1ac1a57fc08762a'],
    ['0011_cursors', '62c4dd694213f2fc9eb383cb3a3188e8b09920a01505aad240e0416905b6ebb9'],
    ['0012_quotas', '10a795b1a2a80a204d38940913843e43ed7f5ed3c5cd81bc953114f077bd751f'],
    ['0013_authority', 'dbaeb85ae1907940b1d7f4f7dc09900e977bcbb057b7aabbdc7559c9225ddeed'],
    ['0014_ledger', 'ae3bf111f6e307999617cf763f2e80125e216cf9ada9e661ed52ee6022cbe5ab'],
    ['0015_credits', '1ff05ac9f7c77f944fdb8526b0365346818db855b822afd5522f1c8b5c2b2d45'],
    ['0016_escrow', '68bd339894eba46f476a5550810ea000e6c335fda2760c43c04599a86c7270ed'],
    ['0017_slashing', '885a45babbf173b955ddc170a02153f62522e9d06efbcfbf8c63d1dfd2133bcf'],
    ['0018_service_receipts', '801d6b641159dc3b50b66cd8a34cf13f7b201e2e547d22de213e187ce5a72871'],
    ['0019_credentials', '61d3c6f1a513b23ee54a91a575db6c0c3627a8dbfc85f0a71f5aa57e1fdc1fe7'],
    ['0020_agora', '226e42cfc99d54e4d6e7688be0aa02ed370125ff74be907353a9a3ed72b4bc69'],
    ['0021_a2a', '18eb93aaeb0123cf3ec90dd0769fcc73b6914b6af8424778e5352625d45fdb01'],
    ['0022_packages', '331818873f16d8cfae177e7e8f4fd8e3cbcb6ac170079fc7ce9c38d14fcd0c16'],
    ['0023_datacenter', 'c07dd2cdf1a25b8d0dd261c0a784c194ec7a767af920bcab11ddb598398cb2f8'],
    ['0024_cluster_credentials', 'da097c98c973e3189d77a3ae010825eab016f3ef78dc13d478bb4a62dd7964e2'],
    ['0025_otlp', '19d60675053f7d919d50bdbc5a99a1e1a0a0a08df5c9d9cc6c7ad84fa1a511f4'],
    ['0026_receivables', '67d443c3f5ce5f719f819f9e077e48873030eb7e162c111f6f626ef71b3fbe87'],
    ['0027_billing', 'ce8cb056f2dc8aa01e60aad0cffba22d06e03777f36d0e10ddd1a93a45ceffda'],
    ['0028_sandbox', 'ed09875cb3a6befcd4c5823d1c43747e2c1318ce70f89c899520a41f0da4f6ed'],
    ['0029_wallets', '5543944954d7e5c2be9b1fd8548d1ad87bac6735f48924f899e166367b30b634'],
    ['0030_payouts', '18712193a367a700e242fa763001dfa7e3cb1fd9294ed5aae5cde0200b3e47ca'],
    ['0031_payments', 'fc1184b877d508c10121d2b243bd0a579c1f4ab38d1c0974952f274ab72f58ae'],
    ['0032_wallet_transfers', '2790f8de0e6d852ca2a8855fbfc7be4f55ba16e84bd7fa97d1c52bce2631cfeb'],
    ['0033_linked_accounts', 'b1a66eb9b5adbeb0808872f5844f5f7cfcdf77da73566fa6878a3aac43fba608'],
    ['0034_issuing_keys', '786acbceaf6c21fa2f931387fbf1c3bfba021cdeb0c7c1b5728f8425426ad913'],
    ['0035_credit_returns', '163741a27a87162f1d8478de474d98374453f4e86dd750146f6091dca64f16e0'],
    ['0036_a2a_lists', 'eb778b4493369b50b71542b17081923cc001090e49a5a204a7cb7771f99b65b7'],
    ['0037_clock', 'eb159f6abab5592abc9e2c5f5ccf0840bed48eeb3162bad8bdc109b712ecb9eb'],
    ['0038_log_changes', '3bddc00f44c0237a89c6e841da31bd15c045edc8ebc943b36e9f8dac9fe89c03'],
    ['0039_evidence_by_event', 'd4602d66da47bc29abd899e58f2b86a4a70ce4797c791489770f844126368a89'],
    ['0040_capture_idempotency', 'ce5655d5d0f441e3e04e95925f21d2f0d8f55be6abdd33f9af19a56b3d6086e9'],
    ['0041_assessments', 'c411d52122e056bdccafaff350601d607397b53c4438476c52d7b389242a04a5'],
    ['0042_energy', '0af953adde72743916af521dc489adb578f533f0e80eb3b9796a0a9db91095f8'],
    ['0043_settlement_caps', '2bbbd84f1a924d23d1bf4e54609d769caec244299c4d0b2cf9d9e207e032f4be'],
    ['0044_key_spending', '6f757c90d2101639da886084e80ca7cbec0f146edf9f998e99f159fec42e7e7c'],
    ['0045_corrected_bodies', '531c88e1125c4ec83ddf69d85f2f00af620833f2b7dd014afcd1c2038e23b707'],
    ['0046_payout_rail', '81dd94f4d87e8e92d4b4f7d5af5d456b6e6a81eb87e9fc4777bd964856561181'],
    ['0047_standstill', '7dfaa3eaa187666eb597a2cb4b350d702539faa9a0ea189cc2193022e399b465'],
    ['0048_restored', '390a8ca360053949d2cccb60092910c3e7bcac875ba56bd897e80a1fe532cb0e'],
    ['0049_expiry', 'ab8dbadfb104045b225521faaf601056e9f08c899f61f3972bd0fe2eb783fc56'],
    ['0050_provisions', '938309578a2a3bb3fe3f3592033d1c4dae2248fdf7bf491fc295da3fb33b29cd'],
    ['0051_lots', '21cc0a9390bc82f40564feac2f99adcb1861394f374ba57046270cf330eb6a1a'],
    ['0052_disputes', '62ea52f1fe4218a7e1f84782a20838e13167f6fb3069f7d9b9bc0b3c989b15d7'],
    ['0053_payout_cuts', 'a0231332f895cecce526de8175dde2bb7dfdfedb6165578c3890e00cb1c8f87a'],
    ['0054_sponsors', '7ff1bab7bca390eacc1f2979b39b3b940fe052cc7f79b183d62e03909b95fb5a'],
    ['0055_plant', 'b0a59b7c8f2f7c20b0e7c079914684c42a0a36db3c871eda82d2267225436d76'],
    ['0056_payment_entries', 'b8d4f445ad16d2cfe852a0953f15a11098c4f26538c5dddab04020c496f6d91d'],
    ['0057_sandbox_portal', '79a2d2251513d441037e2e819821cd1c569b5cbe6fef635b173e7ae7b3d3c773'],
    ['0058_journals', '8d0e53e9133d9789f7ac082d0e7ddb827d29806e1eb91754bbc27ad6de1fcc07'],
    ['0059_movement_steps', '77c1bc8b08b1f91df65650f21d92137b191cd171bb7e86f22429d1930fc2b97e'],
    ['0060_account_leaves', '0ff2a1c76e696cb2c9d20a39698b3e47d3d056b21d2c7e3f305fd40dddf8a10a'],
    ['0061_journal_heads', '79cdcc32bd1af6820621b61288b9e09c5e5fb80f024b92057f2bdf44d31d0af7'],
    ['0062_subscription_ends', '06b6745a2d24616ef3106f145357318cf38c1addd8d2aa9db4f0463d7ceb372b'],
    ['0063_gate_outcomes', 'e38211e313be4dca07195a360d2754c7f1db9532b25bcada6b47b26cda5618c1'],
    ['0064_agora_lists', '99bb1a558819537cebc1adc292018b76a1af2ae60f7e0159f8bc904ff21f5d07'],
    ['0065_hire_evidence', '9f4b9b6e9261c697c51e38d887ae5f734aa862008dbdb71d793d3c814ec82eb6'],
    ['0066_worker_deliveries', 'f4e59c53f8108b31bf5ac913ad2b5d945497dbdbf5195f308e27952985934c8c'],
    ['0067_hire_disputes', '22c82dd2d5833f0799f5043d7efac1180e909470199c6dc23396b45cf175892f'],
    ['0068_a2a_push', '6c3973e9375c165ed0585084cfb714c3673f916d454d2047be0d6c824685462a'],
    ['0069_reputation_basis', 'ad6a7128cb7c71cb75b4db46eb7772ee7a48405d4b36609613d7e5cb7baedeb5'],
    ['0070_arbiter_refusals', '5158b0858b2ed5104b9ecddf0cf963f0952c2c647c5d3f96a8960809cd6b06bf'],
    ['0071_reputation_rules', '2b7c9158b5202e5c1a6a7c3eb7352ca509b4686e2bdf7bb785934cb74114b664'],
    ['0072_hire_costs', '749fa99340ec8f9d946f7e57588b80b21edcbfd2e0bb36585150bba900fa5563'],
    ['0073_package_reads', '643ac5dee4d8de30e2dcd3d0da2dbda3609abce63519d50fe81c8409e62627a8'],
    ['0074_first_mark', 'b3793719ca510e99559800576293116e3ae19f49b3d6b23e14f0b7fae652bff7'],
    ['0075_return_receipts', '93a1d2ead4901531c3c5a029db4f04dcf3214fe19ebe76786dee2aefaed9af8c'],
  ],
  staffing: [
    ['0001_accounts', 'ff874732aa4cfce4da89582c6a5b453c9b0de69c3c316fd5cc217ea84f6b093c'],
    ['0002_suppressions', '248c43bfb364255f54d7bf530c3fbbe8a231e003afdc9f85039340c435d600c4'],
    ['0003_jobs', 'ef926186dc413bff45ed5fe5fb01733c087139464462a890dba69d3e66cde2e2'],
    ['0004_webhooks', '148416100ceb0f394fc8c0b686b2ddc0f96595c9a48205325d690a53e68a3d29'],
    ['0005_idempotency', '2839b169d9240f19ea11672595fb9e22f0a591bf9e778d94b1ac1a57fc08762a'],
    ['0006_deactivations', 'ab9e81b18d4674246c93d13839483d022b7e4bd9115deec5f445eec834b18d1f'],
    ['0007_webhook_deliveries', '130700e4074cdb9e4e13e551ae0533cbaa78cae4b202ef4bf8676799615ae0c6'],
    ['0008_lists', 'f4c0235e6ead1cd47c1f7ef0c7e86a2bb58c171fe6b685b4d60b09f4f46acfdf'],
    ['0009_capture_idempotency', 'ce5655d5d0f441e3e04e95925f21d2f0d8f55be6abdd33f9af19a56b3d6086e9'],
    ['0010_provisions', 'fc8faab4a0af592b7b071273d4bef784d6da77e4379bdba5c9b43b296ffbb153'],
  ],
  witness: [['0001_witness', 'abb68a5237be3747b9a795dc686b5d97dca82177ad49c908079f642e3bb13165']],
} satisfies Record<string, Frozen>;

const SCHEMAS = [trustDatabase.schema, staffingDatabase.schema, witnessDatabase.schema];
const frozenOf = (service: string): Frozen => Object(FROZEN)[service] ?? [];

/**
 * Returns what is wrong with a list of migrations, and what to do about it; null where it continues what has
 * landed.
 */
function objectionTo(migrations: readonly Migration[], frozen: Frozen, folder: string): string | null {
  for (const [index, [name, sha256]] of frozen.entries()) {
    const found = migrations[index];
    if (found?.name !== name) {
      return `${folder}/${name}.sql has landed and is not number ${index + 1} of the list any more: put it back, and put new migrations behind all others.`;
    }
    if (sha256Hex(found.sql) !== sha256) {
      return `${folder}/${name}.sql has landed and was changed since. Databases record its SHA-256, and a start refuses those of the former text: restore the file (git checkout), and put your change into a new migration behind all others.`;
    }
  }
  const [fresh] = migrations.slice(frozen.length);
  if (fresh === undefined) return null;
  if (/\bDROP\s+TABLE\b/i.test(fresh.sql) && fresh.rebuild !== true) {
    return `${folder}/${fresh.name}.sql drops a table, which deletes the rows of others that cascade: mark it \`rebuild: true\` where its module lists it.`;
  }
  return `${folder}/${fresh.name}.sql is new. When its text is final, append it to FROZEN in test/unit/db/migrations.test.ts: ['${fresh.name}', '${sha256Hex(fresh.sql)}'],`;
}

describe.each(SCHEMAS.map((schema) => [schema.service, schema] as const))(
  'the migrations of %s',
  (service, schema) => {
    const folder = `db/${service}/migrations`;

    test('are those that have landed', () => {
      expect(objectionTo(schema.migrations, frozenOf(service), folder)).toBeNull();
    });

    test('are the files of their folder, numbered in the order in which they are applied', () => {
      const names = schema.migrations.map(({ name }) => name);
      const files = readdirSync(join(import.meta.dir, '../../..', folder));
      expect(names.map((name) => `${name}.sql`)).toEqual(files.sort());
      expect(names.map((name) => name.slice(0, 5))).toEqual(
        names.map((_, index) => `${String(index + 1).padStart(4, '0')}_`),
      );
    });
  },
);

describe('a list of migrations', () => {
  const one = { name: '0001_one', sql: 'SELECT 1;' };
  const two = { name: '0002_two', sql: 'SELECT 2;' };
  const frozen: Frozen = [one, two].map(({ name, sql }) => [name, sha256Hex(sql)]);

  test.each([
    [
      'in which one has changed',
      [{ ...one, sql: 'SELECT 3;' }, two],
      'db/one/0001_one.sql has landed and was changed',
    ],
    ['in which one is missing', [one], 'db/one/0002_two.sql has landed and is not number 2'],
    [
      'in which one came between',
      [one, { name: '0001_other', sql: '' }, two],
      'db/one/0002_two.sql has landed and is not number 2',
    ],
    [
      'with a new one',
      [one, two, { name: '0003_three', sql: 'SELECT 3;' }],
      `['0003_three', '${sha256Hex('SELECT 3;')}'],`,
    ],
    [
      'with one that drops a table and is no rebuild',
      [one, two, { name: '0003_three', sql: 'DROP TABLE three;' }],
      'mark it `rebuild: true`',
    ],
    [
      'with a new one that is a rebuild',
      [one, two, { name: '0003_three', sql: 'DROP TABLE three;', rebuild: true }],
      "['0003_three', '",
    ],
  ])('%s is objected to', (_, migrations, said) => {
    expect(objectionTo(migrations, frozen, 'db/one')).toContain(said);
  });

  test('that has landed whole is not objected to', () => {
    expect(objectionTo([one, two], frozen, 'db/one')).toBeNull();
  });
});

/**
 * The state machines that a specification closes, and other pairs that cannot grow. Whatever else has a list
 * of values is open.
 */
const CLOSED: Record<string, readonly string[]> = {
  trust: [
    'account_leaf.event',
    'agent.state',
    'agent_receipt.outcome',
    'agent_standing.reputation',
    'checkout.status',
    'escrow.status',
    'evidence.outcome',
    'operator.account_status',
    'payout.status',
    'receipt.revocation_status',
    'receipt.status',
    'receipt_version.status',
    'sandbox_session.status',
    'signing_key.status',
    'wallet_transfer.status',
  ],
  staffing: [
    'delivery.state',
    'partner_key.tier',
    'requisition.mode',
    'requisition.status',
    'usage_day.tier',
    'webhook.mode',
  ],
  witness: [],
};

test.each(SCHEMAS.map((schema) => [schema.service, schema] as const))(
  'no table of %s has a CHECK over a list that will grow: SQLite changes one only by making the table again',
  (service, schema) => {
    const database = freshDatabase(schema);
    const tables = database
      .query<{ name: string; sql: string }, []>("SELECT name, sql FROM sqlite_schema WHERE type = 'table'")
      .all();
    database.close();
    const lists = tables.flatMap(({ name, sql }) =>
      [...sql.matchAll(/(\w+)(?: IN \('| = '\w+'(?:\s+OR \1 = '\w+'){2,})/g)].map(
        ([, column]) => `${name}.${column}`,
      ),
    );
    expect([...new Set(lists)].sort()).toEqual([...(CLOSED[service] ?? [])]);
  },
);
